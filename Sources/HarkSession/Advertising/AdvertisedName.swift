import HarkCore
import HarkDissection

/// The name in advertising data. Core Specification Supplement, Part A, 1.2.
enum AdvertisedName: Comparable {
  case none, shortened, complete

  init(_ name: LocalName?) {
    self =
      switch name?.isComplete {
      case true: .complete
      case false: .shortened
      case nil: .none
      }
  }

  init(_ data: RawSpan) { self.init(LocalName(data, 0..<data.byteCount)) }

  /// In the only report of an HCI_LE_Advertising_Report or HCI_LE_Extended_Advertising_Report event. Vol 4, Part E,
  /// 7.7.65.2, 7.7.65.13. Directed reports have no data.
  init(report event: RawSpan) {
    self.init(LocalName(event, LEAdvertisingReports.dataOfOnly(event)))
  }
}
