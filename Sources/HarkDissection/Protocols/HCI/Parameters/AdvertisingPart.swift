import HarkCore

/// What shows whether advertising data is a part of more. Core Specification, Vol 4, Part E.
enum AdvertisingPart {
  /// The Event_Type of HCI_LE_Extended_Advertising_Report. 7.7.65.13
  case report
  /// The Data_Status of HCI_LE_Periodic_Advertising_Report and HCI_LE_Periodic_Advertising_Response_Report. 7.7.65.15,
  /// 7.7.65.37
  case train
  /// The Operation of HCI_LE_Set_Extended_Advertising_Data and HCI_LE_Set_Extended_Scan_Response_Data. 7.8.54, 7.8.55
  case ownSet
  /// The Operation of HCI_LE_Set_Periodic_Advertising_Data. 7.8.62
  case ownTrain
}

extension PDU {
  /// Advertising data that may be a part of more: only all parts together consist of AD structures.
  mutating func advertisingPart(_ step: Rows.Step) throws(Malformed) {
    let marker = position &- Int(step.count)
    let value = marker >= 0 ? bytes.byte(at: marker) : 0
    let (isPart, isCut): (Bool, Bool) =
      switch step.kind {
      case .ownData: (value <= 2, false)
      // The Data_Status is in bits 5 and 6.
      case .reportedData: (value >> 5 & 3 == 1, value >> 5 & 3 == 2)
      default: (value == 1, value == 2)
      }
    let continues = context.continuedData & 1 == 1
    context.continuedData >>= 1
    let count = Int(try u8(step.counter))
    guard count > 0 else { return }
    if isPart || continues {
      let fields = HCIParameters.shared.advertising
      let fragment = hidesAdvertising ? fields.secret.dataFragment : fields.dataFragment
      try bytes(count, fragment)
      return
    }
    let before = (facts.isMalformed, facts.isCutByRecorder, facts.malformedLayer)
    try within(count, step.field) { pdu throws(Malformed) in
      pdu.hand(to: .advertisingData, orElse: step.field)
    }
    // The Controller may have cut an AD structure.
    if isCut { (facts.isMalformed, facts.isCutByRecorder, facts.malformedLayer) = before }
  }
}
