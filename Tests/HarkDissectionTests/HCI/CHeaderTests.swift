import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

/// hark's tables against the constants of libbluetooth's header.
@Suite(
  .enabled(
    if: CHeader.isExpected(CHeader.bluetooth), "libbluetooth-dev is missing: Tools/setup build"))
struct CHeaderTests {
  let header: CHeader

  init() throws { header = try CHeader(CHeader.bluetooth) }

  /// Mistakes of the header, with what is right.
  static let mistakes: [String: UInt64] = [
    // Vol 4, Part E, 5.4.1: the OGF of the testing commands is 0x06; 0x3e is vendors' logo testing
    // of version 1.0.
    "OGF_TESTING_CMD": 0x06
  ]

  /// In the header, and in no edition of the specification: vendors' and the library's own.
  static let foreign: Set<String> = [
    "EVT_TESTING", "EVT_VENDOR", "EVT_STACK_INTERNAL", "EVT_SI_DEVICE",
  ]

  /// What has other words in the specification of today.
  static let renamed = [
    "SET_CONN_PTYPE": "HCI_Change_Connection_Packet_Type",
    "PARK_MODE": "HCI_Park_State",
    "EXIT_PARK_MODE": "HCI_Exit_Park_State",
    "CHANGE_LOCAL_NAME": "HCI_Write_Local_Name",
    "READ_PAGE_ACTIVITY": "HCI_Read_Page_Scan_Activity",
    "WRITE_PAGE_ACTIVITY": "HCI_Write_Page_Scan_Activity",
    "READ_INQ_ACTIVITY": "HCI_Read_Inquiry_Scan_Activity",
    "WRITE_INQ_ACTIVITY": "HCI_Write_Inquiry_Scan_Activity",
    "READ_INQ_RESPONSE_TX_POWER_LEVEL": "HCI_Read_Inquiry_Response_Transmit_Power_Level",
    "READ_DEFAULT_ERROR_DATA_REPORTING": "HCI_Read_Default_Erroneous_Data_Reporting",
    "WRITE_DEFAULT_ERROR_DATA_REPORTING": "HCI_Write_Default_Erroneous_Data_Reporting",
    "READ_LE_HOST_SUPPORTED": "HCI_Read_LE_Host_Support",
    "WRITE_LE_HOST_SUPPORTED": "HCI_Write_LE_Host_Support",
    "ENABLE_DEVICE_UNDER_TEST_MODE": "HCI_Enable_Implementation_Under_Test_Mode",
    "LE_READ_REMOTE_USED_FEATURES": "HCI_LE_Read_Remote_Features_Page_0",
    "LE_START_ENCRYPTION": "HCI_LE_Enable_Encryption",
    "MASTER_LINK_KEY_COMPLETE": "HCI_Link_Key_Type_Changed",
    "LE_META_EVENT": "HCI_LE_Meta",
    "LE_READ_REMOTE_USED_FEATURES_COMPLETE": "HCI_LE_Read_Remote_Features_Page_0_Complete",
    "NO_CONNECTION": "Unknown Connection Identifier",
    "MEMORY_FULL": "Memory Capacity Exceeded",
    "MAX_NUMBER_OF_CONNECTIONS": "Connection Limit Exceeded",
    "MAX_NUMBER_OF_SCO_CONNECTIONS": "Synchronous Connection Limit To A Device Exceeded",
    "ACL_CONNECTION_EXISTS": "Connection Already Exists",
    "REJECTED_PERSONAL": "Connection Rejected due to Unacceptable BD_ADDR",
    "HOST_TIMEOUT": "Connection Accept Timeout Exceeded",
    "OE_USER_ENDED_CONNECTION": "Remote User Terminated Connection",
    "OE_LOW_RESOURCES": "Remote Device Terminated Connection due to Low Resources",
    "OE_POWER_OFF": "Remote Device Terminated Connection due to Power Off",
    "ENCRYPTION_MODE_NOT_ACCEPTED": "Encryption Mode Not Acceptable",
    "UNIT_LINK_KEY_USED": "Link Key cannot be Changed",
  ]

  private func expect(_ define: CHeader.Define, _ prefix: String, is name: String?) {
    let short = String(define.name.dropFirst(prefix.count))
    let isRight = name.map { Self.renamed[short] == $0 || CHeader.abbreviates(short, $0) } ?? false
    #expect(isRight, "\(define.name) (\(define.value)) is \(name ?? "in no table")")
  }

  @Test func opcodes() {
    let names = Dictionary(
      uniqueKeysWithValues: HCITableTests.commands.joined().map { ($0.code, "\($0.name)") })
    var group: UInt64 = 0
    var compared = 0
    for define in header.defines {
      if define.name.hasPrefix("OGF_") {
        group = Self.mistakes[define.name] ?? define.value
      } else if define.name.hasPrefix("OCF_") {
        expect(define, "OCF_", is: names[UInt16(group << 10 | define.value)])
        compared += 1
      }
    }
    #expect(compared > 150)
  }

