import HarkCore
import HarkLaws
import Testing

@testable import HarkCapture

/// The link types of pcap against libpcap's headers.
@Suite(
  .enabled(
    if: CHeader.isExpected(CHeader.linkTypes), "libpcap-dev is missing: Tools/setup build"))
struct CHeaderTests {
  let header: CHeader

  init() throws { header = try CHeader(CHeader.linkTypes) }

  private func number(_ name: String) throws -> UInt32 {
    UInt32(try #require(header["DLT_\(name)"], "\(CHeader.linkTypes) lacks it"))
  }

  @Test func linkTypes() throws {
    #expect(LinkType(try number("BLUETOOTH_HCI_H4")) == .h4)
    #expect(LinkType(try number("BLUETOOTH_HCI_H4_WITH_PHDR")) == .h4WithDirection)
    #expect(LinkType(try number("BLUETOOTH_LINUX_MONITOR")) == .monitor)
    #expect(LinkType(try number("USB_LINUX")) == .usb(.linux(headerSize: 48)))
    #expect(LinkType(try number("USB_LINUX_MMAPPED")) == .usb(.linux(headerSize: 64)))
    #expect(LinkType(try number("USBPCAP")) == .usb(.windows))
    #expect(LinkType(try number("USB_DARWIN")) == .usb(.darwin))
  }

  @Test(arguments: [
    ("PPI", PacketKind.ppi), ("BLUETOOTH_LE_LL", .leLinkLayer),
    ("BLUETOOTH_BREDR_BB", .basebandRadio), ("BLUETOOTH_LE_LL_WITH_PHDR", .leRadio),
    ("NORDIC_BLE", .nordicBLE),
  ])
  func linkTypesFromTheAir(_ define: String, _ kind: PacketKind) throws {
    let number = try number(define)
    #expect(LinkType(number) == .air(kind))
    #expect(LinkType(number).number == number)
  }

  // DLT_RAW is 12 in files of some systems; written to files, it is LINKTYPE_RAW, 101.
  @Test(arguments: [
    ("NULL", PacketKind.loopback), ("EN10MB", .ethernet), ("LINUX_SLL", .linuxCooked),
    ("LINUX_SLL2", .linuxCooked2),
  ])
  func linkTypesOfNetworks(_ define: String, _ kind: PacketKind) throws {
    let number = try number(define)
    #expect(LinkType(number) == .network(kind))
    #expect(LinkType(number).number == number)
  }

  @Test(arguments: [
    ("IEEE802_11", "Wi-Fi"), ("IEEE802_11_RADIO", "Wi-Fi with radiotap headers"),
  ])
  func namesOfOthers(_ define: String, _ name: String) throws {
    let number = try number(define)
    #expect(LinkType.name(number) == "link type \(number) (\(name))")
    #expect(!LinkType(number).isSupported)
  }

  /// The pseudo-headers as the header declares them, "in network byte order".
  @Test func pseudoHeaders() throws {
    let header = try CHeader(CHeader.pseudoHeaders)
    #expect(header.members(of: "pcap_bluetooth_h4_header") == ["uint32_t direction"])
    #expect(
      header.members(of: "pcap_bluetooth_linux_monitor_header")
        == ["uint16_t adapter_id", "uint16_t opcode"])

    let received = try record("BLUETOOTH_HCI_H4_WITH_PHDR", .u32(1) + H4.complete)
    #expect(received.direction == .controllerToHost)
    #expect(received.kind == .event)
    // 3 is HCI_MON_EVENT_PKT of the kernel's hci_mon.h.
    let monitor = try record("BLUETOOTH_LINUX_MONITOR", .u16(7) + .u16(3) + H4.complete.part(1..<7))
    #expect(monitor.controller == 7)
    #expect(monitor.kind == .event)
  }

  private func record(_ define: String, _ packet: Bytes) throws -> CaptureRecord {
    let file = PcapFile.file(
      try number(define), big: true, [PcapFile.record(packet, big: true)])
    var records: [CaptureRecord] = []
    _ = try Capture(bytes: file.all, name: "header").forEachRecord { record, _ in
      records.append(copy record)
      return true
    }
    #expect(records.count == 1)
    return try #require(records.first)
  }
}
