import HarkCore
import HarkDissection

/// Advertising data that comes in several reports, commands or PDUs, until it is complete. Data that comes at once never
/// gets here. Core Specification, Vol 4, Part E, 7.7.65.13, 7.7.65.15, 7.8.54, 7.8.62
struct AdvertisingFragments {
  /// The source whose parts form one piece of data: an advertising set with one kind of PDU, or a periodic
  /// advertising train.
  struct Source: Hashable {
    let controller: UInt16
    let address: BluetoothAddress
    let set: UInt16
    let kind: Kind
  }

  enum Kind: Hashable {
    /// With their Event_Type, or what corresponds to it in legacy reports. 7.7.65.13
    case reports(UInt16)
    /// A periodic advertising train that the Controller follows; 0 for one without subevents.
    case train(subevent: UInt8)
    /// A response to a train of this host. 7.7.65.37
    case response(subevent: UInt8, slot: UInt8)
    case ownAdvertising, ownScanResponse, ownTrain

    var isTrain: Bool { if case .train = self { true } else { false } }
  }

  /// The maximum of extended and periodic advertising data, in bytes. Vol 4, Part E, 7.8.54, 7.8.62
  static let longest = 1_650
  private static let mostParts = 256
  private var partial: [Source: Joined] = [:]

  struct Joined {
    fileprivate(set) var bytes: [UInt8] = []
    fileprivate(set) var packets: [PacketID] = []
    /// Whether a part is missing, so that nothing can be appended.
    fileprivate var isBroken = false
    /// How many bytes the first part has, and when the last one came.
    fileprivate var first = 0
    fileprivate var last: PacketTime?

    /// - Parameter part: Nil if the recorder cut it.
    mutating func add(_ part: [UInt8]?, _ moment: PacketContext) {
      let packet = moment.packet
      if last == nil { first = part?.count ?? 0 }
      last = PacketTime(moment)
      if let part, bytes.count + part.count <= AdvertisingFragments.longest {
        bytes += part
      } else {
        isBroken = true
      }
      if !isBroken, packets.last != packet { packets.append(packet) }
    }

    /// Nil if a part is missing.
    var whole: Joined? { isBroken ? nil : self }
  }

  var isEmpty: Bool { partial.isEmpty }

  func isOpen(_ source: Source) -> Bool { partial[source] != nil }

  /// The parts of a source so far.
  subscript(source: Source) -> Joined? { partial[source] }

  /// Takes a part, and returns the data that it completes.
  /// - Parameter part: Nil if the recorder cut it.
  mutating func join(
    _ part: [UInt8]?, of source: Source, isMoreToCome: Bool, _ moment: PacketContext
  ) -> Joined? {
    var joined = partial.removeValue(forKey: source) ?? Joined()
    joined.add(part, moment)
    guard isMoreToCome else { return joined.whole }
    if partial.count >= Self.mostParts { partial = [:] }
    partial[source] = joined
    return nil
  }

  /// No more parts come.
  mutating func end(_ source: Source) { partial[source] = nil }

  /// A train ends, with its subevents.
  mutating func end(train handle: UInt16, _ controller: UInt16) {
    partial = partial.filter {
      !($0.key.kind.isTrain && $0.key.set == handle && $0.key.controller == controller)
    }
  }

  /// Packets are missing, perhaps with parts.
  mutating func breakAll() {
    for source in partial.keys { partial[source]?.isBroken = true }
  }

  mutating func forget(controller: UInt16) {
    guard !partial.isEmpty else { return }
    partial = partial.filter { $0.key.controller != controller }
  }
}

extension AdvertisingFragments.Source {
  /// For sources that a handle identifies.
  private static let noAddress = BluetoothAddress(0, .public)

  /// Of a report; nil if its data is never a part.
  init?(_ report: LEAdvertisingReports.Report, _ controller: UInt16) {
    guard case .extended(let type) = report.kind else { return nil }
    self.init(
      controller: controller, address: report.address, set: UInt16(report.sid ?? 0),
      kind: .reports(type))
  }

  /// Of a periodic advertising train that the controller follows.
  init(train handle: UInt16, subevent: UInt8?, _ controller: UInt16) {
    self.init(
      controller: controller, address: Self.noAddress, set: handle,
      kind: .train(subevent: subevent ?? 0))
  }

  /// Of a response to a train of this host.
  init(
    _ responses: LEPeriodicAdvertisingResponses,
    _ response: LEPeriodicAdvertisingResponses.Response, _ controller: UInt16
  ) {
    self.init(
      controller: controller, address: Self.noAddress, set: UInt16(responses.advertisingHandle),
      kind: .response(subevent: responses.subevent, slot: response.slot))
  }

  /// Of what this host advertises.
  init?(_ own: HCICommandMessage.AdvertisingData, isTrain: Bool, _ controller: UInt16) {
    guard let set = own.advertisingHandle else { return nil }
    self.init(
      controller: controller, address: Self.noAddress, set: UInt16(set),
      kind: isTrain ? .ownTrain : own.isScanResponse ? .ownScanResponse : .ownAdvertising)
  }
}

