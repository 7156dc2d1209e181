import HarkCore

/// A kind of capture that can be written: a format, and what precedes its packets.
public enum CaptureOutput: String, CaseIterable, Sendable {
  /// HCI packets of one controller with their H4 packet indicator.
  case btsnoop = "btsnoop-1002"
  /// Records of the Linux monitor, of all controllers.
  case btsnoopMonitor = "btsnoop-2001"
  /// H4 packets of one controller, without a direction.
  case pcapWithoutDirection = "pcap-187"
  /// H4 packets of one controller, each after its direction.
  case pcap = "pcap-201"
  /// Records of the Linux monitor, of all controllers.
  case pcapMonitor = "pcap-254"
  /// Packets from the air, of one link type.
  case pcapLinkLayer = "pcap-251"
  case pcapRadio = "pcap-256"
  case pcapNordic = "pcap-272"
  case pcapPPI = "pcap-192"
  case pcapBaseband = "pcap-255"
  /// Frames of a local network, of one link type.
  case pcapEthernet = "pcap-1"
  case pcapLinuxCooked = "pcap-113"
  case pcapLinuxCooked2 = "pcap-276"
  case pcapRawIP = "pcap-101"
  case pcapLoopback = "pcap-0"
  /// An interface for each controller, of link type 187, 201 or 254; for each sniffer and network, of its own.
  case pcapng
  /// HCI packets of one controller, and PacketLogger's own notes.
  case packetLogger = "pklg"

  /// Its name in sentences.
  public var title: String {
    switch self {
    case .btsnoop: "btsnoop 1002"
    case .btsnoopMonitor: "btsnoop 2001"
    case .pcapWithoutDirection: "pcap of link type 187"
    case .pcap: "pcap of link type 201"
    case .pcapMonitor: "pcap of link type 254"
    case .pcapLinkLayer: "pcap of link type 251"
    case .pcapRadio: "pcap of link type 256"
    case .pcapNordic: "pcap of link type 272"
    case .pcapPPI: "pcap of link type 192"
    case .pcapBaseband: "pcap of link type 255"
    case .pcapEthernet: "pcap of link type 1"
    case .pcapLinuxCooked: "pcap of link type 113"
    case .pcapLinuxCooked2: "pcap of link type 276"
    case .pcapRawIP: "pcap of link type 101"
    case .pcapLoopback: "pcap of link type 0"
    case .pcapng: "pcapng"
    case .packetLogger: "PacketLogger"
    }
  }

  /// What it is, for lists.
  public var summary: String {
    switch self {
    case .btsnoop: "HCI packets of one controller (H4)"
    case .btsnoopMonitor: "the Linux monitor: all controllers, programs' actions"
    case .pcapWithoutDirection: "H4 packets of one controller, no directions"
    case .pcap: "H4 packets of one controller, with directions"
    case .pcapMonitor: "the Linux monitor"
    case .pcapLinkLayer: "over-the-air LE packets"
    case .pcapRadio: "over-the-air LE packets, with radio header"
    case .pcapNordic: "over-the-air LE packets of the nRF Sniffer"
    case .pcapPPI: "over-the-air LE packets of Ubertooth"
    case .pcapBaseband: "over-the-air BR/EDR packets"
    case .pcapEthernet: "Ethernet and Wi-Fi frames"
    case .pcapLinuxCooked: "frames of all Linux interfaces"
    case .pcapLinuxCooked2: "frames of all Linux interfaces, version 2"
    case .pcapRawIP: "IP packets"
    case .pcapLoopback: "frames of the loopback interface on BSD and macOS"
    case .pcapng: "all controllers, directions, comments"
    case .packetLogger: "PacketLogger: one controller, notes"
    }
  }

  /// Endings of files, without the dot, and the format they stand for.
  public static var endings: [(ending: String, format: String)] {
    CaptureFormat.all.flatMap { format in format.endings.map { ($0, format.outputName) } }
  }

