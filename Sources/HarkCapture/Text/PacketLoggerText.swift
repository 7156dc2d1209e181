import HarkCore

/// What PacketLogger exports as text, if it holds the bytes of L2CAP PDUs or of whole packets:
/// `Dec 06 13:32:05.518  L2CAP Send  0x0043  …  Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 00 ]`, or raw bytes at the
/// end of a line. Other lines only describe packets. Becomes a btsnoop capture (H4).
struct PacketLoggerText: TextForm {
  static let origin = "in PacketLogger's text"
  static let hasOtherLines = true

  private var writer = BtsnoopWriter(.h4)
  private(set) var file: [UInt8]
  private let year: Int

  /// - Parameter modified: When the file was written last: the lines name no year.
  init(modified: Timestamp?) {
    file = writer.fileHeader
    year = CivilDate(daysSince1970: (modified?.nanoseconds ?? 0) / 86_400_000_000_000).year
  }

  /// ATT, L2CAP and ACL have a line each for one packet.
  struct Packet {
    fileprivate var head: Head
    fileprivate var content: Content?
  }

  func begin(_ line: TextLine) -> Packet? {
    Head(line, year).map { Packet(head: $0, content: Content($0)) }
  }

  func extend(_ packet: inout Packet, by line: TextLine) -> Bool {
    guard let head = Head(line, year), head.isSame(as: packet.head) else { return false }
    guard let content = Content(head) else { return true }
    if let known = packet.content {
      return !head.layer.elementsEqual(packet.head.layer)
        && content.bytes.dropFirst(2) == known.bytes.dropFirst(2)
    }
    packet = Packet(head: head, content: content)
    return true
  }

  func isLikely(_ line: TextLine) -> Bool { false }

  mutating func append(_ packet: Packet) -> TextPacketEnd {
    guard let content = packet.content else { return .described }
    var record = CaptureRecord()
    (record.kind, record.time) = (packet.head.kind, packet.head.time)
    record.direction = packet.head.isReceived ? .controllerToHost : .hostToController
    (record.count, record.originalCount) = (content.bytes.count, content.bytes.count)
    guard !content.isShortened, writer.append(record, content.bytes.raw, to: &file) else {
      return .broken
    }
    return .appended
  }

  /// The time and the kind of packet that a line begins with.
  fileprivate struct Head {
    let kind: PacketKind
    let isReceived: Bool
    let time: Timestamp
    let layer: ArraySlice<UInt8>
    let handle: ArraySlice<UInt8>
    let rest: TextLine

    init?(_ line: TextLine, _ year: Int) {
      var words = line
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
  }

  /// The bytes of a packet that a line holds.
  fileprivate struct Content {
    private(set) var bytes: [UInt8] = []
    /// Whether the line ends in the middle of its PDU.
    private(set) var isShortened = false

    init?(_ head: Head) {
      if let raw = Self.raw(head.rest, head.kind) {
        bytes = raw
      } else if head.layer.elementsEqual("L2CAP".utf8), head.kind == .acl {
        guard let handle = TextLine.number(head.handle.dropFirst(2), radix: 16),
          (0...0xEFF).contains(handle), let pdu = Self.pdu(head.rest, isShortened: &isShortened)
        else { return nil }
        // The first part of a PDU. Core Specification, Vol 4, Part E, 5.4.2.
        bytes.append(little: UInt16(handle | (head.isReceived ? 0x2000 : 0)))
        bytes.append(little: UInt16(pdu.count))
        bytes += pdu
      } else {
        return nil
      }
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
