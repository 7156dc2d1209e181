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

  enum HCI {
    static let status = field("hci.evt.status")
    static let handle = field("hci.evt.handle")
    static let reason = field("hci.evt.reason")
    static let address = field("hci.evt.address")
    static let role = field("hci.evt.role")
    static let peerAddressType = field("hci.evt.peerAddressType")
    static let peerAddress = field("hci.evt.peerAddress")
    static let addressType = field("hci.evt.addressType")
    static let eventType = field("hci.evt.eventType")
    static let extendedEventType = field("hci.evt.extendedEventType")
    static let sid = field("hci.evt.sid")
    static let syncHandle = field("hci.evt.syncHandle")
    static let subeventNumber = field("hci.evt.subeventNumber")
    static let dataStatus = field("hci.evt.dataStatus")
    static let dataLength = field("hci.evt.dataLength")
    static let advertiser = field("hci.evt.advertiserAddress")
    static let advertiserType = field("hci.evt.advertiserAddressType")
    static let interval = field("hci.evt.interval")
    static let latency = field("hci.evt.latency")
    static let supervisionTimeout = field("hci.evt.supervisionTimeout")
    static let intervalMin = field("hci.evt.intervalMin")
    static let intervalMax = field("hci.evt.intervalMax")
    static let currentMode = field("hci.evt.currentMode")
    static let modeInterval = field("hci.evt.modeInterval")
    static let linkType = field("hci.evt.linkType")
    static let airMode = field("hci.evt.airMode")
    static let transmissionInterval = field("hci.evt.transmissionInterval")
    static let txPacketLength = field("hci.evt.txPacketLength")
    static let rxPacketLength = field("hci.evt.rxPacketLength")
    static let encryptionEnabled = field("hci.evt.encryptionEnabled")
    static let keySize = field("hci.evt.keySize")
    static let txPHY = field("hci.evt.txPHY")
    static let rxPHY = field("hci.evt.rxPHY")
    static let maxTxOctets = field("hci.evt.maxTxOctets")
    static let maxRxOctets = field("hci.evt.maxRxOctets")
    static let ioCapability = field("hci.evt.ioCapability")
    static let oobDataPresent = field("hci.evt.oobDataPresent")
    static let authenticationRequirements = field("hci.evt.authenticationRequirements")
    static let numericValue = field("hci.evt.numericValue")
    static let passkey = field("hci.evt.passkey")
    static let linkKey = field("hci.evt.linkKey")
    static let keyType = field("hci.evt.keyType")
    static let longTermKey = field("hci.evt.longTermKey")
    static let peerIRK = field("hci.evt.peerIRK")
    static let localIRK = field("hci.evt.localIRK")
    static let peerRPA = field("hci.evt.peerResolvablePrivateAddress")
    static let localName = field("hci.evt.localName")
    static let remoteName = field("hci.evt.remoteName")
    static let hciVersion = field("hci.evt.hciVersion")
    static let remoteVersion = field("hci.evt.remoteVersion")
    static let companyIdentifier = field("hci.evt.companyIdentifier")
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

  enum Recorder {
    static let form = field("note.form")
    static let handle = field("note.handle")
    static let address = field("note.address")
    static let name = field("note.name")
  }

  enum Monitor {
    static let address = field("monitor.address")
    static let name = field("monitor.name")
    static let text = field("monitor.text")
    static let command = field("monitor.mgmtCommand")
    static let status = field("monitor.mgmtStatus")
    static let ident = field("monitor.ident")
    static let manufacturer = field("monitor.manufacturer")
    static let note = field("note.text")
  }
}
