/// The number of a record in its capture, counted from 1 as users and other analyzers count frames.
public struct PacketID: Hashable, Comparable, Sendable {
  public let number: UInt32

  @inlinable public init(_ number: UInt32) { self.number = number }
  @inlinable public static func < (a: PacketID, b: PacketID) -> Bool { a.number < b.number }
}

/// What one record of a capture holds.
public enum PacketKind: UInt8, Sendable, CaseIterable {
  // HCI packets, by their H4 packet indicator. Core Specification, Vol 4, Part A, 2.
  case command = 1
  case acl = 2
  case sco = 3
  case event = 4
  case iso = 5

  // Records of the Linux monitor that carry no HCI packet; names as in the kernel's hci_mon.h.
  case newIndex = 16
  case deleteIndex
  case openIndex
  case closeIndex
  case indexInfo
  case vendorDiagnostic
  case systemNote
  case userLogging
  case controlOpen
  case controlClose
  case controlCommand
  case controlEvent

  // Records of Apple's PacketLogger that carry no HCI packet.
  case note = 32
  case config
  case newController
  case systemLog
  case kernelLog
  case error
  case power
  case lmp
  /// Of an undocumented type; the type is kept in front.
  case packetLogger

  // Frames of UART transports that carry no HCI packet, whole.
  /// Core Specification, Vol 4, Part D: acknowledgments, link control, those of vendors.
  case threeWire = 48
  /// BlueCore Serial Protocol: acknowledgements, link establishment, those of the vendor.
  case bcsp

  // Packets received on the air, with what their sniffer put in front; by the registered link type.
  /// 251: LE, from the Access Address on.
  case leLinkLayer = 64
  /// 256: after a header of radio, reference access address and flags.
  case leRadio
  /// 272: after the header of Nordic's nRF Sniffer.
  case nordicBLE
  /// 192: after a Per-Packet Information header, as Ubertooth writes it.
  case ppi
  /// 255: BR/EDR, after a header of radio, addresses and flags.
  case basebandRadio

  // Frames of a local network, with what their link type puts in front; by the registered link type.
  /// 1
  case ethernet = 80
  /// 113: Linux cooked capture, version 1.
  case linuxCooked
  /// 276: Linux cooked capture, version 2.
  case linuxCooked2
  /// 101: packets of IP.
  case rawIP
  /// 0: BSD loopback.
  case loopback

  /// Data of a USB interface for iAP2, as one transfer carries it.
  case usbAccessory = 96

  /// An H4 packet whose packet indicator the Core Specification does not define; it is kept in front.
  case h4 = 254
  /// A record of a type its format does not define, or one in which no UART frame ends.
  case other = 255

  /// Whether the record holds an HCI packet.
  @inlinable public var isHCI: Bool { rawValue <= 5 }

  /// Whether it was received on the air, between two controllers.
  @inlinable public var isAir: Bool { rawValue >= 64 && rawValue <= 68 }

  /// Whether it is a frame of a local network.
  @inlinable public var isNetwork: Bool { rawValue >= 80 && rawValue <= 84 }

  /// Whether it may carry L2CAP PDUs or parts of them.
  @inlinable public var isData: Bool { self == .acl || isAir }

  /// Whether it went over the transport between host and controller, one way or the other.
  public var isOnTransport: Bool {
    switch self {
    case .lmp, .threeWire, .bcsp, .h4: true
    default: isHCI
    }
  }

  /// Whether only PacketLogger has such records.
  public var isOfPacketLogger: Bool { isText || self == .lmp || self == .packetLogger }

  /// Whether the record holds UTF-8 text, as a rule.
  public var isText: Bool {
    switch self {
    case .note, .config, .newController, .systemLog, .kernelLog, .error, .power: true
    default: false
    }
  }
}

extension PacketKind {
  /// The kind for people: `system log`.
  public var words: String { String("\(name)".map { $0 == "_" ? " " : $0 }) }

  /// The kind as formats for machines call it.
  public var name: StaticString {
    switch self {
    case .command: "command"
    case .acl: "acl"
    case .sco: "sco"
    case .event: "event"
    case .iso: "iso"
    case .newIndex: "new_index"
    case .deleteIndex: "delete_index"
    case .openIndex: "open_index"
    case .closeIndex: "close_index"
    case .indexInfo: "index_info"
    case .vendorDiagnostic: "vendor_diagnostic"
    case .systemNote: "system_note"
    case .userLogging: "user_logging"
    case .controlOpen: "control_open"
    case .controlClose: "control_close"
    case .controlCommand: "control_command"
    case .controlEvent: "control_event"
    case .note: "note"
    case .config: "config"
    case .newController: "new_controller"
    case .systemLog: "system_log"
    case .kernelLog: "kernel_log"
    case .error: "error"
    case .power: "power"
    case .lmp: "lmp"
    case .packetLogger: "packet_logger"
    case .threeWire: "three_wire"
    case .bcsp: "bcsp"
    case .leLinkLayer: "le_ll"
    case .leRadio: "le_ll_radio"
    case .nordicBLE: "nordic_ble"
    case .ppi: "ppi"
    case .basebandRadio: "bredr_bb"
    case .ethernet: "ethernet"
    case .linuxCooked: "linux_cooked"
    case .linuxCooked2: "linux_cooked_2"
    case .rawIP: "raw_ip"
    case .loopback: "loopback"
    case .usbAccessory: "usb_accessory"
    case .h4: "h4"
    case .other: "other"
    }
  }
}

/// Which way a packet went at the host controller interface; on the air, from the Central's side.
public enum Direction: UInt8, Sendable {
  case hostToController = 0
  case controllerToHost = 1

  @inlinable public var opposite: Direction {
    self == .hostToController ? .controllerToHost : .hostToController
  }
}
