import HarkCore
import HarkFilter

/// What can be asked in filters, for people: `hark help filters`.
public enum FilterHelp {
  public static let topic = "filters"
  /// As wide as what commands say of themselves.
  private static let columns = 80

  private static let language: StaticString = """
    Filters: `hark packets CAPTURE -Y FILTER`, `hark timeline CAPTURE -Y FILTER`

    A filter is written as in Wireshark, with hark's names of fields. Put it in
    single quotes.

      att.opcode == 0x1b && device == "Acme Watch 4F2A"
      att.opcode in {ATT_WRITE_REQ, ATT_WRITE_CMD} and att.value[0] == 01
      hci.evt.rssi < -40 or ad.localName matches "^acme"
      lane in {pairing, keys} and severity >= warning
      service == "Battery" and time in {16:40..16:45}
      pebble.title_title contains "Parcel"
      smp or (hci.evt.status and hci.evt.status != 0)

    Comparisons
      ==  eq                 one of the values is equal
      !=  ne                 there are values, and none is equal
      === all_eq             all values are equal
      !== any_ne  ~=         one of the values is not equal
      <   <=  >   >=         lt le gt ge
      in {1, 5..9, "name"}   one of them; not in {…}
      contains               a part of bytes, of a text, of the name of a code
      matches  ~             a regular expression, without regard to case
      field                  it is there; so for protocols: att, smp, hci.evt
      any field …, all field …            one value, or each, where there are
                                          several
      field & 0x80           some of these bits are set
      field[0:2] == 01:02    a part of the bytes: [i] [i:count] [i-j] [:count] [i:]
                             [-i:]
      len(field), count(field)            how many bytes; how often it occurs
      and &&   or ||   not !   ( )        not binds most, or least

    Values
      27  0x1b  -60  1.5  true            numbers
      ATT_READ_REQ  "Invalid Handle"      names of codes and bits, in whatever case
      01:02:ff  0102ff  "text"            bytes
      C0:DE:00:00:00:01                   addresses
      0x180f  0000fe2c-0000-…  "Battery"  UUIDs
      "text"  r"\\d+"                      texts; a raw one keeps its backslashes
      10:20:30  "2026-11-21 10:20:30"     times

    An event of the timeline matches by what it has itself (marked *), and by the
    packets that show it: one of them has to fit. A packet has the lane, severity,
    text and rule of the events that it shows.

    Of every packet and event

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

      Fields of protocols: `hark fields` lists all, `hark help att` those of one, with
      the names of codes. More in docs/filters.md.

      """)
  }
}
