import Foundation
import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// What OBEX carries: file names, cards, listings and messages.
@Suite struct DocumentTests {
  /// The texts that are taken from a document, one after the other.
  private func texts(_ document: String) -> [String] {
    let bytes = Array(document.utf8)
    return DocumentTexts(bytes).ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// RFC 2426, 7, and PBAP 1.2.3, 3.1.
  @Test func card() {
    #expect(
      texts(
        """
        BEGIN:VCARD\r
        VERSION:3.0\r
        N:Doe;John;;;\r
        item1.TEL;TYPE=CELL:+49 170 1234567\r
        PHOTO;ENCODING=B;TYPE=JPEG:/9j/4AAQSk\r
         ZJRgABAQAAAQ\r
        REV:20260102T030405Z\r
        END:VCARD\r
        """) == [
          "Doe", "John", "+49 170 1234567", "/9j/4AAQSk", " ZJRgABAQAAAQ", "20260102T030405Z",
        ])
  }

  /// What precedes a dot is a group of properties only where it is called like one.
  @Test(arguments: ["Jane Doe.TEL:+49 170", "Meet me at nine.Date: x", "itemJane.TEL:1"])
  func sentencesLikeGroups(_ line: String) {
    #expect(texts("BEGIN:VCARD\r\n\(line)\r\nEND:VCARD\r\n").joined().contains(line.prefix(8)))
  }

  /// MAP 1.4.2, 3.1.3 and 3.1.6.
  @Test func message() {
    #expect(
      texts(
        """
        BEGIN:BMSG\r
        STATUS:UNREAD\r
        TYPE:SMS_GSM\r
        FOLDER:telecom/msg/inbox\r
        LENGTH:44\r
        BEGIN:MSG\r
        STATUS: call me\r
        Meet Alice: at 5\r
        END:MSG\r
        """) == [" call me", "Meet Alice: at 5"])
    #expect(
      texts(
        """
        <?xml version="1.0"?>
        <MAP-msg-listing version="1.0"><msg handle="20000100001" subject="Hello &lt;you" \
        datetime="20260102T030405" sender_name="Jamie" type="SMS_GSM" read="no"/>
        </MAP-msg-listing>
        """) == ["Hello ", "you", "Jamie"])
  }

  /// An attribute has values of its own kind: a folder is no number. MAP 1.4.2, 3.1.6
  @Test func attributes() {
    #expect(
      texts(
        """
        <MAP-msg-listing version="1.0"><msg handle="20000100001" size="4915123456" text="4915123" \
        folder="4915123456789" datetime="20261129T163700+0100" x491512345678="1" read="yes"/>
        """) == ["4915123456", "4915123", "4915123456789", "x491512345678", "1"])
    #expect(
      texts(#"<msg size="2048" datetime="4915123456789" handle="0.vcf"/>"#) == [
        "4915123456789", "0.vcf",
      ])
  }

  /// A packet has any part of one.
  @Test func parts() {
    #expect(texts("hn;Doe:x\r\nEND:VCARD") == ["hn", "Doe:x"])
    #expect(texts(#"ieber" size="12"/><card handle="1.vcf" name="Al"#).joined().contains("ieber"))
    #expect(texts(#"<card handle="Hans" name="Al"#) == ["Hans", "Al"])
    #expect(texts("I <3 Bob") == ["I <", "3 Bob"])
    #expect(DocumentTexts([0xFF, 0xD8, 0, 1]).isBinary)
  }

  /// IrOBEX 1.5, 2.1 and 3.4: over L2CAP, of a service that SDP names.
  static func capture(_ packets: [(sent: Bool, bytes: [UInt8])]) throws -> MadeCapture {
    var capture = MadeCapture()
    func add(_ sent: Bool, _ pdu: [UInt8]) {
      let header: [UInt8] = [0x40, sent ? 0x00 : 0x20]
      let count = [UInt8(pdu.count & 0xFF), UInt8(pdu.count >> 8)]
      capture.add(sent ? 4 : 5, header + count + pdu)
    }
    func channel(_ psm: String) throws {
      add(true, try #require(Hex.bytes("0800010002010400\(psm)4000")))
      add(false, try #require(Hex.bytes("0c0001000301080041004000" + "00000000")))
    }
    // Core Specification, Vol 3, Part B, 4.7: the record of a Phonebook Access Server on PSM 0x1005.
    try channel("0100")
    add(true, try #require(Hex.bytes("14004100060001000f350319112f001435050a0000ffff00")))
    add(
      false,
      try #require(
        Hex.bytes(
          "21004000070001001c0019" + "35173515090001350319112f0900043508350619010009100500")))
    add(true, try #require(Hex.bytes("08000100060204004100" + "4000")))
    add(false, try #require(Hex.bytes("08000100070204004000" + "4100")))
    try channel("0510")
    for (sent, bytes) in packets {
      let count = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
      add(sent, count + [sent ? 0x41 : 0x40, 0] + bytes)
    }
    return capture
  }

  static func packet(_ code: UInt8, _ headers: [(UInt8, [UInt8])]) -> [UInt8] {
    let all = headers.flatMap { id, value in
      [id, UInt8((value.count + 3) >> 8), UInt8((value.count + 3) & 0xFF)] + value
    }
    return [code, UInt8((all.count + 3) >> 8), UInt8((all.count + 3) & 0xFF)] + all
  }

  static func utf16(_ text: String) -> [UInt8] {
    Array((text + "\0").data(using: .utf16BigEndian) ?? Data())
  }

  @Test(arguments: RedactionLevel.allCases) func phonebook(_ level: RedactionLevel) throws {
    let card =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lindqvist;Ottilie\r\nTEL:+46 70 123 45 67\r\nEND:VCARD\r\n"
    let file = try Self.capture([
      (
        true,
        Self.packet(
          0x83, [(0x01, Self.utf16("Größe Ottilie.vcf")), (0x42, Array("x-bt/vcard\0".utf8))])
      ),
      (false, Self.packet(0xA0, [(0x49, Array(card.utf8))])),
      (false, Self.packet(0xA0, [(0x49, [0xFF, 0xD8, 0xFF, 0xE0] + (0..<90).map { UInt8($0) })])),
    ]).bytes
    let redacted = try redact(CaptureBytes(file, name: "phonebook"), level)
    #expect(redacted.bytes.count == file.count)
    for secret in [
      Array("Lindqvist".utf8), Array("Ottilie".utf8), Array("+46 70 123 45 67".utf8),
      Array(Self.utf16("Größe Ottilie").dropLast(2)), (20..<60).map { UInt8($0) },
    ] {
      #expect(file.holds(secret) && !redacted.bytes.holds(secret))
    }
    // With strict the words of the format are gone, too.
    guard level == .share else { return }
    for kept in ["BEGIN:VCARD\r\nVERSION:3.0\r\nN:", "\r\nTEL:+", "END:VCARD", "x-bt/vcard"] {
      #expect(redacted.bytes.holds(Array(kept.utf8)))
    }
  }
}
