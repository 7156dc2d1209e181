import HarkCore
import HarkDissection
import HarkSession

/// Lists the channels and streams of a capture: what each is for, and how much went over it.
public struct StreamsReport {
  private let style: Style

  public init(style: Style = .plain) { self.style = style }

  private static let columns = ["#", "kind", "for", "device", "packets", "sent", "received"]

  public func write(_ session: borrowing Session, to out: inout TextBuffer) {
    guard !session.streams.isEmpty else {
      return out.text("No channel was opened in this capture.\n")
    }
    let rows = session.streams.map { Self.row($0, session) }
    var widths = Self.columns.indices.map { column in
      rows.map { Columns.of($0[column]) }.max().map { max($0, Self.columns[column].count) } ?? 0
    }
    narrow(&widths)
    style.write(.faint, to: &out) { line(Self.columns, widths, to: &$0) }
    for (stream, row) in zip(session.streams, rows) {
      style.write(stream.parent == nil ? nil : .data, to: &out) { line(row, widths, to: &$0) }
    }
  }

  /// Makes room where the lines would be too long, in what a stream is for and in the device.
  private func narrow(_ widths: inout [Int]) {
    guard let width = style.width else { return }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    // An address has 17 columns.
    for (column, narrowest) in [(2, 20), (3, 17), (2, 12)] where excess > 0 {
      let less = min(excess, max(0, widths[column] - narrowest))
      widths[column] -= less
      excess -= less
    }
  }

  /// The number and the sizes stand at the right of their columns; what does not fit its column continues
  /// in the next line.
  private func line(_ cells: [String], _ widths: [Int], to out: inout TextBuffer) {
    let parts = cells.indices.map { Columns.lines(of: cells[$0], width: max(8, widths[$0])) }
    for row in 0..<(parts.map(\.count).max() ?? 0) {
      line(parts.map { row < $0.count ? $0[row] : "" }, in: widths, to: &out)
    }
  }

  private func line(_ cells: [String], in widths: [Int], to out: inout TextBuffer) {
    let last = cells.lastIndex { !$0.isEmpty } ?? 0
    for (index, cell) in cells[...last].enumerated() {
      if index > 0 { out.text("  ") }
      if index == 0 || index > 4 {
        Columns.pad("", to: widths[index] - Columns.of(cell), into: &out)
        out.string(cell)
      } else if index == last {
        out.string(cell)
      } else {
        Columns.pad(cell, to: widths[index], into: &out)
      }
    }
    out.byte(0x0A)
  }

  private static func row(_ stream: Stream, _ session: borrowing Session) -> [String] {
    let device = session.peerLabel(of: stream.link)
    let end = stream.closed.map { "\($0.number)" } ?? ""
    let repeated =
      stream.repeatedFrames > 0
      ? ", \(Names.count(stream.repeatedFrames, "frame")) sent again" : ""
    return [
      "\(stream.id.index + 1)", kind(stream.kind),
      Timeline.printable(purpose(stream, session) + repeated),
      Timeline.printable(device ?? session.links[Int(stream.link.index)].designation),
      "\(stream.opened.number)–\(end)", amount(stream, 0), amount(stream, 1),
    ]
  }

  /// `1 204 bytes in 12`.
  private static func amount(_ stream: Stream, _ side: Int) -> String {
    guard stream.packets[side] > 0 else { return "–" }
    return "\(Names.count(stream.bytes[side], "byte")) in \(Names.count(stream.packets[side]))"
  }

  /// The layer whose channel it is.
  static func kind(_ kind: Stream.Kind) -> String {
    switch kind {
    case .channel, .unknownChannel: "L2CAP"
    case .dataLink: "RFCOMM"
    case .externalAccessory: "iAP2"
    case .tcp: "TCP"
    case .usbAccessory: "USB"
    case .attribute: "ATT"
    case .synchronous(.unknown): "SCO/eSCO"
    case .synchronous(let transport): transport.rawValue
    case .isochronous: "ISO"
    }
  }

