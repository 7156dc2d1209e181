import HarkCore
import HarkSession

/// Puts together the messages of a profile on one link.
struct ProfileAssembler: VendorAssembler {
  private let profile: Profile
  private var joinings: [MessagePlace: Joining] = [:]
  private var numbered: [MessagePlace: NumberedFragments] = [:]
  private var fragments = Fragments()
  private var receipts = Receipts()
  private(set) var continuesMessage = false
  private(set) var messageValues: [MessageValues] = []

  init(_ profile: Profile) { self.profile = profile }

  mutating func receive(_ value: VendorValue) -> [Framed] {
    if !messageValues.isEmpty { messageValues.removeAll() }
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
    if let receipt = channel.receipts, let id = receipt.id(in: value.bytes) {
      return receipts.received(id, MessageOrigin(value, direction))
    }
    var message = WholeMessage(value, direction)
    var wrapped: (id: [UInt8], origin: MessageOrigin)?
    do throws(FramingProblem) {
      if let longest = channel.longest, value.bytes.count > longest {
        throw .valueTooLong(size: value.bytes.count, limit: longest)
      }
      if let wrapper = channel.wrapper, let inner = try wrapper.taken(from: message) {
        wrapped = wrapper.id(in: value.bytes).map { ($0, message.origin) }
        message = inner
      }
      if case .none = channel.assembly, message.bytes.isEmpty { throw .empty }
    } catch {
      return [unreadable(message, error, channel)]
    }
    var isEnd = true
    let framed: [Framed]
    let origin = MessagePlace(place, value)
    let given = makeRoom(for: origin)
    switch channel.assembly {
    case .none: framed = read(message, channel.contents, channel, at: origin)
    case .sequence(let sequence):
      var fragments = numbered.removeValue(forKey: origin) ?? NumberedFragments()
      let outcomes = fragments.receive(message, sequence)
      continuesMessage = fragments.isInside
      numbered[origin] = fragments
      isEnd = outcomes.contains(where: \.isEnd)
      framed = given + read(outcomes, channel, at: origin)
    default: framed = given + join(message, channel, origin, isEnd: &isEnd)
    }
    guard let wrapped else { return framed }
    return receipts.sent(wrapped.id, wrapped.origin, on: value.stream, endsMessage: isEnd) + framed
  }

  mutating func reset(_ reason: Interruption) -> [Framed] {
    interrupt(reason) { _ in true } + receipts.interrupt(reason)
  }

  mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption
  ) -> [Framed] {
    let framed = interrupt(reason) {
      $0.stream == stream && (toServer == nil || $0.isToServer == toServer)
    }
    return toServer == nil ? framed + receipts.interrupt(reason, on: stream) : framed
  }

  /// Ends the messages in the making at some places.
  private mutating func interrupt(
    _ reason: Interruption, _ isMeant: (MessagePlace) -> Bool
  ) -> [Framed] {
    var framed: [Framed] = []
    for place in joinings.keys.filter(isMeant).sorted() {
      var joining = joinings.removeValue(forKey: place) ?? Joining()
      framed += joining.interrupt(reason).map { Framed($0.origin, .incomplete($0.gap)) }
    }
    for place in numbered.keys.filter(isMeant).sorted() {
      // The numbers show what is missing.
      guard reason != .dataMissing else { continue }
      var fragments = numbered.removeValue(forKey: place) ?? NumberedFragments()
      framed += read(
        fragments.interrupt(reason), profile.channels[place.channel], at: place)
    }
    return framed + fragments.interrupt(reason, isMeant)
  }

  /// Ends the messages of the oldest stream if there are too many streams.
  private mutating func makeRoom(for place: MessagePlace) -> [Framed] {
    guard joinings[place] == nil, numbered[place] == nil,
      joinings.count + numbered.count >= MessagePlace.most,
      let oldest = (joinings.keys.compactMap(\.stream) + numbered.keys.compactMap(\.stream)).min(
        by: { $0.index < $1.index })
    else { return [] }
    return interrupt(.streamClosed) { $0.stream == oldest }
  }

  private mutating func join(
    _ message: WholeMessage, _ channel: Profile.Channel, _ place: MessagePlace,
    isEnd: inout Bool
  ) -> [Framed] {
    var joining = joinings.removeValue(forKey: place) ?? Joining()
    let outcomes = joining.receive(message, channel.assembly)
    continuesMessage = joining.isInside
    joinings[place] = joining
    isEnd = outcomes.contains(where: \.isEnd)
    return read(outcomes, channel, at: place)
  }

  private mutating func read(
    _ outcomes: [Joining.Outcome], _ channel: Profile.Channel, at place: MessagePlace
  ) -> [Framed] {
    var framed: [Framed] = []
    for outcome in outcomes {
      switch outcome {
      case .message(let message):
        framed += read(message, channel.contents, channel, at: place)
      case .gap(let gap, let origin): framed.append(Framed(origin, .incomplete(gap)))
      case .problem(let problem, let message):
        framed.append(unreadable(message, problem, channel))
      }
    }
    return framed
  }

  private func unreadable(
    _ message: WholeMessage, _ problem: FramingProblem, _ channel: Profile.Channel,
    sessionID: String? = nil, receiptID: String? = nil
  ) -> Framed {
    Framed(
      message.origin,
      .unreadable(
        UnreadableMessage(
          problem, bytes: message.bytes, isSecret: isSecret(message, channel),
          sessionID: sessionID, receiptID: receiptID)))
  }

  private mutating func read(
    _ message: WholeMessage, _ contents: Profile.Contents, _ channel: Profile.Channel,
    at place: MessagePlace
  ) -> [Framed] {
    if message.missingBytes > 0, !contents.encoding.standsLosses {
      return [
        unreadable(message, .cutByCapture(missingBytes: message.missingBytes), channel)
      ]
    }
    var decoded = contents.encoding.read(message.bytes)
    if case .cbor = contents.encoding { decoded.takeSequence(in: message.bytes) }
    if message.keepsValues || message.keepsTree { keepValues(decoded, message, contents, channel) }
    var framed = read(decoded, message, contents, channel, at: place)
    for other in decoded.others {
      framed += read(other, message, contents, channel, at: place)
    }
    for fault in decoded.faults { framed.append(unreadable(message, fault, channel)) }
    return framed
  }

  /// Keeps what a message says, unless a packet shows it as it is: by a layout attached to the channel.
  private mutating func keepValues(
    _ decoded: DecodedMessage, _ message: WholeMessage, _ contents: Profile.Contents,
    _ channel: Profile.Channel
  ) {
    // Only what a channel carries itself is read as a layout's outermost type.
    guard let packet = message.origin.frames.last, message.missingBytes <= 0,
      !channel.isSecret, !contents.marksKeysInside, !mayHoldPrivateKey(message)
    else { return }
    var tree = message.keepsTree ? contents.tree(message.bytes, message.origin.frames) : nil
    tree?.profile = profile.id
    tree?.channel = channel.channel.described
    var values: [MessageValue] = []
    if message.keepsValues, !contents.encoding.isAttached {
      values = profile.values(decoded, message.bytes, contents.encoding)
      for other in decoded.others { values += profile.values(other, [], contents.encoding) }
    }
    guard tree != nil || !values.isEmpty else { return }
    messageValues.append(MessageValues(of: packet, values, tree))
  }

  /// Whether a key may be in a message that cannot be read.
  private func isSecret(_ message: WholeMessage, _ channel: Profile.Channel) -> Bool {
    channel.isSecret || channel.holdsKeys || mayHoldPrivateKey(message)
  }

  private func mayHoldPrivateKey(_ message: WholeMessage) -> Bool {
    profile.secretNames.contains { message.bytes.holds($0) }
  }

  private mutating func read(
    _ decoded: DecodedMessage, _ message: WholeMessage, _ contents: Profile.Contents,
    _ channel: Profile.Channel, at place: MessagePlace
  ) -> [Framed] {
    var evaluator = Evaluator(decoded.value)
    let problem = decoded.framingProblem
    let isCut = message.missingBytes > 0
    func cutOr(_ problem: FramingProblem) -> Framed {
      unreadable(
        message, isCut ? .cutByCapture(missingBytes: message.missingBytes) : problem, channel)
    }
    switch contents.choose(&evaluator) {
    case .none(let isUndecided, let reason):
      if let problem, isUndecided || contents.encoding.source == nil { return [cutOr(problem)] }
      if let reason { return [unreadable(message, reason, channel)] }
      guard contents.encoding.source == nil, let unknown = decoded.value.unknown else {
        return [cutOrUnknown(message, channel)]
      }
      return [unreadable(message, unknown, channel)]
    case .rule(let rule):
      if let problem, !rule.takesPart { return [cutOr(problem)] }
      // If a message passes sealed, the rest can be shown without its last bytes.
      if isCut, !rule.kind.hasMessages, rule.kind != .transport { return [cutOr(.empty)] }
      var framed: [Framed]
      do throws(FramingProblem) {
        framed = try apply(rule, message, &evaluator, channel, at: place)
      } catch {
        framed = [
          unreadable(
            message, error, channel, sessionID: evaluator.name(.sessionID, rule),
            receiptID: evaluator.name(.receiptID, rule))
        ]
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
    _ channel: Profile.Channel, at place: MessagePlace
  ) throws(FramingProblem) -> [Framed] {
    guard rule.scope == nil, rule.needs.isEmpty else {
      return try evaluator.inside(rule) { evaluator throws(FramingProblem) in
        try meaning(rule, message, &evaluator, channel, at: place)
      }
    }
    return try meaning(rule, message, &evaluator, channel, at: place)
  }

  private mutating func meaning(
    _ rule: Rule, _ message: WholeMessage, _ evaluator: inout Evaluator,
    _ channel: Profile.Channel, at place: MessagePlace
  ) throws(FramingProblem) -> [Framed] {
    guard let contents = rule.contents else {
      return try evaluator.framed(
        rule, message, channel.channel, isSecret: channel.isSecret || channel.holdsKeys)
    }
    if rule.kind == .several {
      var framed: [Framed] = []
      for rule in contents.rules where evaluator.holds(rule) {
        framed += try apply(rule, message, &evaluator, channel, at: place)
      }
      return framed
    }
    guard let body = evaluator.bytes(.body, of: rule) else {
      try evaluator.check()
      throw .missing(field: evaluator.name(.body, of: rule))
    }
    let inner = message.with(body)
    guard rule.kind == .fragment else { return read(inner, contents, channel, at: place) }
    let isFirst = evaluator.bool(.first, of: rule)
    guard let isMore = evaluator.bool(.more, of: rule),
      isFirst != nil || rule.members[.first] == nil
    else { throw .missing(field: "first, more") }
    let key = Fragments.Key(
      rule: rule.number, key: evaluator.value(.key, of: rule), place: place)
    let (framed, whole) = fragments.receive(
      inner, of: message.origin, key, isFirst: isFirst, isMore: isMore)
    guard let whole else { return framed }
    return framed + read(whole, contents, channel, at: place)
  }
}

extension Profile.Wrapper {
  /// The value without the wrapper; nil if it has none.
  fileprivate func taken(from message: WholeMessage) throws(FramingProblem) -> WholeMessage? {
    guard message.bytes.starts(with: prefix) else { return nil }
    guard message.bytes.count >= size else {
      throw .tooShort(field: "Wrapper", needed: size, available: message.bytes.count)
    }
    return message.with(Array(message.bytes.dropFirst(size)))
  }

  fileprivate func id(in bytes: [UInt8]) -> [UInt8]? {
    guard let id else { return nil }
    var evaluator = Evaluator(.bytes(Array(bytes.prefix(size))))
    return evaluator.value(id).octets
  }
}

extension Profile.Receipt {
  /// What a value confirms; nil if it is no receipt.
  fileprivate func id(in bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count == size, bytes.starts(with: prefix) else { return nil }
    var evaluator = Evaluator(.bytes(bytes))
    return evaluator.value(id).octets
  }
}

extension [UInt8] {
  fileprivate func holds(_ name: [UInt8]) -> Bool {
    guard let first = name.first else { return false }
    return indices.contains { self[$0] == first && self[$0...].starts(with: name) }
  }
}
