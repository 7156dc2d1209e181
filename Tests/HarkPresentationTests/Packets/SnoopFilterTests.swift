import HarkCapture
import HarkCore
import Testing

@testable import HarkPresentation

/// What is left of a packet by each rule of AOSP's system/gd/hal/snoop_logger.cc: MAX_HCI_ACL_LEN and
/// L2CAP_HEADER_SIZE (14 and 9 bytes with the octet for the type), kMaxBtsnoozAclSize (14 without),
/// payload_fill_magic, and lengths that are written again.
@Suite struct SnoopFilterTests {
  private func sentences(_ hex: String, of original: Int? = nil, _ kind: PacketKind = .acl)
    -> [String]
  {
    let bytes = Hex.bytes(hex) ?? []
    var record = CaptureRecord()
    record.kind = kind
    (record.count, record.originalCount) = (bytes.count, original ?? bytes.count)
    var filter = SnoopFilter()
    filter.take(record, bytes.raw)
    return filter.sentences
  }

  /// An RFCOMM frame on CID 0x0045: 40 bytes of data in the packet.
  private static let header = "4020 2800 2400 4500"

  @Test func lengths() throws {
    let cut = try #require(sentences(Self.header, of: 44).first)
    #expect(cut.contains("8 bytes") && cut.contains("profiles.rfcomm.enabled"))
    let headers = try #require(sentences(Self.header + "0bef410102", of: 44).first)
    #expect(headers.contains("13 bytes") && headers.contains("headers.enabled"))
    let short = try #require(sentences(Self.header + "0bef41010203", of: 44).first)
    #expect(short.contains("14 bytes") && short.contains("bug report"))
    let fragment = try #require(sentences("4010 2800", of: 44).first)
    #expect(fragment.contains("fragments of PBAP and MAP"))
  }

  @Test func writtenAnew() throws {
    // RFCOMM's address, control and length are left, and both lengths say so.
    let header = try #require(sentences("4020 0700 0300 4500 9bef41", of: 120).first)
    #expect(header.contains("header") && header.hasPrefix("1 packet"))
    let magic = try #require(
      sentences("4020 1100 0d00 4500 9bef41" + Hex.text(Array("PROHIBITED".utf8)), of: 120).first)
    #expect(magic.contains("PROHIBITED"))
  }

  @Test func whatNoFilterDoes() {
    // Whole; signaling, which is never filtered; cut to another length; no ACL data.
    #expect(sentences("4020 0700 0300 4500 9bef41") == [])
    #expect(sentences("4020 0c00 0800 0100 0201040001", of: 16) == [])
    #expect(sentences(Self.header + "0bef", of: 44) == [])
    #expect(sentences("4000 3c 0000000000", of: 63, .sco) == [])
    #expect(sentences("", of: 44) == [])
  }
}
