import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

// The page for people.
extension CaptureReport {
  /// - Parameter name: The capture's name, as the user gave it.
  public func write(
    name: String, _ capture: CaptureInfo, _ end: CaptureEnd, _ session: borrowing Session,
    style: Style, to out: inout TextBuffer
  ) {
    style.write(.strong, to: &out) { $0.printable(name) }
    out.byte(0x0A)
    var page = InfoPage(style: style)
    rows(capture, session, page: &page, to: &out)
    controllers(session, page: &page, to: &out)
    devices(session, page: &page, to: &out)
    links(session, page: &page, to: &out)
    borrowed(session, page: &page, to: &out)
    messages(page: &page, to: &out)
    keys(session, page: &page, to: &out)
    page.heading("Notes", to: &out)
    let findings = findings(session, capture)
    if findings.isEmpty { page.item("No known gaps.", to: &out) }
    for finding in findings { page.item(finding.text, to: &out) }
    damage(end, page: &page, to: &out)
  }

  /// What the capture is, by label, but for devices, links and keys.
  package func facts(
    _ capture: CaptureInfo, _ session: borrowing Session
  ) -> [(label: String, text: String)] {
    var page = InfoPage(style: .plain)
    var out = TextBuffer()
    rows(capture, session, page: &page, to: &out)
    controllers(session, page: &page, to: &out)
    messages(page: &page, to: &out)
    keys(session, page: &page, to: &out)
    return page.rows
  }

  /// What the capture cannot show, in a sentence or two, with the name that programs know it by.
  package typealias Limit = (kind: String, text: String)

  package func limits(_ session: borrowing Session, _ capture: CaptureInfo) -> [Limit] {
    findings(session, capture).map { ("\($0.kind)", $0.text) }
  }

  private func rows(
    _ capture: CaptureInfo, _ session: borrowing Session, page: inout InfoPage,
    to out: inout TextBuffer
  ) {
    page.row("format", format(capture), to: &out)
    // Files that were put together have sections and interfaces that say the same.
    var reported: Set<String> = []
    for (label, text) in capture.sections.flatMap(origin) + capture.interfaces.flatMap(interface)
    where reported.insert("\(label) \(text)").inserted {
      page.row(label, text, to: &out)
    }
    clock(capture, session, page: &page, to: &out)
    for log in tally.appClocks {
      page.row("app log", "\(log.origin.file): \(log.text)", to: &out)
      if let clock = log.clock { page.row("", clock.words, to: &out) }
    }
    page.row("packets", packets(session), to: &out)
    if let air = air(session.counts) { page.row("air", air, to: &out) }
    page.row("protocols", protocolList(session), to: &out)
  }

