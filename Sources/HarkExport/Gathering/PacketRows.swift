import HarkCapture
import HarkCore
import HarkDissection
import HarkPresentation
import HarkSelection
import HarkSession

/// A row for each packet.
struct PacketRows {
  private let withTexts: Bool
  private var line = PacketLine()
  private let writer = PacketText()

  init(withTexts: Bool) { self.withTexts = withTexts }

  mutating func write(
    _ record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session, _ key: String,
    to sink: inout RowBytes
  ) {
    let text = withTexts ? writer.text(of: record, bytes, &session, &line) : nil
    guard let row = session.lastRow else { return }
    sink.begin(.packet)
    sink.text("capture", key)
    sink.number("packet", session.packetCount)
    sink.time("time", row.time)
    sink.integer("since_start", session.firstTime.map { row.time.since($0) } ?? 0)
    let isUnknown = row.flags.contains(.directionUnknown)
    sink.text(
      "direction", isUnknown ? nil : row.flags.contains(.received) ? "received" : "sent")
    sink.text("kind", row.kind.name.description)
    sink.number("controller", row.controller)
    sink.number("link", row.link.map { UInt32($0.index) + 1 })
    sink.number(
      "channel", row.channel.map { session.channels[Int($0.index)].stream.index + 1 })
    sink.number("device", row.link.flatMap { session.device(of: $0) }.map { $0.index + 1 })
    sink.number("length", row.count)
    sink.number("original_length", max(record.originalCount, Int(row.count)))
    sink.flag("malformed", row.flags.contains(.malformed))
    sink.text("text", text)
  }
}

/// What a packet says, in one line. A class, as a reading cannot be copied.
private final class PacketText {
  private var reading = PacketReading()
  private var pen = TextPen(reserving: 1 << 10)

  func text(
    of record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session, _ line: inout PacketLine
  ) -> String {
    reading.read(record, bytes, &session)
    pen.clear()
    line.writeContent(reading, bytes, to: &pen)
    return unsafe String(decoding: pen.bytes, as: UTF8.self)
  }
}
