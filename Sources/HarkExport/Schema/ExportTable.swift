/// The tables that captures are exported to, and their columns. docs/fleet.md describes them.
public enum ExportTable: UInt8, CaseIterable, Sendable {
  case capture, device, link, channel, event, finding, attribute, notification, packet

  public struct Column: Sendable, Equatable {
    public enum Kind: String, Sendable { case text, integer }

    public let name: String
    public let kind: Kind

    fileprivate static func text(_ name: String) -> Column { Column(name: name, kind: .text) }
    fileprivate static func integer(_ name: String) -> Column {
      Column(name: name, kind: .integer)
    }
  }

  public var name: String { Self.names[Int(rawValue)] }

  /// The first is the key of the capture, the second the number of the row in it.
  public var columns: [Column] { Self.allColumns[Int(rawValue)] }

  private static let names = [
    "capture", "device", "link", "channel", "event", "finding", "attribute", "notification",
    "packet",
  ]

  private static let allColumns: [[Column]] = [
    [
      .text("capture"), .text("path"), .text("name"), .text("content"), .integer("size"),
      .text("status"), .text("error"), .text("format"), .text("day"), .integer("started"),
      .integer("ended"), .integer("duration"), .integer("packets"), .integer("malformed"),
      .integer("cut"), .integer("dropped"), .integer("events"), .text("phone"),
      .text("controller"), .text("host_address"), .text("host_name"), .text("hark"), .text("keys"),
    ],
    [
      .text("capture"), .integer("device"), .integer("identity"), .text("address"),
      .text("name"), .text("label"), .text("addresses"), .integer("class_of_device"),
      .integer("connected"), .text("manufacturer"), .text("model"), .text("hardware"),
      .text("firmware"), .text("software"), .integer("first_packet"),
    ],
    [
      .text("capture"), .integer("link"), .integer("device"), .integer("controller"),
      .integer("handle"), .text("transport"), .text("role"), .text("peer_address"),
      .integer("beginning_seen"), .integer("opened_packet"), .integer("closed_packet"),
      .integer("opened"), .integer("closed"), .integer("duration"), .integer("reason"),
      .text("reason_name"), .integer("packets"), .integer("encrypted"), .integer("key_size"),
      .integer("mtu"), .integer("interval"), .text("label"), .text("manufacturer"),
      .text("model"), .text("hardware"), .text("firmware"), .text("software"),
    ],
    [
      .text("capture"), .integer("channel"), .integer("link"), .integer("parent"),
      .text("kind"), .integer("number"), .text("name"), .integer("inferred"),
      .integer("opened_packet"), .integer("closed_packet"), .integer("packets_sent"),
      .integer("bytes_sent"), .integer("packets_received"), .integer("bytes_received"),
      .integer("repeated_frames"),
    ],
    [
      .text("capture"), .integer("event"), .integer("time"), .integer("since_start"),
      .text("lane"), .text("kind"), .text("severity"), .integer("device"), .integer("link"),
      .integer("first_packet"), .integer("last_packet"), .integer("packets"), .text("text"),
      .text("members"),
    ],
    [
      .text("capture"), .integer("finding"), .text("rule"), .text("title"), .text("severity"),
      .text("confidence"), .integer("device"), .integer("link"), .integer("time"),
      .integer("since_start"), .integer("occurrences"), .integer("first_packet"),
      .integer("last_packet"), .text("packets"), .text("observed"), .text("expected"),
    ],
    [
      .text("capture"), .integer("attribute"), .text("server"), .integer("device"),
      .integer("handle"), .integer("end_handle"), .text("kind"), .text("uuid"), .text("name"),
      .integer("parent"), .text("properties"), .text("certainty"), .integer("packet"),
      .integer("reads"), .integer("writes"), .integer("notifications"), .integer("indications"),
    ],
    [
      .text("capture"), .integer("notification"), .integer("event"), .integer("device"),
      .integer("link"), .integer("time"), .integer("since_start"), .text("framing"),
      .text("step"), .text("application"), .text("category"), .text("title"),
      .text("subtitle"), .text("body"), .integer("body_size"), .integer("actions"),
      .integer("silent"), .integer("important"),
    ],
    [
      .text("capture"), .integer("packet"), .integer("time"), .integer("since_start"),
      .text("direction"), .text("kind"), .integer("controller"), .integer("link"),
      .integer("channel"), .integer("device"), .integer("length"),
      .integer("original_length"), .integer("malformed"), .text("text"),
    ],
  ]
}