  /// What it is for, and which stream carries it.
  static func purpose(_ stream: Stream, _ session: borrowing Session) -> String {
    let name = (stream.name ?? airMode(stream, session)).map { " (\($0))" } ?? ""
    let own =
      switch stream.kind {
      case .channel(let psm):
        Names.psm(
          psm, stream.name,
          isSimplified: session.links[Int(stream.link.index)].transport == .le)
      case .unknownChannel(let cid): "CID \(Names.hex(cid)), \(beginning(cid, stream, session))"
      case .dataLink(let channel):
        "\(stream.isOfLocalService ? "local " : "")channel \(channel)\(name)"
      case .externalAccessory(let session): "External Accessory session \(session)\(name)"
      case .tcp(let port): "port \(port)\(name)"
      case .usbAccessory(let number): "accessory \(number + 1)\(name)"
      case .attribute(let handle): "handle \(Names.hex(handle))\(name)"
      case .synchronous, .isochronous:
        "link \(session.links[Int(stream.link.index)].designation)\(name)"
      }
    return own + (stream.isInferred ? ", inferred" : "")
      + (stream.parent.map { ", in \($0.index + 1)" } ?? "")
  }

  /// Why the capture does not have the opening of the channel that receives with `cid`.
  private static func beginning(
    _ cid: UInt16, _ stream: Stream, _ session: borrowing Session
  ) -> String {
    if session.links[Int(stream.link.index)].wasOpenBefore { return "open before the capture" }
    let closed = session.channels.last { channel in
      channel.link == stream.link && [channel.localCID, channel.remoteCID].contains(cid)
        && channel.closed.map { $0 < stream.opened } ?? false
    }
    let end = closed?.closed.map { "closed in #\($0.number)" }
    return end ?? "its opening is not in the capture"
  }

  /// How a synchronous link carries its data: `CVSD`, `Transparent Data`.
  private static func airMode(_ stream: Stream, _ session: borrowing Session) -> String? {
    guard case .synchronous = stream.kind else { return nil }
    let mode = session.links[Int(stream.link.index)].synchronous?.airMode
    return mode.flatMap { Names.of($0, "hci.evt.airMode") }
  }

  // MARK: For programs

  public func writeJSON(_ session: borrowing Session, to out: inout TextBuffer) {
    let devices = session.streams.map { session.device(of: $0.link) }
    let airModes = session.streams.map { Self.airMode($0, session) }
    var json = JSONText()
    json.object { json in
      json.array("streams") { json in
        for (index, stream) in session.streams.enumerated() {
          let device = devices[index]
          json.object { json in
            Self.members(stream, airMode: airModes[index], to: &json)
            if let device {
              TimelineJSON.device(session.devices[Int(device.index)], to: &json)
            }
          }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private static func members(_ stream: Stream, airMode: String?, to json: inout JSONText) {
    json.number("stream", stream.id.index + 1)
    switch stream.kind {
    case .channel(let psm):
      json.string("kind", "l2cap")
      json.number("psm", psm)
    case .unknownChannel(let cid):
      json.string("kind", "l2cap")
      json.number("cid", cid)
    case .dataLink(let channel):
      json.string("kind", "rfcomm")
      json.number("server_channel", channel)
      json.flag("is_local_service", stream.isOfLocalService)
    case .externalAccessory(let session):
      json.string("kind", "external-accessory")
      json.number("session_identifier", session)
    case .tcp(let port):
      json.string("kind", "tcp")
      json.number("port", port)
    case .usbAccessory(let number):
      json.string("kind", "usb")
      json.number("accessory", number + 1)
    case .attribute(let handle):
      json.string("kind", "attribute")
      json.number("handle", handle)
    case .synchronous(let transport):
      json.string("kind", "synchronous")
      json.string("link_type", transport == .unknown ? nil : transport.rawValue)
      json.string("air_mode", airMode)
    case .isochronous: json.string("kind", "isochronous")
    }
    json.string("name", stream.name)
    if stream.isInferred { json.flag("inferred", true) }
    json.number("parent", stream.parent.map { $0.index + 1 })
    json.number("opened", stream.opened.number)
    json.number("closed", stream.closed?.number)
    for side in 0...1 {
      json.object(side == 0 ? "sent" : "received") { json in
        json.number("packets", stream.packets[side])
        json.number("bytes", stream.bytes[side])
      }
    }
    json.number("repeated_frames", stream.repeatedFrames)
  }
}
