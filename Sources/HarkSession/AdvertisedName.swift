import HarkCore

/// Which name advertising data holds, read without a tree: most reports repeat what is known.
/// Core Specification Supplement, Part A, 1.2.
enum AdvertisedName: Comparable {
  case none, shortened, complete

  /// - Parameter data: AD structures; a length of 0 ends them early. Vol 3, Part C, 11.
  init(_ data: RawSpan) {
    self = .none
    var at = 0
    while at + 1 < data.byteCount, data.byte(at: at) > 0 {
      // A structure of one octet has a type and no data.
      switch data.byte(at: at) > 1 ? data.byte(at: at + 1) : 0 {
      case 0x08: self = max(self, .shortened)
      case 0x09: self = .complete
      default: break
      }
      at += 1 + Int(data.byte(at: at))
    }
  }

  /// Of the only report in an HCI_LE_Advertising_Report or HCI_LE_Extended_Advertising_Report event.
  /// Vol 4, Part E, 7.7.65.2, 7.7.65.13. Directed reports have no data.
  init(report event: RawSpan) {
    let start =
      switch event.byteCount > 2 ? event.byte(at: 2) : 0 {
      case 0x02: 13
      case 0x0D: 28
      default: event.byteCount
      }
    self.init(event.extracting(min(start, event.byteCount)..<event.byteCount))
  }
}
