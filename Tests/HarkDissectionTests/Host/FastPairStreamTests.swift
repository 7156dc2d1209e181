import HarkCore
import Testing

@testable import HarkDissection

/// Messages as Google's specification has them, and as an Android phone and earbuds sent them.
@Suite struct FastPairStreamTests {
  static let service = AttachmentPoint.service(
    BluetoothUUID(high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C))
  static let information = [
    "Fast Pair Message Stream", "  Message Group: Device information event (0x0003)",
  ]

  static let vectors = [
    Vector(
      "earbuds to a phone: Model ID", service, "03 01 00 03 64 95 62",
      information + [
        "  Message Group and Code: Model ID (0x0301)", "  Additional Data Length: 3",
        "  Model ID: 0x649562",
      ]),
    Vector(
      "earbuds to a phone: BLE address", service, "03 02 00 06 63 e7 f7 3c 56 29",
      information + [
        "  Message Group and Code: BLE address updated (0x0302)", "  Additional Data Length: 6",
        "  BLE Address: 63:E7:F7:3C:56:29",
      ]),
    Vector(
      "earbuds to a phone: battery", service, "03 03 00 03 64 64 ff",
      information + [
        "  Message Group and Code: Battery updated (0x0303)", "  Additional Data Length: 3",
        "  Charging: no (0)", "  Left Bud Battery: 100 % (100)", "  Charging: no (0)",
        "  Right Bud Battery: 100 % (100)", "  Charging: yes (1)", "  Case Battery: unknown (127)",
      ]),
    Vector(
      "a phone to earbuds: platform type", service, "03 08 00 02 01 22",
      information + [
        "  Message Group and Code: Platform type (0x0308)", "  Additional Data Length: 2",
        "  Platform Type: Android (0x01)", "  SDK Version: 34",
      ]),
    Vector(
      "Google, Device information: remaining battery time", service, "03 04 00 01 f0",
      information + [
        "  Message Group and Code: Remaining battery time (0x0304)",
        "  Additional Data Length: 1", "  Remaining Battery Time: 240 min",
      ]),
    Vector(
      "Google, Device information: remaining battery time of two octets", service,
      "03 04 00 02 01 2c",
      information + [
        "  Message Group and Code: Remaining battery time (0x0304)",
        "  Additional Data Length: 2", "  Remaining Battery Time: 300 min",
      ]),
    Vector(
      "Google, Device information: active components", service, "03 06 00 01 03",
      information + [
        "  Message Group and Code: Active components response (0x0306)",
        "  Additional Data Length: 1", "  Active Components: 0x03: right, left",
      ]),
    Vector(
      "Google, Device action: ring right for 60 s", service, "04 01 00 02 01 3c",
      [
        "Fast Pair Message Stream", "  Message Group: Device action event (0x0004)",
        "  Message Group and Code: Ring (0x0401)", "  Additional Data Length: 2",
        "  Ring: 0x01: right", "  Timeout: 60 s",
      ]),
    Vector(
      "Google, Acknowledgements: ACK of it", service, "ff 01 00 04 04 01 01 3c",
      [
        "Fast Pair Message Stream", "  Message Group: Acknowledgement (0x00ff)",
        "  Message Group and Code: ACK (0xff01)", "  Additional Data Length: 4",
        "  Acknowledged Message Group: Device action event (0x0004)",
        "  Acknowledged Group and Code: Ring (0x0401)", "  Ring: 0x01: right", "  Timeout: 60 s",
      ]),
    Vector(
      "Google, Acknowledgements: NAK of it", service, "ff 02 00 04 01 04 01 00",
      [
        "Fast Pair Message Stream", "  Message Group: Acknowledgement (0x00ff)",
        "  Message Group and Code: NAK (0xff02)", "  Additional Data Length: 4",
        "  Reason: Device busy (0x01)",
        "  Acknowledged Message Group: Device action event (0x0004)",
        "  Acknowledged Group and Code: Ring (0x0401)", "  Ring: 0x00",
      ]),
    Vector(
      "Google, Hearable Controls: three modes, off", service, "08 13 00 04 02 a8 a8 20",
      [
        "Fast Pair Message Stream", "  Message Group: Hearable control (0x0008)",
        "  Message Group and Code: Notify ANC state (0x0813)", "  Additional Data Length: 4",
        "  Version Code: 2", "  UI Toggles: 0xa8: ANC, Off, Transparent",
        "  Settable Toggles: 0xa8: ANC, Off, Transparent", "  Current State: 0x20: Off",
      ]),
    Vector(
      "a message that nobody has described", service, "05 77 00 02 aa bb",
      [
        "Fast Pair Message Stream", "  Message Group: Device configuration event (0x0005)",
        "  Message Group and Code: Unknown (0x0577)", "  Additional Data Length: 2",
        "  Additional Data: aabb",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Message Stream: Device information and Device action, examples; 0x7F is a level that is not known.
  @Test func messages() throws {
    guard case .modelID(let model) = FastPairMessage(hex("03 01 00 03 0a 0b 0c").raw, isCut: false),
      case .batteries(let set) = FastPairMessage(hex("03 03 00 03 64 e4 ff").raw, isCut: false),
      case .batteries(let one) = FastPairMessage(hex("03 03 00 01 57").raw, isCut: false),
      case .ring(let ring) = FastPairMessage(hex("04 01 00 02 03 3c").raw, isCut: false)
    else {
      Issue.record("other messages")
      return
    }
    #expect(model == 0x0A0B0C)
    #expect(set.map(\.component) == [.left, .right, .case] && set.map(\.level) == [100, 100, nil])
    #expect(set.map(\.isCharging) == [false, true, true])
    #expect(one.map(\.component) == [.whole] && one.map(\.level) == [87])
    #expect(ring.components == 3 && ring.timeout == 60)
    // The answer repeats what is to ring.
    guard case .other = FastPairMessage(hex("ff 01 00 03 04 01 03").raw, isCut: false) else {
      Issue.record("an answer is taken for a request")
      return
    }
  }
}
