import Testing

@testable import HarkDissection

@Suite struct H4Tests {
  static let vectors = [
    Vector(
      "Vol 4, Part A, 2: no packet indicator 0x07", .record(.h4), "07 00 01 02",
      [
        "H4", "  HCI packet type: 0x07", "  Packet: 000102",
      ]),
    Vector(
      "Vol 4, Part A, 2: no packet indicator 0xff", .record(.h4), "ff",
      [
        "H4", "  HCI packet type: 0xff",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
