import HarkLayout

/// The one fault that is the accessory's and not about keys: headphones report the phone as their audio source, with
/// the octets of its address in the order of HCI. It travels as Aria's frames, over RFCOMM: `dissectors/aria`.
package enum ReversedAddress {
  private static let channel: UInt8 = 6
  private static let service = "8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3"
  private static let handle: UInt16 = 0x0080

  /// A capture of it, as a phone would record it.
  package static var capture: [UInt8] {
    var capture = HostCapture(handle: handle)
    capture.command(0x1009, returns: [0] + HostCapture.phone.reversed())
    // Connection Complete of an ACL link.
    capture.event(
      0x03, [0] + HostCapture.u16(Int(handle)) + HostCapture.accessory.reversed() + [1, 0])
    capture.encrypt()
    let sdp = open(&capture, psm: 0x0001, identifier: 1)
    capture.send(sdp, serviceSearch)
    capture.receive(sdp, serviceRecord)
    let rfcomm = open(&capture, psm: 0x0003, identifier: 4)
    for number in [0, channel << 1] {
      // SABM and UA
      capture.send(rfcomm, frame(number, 0x3F, isCommand: true, []))
      capture.receive(rfcomm, frame(number, 0x73, isCommand: true, []))
    }
    let reports: [(kind: UInt8, body: [UInt8])] = [
      // The capability audioSwitching; one source, primary, with media.
      (0x82, [0x01, 0x00]), (0x85, [1, 1, 1] + HostCapture.phone.reversed()),
    ]
    for (index, report) in reports.enumerated() {
      let octets = message(report.kind, UInt8(index), report.body)
      capture.receive(rfcomm, frame(channel << 1, 0xEF, isCommand: false, octets), after: 1_000)
    }
    capture.disconnect()
    return capture.bytes
  }

  /// Opens an L2CAP channel; Vol 3, Part A, 4.2 to 4.5.
  /// - Returns: Its identifier; both sides use the same.
  private static func open(_ capture: inout HostCapture, psm: Int, identifier: UInt8) -> Int {
    let channel = 0x0040 + Int(identifier)
    let number = HostCapture.u16(channel)
    capture.send(1, [0x02, identifier, 4, 0] + HostCapture.u16(psm) + number)
    capture.receive(1, [0x03, identifier, 8, 0] + number + number + [0, 0, 0, 0])
    capture.send(1, [0x04, identifier + 1, 4, 0] + number + [0, 0])
    capture.receive(1, [0x05, identifier + 1, 6, 0] + number + [0, 0, 0, 0])
    capture.receive(1, [0x04, identifier + 2, 4, 0] + number + [0, 0])
    capture.send(1, [0x05, identifier + 2, 6, 0] + number + [0, 0, 0, 0])
    return channel
  }

  private static func sequence(_ elements: [UInt8]) -> [UInt8] {
    [0x35, UInt8(elements.count)] + elements
  }

  /// SDP_ServiceSearchAttributeRequest for the service; Vol 3, Part B, 4.7.1.
  private static var serviceSearch: [UInt8] {
    let pattern = sequence([0x1C] + HostCapture.uuid(service).reversed())
    let body = pattern + [0xFF, 0xFF] + sequence([0x0A, 0, 0, 0xFF, 0xFF]) + [0]
    return [0x06, 0, 1, 0, UInt8(body.count)] + body
  }

  /// Its answer: handle, class, and the protocols L2CAP and RFCOMM with the channel.
  private static var serviceRecord: [UInt8] {
    let protocols = sequence(
      sequence([0x19, 0x01, 0x00]) + sequence([0x19, 0x00, 0x03, 0x08, channel]))
    let record = sequence(
      [0x09, 0, 0, 0x0A, 0, 1, 0, 1, 0x09, 0, 1]
        + sequence([0x1C] + HostCapture.uuid(service).reversed()) + [0x09, 0, 4] + protocols)
    let lists = sequence(record)
    let body = [0, UInt8(lists.count)] + lists + [0]
    return [0x07, 0, 1, 0, UInt8(body.count)] + body
  }

  /// A frame of RFCOMM; TS 07.10, 5.2.
  private static func frame(
    _ number: UInt8, _ control: UInt8, isCommand: Bool, _ information: [UInt8]
  ) -> [UInt8] {
    let length = UInt8(information.count) << 1 | 1
    let header = [number << 2 | (isCommand ? 2 : 0) | 1, control, length]
    // Of frames with information the length is not covered.
    let covered = control == 0xEF ? header.prefix(2) : header[...]
    return header + information + [checksum(covered)]
  }

  /// TS 07.10, 5.2.1.6.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    var value: UInt8 = 0xFF
    for byte in bytes {
      value ^= byte
      for _ in 0..<8 { value = value & 1 != 0 ? value >> 1 ^ 0xE0 : value >> 1 }
    }
    return 0xFF - value
  }

  /// A message of Aria's: kind, number, length, body and CRC-16/CCITT-FALSE.
  private static func message(_ kind: UInt8, _ number: UInt8, _ body: [UInt8]) -> [UInt8] {
    let covered = [kind, number] + HostCapture.u16(body.count) + body
    let checksum = ChecksumAlgorithm.crc16CCITTFalse.value(over: covered)
    return [0xAC] + covered + HostCapture.u16(Int(checksum))
  }
}
