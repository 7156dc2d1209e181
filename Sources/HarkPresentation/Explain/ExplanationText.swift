import HarkCore
import HarkSession

extension Explanation {
  public func write(_ session: borrowing Session, _ style: Style, to out: inout TextBuffer) {
    let items = shown(session)
    if items.isEmpty {
      out.text("Nothing that hark reads in this ")
      out.text(packet == nil ? "capture is encrypted.\n" : "packet is encrypted.\n")
    }
    for item in items {
      write(item, style, to: &out)
      out.byte(0x0A)
    }
    for (mistake, packets) in mistakes {
      style.write(.warning, to: &out) {
        $0.text("likely mistake in your profile, not in the traffic")
      }
      out.byte(0x0A)
      row("packets", "first in \(Names.packets(packets.first, packets.last))", to: &out)
      row("profile", mistake.place, to: &out)
      row("why", mistake.mistake, to: &out)
      row(
        "remedy", "correct the profile, then test it with this capture: hark dissectors try",
        to: &out)
      out.byte(0x0A)
    }
    if isCut { out.text("The list is shortened.\n") }
    if let remark = remark(session) {
      out.string(remark)
      out.byte(0x0A)
    }
  }

  private func write(_ item: Item, _ style: Style, to out: inout TextBuffer) {
    style.write(item.isOpened ? .strong : .warning, to: &out) { out in
      out.printable(item.subject)
      let isAddress = item.layer == .address
      out.text(
        isAddress
          ? item.isOpened ? ": resolved" : ": not resolved"
          : item.isOpened ? ": decrypted" : ": not decrypted")
    }
    out.byte(0x0A)
    let frames = Names.packets(item.first, item.last)
    let packets =
      switch item.layer {
      case .message: "\(Names.count(item.count, "message")), \(frames)"
      case .address where item.count > 1: "first seen in \(frames)"
      case .link, .address, .advertising: "from #\(item.first.number) on"
      }
    row("packets", packets, to: &out)
    row("why", item.sentence, to: &out)
    if let key = item.key { row("key", "\(key.fingerprint), from \(key.origin)", to: &out) }
    if let missing = item.missing { row("missing", "private key of \(missing)", to: &out) }
    for fact in item.found { row("found", fact, to: &out) }
    for key in item.tried { row("tried", key, to: &out) }
    if let lost = item.firstLost { row("first lost", lost, to: &out) }
    for remedy in item.remedies { row("remedy", remedy, to: &out) }
  }

  private func row(_ name: StaticString, _ value: String, to out: inout TextBuffer) {
    out.text("  ")
    let start = out.count
    out.text(name)
    out.pad(to: 12, from: start)
    out.printable(value)
    out.byte(0x0A)
  }

  public func writeJSON(_ session: borrowing Session, to out: inout TextBuffer) {
    var json = JSONText()
    let items = shown(session)
    let remark = remark(session)
    json.object { json in
      json.objects("encrypted", items) { item, json in Self.write(item, to: &json) }
      json.objects("profile_mistakes", mistakes) { one, json in
        json.string("profile", one.mistake.profile)
        json.string("file", one.mistake.file)
        json.number("line", one.mistake.line)
        json.number("column", one.mistake.column)
        json.string("mistake", one.mistake.mistake)
        json.number("first_frame", one.packets.first.number)
        json.number("last_frame", one.packets.last.number)
      }
      json.string("remark", remark)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// One item, by the number that `place` gave.
  public func writeJSON(item place: Int, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      if items.indices.contains(place), !items[place].isSettled {
        Self.write(items[place], to: &json)
      }
    }
    out.append(json.text.bytes)
  }

  private static func write(_ item: Item, to json: inout JSONText) {
    json.string("layer", item.layer.rawValue)
    json.string("subject", item.subject)
    json.flag("opened", item.isOpened)
    json.string("reason", item.reason)
    json.string("reason_text", item.sentence)
    json.number("link", item.link.map { $0.index + 1 })
    json.number("first_frame", item.first.number)
    json.number("last_frame", item.last.number)
    json.number("messages", item.layer == .message ? item.count : nil)
    json.number("addresses", item.layer == .address ? item.count : nil)
    json.described("fingerprint", item.key?.fingerprint)
    json.string("origin", item.key?.origin)
    json.described("missing_private_key_of", item.missing)
    list("found", item.found, to: &json)
    list("tried", item.tried, to: &json)
    json.string("first_lost", item.firstLost)
    list("remedies", item.remedies, to: &json)
  }

  private static func list(_ name: StaticString, _ texts: [String], to json: inout JSONText) {
    json.array(name) { json in
      for text in texts { json.element(text) }
    }
  }
}
