/// The bits of the event masks: the event that each one lets through. Their names are those of the rows.
enum HCIEventMasks {
  /// Event_Mask: bit n is event n + 1. Core Specification, Vol 4, Part E, 7.3.1.
  static let page1 = bits(HCIEvent.sections, of: 0x01...0x3E) {
    switch $0.code {
    // HCI_Command_Complete, HCI_Command_Status and HCI_Number_Of_Completed_Packets have no bit: no host could do
    // without them. Neither has HCI_Page_Scan_Mode_Change, which is of an earlier edition.
    case 0x0E, 0x0F, 0x13, 0x1F: false
    default: true
    }
  }

  /// Event_Mask_Page_2: bit n is event n + 0x40. 7.3.69.
  static let page2 = bits(HCIEvent.sections, of: 0x40...0x7F)

  /// LE_Event_Mask: bit n is subevent n + 1. 7.8.1.
  static let le = bits(HCIEvent.leSections, of: 0x01...0x40)

  private static func bits(
    _ sections: [[Row]], of codes: ClosedRange<UInt16>, where hasBit: (Row) -> Bool = { _ in true }
  ) -> [UInt64: StaticString] {
    let rows = sections.joined().filter { codes.contains($0.code) && hasBit($0) }
    return Dictionary(
      uniqueKeysWithValues: rows.map { (UInt64($0.code - codes.lowerBound), $0.name) })
  }
}
