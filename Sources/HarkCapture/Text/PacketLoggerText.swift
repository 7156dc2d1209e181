import HarkCore

/// What PacketLogger exports as text, if it holds the bytes of L2CAP PDUs or of whole packets:
/// `Dec 06 13:32:05.518  L2CAP Send  0x0043  …  Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 00 ]`, or raw bytes at the
/// end of a line. Other lines only describe packets.
enum PacketLoggerText {
  /// As btsnoop, H4; nil if a PDU is shortened, or if no line holds one.
  /// - Parameter modified: When the file was written last: the lines name no year.
  static func capture(
    _ lines: [ArraySlice<UInt8>], modified: Timestamp?, _ unread: inout UnreadLines
  ) -> [UInt8]? {
    var writer = BtsnoopWriter(.h4)
    var bytes = writer.fileHeader
    let days = (modified?.nanoseconds ?? 0) / 86_400_000_000_000
    let year = CivilDate(daysSince1970: days).year
    var last: Packet?
    var count = 0
    var described: (head: Head, line: ArraySlice<UInt8>)?
    // Lines that describe a packet whose bytes no line holds.
    func endDescription() {
      guard let (head, line) = described else { return }
      described = nil
      if last.map({ !head.isOf($0) }) ?? true {
        unread.lines.append((line, UInt32(clamping: count + 1)))
      }
    }
    for line in lines {
      guard let head = Head(line, year) else { continue }
      if described.map({ !$0.head.isSame(as: head) }) ?? true {
        endDescription()
        described = (head, line)
      }
      guard let packet = Packet(head) else { continue }
      guard !packet.isShortened else { return nil }
      // ATT, L2CAP and ACL have a line each for one packet.
      if let last, last.isSame(as: packet) { continue }
      last = packet
      described = (head, line)
      count += 1
      var record = CaptureRecord()
      (record.kind, record.time) = (packet.kind, packet.time)
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (packet.bytes.count, packet.bytes.count)
      guard writer.append(record, packet.bytes.raw, to: &bytes) else { return nil }
    }
    endDescription()
    return last == nil ? nil : bytes
  }

  /// The time and the kind of packet that a line begins with.
  private struct Head {
    let kind: PacketKind
    let isReceived: Bool
    let time: Timestamp
    let layer: ArraySlice<UInt8>
    let handle: ArraySlice<UInt8>
    let rest: TextLine

    init?(_ line: ArraySlice<UInt8>, _ year: Int) {
      var words = TextLine(line)
      guard let month = words.word().flatMap(TextTime.month), let day = words.number(),
        (1...31).contains(day), let clock = words.word(),
        let seconds = TextTime.nanoseconds(ofDay: clock),
        let time = TextTime.timestamp(year, month, day, nanoseconds: seconds),
        let layer = words.word(), let way = words.word(), let handle = words.word(),
        // PDUs of the Link Managers are no packets of HCI.
        !layer.elementsEqual("LMP".utf8)
      else { return nil }
      (self.time, self.layer, self.handle, rest) = (time, layer, handle, words)
      switch String(decoding: way, as: UTF8.self) {
      case "Send": (kind, isReceived) = (.acl, false)
      case "Receive": (kind, isReceived) = (.acl, true)
      case "Event": (kind, isReceived) = (.event, true)
      case "Command": (kind, isReceived) = (.command, false)
      default: return nil
      }
    }

    /// Whether it is of the same packet, as another layer has it.
    func isSame(as other: Head) -> Bool {
      kind == other.kind && time == other.time && isReceived == other.isReceived
    }

    func isOf(_ packet: Packet) -> Bool { isSame(as: packet.head) }
  }

  private struct Packet {
    let head: Head
    private(set) var bytes: [UInt8] = []
    /// Whether the line ends in the middle of its PDU.
    private(set) var isShortened = false

    var kind: PacketKind { head.kind }
    var isReceived: Bool { head.isReceived }
    var time: Timestamp { head.time }

    /// A line that holds the bytes of its packet.
    init?(_ head: Head) {
      self.head = head
      if let raw = Self.raw(head.rest, head.kind) {
        bytes = raw
      } else if head.layer.elementsEqual("L2CAP".utf8), head.kind == .acl {
        guard let handle = TextLine.number(head.handle.dropFirst(2), radix: 16),
          (0...0xEFF).contains(handle), let pdu = Self.pdu(head.rest, isShortened: &isShortened)
        else { return nil }
        // The first part of a PDU. Core Specification, Vol 4, Part E, 5.4.2.
        bytes.append(little: UInt16(handle | (isReceived ? 0x2000 : 0)))
        bytes.append(little: UInt16(pdu.count))
        bytes += pdu
      } else {
        return nil
      }
    }

    /// Whether it is the packet of the line before, as another layer has it.
    func isSame(as other: Packet) -> Bool {
      head.isSame(as: other.head) && !head.layer.elementsEqual(other.head.layer)
        && bytes.dropFirst(2) == other.bytes.dropFirst(2)
    }

    /// The octets at the end of a line that are a whole packet.
    private static func raw(_ words: TextLine, _ kind: PacketKind) -> [UInt8]? {
      var words = words
      var octets: [UInt8] = []
      while let word = words.word() {
        if let octet = TextLine.octet(word) {
          octets.append(octet)
        } else if !word.elementsEqual("SEND".utf8), !word.elementsEqual("RECV".utf8) {
          octets.removeAll(keepingCapacity: true)
        }
      }
      // The last octet of a value may stand alone in front of them.
      for start in octets.indices.prefix(3) {
        let packet = Array(octets[start...])
        if kind.ownLength(packet) == packet.count { return packet }
      }
      return nil
    }

    /// An L2CAP PDU from `Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 00 ]`.
    private static func pdu(_ words: TextLine, isShortened: inout Bool) -> [UInt8]? {
      var words = words
      var (channel, length): (Int?, Int?)
      while let word = words.word() {
        if word.elementsEqual("ID:".utf8) {
          channel = words.word().flatMap { TextLine.number($0.dropFirst(2), radix: 16) }
        } else if word.elementsEqual("Length:".utf8) {
          length = words.word().flatMap { TextLine.number($0.dropFirst(2), radix: 16) }
        } else if word.elementsEqual("[".utf8) {
          break
        }
      }
      guard let channel, let length, (1...0xFFFF).contains(channel), (0...0xFFFB).contains(length)
      else { return nil }
      var pdu: [UInt8] = []
      pdu.append(little: UInt16(length))
      pdu.append(little: UInt16(channel))
      while let octet = words.word().flatMap(TextLine.octet) { pdu.append(octet) }
      isShortened = pdu.count != 4 + length
      return pdu
    }
  }
}
