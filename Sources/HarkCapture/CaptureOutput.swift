/// A kind of capture that can be written: a format, and what stands in front of its packets.
public enum CaptureOutput: String, CaseIterable, Sendable {
  /// HCI packets of one controller with their H4 packet indicator.
  case btsnoop = "btsnoop-1002"
  /// Records of the Linux monitor, of all controllers.
  case btsnoopMonitor = "btsnoop-2001"
  /// H4 packets of one controller, without a direction.
  case pcapWithoutDirection = "pcap-187"
  /// H4 packets of one controller, each behind its direction.
  case pcap = "pcap-201"
  /// Records of the Linux monitor, of all controllers.
  case pcapMonitor = "pcap-254"
  /// An interface for each controller, of link type 187, 201 or 254.
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
    case .pcapng: "pcapng"
    case .packetLogger: "PacketLogger"
    }
  }

  /// What it is, for lists.
  public var summary: String {
    switch self {
    case .btsnoop: "HCI packets of one controller (H4)"
    case .btsnoopMonitor: "the Linux monitor: all controllers, what programs do"
    case .pcapWithoutDirection: "H4 packets of one controller, no directions"
    case .pcap: "H4 packets of one controller, with directions"
    case .pcapMonitor: "the Linux monitor"
    case .pcapng: "all controllers, directions, comments"
    case .packetLogger: "PacketLogger: one controller, notes"
    }
  }

  /// Endings of files, without the dot, and the format they stand for.
  public static var endings: [(ending: String, format: String)] {
    CaptureFormat.all.flatMap { format in format.endings.map { ($0, format.outputName) } }
  }

  /// The names that `choose` takes: of formats, and of single kinds.
  public static var names: [String] {
    let formats = CaptureFormat.all.map(\.outputName)
    return formats + allCases.map(\.rawValue).filter { !formats.contains($0) }
  }

  /// The kind for a name: that of the Linux monitor where one of the sources is of it, and one without
  /// directions where no source has them.
  /// - Returns: Nil where nothing has that name.
  public static func choose(_ name: String, for sources: [CaptureInfo]) -> CaptureOutput? {
    if let exact = CaptureOutput(rawValue: name) { return exact }
    let isMonitor = sources.contains(where: \.isOfMonitor)
    let hasDirections = sources.isEmpty || sources.contains(where: \.hasDirections)
    switch name {
    case "btsnoop": return isMonitor ? .btsnoopMonitor : .btsnoop
    case "pcap": return isMonitor ? .pcapMonitor : hasDirections ? .pcap : .pcapWithoutDirection
    default: return nil
    }
  }

  // What it has a place for.

  var isMonitor: Bool { self == .btsnoopMonitor || self == .pcapMonitor }
  var holdsControllers: Bool { isMonitor || self == .pcapng }
  var holdsComments: Bool { self == .pcapng }
  var holdsDrops: Bool { self == .btsnoop || self == .btsnoopMonitor || self == .pcapng }
  var holdsOriginalCounts: Bool { self != .packetLogger }
  var holdsDirections: Bool { self != .pcapWithoutDirection }
  var holdsUnknownDirections: Bool { self == .pcapWithoutDirection }
  /// Whether times are in nanoseconds where a source has them.
  var holdsNanoseconds: Bool {
    switch self {
    case .pcapWithoutDirection, .pcap, .pcapMonitor, .pcapng: true
    case .btsnoop, .btsnoopMonitor, .packetLogger: false
    }
  }
  /// From when to when its times reach, in seconds since 1970.
  var seconds: ClosedRange<Int64> {
    switch self {
    case .btsnoop, .btsnoopMonitor: Int64.min...Int64.max
    case .pcapng: 0...Int64.max
    case .pcapWithoutDirection, .pcap, .pcapMonitor, .packetLogger: 0...Int64(UInt32.max)
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

  /// Whether the types of records that hold no HCI packet are PacketLogger's.
  var isOfPacketLogger: Bool { format.hasPrefix("PacketLogger") }
}
