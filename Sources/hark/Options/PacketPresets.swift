import ArgumentParser

/// Common filters of packets. Filters that also apply to events are in `FilterOptions`.
struct PacketPresets: ParsableArguments {
  static let name = "--quiet-iso"

  @Flag(
    name: .customLong("quiet-iso"),
    help: "Hide isochronous data and Number_Of_Completed_Packets events.")
  var quietISO = false

  // Number_Of_Completed_Packets. Core Specification, Vol 4, Part E, 7.7.19.
  private static let withoutISO = "not kind == iso and not hci.evt.code == 0x13"

  var filters: [String] { quietISO ? [Self.withoutISO] : [] }
}
