import HarkCore

/// The record types of the Linux Bluetooth monitor, as the kernel's hci_mon.h numbers them.
/// They travel in btsnoop 2001 and in pcap link type 254.
enum Monitor {
  /// The largest opcode that is defined.
  static let lastOpcode: UInt32 = 19

  @inline(__always)
  static func describe(_ record: inout CaptureRecord, opcode: UInt16, index: UInt16) {
    record.formatCode = UInt32(opcode)
    record.controller = index
    record.kind = kind(opcode)
    record.direction =
      switch opcode {
      case 3, 5, 7, 17, 19: .controllerToHost
      default: .hostToController
      }
  }

  @inline(__always)
  static func kind(_ opcode: UInt16) -> PacketKind {
    switch opcode {
    case 0: .newIndex
    case 1: .deleteIndex
    case 2: .command
    case 3: .event
    case 4, 5: .acl
    case 6, 7: .sco
    case 8: .openIndex
    case 9: .closeIndex
    case 10: .indexInfo
    case 11: .vendorDiagnostic
    case 12: .systemNote
    case 13: .userLogging
    case 14: .controlOpen
    case 15: .controlClose
    case 16: .controlCommand
    case 17: .controlEvent
    case 18, 19: .iso
    default: .other
    }
  }
}
