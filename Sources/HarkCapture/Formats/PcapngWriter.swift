import HarkCore

/// pcapng: see `Pcapng`. One little-endian section with an interface for each controller, which is
/// described before its first packet.
struct PcapngWriter: RecordWriter {
  /// Whether records are those of the Linux monitor.
  let isMonitor: Bool
  private let application: String
  /// What the capture says about its making, where there is one capture only.
  private let section: CaptureInfo.Section
  /// The interfaces in their order, and for records of the monitor which controller has which.
  private var interfaces: [Interface] = []
  private var numbers: [UInt16: Int] = [:]
  /// Of packets from the air and of a local network: by sniffer or network, and link type.
  private var ownNumbers: [UInt32: Int] = [:]

  /// How many comments on the section and its interfaces are written.
  private(set) var commentCount = 0

  private struct Interface {
    var link: LinkType
    /// Nanoseconds per unit of its times: 1,000 or 1.
    var unit: Int64
  }

  private enum Option {
    static let comment: UInt16 = 1
    static let name: UInt16 = 2
    static let hardware: UInt16 = 2
    static let description: UInt16 = 3
    static let operatingSystem: UInt16 = 3
    static let application: UInt16 = 4
    static let resolution: UInt16 = 9
    static let interfaceOS: UInt16 = 12
    static let interfaceHardware: UInt16 = 15
    static let flags: UInt16 = 2
    static let drops: UInt16 = 4
  }

  init(_ sources: [CaptureInfo], application: String) {
    isMonitor = sources.contains(where: \.isOfMonitor)
    section = sources.count == 1 ? sources[0].sections.first ?? .init() : .init()
    commentCount = section.comments.count
    let maker = section.application
    self.application =
      maker.map { $0.hasPrefix(application) ? $0 : "\(application), from \($0)" } ?? application
  }

  func begin(to bytes: inout [UInt8]) {
    block(PcapngBlock.section, to: &bytes) { bytes in
      bytes.append(little: PcapngBlock.byteOrderMagic)
      bytes.append(little: UInt16(1))
      bytes.append(little: UInt16(0))
      // The length of the section is not known yet.
      bytes.append(little: Int64(-1))
      for comment in section.comments { option(Option.comment, comment, to: &bytes) }
      option(Option.hardware, section.hardware, to: &bytes)
      option(Option.operatingSystem, section.operatingSystem, to: &bytes)
      option(Option.application, application, to: &bytes)
      bytes.append(little: UInt32(0))
    }
  }

  mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) {
    let number = interface(record, about, to: &bytes)
    let interface = interfaces[number]
    let time = UInt64(clamping: record.time.nanoseconds) / UInt64(interface.unit)
    let prefix = interface.link.prefixCount(record)
    let count = packet.byteCount + prefix
    block(PcapngBlock.enhancedPacket, to: &bytes) { bytes in
      bytes.append(little: UInt32(number))
      bytes.append(little: UInt32(truncatingIfNeeded: time >> 32))
      bytes.append(little: UInt32(truncatingIfNeeded: time))
      bytes.append(little: UInt32(clamping: count))
      bytes.append(little: UInt32(clamping: max(record.originalCount, packet.byteCount) + prefix))
      interface.link.appendPrefix(record, to: &bytes)
      bytes.append(packet)
      pad(&bytes, count)
      var room = RecordOrigin.mostComments
      for comment in about.comments where comment.utf8.count <= room {
        room -= comment.utf8.count
        option(Option.comment, comment, to: &bytes)
      }
      if let bits = direction(record) {
        bytes.append(little: Option.flags)
        bytes.append(little: UInt16(4))
        bytes.append(little: bits)
      }
      if record.dropped > 0 {
        bytes.append(little: Option.drops)
        bytes.append(little: UInt16(8))
        bytes.append(little: UInt64(record.dropped))
      }
      bytes.append(little: UInt32(0))
    }
  }

  /// Bits 0 and 1 of a packet's flags: 1 inbound, 2 outbound, as the host sees it.
  private func direction(_ record: CaptureRecord) -> UInt32? {
    let isMonitorOnly = !record.kind.isHCI && record.kind != .h4
    if record.flags.contains(.directionUnknown) || isMonitorOnly { return nil }
    return record.direction == .controllerToHost ? 1 : 2
  }

  /// Appends an Interface Statistics Block, if the interface is the same here as in its capture.
  /// - Returns: Whether it is.
  func append(
    _ statistics: CaptureInfo.InterfaceStatistics, of source: CaptureInfo, to bytes: inout [UInt8]
  ) -> Bool {
    let number = Int(statistics.interface)
    guard !isMonitor, source.sections.count == 1, interfaces.indices.contains(number),
      source.interfaces.indices.contains(number),
      source.interfaces[number].linkType == UInt32(interfaces[number].link.number)
    else { return false }
    func time(_ time: Timestamp, to bytes: inout [UInt8]) {
      let units = UInt64(clamping: time.nanoseconds) / UInt64(interfaces[number].unit)
      bytes.append(little: UInt32(truncatingIfNeeded: units >> 32))
      bytes.append(little: UInt32(truncatingIfNeeded: units))
    }
    block(PcapngBlock.statistics, to: &bytes) { bytes in
      bytes.append(little: statistics.interface)
      time(statistics.time, to: &bytes)
      for (code, moment) in [(UInt16(2), statistics.start), (3, statistics.end)] {
        guard let moment else { continue }
        bytes.append(little: code)
        bytes.append(little: UInt16(8))
        time(moment, to: &bytes)
      }
      for count in statistics.counts {
        bytes.append(little: count.code)
        bytes.append(little: UInt16(8))
        bytes.append(little: count.packets)
      }
      bytes.append(little: UInt32(0))
    }
    return true
  }

  func append(_ custom: CaptureInfo.CustomBlock, to bytes: inout [UInt8]) {
    block(PcapngBlock.custom, to: &bytes) { bytes in
      bytes.append(little: custom.enterprise)
      bytes += custom.data
      pad(&bytes, custom.data.count)
    }
  }

  // MARK: Interfaces

  /// The number of a record's interface, which is described now where it is new.
  private mutating func interface(
    _ record: CaptureRecord, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) -> Int {
    if record.kind.isAir || record.kind.isNetwork {
      return ownInterface(record, about, to: &bytes)
    }
    if let number = numbers[record.controller] { return number }
    // Readers take the interface for the controller, so each of those before has one too. Records of
    // the monitor say themselves which they are of.
    var next = isMonitor ? record.controller : UInt16(truncatingIfNeeded: interfaces.count)
    while next < record.controller {
      numbers[next] = interfaces.count
      describe(next, about, nil, to: &bytes)
      next += 1
    }
    numbers[record.controller] = interfaces.count
    describe(record.controller, about, about.interface(of: record), to: &bytes)
    return interfaces.count - 1
  }

  /// As `interface`, of packets that hold no HCI: each sniffer and network has its own, and its link
  /// type.
  private mutating func ownInterface(
    _ record: CaptureRecord, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) -> Int {
    let key =
      UInt32(record.controller) << 16
      | (record.kind.airLinkType ?? record.kind.networkLinkType ?? 0)
    if let number = ownNumbers[key] { return number }
    // As for controllers, so that the interface's number is that of the sniffer again.
    var next = UInt16(truncatingIfNeeded: interfaces.count)
    while next < record.controller {
      describe(next, about, nil, of: record.kind, to: &bytes)
      next += 1
    }
    ownNumbers[key] = interfaces.count
    describe(
      record.controller, about, about.interface(of: record), of: record.kind, to: &bytes)
    return interfaces.count - 1
  }

  private mutating func describe(
    _ controller: UInt16, _ about: RecordOrigin, _ stated: CaptureInfo.Interface?,
    of kind: PacketKind? = nil, to bytes: inout [UInt8]
  ) {
    let own = kind.flatMap { kind -> LinkType? in
      kind.isAir ? .air(kind) : kind.isNetwork ? .network(kind) : nil
    }
    let link: LinkType =
      own ?? (isMonitor ? .monitor : about.hasDirections ? .h4WithDirection : .h4)
    let unit: Int64 = about.capture.hasNanoseconds ? 1 : 1_000
    interfaces.append(Interface(link: link, unit: unit))
    commentCount += stated?.comments.count ?? 0
    block(PcapngBlock.interface, to: &bytes) { bytes in
      bytes.append(little: UInt16(link.number))
      bytes.append(little: UInt16(0))
      bytes.append(little: UInt32(longestRecord))
      let name =
        switch own {
        case nil: Self.name(of: controller)
        case .network: "network\(controller)"
        default: "sniffer\(controller)"
        }
      option(Option.name, stated?.name ?? name, to: &bytes)
      for comment in stated?.comments ?? [] { option(Option.comment, comment, to: &bytes) }
      option(Option.description, stated?.description, to: &bytes)
      bytes.append(little: Option.resolution)
      bytes.append(little: UInt16(1))
      bytes.append(little: UInt32(unit == 1 ? 9 : 6))
      option(Option.interfaceOS, stated?.operatingSystem, to: &bytes)
      option(Option.interfaceHardware, stated?.hardware, to: &bytes)
      bytes.append(little: UInt32(0))
    }
  }

  /// The name of an interface without a name.
  private static func name(of controller: UInt16) -> String {
    // HCI_DEV_NONE: what is said about no controller.
    controller == .max ? "bluetooth-monitor" : "hci\(controller)"
  }

  /// Whether an interface's name says no more than its number does.
  static func isOwn(name: String) -> Bool {
    name == Self.name(of: .max)
      || ["hci", "sniffer", "network"].contains {
        name.hasPrefix($0) && UInt16(name.dropFirst($0.count)) != nil
      }
  }

  /// Whether the capture names only hark as its writer.
  static func isOwn(application: String) -> Bool {
    application.hasPrefix("hark ") && !application.contains(", from ")
  }

  // MARK: Blocks

  private func block(
    _ type: UInt32, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    bytes.append(little: type)
    bytes.append(little: UInt32(0))
    body(&bytes)
    let length = UInt32(clamping: bytes.count - start + 4)
    bytes.append(little: length)
    for index in 0..<4 {
      bytes[start + 4 + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index)))
    }
  }

  /// Appends an option with text, cut to what readers keep.
  private func option(_ code: UInt16, _ text: String?, to bytes: inout [UInt8]) {
    guard let text else { return }
    var value = Array(text.utf8)
    if value.count > PcapngOptions.Option.longestText {
      var end = PcapngOptions.Option.longestText
      // Not within a character.
      while end > 0, value[end] & 0xC0 == 0x80 { end -= 1 }
      value.removeSubrange(end...)
    }
    bytes.append(little: code)
    bytes.append(little: UInt16(value.count))
    bytes += value
    pad(&bytes, value.count)
  }

  private func pad(_ bytes: inout [UInt8], _ count: Int) {
    for _ in 0..<(-count & 3) { bytes.append(0) }
  }
}