  /// The ending of a file's name, in small letters and without the dot; empty if it has none.
  public static func ending(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The name, among those of `endings`, of the format that a file's ending stands for.
  public static func format(ofFile path: String) -> String? {
    let ending = ending(of: path)
    return endings.first { $0.ending == ending }?.format
  }

  /// The name, among those of `endings`, of the format that a capture is read in; nil if it is of
  /// a line.
  public static func format(of info: CaptureInfo) -> String? {
    CaptureFormat.all.first { info.format.split(separator: " ").first == $0.name[...] }?.outputName
  }

  /// The names that `choose` takes: of formats, and of single kinds.
  public static var names: [String] {
    let formats = CaptureFormat.all.map(\.outputName)
    return formats + allCases.map(\.rawValue).filter { !formats.contains($0) }
  }

  /// The kind for a name: that of the Linux monitor where one of the sources is of it, and one without
  /// directions where no source has them.
  /// - Returns: Nil if nothing has that name.
  public static func choose(_ name: String, for sources: [CaptureInfo]) -> CaptureOutput? {
    if let exact = CaptureOutput(rawValue: name) { return exact }
    let isMonitor = sources.contains(where: \.isOfMonitor)
    let hasDirections = sources.isEmpty || sources.contains(where: \.hasDirections)
    switch name {
    case "btsnoop": return isMonitor ? .btsnoopMonitor : .btsnoop
    case "pcap":
      if let air = sources.lazy.compactMap(\.airKind).first {
        return allCases.first { $0.airKind == air }
      }
      if let network = sources.lazy.compactMap(\.networkKind).first {
        return allCases.first { $0.networkKind == network }
      }
      return isMonitor ? .pcapMonitor : hasDirections ? .pcap : .pcapWithoutDirection
    default: return nil
    }
  }

  // What it has a place for.

  /// The only kind of packets it holds, if those are from the air.
  var airKind: PacketKind? {
    switch self {
    case .pcapLinkLayer: .leLinkLayer
    case .pcapRadio: .leRadio
    case .pcapNordic: .nordicBLE
    case .pcapPPI: .ppi
    case .pcapBaseband: .basebandRadio
    default: nil
    }
  }
  /// The only kind of packets it holds, if those are frames of a local network.
  var networkKind: PacketKind? {
    switch self {
    case .pcapEthernet: .ethernet
    case .pcapLinuxCooked: .linuxCooked
    case .pcapLinuxCooked2: .linuxCooked2
    case .pcapRawIP: .rawIP
    case .pcapLoopback: .loopback
    default: nil
    }
  }
  /// Whether it has a place for packets from the air.
  public var holdsAir: Bool { airKind != nil || self == .pcapng }
  /// Whether it has a place for what is no HCI.
  public func holds(_ content: CaptureInfo.OtherContent) -> Bool {
    switch content {
    case .air: holdsAir
    case .network: networkKind != nil || self == .pcapng
    }
  }
  /// Whether it has a place for HCI packets.
  public var holdsHCI: Bool { airKind == nil && networkKind == nil }
  public var isBtsnoop: Bool { self == .btsnoop || self == .btsnoopMonitor }
  var isMonitor: Bool { self == .btsnoopMonitor || self == .pcapMonitor }
  var holdsControllers: Bool { isMonitor || self == .pcapng }
  var holdsComments: Bool { self == .pcapng }
  var holdsDrops: Bool { self == .btsnoop || self == .btsnoopMonitor || self == .pcapng }
  var holdsOriginalCounts: Bool { self != .packetLogger }
  // Packets from the air say themselves, if anything does, which way they went.
  var holdsDirections: Bool { self != .pcapWithoutDirection }
  var holdsUnknownDirections: Bool { self == .pcapWithoutDirection }
  /// Whether times are in nanoseconds where a source has them.
  var holdsNanoseconds: Bool {
    switch self {
    case .btsnoop, .btsnoopMonitor, .packetLogger: false
    default: true
    }
  }
  /// From when to when its times reach, in seconds since 1970.
  var seconds: ClosedRange<Int64> {
    switch self {
    case .btsnoop, .btsnoopMonitor: Int64.min...Int64.max
    case .pcapng: 0...Int64.max
    default: 0...Int64(UInt32.max)
    }
  }
}

extension CaptureInfo {
  /// Whether times need more than microseconds.
  var hasNanoseconds: Bool { interfaces.contains { $0.resolution != "1 µs" } }

  /// Whether records say which way packets went, at least those of one interface.
  public var hasDirections: Bool {
    switch format {
    case StreamFormat.h4.name, StreamFormat.h5.name: false
    default: interfaces.isEmpty || interfaces.contains { $0.linkType != 187 }
    }
  }

  /// Whether there may be records that do not say so.
  public var lacksDirections: Bool {
    !hasDirections || interfaces.contains { $0.linkType == 187 }
  }

  /// The kind of the packets from the air that its first such interface gives; nil without one.
  public var airKind: PacketKind? {
    interfaces.lazy.compactMap { $0.linkType.flatMap { PacketKind(airLinkType: $0) } }.first
  }

  /// The kind of the frames that its first interface gives; nil unless that is of a local network.
  public var networkKind: PacketKind? {
    guard format.hasPrefix("pcap") else { return nil }
    return interfaces.first?.linkType.flatMap { PacketKind(networkLinkType: $0) }
  }

  /// Whether all its packets are from the air.
  public var isOfAir: Bool {
    airKind != nil
      && interfaces.allSatisfy { $0.linkType.flatMap { PacketKind(airLinkType: $0) } != nil }
  }

  /// What captures hold that hold no HCI packets, as messages name it.
  public enum OtherContent: String, Sendable {
    case air = "over-the-air packets"
    case network = "frames of a local network"
  }

  /// Nil if there may be HCI packets.
  public var contentOtherThanHCI: OtherContent? {
    if isOfAir { return .air }
    let isOfNetwork =
      networkKind != nil
      && interfaces.allSatisfy { $0.linkType.flatMap { PacketKind(networkLinkType: $0) } != nil }
    return isOfNetwork ? .network : nil
  }

  /// Whether the types of records that hold no HCI packet are PacketLogger's.
  public var isOfPacketLogger: Bool { format.hasPrefix("PacketLogger") }
}