  @Test func events() {
    let events = HCITableTests.events.joined().map { ($0.code, "\($0.name)") }
    let subevents = HCITableTests.subevents.joined().map { ($0.code, "\($0.name)") }
    let names = (
      Dictionary(uniqueKeysWithValues: events), Dictionary(uniqueKeysWithValues: subevents)
    )
    var compared = 0
    for define in header.defines where define.name.hasPrefix("EVT_") {
      guard !define.name.hasSuffix("_SIZE"), !Self.foreign.contains(define.name) else { continue }
      let isSub = define.name.hasPrefix("EVT_LE_") && define.name != "EVT_LE_META_EVENT"
      let code = UInt16(define.value)
      expect(define, "EVT_", is: isSub ? names.1[code] : names.0[code])
      compared += 1
    }
    #expect(compared > 60)
  }

  @Test func errors() throws {
    let defines = try #require(header.range("HCI_UNKNOWN_COMMAND", "HCI_HOST_BUSY_PAIRING"))
    #expect(defines.count > 50)
    for define in defines {
      expect(define, "HCI_", is: HCIError.names[define.value].map { "\($0)" })
    }
  }

  @Test func packetTypes() {
    let kinds: [(String, PacketKind)] = [
      ("COMMAND", .command), ("ACLDATA", .acl), ("SCODATA", .sco), ("EVENT", .event),
      ("ISODATA", .iso),
    ]
    for (name, kind) in kinds {
      #expect(header["HCI_\(name)_PKT"] == UInt64(kind.rawValue))
    }
  }

  /// The header's words of the LMP features, page 0, for those of the specification.
  static let features = [
    "3SLOT": "3 slot packets", "5SLOT": "5 slot packets", "ENCRYPT": "Encryption",
    "SOFFSET": "Slot offset", "TACCURACY": "Timing accuracy", "RSWITCH": "Role switch",
    "HOLD": "Hold mode", "SNIFF": "Sniff mode", "PARK": "Park state",
    "RSSI": "Power control requests", "QUALITY": "Channel quality driven data rate (CQDDR)",
    "SCO": "SCO link", "HV2": "HV2 packets", "HV3": "HV3 packets",
    "ULAW": "µ-law log synchronous data", "ALAW": "A-law log synchronous data",
    "CVSD": "CVSD synchronous data", "PSCHEME": "Paging parameter negotiation",
    "PCONTROL": "Power control", "TRSP_SCO": "Transparent synchronous data",
    "BCAST_ENC": "Broadcast Encryption", "EDR_ACL_2M": "Enhanced Data Rate ACL 2 Mb/s mode",
    "EDR_ACL_3M": "Enhanced Data Rate ACL 3 Mb/s mode", "ENH_ISCAN": "Enhanced inquiry scan",
    "ILACE_ISCAN": "Interlaced inquiry scan", "ILACE_PSCAN": "Interlaced page scan",
    "RSSI_INQ": "RSSI with inquiry results", "ESCO": "Extended SCO link (EV3 packets)",
    "EV4": "EV4 packets", "EV5": "EV5 packets", "AFH_CAP_SLV": "AFH capable Peripheral",
    "AFH_CLS_SLV": "AFH classification Peripheral", "NO_BREDR": "BR/EDR Not Supported",
    "LE": "LE Supported (Controller)", "EDR_3SLOT": "3-slot Enhanced Data Rate ACL packets",
    "EDR_5SLOT": "5-slot Enhanced Data Rate ACL packets", "SNIFF_SUBR": "Sniff subrating",
    "PAUSE_ENC": "Pause encryption", "AFH_CAP_MST": "AFH capable Central",
    "AFH_CLS_MST": "AFH classification Central",
    "EDR_ESCO_2M": "Enhanced Data Rate eSCO 2 Mb/s mode",
    "EDR_ESCO_3M": "Enhanced Data Rate eSCO 3 Mb/s mode",
    "EDR_3S_ESCO": "3-slot Enhanced Data Rate eSCO packets",
    "EXT_INQ": "Extended Inquiry Response",
    "LE_BREDR": "Simultaneous LE and BR/EDR to Same Device Capable (Controller)",
    "SIMPLE_PAIR": "Secure Simple Pairing (Controller Support)", "ENCAPS_PDU": "Encapsulated PDU",
    "ERR_DAT_REP": "Erroneous Data Reporting", "NFLUSH_PKTS": "Non-flushable Packet Boundary Flag",
    "LSTO": "HCI_Link_Supervision_Timeout_Changed event",
    "INQ_TX_PWR": "Variable Inquiry TX Power Level", "EPC": "Enhanced Power Control",
    "EXT_FEAT": "Extended features",
  ]

  /// The header gives each octet's masks in order: a smaller one begins the next octet.
  @Test func lmpFeatures() throws {
    var octet = 0
    var last: UInt64 = 0
    for define in try #require(header.range("LMP_3SLOT", "LMP_EXT_FEAT")) {
      if define.value <= last { octet += 1 }
      last = define.value
      let bit = UInt64(octet * 8 + define.value.trailingZeroBitCount)
      let name = HCIFeatures.lmp[bit].map { "\($0)" }
      #expect(name == Self.features[String(define.name.dropFirst(4))], "\(define.name), bit \(bit)")
    }
    #expect(octet == 7)
  }

  /// Vol 4, Part E, 7.7.24.
  @Test func linkKeyTypes() throws {
    let defines = try #require(
      header.range("HCI_LK_COMBINATION", "HCI_LK_CHANGED_COMBINATION"))
    #expect(defines.count == 7)
    for define in defines {
      let name = HCICodes.keyTypes[define.value].map { "\($0)" }
      expect(define, "HCI_LK_", is: name)
    }
  }
}