extension Tables {
  /// Notes before an event is read which of its reports continue the data of earlier reports.
  mutating func noteContinuedData(_ event: RawSpan, _ moment: PacketContext) {
    guard let kind = HCIAdvertisingParts(event) else { return }
    switch kind {
    case .train(let hasSubevent):
      guard !advertising.fragments.isEmpty,
        let report = LEPeriodicAdvertisingReport(event, hasSubevent: hasSubevent)
      else { return }
      let source = AdvertisingFragments.Source(
        train: report.syncHandle, subevent: report.subevent, moment.controller)
      endOtherData(
        event, report.data, of: source, isLast: report.status == .complete, moment)
      if advertising.fragments.isOpen(source) { record.continuedData = 1 }
    case .reports:
      guard !advertising.fragments.isEmpty || LEAdvertisingReports.count(event) > 1 else { return }
      var reports = LEAdvertisingReports(event)
      // Those of this event that are followed by others.
      var begun: [AdvertisingFragments.Source] = []
      var bit: UInt16 = 1
      while bit != 0, let report = reports.next(event) {
        guard let source = AdvertisingFragments.Source(report, moment.controller) else { return }
        let isBegun = !begun.isEmpty && begun.contains(source)
        if !isBegun {
          endOtherData(
            event, report.data, of: source, isLast: !report.isMoreToCome && !report.isCut, moment)
        }
        if isBegun || advertising.fragments.isOpen(source) { record.continuedData |= bit }
        if report.isMoreToCome { begun.append(source) }
        bit <<= 1
      }
    case .responses:
      guard var responses = LEPeriodicAdvertisingResponses(event) else { return }
      var begun: [AdvertisingFragments.Source] = []
      var bit: UInt16 = 1
      while bit != 0, let response = responses.next(event) {
        let source = AdvertisingFragments.Source(responses, response, moment.controller)
        let isBegun = begun.contains(source)
        if !isBegun {
          endOtherData(
            event, response.data, of: source, isLast: response.status == .complete, moment)
        }
        if isBegun || advertising.fragments.isOpen(source) {
          record.continuedData |= bit
        }
        if response.status == .moreToCome { begun.append(source) }
        bit <<= 1
      }
    }
  }

  /// The longest time from one part to the next, in nanoseconds: the largest AUX Offset, and the packet. Vol 6, Part B,
  /// 2.3.4.5
  private static let longestPause: Int64 = 2_500_000_000

  /// Whether a part belongs to other data than the parts before it, whose end is not in the capture: all parts of a
  /// report are from one advertising event. 7.7.65.13, 7.7.65.15
  /// - Parameter isLast: Whether the data is complete with the part. Data that the Controller truncated may end within an
  ///   AD structure.
  func isOfOtherData(
    _ part: RawSpan, than open: AdvertisingFragments.Joined, isLast: Bool, _ moment: PacketContext
  ) -> Bool {
    if let last = open.last, let pause = counts.elapsed(since: last, moment),
      pause > Self.longestPause
    {
      return true
    }
    // It begins as the first part did.
    let part = part.array
    if open.first > 0, part.starts(with: open.bytes.prefix(open.first)) { return true }
    guard isLast, !part.isEmpty, let whole = open.whole else { return false }
    return isMalformedAdvertising(whole.bytes + part) && !isMalformedAdvertising(part)
  }

  func isMalformedAdvertising(_ data: [UInt8]) -> Bool {
    catalog.summarize(data.raw, .advertisingData, Context()).isMalformed
  }

  /// Forgets the parts of a source if the next one belongs to other data.
  private mutating func endOtherData(
    _ event: RawSpan, _ data: Range<Int>?, of source: AdvertisingFragments.Source,
    isLast: Bool, _ moment: PacketContext
  ) {
    guard let open = advertising.fragments[source], let data, data.upperBound <= event.byteCount,
      isOfOtherData(event.extracting(data), than: open, isLast: isLast, moment)
    else { return }
    advertising.fragments.end(source)
  }

  /// Takes data that came in parts when it is complete: only now its AD structures can be read.
  mutating func completeAdvertising(
    _ joined: AdvertisingFragments.Joined, _ moment: PacketContext
  ) {
    malformed(catalog.summarize(joined.bytes.raw, .advertisingData, Context()), moment)
    complete(
      "advertising data", joined.bytes.raw, catalog.entry(at: .advertisingData),
      packets: joined.packets.map(\.number))
  }

  /// Takes data of this host that a command sets in parts. 7.8.54, 7.8.55, 7.8.62
  mutating func ownAdvertised(
    _ command: HCICommandMessage, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard let data = command.advertisingData, let operation = data.operation, operation.isPart,
      let source = AdvertisingFragments.Source(
        data, isTrain: command.opcode == .leSetPeriodicAdvertisingData, moment.controller)
    else { return }
    let isFirst = operation == .firstFragment
    if isFirst { advertising.fragments.end(source) }
    // Without its beginning, the data is unknown.
    guard isFirst || advertising.fragments.isOpen(source) else { return }
    let part = data.data.upperBound <= bytes.byteCount ? bytes.array(data.data) : nil
    if let joined = advertising.fragments.join(
      part, of: source, isMoreToCome: operation != .lastFragment, moment)
    {
      completeAdvertising(joined, moment)
    }
  }
}

extension HCICommandMessage.AdvertisingData.Operation {
  var isPart: Bool {
    switch self {
    case .firstFragment, .intermediateFragment, .lastFragment: true
    case .complete, .unchanged: false
    }
  }
}

extension HCIOpcode {
  /// Whether the command may set a part of advertising data. 7.8.54, 7.8.55, 7.8.62
  var isAdvertisingPart: Bool {
    switch self {
    case .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData,
      .leSetPeriodicAdvertisingData:
      true
    default: false
    }
  }
}
