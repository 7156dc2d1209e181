import HarkCore
import HarkDissection
import HarkSelection
import HarkSession

/// Writes one JSON object a line for each packet. The members are described in docs/packets-json.md.
public struct PacketJSON: PacketWriter {
  let texts = PacketFieldTexts(.shared)
  var names = PacketNames()
  var siblings: PacketSiblings
  private var dates = PacketDates()
  private var devices = PacketLabels.member

  public init() {
    siblings = PacketSiblings(keyCount: texts.count)
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ linkNames: borrowing LinkNames,
    to text: inout TextPen
  ) {
    text.text("{\"frame\":")
    text.decimal(UInt64(packet.number))
    if packet.row.time.isDated {
      text.text(",\"time\":\"")
      dates.write(packet.row.time, to: &text)
      text.byte(UInt8(ascii: "\""))
    }
    text.text(",\"time_relative\":")
    text.seconds(packet.row.time.since(packet.firstTime), decimals: 9)
    text.text(",\"direction\":\"")
    text.text(packet.row.directionName)
    text.text(
      packet.row.flags.contains(.directionInferred)
        ? "\",\"direction_inferred\":true,\"kind\":\"" : "\",\"kind\":\"")
    text.text(packet.row.kind.name)
    text.text("\",\"controller\":")
    text.decimal(UInt64(packet.row.controller))
    place(packet, linkNames, to: &text)
    text.text(",\"length\":")
    text.decimal(UInt64(packet.row.count))
    if packet.cut > 0 {
      text.text(",\"original_length\":")
      text.decimal(packet.record.originalCount)
    }
    text.text(",\"layers\":")
    object(packet.tree, bytes, to: &text)
    remarks(packet.tree, to: &text)
    if packet.isAttributeBorrowed { text.text(",\"attribute_borrowed\":true") }
    if packet.isAttributeInferred { text.text(",\"attribute_inferred\":true") }
    if packet.completes { reassembled(packet, to: &text) }
    text.text("}\n")
  }

  /// The link, the channel and the device the packet belongs to.
  private mutating func place(
    _ packet: borrowing PacketReading, _ linkNames: borrowing LinkNames, to text: inout TextPen
  ) {
    guard let link = packet.row.link else { return }
    text.text(",\"link\":")
    text.decimal(UInt64(link.index) + 1)
    if let channel = packet.row.channel {
      text.text(",\"channel\":")
      text.decimal(UInt64(channel.index) + 1)
    }
    if let psm = packet.psm {
      text.text(",\"psm\":")
      text.decimal(UInt64(psm))
    }
    devices.append(link, linkNames, to: &text)
  }

  private mutating func reassembled(
    _ packet: borrowing PacketReading, to text: inout TextPen
  ) {
    text.text(",\"reassembled\":[")
    for index in 0..<packet.completedCount {
      let pdu = packet.completed[index]
      text.text(index == 0 ? "{\"pdu\":" : ",{\"pdu\":")
      text.json(pdu.name.description)
      text.text(",\"frames\":[")
      for part in pdu.packets.indices {
        if part > 0 { text.byte(UInt8(ascii: ",")) }
        text.decimal(UInt64(pdu.packets[part]))
      }
      text.text("],\"length\":")
      text.decimal(pdu.bytes.count)
      text.text(",\"layers\":")
      object(pdu.tree, pdu.bytes.raw, to: &text)
      remarks(pdu.tree, to: &text)
      text.byte(UInt8(ascii: "}"))
    }
    text.byte(UInt8(ascii: "]"))
  }

  /// What is wrong with the bytes of a tree.
  func remarks(_ tree: borrowing Tree, to text: inout TextPen) {
    if tree.violation != nil {
      text.text(",\"malformed\":[")
      var isFirst = true
      for index in tree.failures.indices where !tree.failures[index].isCutByRecorder {
        if !isFirst { text.byte(UInt8(ascii: ",")) }
        isFirst = false
        text.json(tree.failures[index].description)
      }
      text.byte(UInt8(ascii: "]"))
    }
    guard !tree.notes.isEmpty else { return }
    text.text(",\"notes\":[")
    for index in tree.notes.indices {
      let note = tree.notes[index]
      text.text(index > 0 ? ",{\"severity\":\"" : "{\"severity\":\"")
      text.string("\(note.severity)")
      text.text("\",\"text\":")
      text.json(note.text.description)
      text.text(",\"offset\":")
      text.decimal(note.range.lowerBound)
      text.text(",\"length\":")
      text.decimal(note.range.count)
      if note.clause.utf8CodeUnitCount > 0 {
        text.text(",\"clause\":")
        text.json(note.clause.description)
      }
      text.byte(UInt8(ascii: "}"))
    }
    text.byte(UInt8(ascii: "]"))
  }
}

/// Writes times as ISO 8601; the second is kept as text until it has passed.
struct PacketDates {
  private var second = Int64.min
  private var front: [UInt8] = []

  mutating func write(_ time: Timestamp, to text: inout TextPen) {
    var (seconds, nanoseconds) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
    if seconds != second {
      second = seconds
      var whole = TextBuffer()
      whole.dateTime(time, separator: UInt8(ascii: "T"))
      front = whole.bytes.dropLast(6)
    }
    text.append(front)
    text.decimal(UInt64(nanoseconds), width: 9)
  }
}
