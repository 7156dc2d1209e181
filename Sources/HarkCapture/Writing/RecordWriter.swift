import HarkCore

/// Writes the records of one format, one after the other. What it is given is what it can hold.
protocol RecordWriter: Sendable {
  /// What the capture begins with.
  func begin(to bytes: inout [UInt8])

  /// Appends a record whose packet is `packet`.
  mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ about: RecordOrigin, to bytes: inout [UInt8])
}

/// Where a record comes from, and what is to stand beside it.
public struct RecordOrigin: Sendable {
  /// The capture it is of.
  public var capture: CaptureInfo
  /// That capture's own number of its controller, which may have got another since.
  public var controller: UInt16
  /// What people wrote on it.
  public var comments: [String] = []
  /// More comments than this are left out of a packet, in bytes: readers hold a packet in memory.
  public static let mostComments = 1 << 16
  /// The direction that follows from other packets, where the capture does not record it.
  public var inferred: Direction?

  public init(_ capture: CaptureInfo, controller: UInt16) {
    (self.capture, self.controller) = (capture, controller)
  }
}

extension RecordOrigin {
  /// The comment that a record becomes which PacketLogger uses for a text; nil for other records.
  public static func note(_ record: CaptureRecord, _ packet: RawSpan) -> String? {
    guard record.kind.isText,
      let text = String(validating: packet.array.prefix { $0 != 0 }, as: UTF8.self)
    else { return nil }
    let kind = record.kind.name.description.map { $0 == "_" ? " " : $0 }
    return "PacketLogger \(String(kind)): \(text)"
  }
  /// What the capture says about the record's source, where that is known.
  var interface: CaptureInfo.Interface? {
    let interfaces = capture.interfaces
    guard capture.format == "pcapng", interfaces.count > 1 else { return interfaces.first }
    // Records of the monitor bring a number of their own.
    return interfaces.indices.contains(Int(controller)) && !capture.isOfMonitor
      ? interfaces[Int(controller)] : nil
  }

  /// What the capture says about the interface of a record. Each section numbers its own: if another kind of packets has the
  /// number here, it is the first with packets of this kind.
  func interface(of record: CaptureRecord) -> CaptureInfo.Interface? {
    guard capture.interfaces.count > 1, let stated = interface else { return interface }
    let own = record.kind.airLinkType ?? record.kind.networkLinkType
    func fits(_ interface: CaptureInfo.Interface) -> Bool {
      guard let link = interface.linkType else { return own == nil }
      if let own { return link == own }
      return PacketKind(airLinkType: link) == nil && PacketKind(networkLinkType: link) == nil
    }
    return fits(stated) ? stated : capture.interfaces.first(where: fits)
  }

  /// Whether that says which way packets went.
  var hasDirections: Bool { capture.hasDirections && interface?.linkType != 187 }

  /// What comments begin with that hark itself makes, so that they are not taken for somebody's words.
  public static let mark = "hark: "
}

/// Writes records as a capture of some kind, and counts what that kind cannot hold.
public struct CaptureWriter: Sendable {
  public let output: CaptureOutput
  public private(set) var losses: CaptureLosses
  /// How many records were written.
  public private(set) var count = 0
  private var writer: any RecordWriter
  /// It, before it has written anything.
  private let unused: any RecordWriter
  /// The controller of a kind that holds one.
  private var controller: UInt16?
  /// Whether Custom Blocks are copied: between the same records, if there is one source and pcapng is written.
  public var copiesBlocks = false
  private var copiedBlocks = 0
  private var copiedStatistics = 0
  /// Lost before records that were not written.
  private var dropped: UInt32 = 0

