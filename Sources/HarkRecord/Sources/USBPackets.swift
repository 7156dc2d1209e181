import CPcap
import HarkCore

/// Finds HCI packets in what usbmon sees of a bus: Core Specification, Vol 4, Part B, 2. SCO, which
/// goes over isochronous endpoints, is not among them.
struct USBPackets {
  /// One HCI packet, without an indicator.
  struct Packet: Equatable {
    var kind: PacketKind
    var direction: Direction
    var bytes: [UInt8]
  }

  /// bmRequestType of a command: to a device, class-specific.
  private static let commandRequest: UInt8 = 0x20
  /// So many endpoints may have sent the beginning of a packet.
  private static let limit = 256

  private var controllers: USBControllers
  /// The beginnings of packets, by bus, device and endpoint.
  private var partial: [UInt64: [UInt8]] = [:]

  init(_ controllers: USBControllers = USBControllers()) { self.controllers = controllers }

  /// Takes one record of link type 220 (a pcap_usb_header_mmapped of pcap/usb.h, then the data).
  mutating func take(_ record: UnsafeRawBufferPointer, now: UInt64) -> [Packet] {
    let headerCount = MemoryLayout<pcap_usb_header_mmapped>.size
    guard record.count > headerCount else { return [] }
    let header = unsafe record.loadUnaligned(as: pcap_usb_header_mmapped.self)
    let isReceived = Int32(header.endpoint_number) & URB_TRANSFER_IN != 0
    // What is sent is there when it is submitted, what is received when it is complete.
    let event = isReceived ? UInt8(ascii: "C") : UInt8(ascii: "S")
    guard header.event_type == event, header.data_flag == 0, header.data_len > 0,
      controllers.contains(bus: header.bus_id, device: header.device_address, now: now)
    else { return [] }
    let data = unsafe [UInt8](record[headerCount...].prefix(Int(header.data_len)))
    let isWhole = data.count == Int(header.urb_len)
    switch Int32(header.transfer_type) {
    case URB_CONTROL where !isReceived:
      guard header.setup_flag == 0, unsafe header.s.setup.bmRequestType == Self.commandRequest,
        isWhole, data.count >= 3
      else { return [] }
      return [Packet(kind: .command, direction: .hostToController, bytes: data)]
    case URB_INTERRUPT where isReceived: return join(data, .event, header, isWhole)
    case URB_BULK: return join(data, .acl, header, isWhole)
    default: return []
    }
  }

  /// Packets may go over several transfers, and end with the length that they give themselves.
  private mutating func join(
    _ data: [UInt8], _ kind: PacketKind, _ header: pcap_usb_header_mmapped, _ isWhole: Bool
  ) -> [Packet] {
    let key =
      UInt64(header.bus_id) << 16 | UInt64(header.device_address) << 8
      | UInt64(header.endpoint_number)
    var bytes = (partial.removeValue(forKey: key) ?? []) + data
    guard isWhole else { return [] }
    let isReceived = Int32(header.endpoint_number) & URB_TRANSFER_IN != 0
    var packets: [Packet] = []
    while let count = Self.length(bytes, kind), count <= bytes.count {
      packets.append(
        Packet(
          kind: kind, direction: isReceived ? .controllerToHost : .hostToController,
          bytes: Array(bytes[..<count])))
      bytes.removeFirst(count)
    }
    if !bytes.isEmpty, partial.count < Self.limit { partial[key] = bytes }
    return packets
  }

  /// Core Specification, Vol 4, Part E, 5.4.2 and 5.4.4.
  private static func length(_ bytes: [UInt8], _ kind: PacketKind) -> Int? {
    if kind == .event { return bytes.count >= 2 ? 2 + Int(bytes[1]) : nil }
    return bytes.count >= 4 ? 4 + Int(bytes[2]) + Int(bytes[3]) << 8 : nil
  }
}
