import HarkDissection

/// The fields whose values the session reads, by the paths users type too.
enum Paths {
  static func field(_ path: String) -> Field {
    guard let field = fields(path).first else { preconditionFailure("no field \(path)") }
    return field
  }

  /// All fields of a path that several share.
  static func fields(_ path: String) -> [Field] {
    let fields = Catalog.shared.fields(at: path)
    precondition(!fields.isEmpty, "no dissector declares the field \(path)")
    return fields
  }

  enum Nordic {
    static let text = field("nordic.text")
  }

  enum LL {
    static let channelMap = field("ll.control.channelMap")
    static let error = field("ll.control.error")
    static let featureSet = field("ll.control.featureSet")
    static let version = field("ll.control.version")
    static let company = field("ll.control.company")
    static let rejectOpcode = field("ll.control.rejectOpcode")
    static let unknownType = field("ll.control.unknownType")
    static let cigID = field("ll.control.cigID")
    static let cisID = field("ll.control.cisID")
    static let addresses = Set(fields("ll.control.aa"))
    static let interval = field("ll.control.interval")
    static let latency = field("ll.control.latency")
    static let timeout = field("ll.control.timeout")
    static let intervalMin = field("ll.control.intervalMin")
    static let intervalMax = field("ll.control.intervalMax")
    static let maxRxOctets = field("ll.control.maxRxOctets")
    static let maxTxOctets = field("ll.control.maxTxOctets")
    static let phyToPeripheral = field("ll.control.phyToPeripheral")
    static let phyToCentral = field("ll.control.phyToCentral")
    static let rand = field("ll.control.rand")
    static let ediv = field("ll.control.ediv")
    static let centralSKD = field("ll.control.centralSKD")
    static let centralIV = field("ll.control.centralIV")
    static let peripheralSKD = field("ll.control.peripheralSKD")
    static let peripheralIV = field("ll.control.peripheralIV")
  }

  enum AD {
    static let structure = field("ad.structure")
    static let localName = field("ad.localName")
    static let uuid = field("ad.uuid")
  }
}
