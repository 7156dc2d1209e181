import HarkCore
import HarkFilter

/// The language and the properties of filters: `hark help filters`.
public enum FilterHelp {
  public static let topic = "filters"
  /// As wide as the help of commands.
  private static let columns = 80

  private static let language: StaticString = """
    Filters: `hark packets CAPTURE -Y FILTER`, `hark timeline CAPTURE -Y FILTER`

    Filters use Wireshark's syntax with hark's field names. Put them in single
    quotes.

      att.opcode == 0x1b && device == "Acme Watch 4F2A"
      att.opcode in {ATT_WRITE_REQ, ATT_WRITE_CMD} and att.value[0] == 01
      hci.evt.rssi < -40 or ad.localName matches "^acme"
      lane in {pairing, keys} and severity >= warning
      service == "Battery" and time in {16:40..16:45}
      pebble.title_title contains "Parcel"
      smp or (hci.evt.status and hci.evt.status != 0)

    Comparisons
      ==  eq                 at least one value is equal
      !=  ne                 there are values, and no value is equal
      === all_eq             all values are equal
      !== any_ne  ~=         at least one value is not equal
      <   <=  >   >=         lt le gt ge
      in {1, 5..9, "name"}   one of them; not in {…}
      contains               part of the bytes, a text, or a code's name
      matches  ~             a regular expression, ignoring case
      field                  is present; also for protocols: att, smp, hci.evt
      any field …, all field …            at least one value, or all values
      field & 0x80           some of these bits are set
      field[0:2] == 01:02    part of the bytes: [i] [i:count] [i-j] [:count] [i:]
                             [-i:]
      len(field), count(field)            how many bytes; how often it occurs
      and &&   or ||   not !   ( )        precedence: not, and, or

    Values
      27  0x1b  -60  1.5  true            numbers
      ATT_READ_REQ  "Invalid Handle"      names of codes and bits, in any case
      01:02:ff  0102ff  "text"            bytes
      C0:DE:00:00:00:01                   addresses
      0x180f  0000fe2c-0000-…  "Battery"  UUIDs
      "text"  r"\\d+"                      texts; raw texts keep backslashes
      10:20:30  "2026-11-21 10:20:30"     times

    A timeline event matches by its own properties (marked *) and by the packets
    that show it: at least one of them must match. A packet has the lane, severity,
    text and rule of the events it shows.

    Properties of every packet and event

    """

  /// Writes the help.
  public static func write(to text: inout TextBuffer) {
    text.text(language)
    let names = FilterProperty.allCases.map { property in
      property.alias.map { "\($0), \(property.rawValue)" } ?? property.rawValue
    }
    let width = names.map(\.count).max() ?? 0
    for (property, name) in zip(FilterProperty.allCases, names) {
      let lines = Columns.lines(
        of: property.description.description, width: columns - width - 6)
      for (number, line) in lines.enumerated() {
        let mark = number == 0 && property.isOfEvent ? "*" : " "
        let head = number == 0 ? name : ""
        let padding = String(repeating: " ", count: width - head.count)
        text.string("  \(mark) \(head)\(padding)  \(line)\n")
      }
    }
    let lanes = "Lanes: \(FilterProperty.lanes.joined(separator: ", "))"
    let list = Columns.lines(of: lanes, width: columns).joined(separator: "\n")
    text.string(
      """

      \(list)

      Fields of protocols: `hark fields` lists all, `hark help att` those of one
      protocol, with the names of codes. See also docs/filters.md.

      """)
  }
}
