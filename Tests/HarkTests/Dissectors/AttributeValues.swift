import Foundation
import HarkTestSupport

/// Captures of an accessory that notifies 0x0031 and a phone that writes 0x0033.
enum AttributeValues {
  /// RFC 1761; Core Specification, Vol 3, Part F, 3.4.7.1 and 3.4.5.3.
  ///
  /// - Parameters:
  ///   - links: Their handles, in turn for each value.
  ///   - cids: Of a channel that has each value as an SDU in one K-frame, instead of attributes. Vol 3, Part A, 3.4.3.
  static func capture(
    _ values: [(isReceived: Bool, bytes: [UInt8])], named name: String, links: [UInt8] = [0x40],
    cids: (received: UInt8, sent: UInt8)? = nil, in folder: TestFolder
  ) throws -> String {
    func big(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
    func little(_ value: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    var bytes = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for (index, value) in values.enumerated() {
      let link = links[index % links.count]
      var pdu = (value.isReceived ? [0x1B, 0x31, 0] : [0x52, 0x33, 0]) + value.bytes
      if cids != nil { pdu = little(value.bytes.count) + value.bytes }
      let cid = cids.map { value.isReceived ? $0.received : $0.sent } ?? 4
      let frame = little(pdu.count) + [cid, 0] + pdu
      let packet = [2, link, value.isReceived ? 0x20 : 0] + little(frame.count) + frame
      bytes += big(UInt64(packet.count), 4) + big(UInt64(packet.count), 4)
      bytes += big(value.isReceived ? 1 : 0, 4) + big(0, 4)
      bytes += big(0x00E0_3AB4_4A67_6000 + UInt64(index) * 50_000, 8) + packet
    }
    let path = folder.path("\(name).btsnoop")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