  /// - Parameters:
  ///   - sources: The captures that records are of.
  ///   - application: What writes: `hark 1.0.0`.
  public init(_ output: CaptureOutput, of sources: [CaptureInfo], application: String) {
    self.output = output
    losses = CaptureLosses(output)
    let unit: Int64 = sources.contains(where: \.hasNanoseconds) ? 1 : 1_000
    switch output {
    case .btsnoop: unused = BtsnoopWriter(.h4)
    case .btsnoopMonitor: unused = BtsnoopWriter(.monitor)
    case .pcapWithoutDirection: unused = PcapWriter(.h4, unit: unit)
    case .pcap: unused = PcapWriter(.h4WithDirection, unit: unit)
    case .pcapMonitor: unused = PcapWriter(.monitor, unit: unit)
    case .pcapLinkLayer, .pcapRadio, .pcapNordic, .pcapPPI, .pcapBaseband:
      unused = PcapWriter(.air(output.airKind ?? .other), unit: unit)
    case .pcapLoopback, .pcapEthernet, .pcapRawIP, .pcapLinuxCooked, .pcapLinuxCooked2:
      unused = PcapWriter(.network(output.networkKind ?? .other), unit: unit)
    case .pcapng: unused = PcapngWriter(sources, application: application)
    case .packetLogger: unused = PacketLoggerWriter()
    }
    writer = unused
    let isNamed = sources.contains { source in
      source.sections.contains { $0.isNamed } || source.interfaces.contains { $0.isNamed }
    }
    // Of several captures only what they say about their interfaces has a place.
    let isKept =
      output == .pcapng && (sources.count == 1 || sources.allSatisfy(\.sections.isEmpty))
    if isNamed, !isKept { losses.count(.descriptions) }
  }

  /// Appends what the capture begins with.
  public func begin(to bytes: inout [UInt8]) { writer.begin(to: &bytes) }

  /// Appends what another capture of the same kind begins with, to which all records go from now on.
  /// Losses and records count on.
  public mutating func beginAnother(to bytes: inout [UInt8]) {
    writer = unused
    writer.begin(to: &bytes)
  }

  /// Leaves out a record that is not wanted; losses before it are still recorded.
  public mutating func skip(_ record: CaptureRecord) { dropped &+= record.dropped }

