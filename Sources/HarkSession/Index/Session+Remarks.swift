import HarkCapture
import HarkCore

// Remarks about the capture itself.
extension Tables {
  mutating func emitNote(_ text: String, of source: String, _ moment: PacketContext) {
    emit(.capture(.note(.init(source: source, text: text))), moment)
  }
}

extension Session {
  /// Notes damage in the capture file before the next record.
  public mutating func damage(_ text: String, at time: Timestamp?) {
    let number = UInt32(truncatingIfNeeded: tables.packets.count)
    let isBeforeRecord = time != nil
    let time = time ?? tables.packets[number]?.time ?? Timestamp(nanoseconds: 0)
    let moment = PacketContext(
      packet: PacketID(max(1, number)), time: time, direction: .hostToController, controller: 0,
      cut: 0)
    tables.flushActivity()
    traffic.buffers.forget()
    tables.report(
      Event(
        time: time, frames: Event.Frames(moment.packet), severity: .error,
        content: .capture(.damage(.init(damage: text)))),
      as: PacketID(number + (isBeforeRecord ? 1 : 0)))
  }

  /// Takes a user's comment on the last indexed record; hark's own comments add nothing.
  /// - Parameter source: The writer of the note.
  public mutating func comment(_ text: String, of source: String = "comment") {
    guard !text.hasPrefix(RecordOrigin.mark) else { return }
    let number = UInt32(truncatingIfNeeded: tables.packets.count)
    guard let row = tables.packets[number] else { return }
    let moment = PacketContext(
      packet: PacketID(number), time: row.time, direction: row.direction,
      controller: row.controller, cut: 0, link: row.link)
    tables.emitNote(text, of: source, moment)
  }

  /// Reports a mistake in a profile, which is known when the capture has ended.
  /// - Parameter packets: The packets that show it.
  public mutating func report(
    _ mistake: CaptureEvent.ProfileMistake, shownBy packets: Event.Frames
  ) {
    guard let row = tables.packets[packets.last.number] else { return }
    let moment = PacketContext(
      packet: packets.last, time: row.time, direction: row.direction, controller: row.controller,
      cut: 0, link: row.link)
    tables.emit(
      .capture(.profileMistake(mistake)), moment, frames: packets, severity: .warning)
  }
}
