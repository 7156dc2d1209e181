import HarkCore
import Testing

@testable import HarkDissection

@Suite struct PacketLoggerNoteTests {
  static let vectors = [
    Vector(
      "PacketLogger records, as other readers name them: note", .record(.note), "68 65 6c 6c 6f",
      [
        "Note", "  Text: \"hello\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: configuration", .record(.config),
      "61 3d 31 0a",
      [
        "Note", "  Text: \"a=1\\n\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: new controller", .record(.newController),
      "42 43 4d",
      [
        "Note", "  Text: \"BCM\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: system log", .record(.systemLog),
      "6c 6f 67",
      [
        "Note", "  Text: \"log\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: kernel log", .record(.kernelLog),
      "6c 6f 67",
      [
        "Note", "  Text: \"log\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: error", .record(.error), "6f 6f 70 73",
      [
        "Note", "  Text: \"oops\"",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: power", .record(.power), "6f 6e",
      [
        "Note", "  Text: \"on\"",
      ]),
    Vector(
      "a configuration record that is no text", .record(.config), "01 00 ff",
      [
        "Note", "  Data: 0100ff",
      ]),
    Vector(
      "a record of a type that nobody has described", .record(.packetLogger), "55 01 02",
      [
        "PacketLogger", "  Record Type: 0x55", "  Data: 0102",
      ]),
    Vector(
      "PacketLogger records, as other readers name them: LMP", .record(.lmp), "01 02",
      [
        "PacketLogger LMP", "  Data: 0102",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