  /// Appends a record whose packet is `packet`.
  /// - Returns: Whether the kind of capture can hold it; if not, nothing was appended.
  public mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ origin: RecordOrigin, to bytes: inout [UInt8]
  ) -> Bool {
    dropped &+= record.dropped
    guard holds(record, origin.capture) else { return false }
    var record = record
    record.dropped = dropped
    dropped = 0
    fit(&record, packet, origin)
    copyBlocks(of: origin.capture, through: record.number, to: &bytes)
    writer.append(record, packet, origin, to: &bytes)
    count += 1
    return true
  }

  /// Appends what follows the last record. Call it once, when the sources have been read.
  /// - Parameter isWhole: Whether all records were written as they are: statistics of interfaces belong to whole captures.
  public mutating func finish(
    _ sources: [CaptureInfo], isWhole: Bool = false, to bytes: inout [UInt8]
  ) {
    guard copiesBlocks, sources.count == 1 else { return }
    let source = sources[0]
    copyBlocks(of: source, through: .max, to: &bytes)
    guard isWhole, source.zone == nil, let writer = writer as? PcapngWriter else { return }
    for statistics in source.statistics
    where writer.append(statistics, of: source, to: &bytes) {
      copiedStatistics += 1
    }
  }

  private mutating func copyBlocks(
    of source: CaptureInfo, through record: UInt32, to bytes: inout [UInt8]
  ) {
    guard copiesBlocks, let writer = writer as? PcapngWriter else { return }
    let blocks = source.customBlocks
    while copiedBlocks < blocks.count, blocks[copiedBlocks].record <= record {
      writer.append(blocks[copiedBlocks], to: &bytes)
      copiedBlocks += 1
    }
  }

  /// Counts what of the sources themselves has no place. Call it once, when they have been read.
  public mutating func close(_ sources: [CaptureInfo]) {
    let comments = sources.reduce(0) { count, source in
      count + source.sections.reduce(0) { $0 + $1.comments.count }
        + source.interfaces.reduce(0) { $0 + $1.comments.count }
    }
    let written = (writer as? PcapngWriter)?.commentCount ?? 0
    if comments > written {
      losses.count(output.holdsComments ? .sourceComments : .comments, comments - written)
    }
    losses.count(
      .statistics, sources.reduce(0) { $0 + $1.statisticsBlocks } - copiedStatistics)
    let uncopied = sources.reduce(0) { $0 + $1.uncopiedBlocks }
    losses.count(.uncopiedBlocks, uncopied)
    losses.count(.blocks, sources.reduce(0) { $0 + $1.otherBlocks } - uncopied - copiedBlocks)
  }

  /// Whether the format has a place for it; reports if it has none.
  private mutating func holds(_ record: CaptureRecord, _ source: CaptureInfo) -> Bool {
    if let loss = loss(record, source) {
      losses.count(loss)
      return false
    }
    guard !output.holdsControllers else { return true }
    // The first controller that has a packet is the one.
    let mine = controller ?? record.controller
    controller = mine
    if mine != record.controller { losses.count(ofController: record.controller) }
    return mine == record.controller
  }

  /// Whether the format has a place for such a record.
  public func canHold(_ record: CaptureRecord, of source: CaptureInfo) -> Bool {
    loss(record, source) == nil
  }

  private func loss(_ record: CaptureRecord, _ source: CaptureInfo) -> CaptureLosses.Kind? {
    if let air = output.airKind { return record.kind == air ? nil : .notOfAir }
    if let network = output.networkKind { return record.kind == network ? nil : .notOfNetwork }
    if record.kind.isAir { return output.holdsAir ? nil : .air }
    if record.kind.isNetwork { return output == .pcapng ? nil : .network }
    if record.kind.isHCI { return nil }
    let isMonitor =
      switch output {
      case .pcapng: writer.isOfMonitor
      default: output.isMonitor
      }
    switch record.kind {
    case .h4: return isMonitor || output == .packetLogger ? .unknownPackets : nil
    case .other:
      let isHeld = isMonitor && source.isOfMonitor && BtsnoopWriter.opcode(record) != nil
      return isHeld ? nil : .others
    // Only the transport itself has such frames.
    case .threeWire, .bcsp: return .others
    case .usbAccessory: return .usbAccessory
    default:
      if record.kind.isOfPacketLogger { return output == .packetLogger ? nil : .packetLogger }
      return isMonitor ? nil : .monitor
    }
  }

  /// Counts what of a record has no place.
  private mutating func fit(
    _ record: inout CaptureRecord, _ packet: RawSpan, _ origin: RecordOrigin
  ) {
    if !output.holdsComments, !origin.comments.isEmpty {
      losses.count(.comments, origin.comments.count)
    }
    if record.dropped > 0, !output.holdsDrops { losses.count(.drops, Int(record.dropped)) }
    if record.originalCount > packet.byteCount, !output.holdsOriginalCounts {
      losses.count(.lengths)
    }
    if record.flags.contains(.timeUnknown) { losses.count(.timesUnknown) }
    fitTime(&record)
    if record.kind.isAir || record.kind.isNetwork { return }
    if record.flags.contains(.directionUnknown) {
      let isKept =
        output.holdsUnknownDirections
        || output == .pcapng && !writer.isOfMonitor && !origin.hasDirections
      guard !isKept else { return }
      losses.count(origin.inferred == nil ? .directionsUnknown : .directionsInferred)
      if let inferred = origin.inferred { record.direction = inferred }
    } else if !output.holdsDirections, record.kind != .command, record.kind != .event {
      losses.count(.directions)
    }
  }

  private mutating func fitTime(_ record: inout CaptureRecord) {
    let part = record.time.nanoseconds % 1_000
    if part != 0, !output.holdsNanoseconds { losses.count(.nanoseconds) }
    let (first, last) = (output.seconds.lowerBound, output.seconds.upperBound)
    let seconds = record.time.nanoseconds / 1_000_000_000
    guard record.time.nanoseconds < 0 && first >= 0 || seconds > last else { return }
    losses.count(.times)
    record.time = Timestamp(seconds: seconds > last ? last : first, nanoseconds: 0)
  }
}

extension RecordWriter {
  /// Whether records are written as those of the Linux monitor.
  fileprivate var isOfMonitor: Bool { (self as? PcapngWriter)?.isMonitor ?? false }
}

extension CaptureInfo.Interface {
  /// Whether somebody else than hark has given it a name.
  fileprivate var isNamed: Bool {
    name.map { !PcapngWriter.isOwn(name: $0) } ?? false || description != nil || hardware != nil
      || operatingSystem != nil
  }
}

extension CaptureInfo.Section {
  fileprivate var isNamed: Bool {
    !comments.isEmpty || hardware != nil || operatingSystem != nil
      || application.map { !PcapngWriter.isOwn(application: $0) } ?? false
  }
}

// What formats' numbers are made of.
extension [UInt8] {
  @inline(__always)
  mutating func append(big value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
  }

  mutating func append(_ packet: RawSpan) {
    unsafe packet.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
