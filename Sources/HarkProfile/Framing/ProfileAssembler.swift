import HarkCore
import HarkSession

/// Puts together the messages of a profile on one link.
struct ProfileAssembler: VendorAssembler {
  private let profile: Profile
  private var streams: [Int: Joining] = [:]
  private var fragments = Fragments()
  private(set) var continuesMessage = false

  init(_ profile: Profile) { self.profile = profile }

  mutating func receive(_ value: VendorValue) -> [Framed] {
    guard let place = profile.places[value.channel] else { return [] }
    let channel = profile.channels[place]
    switch value.operation {
    // A read gives the last value once more.
    case .read, .subscribe, .refused: return []
    case .data: if case .characteristic = value.channel { return [] }
    case .write, .writeCommand, .notification, .indication: break
    }
    let direction =
      channel.direction ?? (value.toServer ? .hostToAccessory : .accessoryToHost)
    var message = WholeMessage(value, direction)
    do throws(FramingProblem) {
      if let longest = channel.longest, value.bytes.count > longest {
        throw .valueTooLong(size: value.bytes.count, limit: longest)
      }
      if let wrapper = channel.wrapper { message = try wrapper.taken(from: message) }
      guard case .none = channel.assembly else {
        return join(message, channel, place * 2 + (direction == .hostToAccessory ? 0 : 1))
      }
      guard !message.bytes.isEmpty else { throw .empty }
    } catch {
      return [unreadable(message, error, channel)]
    }
    return read(message, channel.contents, channel)
  }

  mutating func reset(_ reason: Interruption) -> [Framed] {
    var framed: [Framed] = []
    for place in streams.keys.sorted() {
      framed +=
        streams[place]?.interrupt(reason).map { Framed($0.origin, .incomplete($0.gap)) } ?? []
    }
    streams = [:]
    return framed + fragments.interrupt(reason)
  }

  private mutating func join(
    _ message: WholeMessage, _ channel: Profile.Channel, _ place: Int
  ) -> [Framed] {
    var framed: [Framed] = []
    var stream = streams.removeValue(forKey: place) ?? Joining()
    let outcomes = stream.receive(message, channel.assembly)
    continuesMessage = stream.isInside
    streams[place] = stream
    for outcome in outcomes {
      switch outcome {
      case .message(let message): framed += read(message, channel.contents, channel)
      case .gap(let gap, let origin): framed.append(Framed(origin, .incomplete(gap)))
      case .problem(let problem, let message):
        framed.append(unreadable(message, problem, channel))
      }
    }
    return framed
  }

  private func unreadable(
    _ message: WholeMessage, _ problem: FramingProblem, _ channel: Profile.Channel
  ) -> Framed {
    let shown = channel.isSecret ? [] : message.bytes.prefix(256)
    return Framed(message.origin, .unreadable(UnreadableMessage(problem, bytes: shown)))
  }

  private mutating func read(
    _ message: WholeMessage, _ contents: Profile.Contents, _ channel: Profile.Channel
  ) -> [Framed] {
    let decoded = contents.encoding.read(message.bytes)
    var evaluator = Evaluator(decoded.value)
    let problem = decoded.framingProblem(size: message.bytes.count)
    let isCut = message.missingBytes > 0
    func cutOr(_ problem: FramingProblem) -> Framed {
      unreadable(
        message, isCut ? .cutByCapture(missingBytes: message.missingBytes) : problem, channel)
    }
    switch contents.choose(&evaluator) {
    case .none(let isUndecided):
      if let problem, isUndecided || contents.encoding.source == nil { return [cutOr(problem)] }
      if case .object(let members) = decoded.value, contents.encoding.source == nil {
        return [
          unreadable(message, .unknownObject(members: Array(members.names.prefix(32))), channel)
        ]
      }
      return [cutOrUnknown(message, channel)]
    case .rule(let rule):
      if let problem, !rule.takesPart { return [cutOr(problem)] }
      // Of a message that passes sealed, the rest can be told without its last bytes.
      if isCut, !rule.kind.hasContents, rule.kind != .transport { return [cutOr(.empty)] }
      var framed: [Framed]
      do throws(FramingProblem) {
        framed = try apply(rule, message, &evaluator, channel)
      } catch {
        framed = [unreadable(message, error, channel)]
      }
      if let rest = decoded.trailing, problem == nil {
        let trailing = FramingProblem.trailing(offset: rest.lowerBound, count: rest.count)
        framed.append(unreadable(message, trailing, channel))
      }
      return framed
    }
  }

  private func cutOrUnknown(_ message: WholeMessage, _ channel: Profile.Channel) -> Framed {
    unreadable(message, message.bytes.first.map { .unknownType($0) } ?? .empty, channel)
  }

  private mutating func apply(
    _ rule: Rule, _ message: WholeMessage, _ evaluator: inout Evaluator,
    _ channel: Profile.Channel
  ) throws(FramingProblem) -> [Framed] {
    guard let contents = rule.contents else {
      return try evaluator.framed(rule, message, channel.channel, isSecret: channel.isSecret)
        .map { [$0] } ?? []
    }
    guard let body = evaluator.bytes(.body, of: rule) else { throw .missing(field: "body") }
    let inner = message.with(body)
    guard rule.kind == .fragment else { return read(inner, contents, channel) }
    guard let isFirst = evaluator.bool(.first, of: rule),
      let isMore = evaluator.bool(.more, of: rule)
    else { throw .missing(field: "first, more") }
    let key = Fragments.Key(rule: rule.number, key: evaluator.value(.key, of: rule))
    let (framed, whole) = fragments.receive(
      inner, of: message.origin, key, isFirst: isFirst, isMore: isMore)
    guard let whole else { return framed }
    return framed + read(whole, contents, channel)
  }
}

extension Profile.Wrapper {
  /// The value without the wrapper, where it has one.
  fileprivate func taken(from message: WholeMessage) throws(FramingProblem) -> WholeMessage {
    guard message.bytes.starts(with: prefix) else { return message }
    guard message.bytes.count >= size else {
      throw .tooShort(field: "Wrapper", needed: size, available: message.bytes.count)
    }
    return message.with(Array(message.bytes.dropFirst(size)))
  }
}