  private func format(_ capture: CaptureInfo) -> String {
    [
      capture.format, capture.isCompressed ? "compressed with gzip" : nil,
      capture.size.map { Names.size($0) },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private func origin(_ section: CaptureInfo.Section) -> [(label: String, text: String)] {
    let parts = [section.application, section.operatingSystem, section.hardware].compactMap { $0 }
    return (parts.isEmpty ? [] : [("made by", parts.joined(separator: ", "))])
      + section.comments.map { ("comment", $0) }
  }

  private func interface(_ interface: CaptureInfo.Interface) -> [(label: String, text: String)] {
    let parts = [
      interface.name, interface.description, interface.hardware, interface.operatingSystem,
      interface.dropped.flatMap {
        $0 == 0 ? nil : "lost \(Names.count(Int(clamping: $0), "packet"))"
      },
    ].compactMap { $0 }
    return (parts.isEmpty ? [] : [("interface", parts.joined(separator: ", "))])
      + interface.comments.map { ("comment", $0) }
  }

  private func clock(
    _ capture: CaptureInfo, _ session: borrowing Session, page: inout InfoPage,
    to out: inout TextBuffer
  ) {
    guard let first = session.counts.earliestTime, let last = session.counts.latestTime else {
      return
    }
    var text = TextBuffer()
    text.recorded(first)
    text.text(" to ")
    text.recorded(last)
    text.text(" (")
    text.string(Names.duration(last.since(first)))
    text.text(")")
    if let resolution = capture.interfaces.first?.resolution {
      text.text(", in steps of ")
      text.string(resolution)
    }
    page.row("clock", text.string, to: &out)
    if !first.isDated {
      page.row(
        "",
        last.isDated
          ? "It was set during the recording: times before and after that "
            + "cannot be compared."
          : "It was not set: it counts from the recorder's start or from a date set by its maker.",
        to: &out)
    }
    if let zone = capture.zone {
      let east = ClockZone.text(zone.secondsEast)
      let name = zone.name == east ? east : "\(zone.name) (\(east))"
      page.row("", "Shown in UTC: the capture records \(name).", to: &out)
    } else if let remark = capture.clockRemark {
      page.row("", remark, to: &out)
    }
  }

  private func packets(_ session: borrowing Session) -> String {
    let counts = session.counts
    let isLarge = session.packetCount >= 10_000
    var parts = Self.kinds.compactMap { entry in
      let count = counts.kinds[Int(entry.kind.rawValue)]
      return count > 0 ? Names.count(count, entry.one, entry.many, isBesideLarger: isLarge) : nil
    }
    for (type, count) in counts.h4Types.sorted(by: { $0.key < $1.key }) {
      parts.append(
        Names.count(count, "H4 packet", isBesideLarger: isLarge)
          + " of unknown type \(Names.hex(type))")
    }
    let others = Self.others(counts) - counts.kinds[Int(PacketKind.h4.rawValue)]
    if others > 0 { parts.append(Names.count(others, "other record", isBesideLarger: isLarge)) }
    if counts.malformed > 0 {
      parts.append("\(Names.count(counts.malformed, isBesideLarger: isLarge)) of them malformed")
    }
    return Names.count(session.packetCount)
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  private func protocolList(_ session: borrowing Session) -> String {
    let pdus = protocols(session).map { "\($0.name) \(Names.count($0.pdus))" }
    let parts = [
      pdus.isEmpty ? "" : "PDUs: \(pdus.joined(separator: ", "))",
      Self.advertising(session.counts).joined(separator: ", "),
    ].filter { !$0.isEmpty }
    return parts.isEmpty
      ? "nothing above \(Self.lowest(session.counts))" : parts.joined(separator: "; ")
  }

  /// `254 advertising reports (126 scan responses)`, `31 advertising PDUs`, `2 scan responses`
  private static func advertising(_ counts: Session.Counts) -> [String] {
    let responses = Names.count(counts.scanResponses, "scan response")
    var parts: [String] = []
    if counts.advertisingReports > 0 {
      let share = counts.scanResponses > 0 && counts.advertisingPDUs == 0 ? " (\(responses))" : ""
      parts.append(Names.count(counts.advertisingReports, "advertising report") + share)
    }
    if counts.advertisingPDUs > 0 {
      parts.append(Names.count(counts.advertisingPDUs, "advertising PDU"))
    }
    if counts.advertisingReports == 0, counts.scanResponses > 0 { parts.append(responses) }
    return parts
  }

  /// The layer that every packet has.
  private static func lowest(_ counts: Session.Counts) -> String {
    let kinds = PacketKind.allCases.filter { $0.isAir && counts.kinds[Int($0.rawValue)] > 0 }
    return kinds.isEmpty ? "HCI" : kinds == [.basebandRadio] ? "the baseband" : "the Link Layer"
  }

  private func messages(page: inout InfoPage, to out: inout TextBuffer) {
    guard tally.messages > 0 else { return }
    var parts: [String] = []
    if tally.messages > tally.plain {
      parts = ["\(tally.opened) decrypted", "\(tally.locked) not decrypted"]
    }
    if tally.plain > 0 {
      parts.append(parts.isEmpty ? "not encrypted" : "\(tally.plain) not encrypted")
    }
    page.row(
      "messages",
      "\(Names.count(tally.messages, "accessory message")) "
        + "(\(tally.vendorFramings.sorted().joined(separator: ", "))): "
        + parts.joined(separator: ", "), to: &out)
  }

  private func damage(_ end: CaptureEnd, page: inout InfoPage, to out: inout TextBuffer) {
    guard end.damageCount > 0 else { return }
    page.heading(
      end.status == .truncated
        ? "Truncated"
        : "Damaged in "
          + Names.count(end.damageCount, "place"), to: &out)
    for damage in end.damages.prefix(20) { page.item(damage.description, to: &out) }
    if end.damageCount > 20 {
      page.item("… and \(Names.count(end.damageCount - 20)) more", to: &out)
    }
  }
}

/// Lays out a page of labels and texts.
struct InfoPage {
  let style: Style
  /// What was written so far.
  private(set) var rows: [(label: String, text: String)] = []
  private var lastLabel = ""

  init(style: Style) { self.style = style }

  private static let column = 14

  mutating func row(_ label: String, _ text: String, to out: inout TextBuffer) {
    out.text("  ")
    style.write(.faint, to: &out) { out in
      Columns.pad(label == lastLabel ? "" : label, to: Self.column - 2, into: &out)
    }
    rows.append((label.isEmpty ? lastLabel : label, Timeline.printable(text)))
    lastLabel = label
    body(text, indent: Self.column, to: &out)
  }

  func heading(_ text: String, to out: inout TextBuffer) {
    out.byte(0x0A)
    style.write(.strong, to: &out) { $0.string(text) }
    out.byte(0x0A)
  }

  func item(_ text: String, to out: inout TextBuffer) {
    out.text("  • ")
    body(text, indent: 4, to: &out)
  }

  private func body(_ text: String, indent: Int, to out: inout TextBuffer) {
    let text = Timeline.printable(text)
    let lines = style.width.map { Columns.lines(of: text, width: $0 - indent) } ?? [text]
    for (index, line) in lines.enumerated() {
      if index > 0 { Columns.pad("", to: indent, into: &out) }
      out.string(line)
      out.byte(0x0A)
    }
  }
}
