import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// What the session itself calls a warning or an error, with a conversation in which it is one, and one in which not.
extension FindingsMadeTests {
  /// BR/EDR link 0x000b to 11:22:33:44:55:66. Core Specification, Vol 4, Part E, 7.7.3
  private static let classicLink = "03 0b 00 0b00 665544332211 01 00"

  /// A channel of that link: CID 0x0041 of the peer, 0x0040 of this host. Vol 3, Part A, 4.2, 4.3
  private static func open(_ made: inout MadeConversation, psm: String) {
    made.event(classicLink)
    made.pdu(1, "02 01 0400 \(psm) 4000", received: false, link: 0x0B)
    made.pdu(1, "03 01 0800 4100 4000 0000 0000", received: true, link: 0x0B)
  }

  /// A session of RFCOMM, with credits: SABM and UA of DLCI 0, PN of DLCI 14. RFCOMM 1.2, 5.5.3
  private static func openRFCOMM(_ made: inout MadeConversation) {
    open(&made, psm: "0300")
    made.pdu(0x41, "033f011c", received: false, link: 0x0B)
    made.pdu(0x40, "037301d7", received: true, link: 0x0B)
    made.pdu(0x41, "03ef1583110ef00700de03000270", received: false, link: 0x0B)
    made.pdu(0x40, "01ef1581110ee007004a010001aa", received: true, link: 0x0B)
  }

  /// A packet of PB-ADV in an HCI_LE_Advertising_Report. Mesh Protocol 1.1, 5.2.1
  private static func bearer(_ made: inout MadeConversation, _ hex: String) {
    let packet = Hex.bytes("23 af 58 50 \(hex)") ?? []
    let data = [UInt8(packet.count + 1), 0x29] + packet
    let report = [0x03, 0x00, 1, 2, 3, 4, 5, 6, UInt8(data.count)] + data + [0xC0]
    made.event(Hex.text([0x3E, UInt8(report.count + 2), 0x02, 1] + report))
  }

  private static let meshLink = "00 03 70 cf 7c 97 32 a3 45 b6 91 49 48 10 d2 e9 cb f4"

  /// Reads the characteristic at handle 3, which discovery shows to have this 16-bit UUID.
  private static func read(_ made: inout MadeConversation, _ uuid: String, _ value: String) {
    made.exchangeMTU()
    made.pdu(4, "08 0100 ffff 0328", received: false)
    made.pdu(4, "09 07 0200 12 0300 \(uuid)", received: true)
    made.pdu(4, "0a 0300", received: false)
    made.pdu(4, "0b \(value)", received: true)
  }

  /// Source_ID, address, SID, Broadcast_ID; PA_Sync_State: synchronized. BASS 1.0.1, 3.2
  private static let streaming = AudioStream(
    seids: [1, 2], state: .streaming, account: MediaAccount(clock: nil, hasRTP: true), number: 1)
  private static let broadcastSource = "01 00 665544332211 01 563412 02"
  /// Num_Subgroups; BIS_Sync_State, and no metadata.
  private static let subgroup = "01 00000000 00"

  private static func obex(_ operation: UInt8, _ response: UInt8?) -> Event.Content {
    var event = OBEXEvent(operation: operation, byPeer: false, isOverL2CAP: true)
    event.response = response
    return .obex(event)
  }

  static let problems =
    ofControllers + ofPINs + ofParameters + ofChannels + ofProfiles + ofSound + ofMesh

  private static let ofControllers = [
    // HCI_Hardware_Error. Vol 4, Part E, 7.7.16
    Case("the controller reports a hardware error", finds: ["link.hardware-error"]) {
      $0.event("10 01 42")
      $0.disconnect()
    },
    // HCI_Set_Event_Mask is answered, HCI_LE_Set_Scan_Enable is not; HCI_Reset follows after 25 s. 4.4, 7.7.14
    Case("a command without an answer", finds: ["link.command-unanswered"]) {
      $0.event("0e 04 01 010c 00")
      $0.record(.command, received: false, "0c 20 02 01 00")
      $0.wait(25_000)
      $0.record(.command, received: false, "03 0c 00")
      $0.event("0e 04 01 030c 00")
    },
    Case("a command that is answered after 1 s") {
      $0.event("0e 04 01 010c 00")
      $0.record(.command, received: false, "0c 20 02 01 00")
      $0.wait(1_000)
      $0.event("0e 04 01 0c20 00")
      $0.wait(25_000)
      $0.disconnect()
    },
    // HCI_Host_Number_Of_Completed_Packets is answered only if it fails. 7.3.40
    Case("a command that needs no answer") {
      $0.event("0e 04 01 010c 00")
      $0.record(.command, received: false, "35 0c 05 01 4000 0100")
      $0.wait(25_000)
      $0.disconnect()
    },
    Case("a command without an answer, and packets are lost") {
      $0.event("0e 04 01 010c 00")
      $0.record(.command, received: false, "0c 20 02 01 00")
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.wait(25_000)
      $0.disconnect()
    },
    Case("a recorder of what the host sends") {
      $0.record(.command, received: false, "0c 20 02 01 00")
      $0.wait(25_000)
      $0.record(.command, received: false, "0c 20 02 00 00")
    },
    // Security Request: bonding, MITM, Secure Connections. Vol 3, Part H, 3.6.7
    Case("a Security Request that is ignored", finds: ["link.security-request-ignored"]) {
      $0.pdu(6, "0b 0d", received: true)
      $0.wait(35_000)
      $0.disconnect()
    },
    Case("a Security Request, and a link that ends soon after") {
      $0.pdu(6, "0b 0d", received: true)
      $0.wait(20_000)
      $0.disconnect()
    },
    Case("a Security Request, and a pairing later", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "0b 0d", received: true)
      $0.wait(20_000)
      $0.pdu(6, "05 05", received: false)
      $0.wait(35_000)
      $0.disconnect()
    },
    // HCI_LE_Set_Advertising_Enable, HCI_LE_Set_Scan_Enable: Command Disallowed. 7.8.9, 7.8.11
    Case("advertising does not start", finds: ["link.command-refused"]) {
      $0.record(.command, received: false, "0a 20 01 01")
      $0.event("0e 04 01 0a20 0c")
      $0.disconnect()
    },
    Case("a scan that does not run cannot be stopped") {
      $0.record(.command, received: false, "0c 20 02 00 00")
      $0.event("0e 04 01 0c20 0c")
      $0.disconnect()
    },
    // LE PHY Update Complete: Unsupported Remote Feature, Connection Timeout. 7.7.65.12
    Case("the peer does not support the PHY", finds: ["link.change-failed"]) {
      $0.event("3e 06 0c 1a 4000 01 01")
      $0.disconnect()
    },
    Case("the PHY changes") {
      $0.event("3e 06 0c 00 4000 02 02")
      $0.disconnect()
    },
    Case("the PHY does not change as the link is lost", finds: ["link.supervision-timeout"]) {
      $0.event("3e 06 0c 08 4000 01 01")
      $0.disconnect("08")
    },
    // LE Connection Update Complete, LE Subrate Change, HCI_Encryption_Key_Refresh_Complete,
    // HCI_Disconnection_Complete. 7.7.65.3, 7.7.65.35, 7.7.39, 7.7.5
    Case("nothing changes on an LE link", finds: ["link.change-failed"]) {
      $0.event("3e 0a 03 3a 4000 1800 0000 4800")
      $0.event("3e 0c 23 1a 4000 0100 0000 0000 4800")
      $0.event("30 03 1f 4000")
      $0.event("05 04 0c 4000 00")
      $0.disconnect()
    },
    // LE Connection Rate Change, LE Frame Space Update Complete: Unsupported Remote Feature; then they change.
    Case("neither rate nor frame space changes", finds: ["link.change-failed"]) {
      $0.event("3e 0e 37 1a 4000 0000 0000 0000 0000 0000")
      $0.event("3e 0a 35 1a 4000 00 0000 00 0000")
      $0.disconnect()
    },
    Case("rate and frame space change") {
      $0.event("3e 0e 37 00 4000 0a00 0100 0000 0000 c800")
      $0.event("3e 0a 35 00 4000 02 6400 03 0300")
      $0.disconnect()
    },
    // HCI_Mode_Change, HCI_Role_Change: LMP PDU Not Allowed, Role Change Not Allowed. 7.7.20, 7.7.18
    Case("nothing changes on a BR/EDR link", finds: ["link.change-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("14 06 24 0b00 00 0000")
      $0.event("12 08 21 665544332211 00")
    },
    // HCI_Synchronous_Connection_Changed: Unsupported LMP Parameter Value. 7.7.36
    Case("eSCO keeps its parameters", finds: ["link.change-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("2c 11 00 0c00 665544332211 02 0c 02 3c00 3c00 03")
      $0.event("2d 09 20 0c00 00 00 0000 0000")
      $0.event("05 04 00 0c00 13")
    },
    // HCI_Authenticated_Payload_Timeout_Expired. 7.7.75
    Case("no packet with a valid MIC", finds: ["link.payload-timeout"]) {
      $0.encrypt()
      $0.event("57 02 4000")
      $0.disconnect()
    },
    // HCI_Connection_Complete after HCI_Create_Connection_Cancel: Unknown Connection Identifier. 7.1.7
    Case("a BR/EDR connection that the host cancels", connects: false) {
      $0.event("03 0b 02 0000 665544332211 01 00")
    },
  ]

  /// Pairing with a PIN: HCI_PIN_Code_Request, HCI_Authentication_Complete, HCI_Disconnection_Complete. Vol 4, Part E,
  /// 7.7.22, 7.7.6, 7.7.5; Vol 1, Part F, 2.5, 2.6
  private static let ofPINs = [
    Case("the PIN is wrong", finds: ["link.pairing-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.event("06 03 05 0b00")
      $0.event("05 04 00 0b00 05")
    },
    Case("the peer gave another PIN", finds: ["link.pairing-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.event("05 04 00 0b00 05")
    },
    Case("the user gives no PIN", finds: ["link.pairing-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.event("06 03 06 0b00")
      $0.event("05 04 00 0b00 13")
    },
    // HCI_PIN_Code_Request_Negative_Reply. Vol 4, Part E, 7.1.13
    Case("this host gives no PIN", finds: ["link.pairing-failed"], connects: false) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.record(.command, received: false, "0e 04 06 665544332211")
      $0.event("0e 0a 01 0e04 00 665544332211")
      $0.event("06 03 06 0b00")
      $0.event("05 04 00 0b00 06")
    },
    Case(
      "a PIN was right, and the key of another bond is not",
      finds: ["link.encryption-failed", "link.legacy-pairing"], connects: false
    ) {
      $0.event(classicLink)
      $0.event("16 06 665544332211")
      $0.event("18 17 665544332211 00112233445566778899aabbccddeeff 00")
      $0.event("06 03 05 0b00")
      $0.event("05 04 00 0b00 13")
    },
    // LE Long Term Key Request, HCI_LE_Long_Term_Key_Request_Negative_Reply. Vol 4, Part E, 7.7.65.5, 7.8.26
    Case("this host has no key for a bonded Central", finds: ["link.bond-lost"], connects: false) {
      $0.connect(role: "01")
      $0.event("3e 0d 05 4000 1122334455667788 3412")
      $0.record(.command, received: false, "1b 20 02 4000")
      $0.event("0e 06 01 1b20 00 4000")
      $0.disconnect()
    },
    // Central Identification: EDIV 0x1234, and a request for 0x4321. Vol 3, Part H, 2.4.4.2, 3.6.3
    Case(
      "the Central requests another key than it was given", finds: ["link.bond-lost"],
      connects: false
    ) {
      $0.connect(role: "01")
      $0.pdu(6, "07 3412 1122334455667788", received: false)
      $0.event("3e 0d 05 4000 1122334455667788 2143")
      $0.record(.command, received: false, "1b 20 02 4000")
      $0.event("0e 06 01 1b20 00 4000")
      $0.disconnect()
    },
    // The same EDIV with another Rand. Vol 3, Part H, 2.4.4
    Case(
      "the Central requests another key with the same EDIV", finds: ["link.bond-lost"],
      connects: false
    ) {
      $0.connect(role: "01")
      $0.pdu(6, "07 3412 1122334455667788", received: false)
      $0.event("3e 0d 05 4000 1122334455667789 3412")
      $0.record(.command, received: false, "1b 20 02 4000")
      $0.event("0e 06 01 1b20 00 4000")
      $0.disconnect()
    },
    Case("this host has a key for a bonded Central", connects: false) {
      $0.connect(role: "01")
      $0.event("3e 0d 05 4000 1122334455667788 3412")
      $0.record(.command, received: false, "1a 20 12 4000 00112233445566778899aabbccddeeff")
      $0.event("0e 06 01 1a20 00 4000")
      $0.encrypt()
      $0.disconnect()
    },
    // No PDU of the pairing for 30 s. Vol 3, Part H, 3.4
    Case("a pairing stops", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.wait(31_000)
      $0.disconnect()
    },
    Case("a pairing ends with its link", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 10 01 01", received: true)
      $0.disconnect()
    },
    // Encryption Key Size. Vol 3, Part H, 3.5.5
    Case("a short key is refused", finds: ["link.pairing-failed"]) {
      $0.pdu(6, "01 03 00 09 10 01 01", received: false)
      $0.pdu(6, "02 03 00 09 07 01 01", received: true)
      $0.pdu(6, "05 06", received: false)
      $0.disconnect()
    },
    // HCI_Read_Encryption_Key_Size: 7 octets. Vol 4, Part E, 7.5.7
    Case("an encryption key of 7 bytes", finds: ["link.weak-key"], connects: false) {
      $0.event(classicLink)
      $0.event("0e 07 01 0814 00 0b00 07")
    },
    // Vol 2, Part H, 7.2.1, 7.2.4
    Case("values of Secure Simple Pairing that do not fit", finds: ["link.pairing-failed"]) {
      $0.report(
        .security(.pairing(.simple(.commitment(isKept: false, isPeer: true, number: nil)))),
        severity: .error)
      $0.report(
        .security(.pairing(.simple(.checkValue(isRight: false, isPeer: true)))), severity: .error)
    },
  ]

  /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ: interval 50 ms to 30 ms; latency 0, timeout 2 s. Vol 3, Part A, 4.20
  private static let ofParameters = [
    Case("the shortest interval is longer than the longest", finds: ["link.parameters-invalid"]) {
      $0.pdu(5, "12 01 0800 2800 1800 0000 c800", received: true)
      $0.pdu(5, "13 01 0200 0000", received: false)
      $0.disconnect()
    },
    // 30 ms and latency 29: 2 × 30 × 30 ms are 1.8 s. Vol 6, Part B, 4.5.2
    Case("a supervision timeout that the latency exceeds", finds: ["link.parameters-invalid"]) {
      $0.event("3e 0a 03 00 4000 1800 1d00 b400")
      $0.disconnect()
    },
    Case("a supervision timeout that is just long enough") {
      $0.event("3e 0a 03 00 4000 1800 1d00 b500")
      $0.disconnect()
    },
    Case("a link with a latency of 500", finds: ["link.parameters-invalid"], connects: false) {
      $0.event("3e 13 01 00 4000 00 00 665544332211 0600 f401 800c 00")
      $0.disconnect()
    },
    // ATT_EXCHANGE_MTU_REQ with 22. Vol 3, Part F, 3.4.2.1
    Case("an MTU of 22", finds: ["link.parameters-invalid"]) {
      $0.pdu(4, "02 1600", received: false)
      $0.pdu(4, "03 0002", received: true)
      $0.disconnect()
    },
    // L2CAP_LE_CREDIT_BASED_CONNECTION_REQ with MTU 22, and RSP. Vol 3, Part A, 4.22
    Case("a credit-based channel with an MTU of 22", finds: ["link.parameters-invalid"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 1600 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0300 0000", received: true)
      $0.disconnect()
    },
    Case("a credit-based channel with an MTU and an MPS of 23") {
      $0.pdu(5, "14 01 0a00 8100 4000 1700 1700 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 1700 1700 0300 0000", received: true)
      $0.disconnect()
    },
    // L2CAP_CREDIT_BASED_CONNECTION_REQ, and RSP with MPS 63. 4.25, 4.26
    Case("an enhanced channel with an MPS of 63", finds: ["link.parameters-invalid"]) {
      $0.pdu(5, "17 01 0a00 8100 4000 4000 0300 4000", received: false)
      $0.pdu(5, "18 01 0a00 4000 3f00 0300 0000 4100", received: true)
      $0.disconnect()
    },
    // HCI_Disconnection_Complete: Unacceptable Connection Parameters, Instant Passed. Vol 1, Part F, 2.59, 2.40
    Case("a link closes because of its parameters", finds: ["link.parameters-refused"]) {
      $0.disconnect("3b")
    },
    Case("a link ends because a change was missed", finds: ["link.supervision-timeout"]) {
      $0.disconnect("28")
    },
    // ATT_READ_REQ and ATT_WRITE_RSP; ATT_PREPARE_WRITE_REQ and RSP. Vol 3, Part F, 3.4.4.3, 3.4.5.2, 3.4.6
    Case("a response to another request", finds: ["link.att-violation"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "13", received: true)
      $0.disconnect()
    },
    // ATT_ERROR_RSP about handle 5. 3.4.1.1
    Case("an error about another attribute", finds: ["link.att-violation"]) {
      $0.pdu(4, "0a 0300", received: false)
      $0.pdu(4, "01 0a 0500 02", received: true)
      $0.disconnect()
    },
    // ATT_READ_RSP, ATT_ERROR_RSP about ATT_WRITE_REQ, and ATT_HANDLE_VALUE_CFM. 3.3
    Case("a response to no request", finds: ["link.att-violation"]) {
      $0.pdu(4, "0b 41", received: true)
      $0.disconnect()
    },
    Case("an error without a request", finds: ["link.att-violation"]) {
      $0.pdu(4, "01 12 0300 03", received: true)
      $0.disconnect()
    },
    Case("two confirmations of one indication", finds: ["link.att-violation"]) {
      $0.pdu(4, "1d 0300 01", received: true)
      $0.pdu(4, "1e", received: false)
      $0.pdu(4, "1e", received: false)
      $0.disconnect()
    },
    // L2CAP_CREDIT_BASED_CONNECTION_REQ and RSP for EATT, and ATT_EXCHANGE_MTU_REQ and RSP on its channel. Part G, 5.3.1
    Case("an MTU exchange on an enhanced bearer", finds: ["link.att-violation"]) {
      $0.pdu(5, "17 01 0a00 2700 4000 4000 0500 4000", received: false)
      $0.pdu(5, "18 01 0a00 8000 4000 0500 0000 5000", received: true)
      $0.pdu(0x50, "0300 023000", received: false)
      $0.pdu(0x40, "0300 030002", received: true)
      $0.disconnect()
    },
    Case("a response in the middle of a link", connects: false) {
      $0.pdu(4, "0b 41", received: true)
      $0.disconnect()
    },
    // ATT_READ_MULTIPLE_VARIABLE_RSP: the second value has 2 of 9 bytes, in a PDU of 10 of 23 bytes; and in one of 23.
    // 3.4.4.12
    Case("a value that is cut for no reason", finds: ["link.att-violation"]) {
      $0.pdu(4, "20 0300 0500", received: false)
      $0.pdu(4, "21 0200 aabb 0900 ccdd", received: true)
      $0.disconnect()
    },
    Case("a value that is cut by the MTU") {
      $0.pdu(4, "20 0300 0500", received: false)
      $0.pdu(
        4, "21 0200 aabb 2000 " + String(repeating: "cc", count: 16), received: true)
      $0.disconnect()
    },
    Case("a prepared write comes back differently", finds: ["link.att-violation"]) {
      $0.pdu(4, "16 0300 0000 abcd", received: false)
      $0.pdu(4, "17 0300 0000 abce", received: true)
      $0.pdu(4, "18 00", received: false)
      $0.pdu(4, "19", received: true)
      $0.disconnect()
    },
    Case("a prepared write comes back as it was sent") {
      $0.pdu(4, "16 0300 0000 abcd", received: false)
      $0.pdu(4, "17 0300 0000 abcd", received: true)
      $0.pdu(4, "18 00", received: false)
      $0.pdu(4, "19", received: true)
      $0.disconnect()
    },
    Case("the MTU is exchanged twice", finds: ["link.att-violation"]) {
      $0.exchangeMTU()
      $0.exchangeMTU()
      $0.disconnect()
    },
    // A Write Command to the Characteristic Declaration at handle 2, whose value is at 3. Vol 3, Part G, 3.3.1
    Case("a write to a declaration", finds: ["link.written-declaration"]) {
      discover(&$0)
      $0.pdu(4, "52 0200 ab", received: false)
      $0.disconnect()
    },
  ]

  /// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP with 0x0002 (SPSM not supported) and 0x0005 (insufficient authentication).
  /// Vol 3, Part A, 4.23
  private static let ofChannels = [
    Case("a channel to no service", finds: ["link.channel-refused"]) {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 0000 0000 0000 0000 0200", received: true)
      $0.disconnect()
    },
    Case("a channel that opens after pairing") {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 0000 0000 0000 0000 0500", received: true)
      $0.pair()
      $0.pdu(5, "14 02 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 02 0a00 4100 4000 4000 0300 0000", received: true)
      $0.disconnect()
    },
    // L2CAP_DISCONNECTION_REQ and RSP. 4.6, 4.7
    Case("a channel that was open before") {
      $0.pdu(5, "14 01 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 01 0a00 4100 4000 4000 0300 0000", received: true)
      $0.pdu(5, "06 02 0400 4100 4000", received: false)
      $0.pdu(5, "07 02 0400 4100 4000", received: true)
      $0.pdu(5, "14 03 0a00 8100 4000 4000 4000 0000", received: false)
      $0.pdu(5, "15 03 0a00 0000 0000 0000 0000 0400", received: true)
      $0.disconnect()
    },
    // L2CAP_CREDIT_BASED_RECONFIGURE_REQ and RSP: reduction in size of MTU not allowed. 4.27, 4.28
    Case("a reconfiguration that is refused", finds: ["link.channel-refused"]) {
      $0.pdu(5, "19 02 0600 4000 4000 4000", received: false)
      $0.pdu(5, "1a 02 0200 0100", received: true)
      $0.disconnect()
    },
    // SABM, DM. TS 27.010, 5.4.1
    Case("no service on the server channel", finds: ["link.channel-refused"], connects: false) {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.pdu(0x40, "3b1f012c", received: true, link: 0x0B)
    },
    // PN of DLCI 14, DM. RFCOMM 1.2, 5.5.3
    Case("parameters of a data link are refused", finds: ["link.channel-refused"], connects: false)
    {
      openRFCOMM(&$0)
      $0.pdu(0x40, "3b1f012c", received: true, link: 0x0B)
    },
    // SABM, and DISC after 20 s, which UA answers. TS 27.010, 5.4.1
    Case("a data link without an answer", finds: ["link.channel-refused"], connects: false) {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.wait(20_000)
      $0.pdu(0x41, "3b5301e7", received: false, link: 0x0B)
      $0.pdu(0x40, "3b7301cd", received: true, link: 0x0B)
    },
    // SABM. T1 is at most 60 s, and the link goes on. RFCOMM 1.2, 5.3
    Case("a data link without an answer in time", finds: ["link.channel-refused"], connects: false)
    {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.wait(61_000)
      $0.event("13 05 01 0b00 0100")
    },
    Case("a data link that opens late", connects: false) {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.wait(61_000)
      $0.event("13 05 01 0b00 0100")
      $0.pdu(0x40, "3b7301cd", received: true, link: 0x0B)
    },
    // SABM of DLCI 0, without UA
    Case("a session of RFCOMM without an answer", finds: ["link.channel-refused"], connects: false)
    {
      open(&$0, psm: "0300")
      $0.pdu(0x41, "033f011c", received: false, link: 0x0B)
      $0.wait(61_000)
      $0.event("13 05 01 0b00 0100")
    },
    Case("a session of RFCOMM may still be answered", connects: false) {
      open(&$0, psm: "0300")
      $0.pdu(0x41, "033f011c", received: false, link: 0x0B)
      $0.wait(50_000)
      $0.event("13 05 01 0b00 0100")
    },
    // SABM of DLCI 0, DM
    Case("a session of RFCOMM is refused", finds: ["link.channel-refused"], connects: false) {
      open(&$0, psm: "0300")
      $0.pdu(0x41, "033f011c", received: false, link: 0x0B)
      $0.pdu(0x40, "031f0136", received: true, link: 0x0B)
    },
    // L2CAP_CONFIGURATION_REQ and RSP: rejected; the channel closes. Vol 3, Part A, 4.4, 4.5
    Case("a configuration that is rejected", finds: ["link.channel-refused"], connects: false) {
      open(&$0, psm: "0110")
      $0.pdu(1, "04 02 0800 4100 0000 0102 a002", received: false, link: 0x0B)
      $0.pdu(1, "05 02 0600 4000 0000 0200", received: true, link: 0x0B)
      $0.pdu(1, "06 03 0400 4100 4000", received: false, link: 0x0B)
      $0.pdu(1, "07 03 0400 4100 4000", received: true, link: 0x0B)
    },
    Case("a channel that is never configured", finds: ["link.channel-refused"], connects: false) {
      open(&$0, psm: "0110")
      $0.pdu(1, "06 03 0400 4100 4000", received: false, link: 0x0B)
      $0.pdu(1, "07 03 0400 4100 4000", received: true, link: 0x0B)
    },
    // UIH with the FCS 0xA5, of which one bit is wrong. TS 27.010, 5.2.1.6
    Case("a frame of RFCOMM with a wrong FCS", finds: ["link.frames-lost"], connects: false) {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.pdu(0x40, "3b7301cd", received: true, link: 0x0B)
      $0.pdu(0x41, "3bef076f6e65a4", received: false, link: 0x0B)
    },
    // Enhanced Retransmission mode; the FCS is that of 77 88. Vol 3, Part A, 3.3.5, 4.4, 5.4
    Case("an I-frame with a wrong FCS", finds: ["link.frames-lost"], connects: false) {
      $0.pdu(1, "02 01 0400 0110 4000", received: false, link: 0x0B)
      $0.pdu(1, "03 01 0800 4100 4000 0000 0000", received: true, link: 0x0B)
      $0.pdu(
        1, "04 02 0f00 4100 0000 0409 03 08 03 d007 e02e 4000", received: false, link: 0x0B)
      $0.pdu(1, "04 02 0f00 4000 0000 0409 03 08 03 d007 e02e 4000", received: true, link: 0x0B)
      $0.pdu(0x41, "0000 6688 a8ad", received: false, link: 0x0B)
    },
    // A notification with a PDU Length of 5, and three bytes after it. Vol 3, Part A, 3.1
    Case("bytes after an L2CAP PDU", finds: ["link.frames-lost"]) {
      $0.record(.acl, received: true, "4020 0c00 0500 0400 1b0300 6162 aabbcc")
    },
    Case("a frame of RFCOMM that is too long", finds: ["link.channel-limit"]) {
      let link = DataLink(channel: ChannelID(0), dlci: 14, isLocalService: false)
      $0.report(
        .rfcomm(.frameTooLong(.init(link: link, byPeer: false, size: 380, most: 330))),
        severity: .warning)
    },
    // SABM, UA, then more frames than credits. RFCOMM 1.2, 6.5
    Case("more data than credits over RFCOMM", finds: ["link.credits-exceeded"], connects: false) {
      openRFCOMM(&$0)
      $0.pdu(0x41, "3b3f0106", received: false, link: 0x0B)
      $0.pdu(0x40, "3b7301cd", received: true, link: 0x0B)
      for _ in 0..<3 { $0.pdu(0x41, "3bef076f6e65a5", received: false, link: 0x0B) }
    },
  ]

  /// SET_PROTOCOL to the Boot Protocol, and HANDSHAKE. HID Profile 1.1.1, 3.1.2.1, 3.1.2.6
  private static let ofProfiles = [
    Case("a HID device refuses a protocol", finds: ["link.request-refused"], connects: false) {
      open(&$0, psm: "1100")
      $0.pdu(0x41, "70", received: false, link: 0x0B)
      $0.pdu(0x40, "04", received: true, link: 0x0B)
    },
    Case("a HID device takes a protocol", connects: false) {
      open(&$0, psm: "1100")
      $0.pdu(0x41, "70", received: false, link: 0x0B)
      $0.pdu(0x40, "00", received: true, link: 0x0B)
    },
    // Get: Forbidden, and no answer. SIM Access Profile 1.1, 5.1, 5.2; HCRP 1.2; Vol 3, Part B, 4.4.1
    Case("refusals of profiles", finds: ["link.request-refused"]) {
      $0.report(obex(3, 0x43), severity: .warning)
      $0.report(.sdp(.error(.init(code: 3))), severity: .warning)
      $0.report(
        .simAccess(
          .connected(.init(status: 1, clientMaximum: nil, serverMaximum: nil, byPeer: true))),
        severity: .warning)
      $0.report(
        .simAccess(.refused(.init(request: 5, result: 2, byPeer: true))), severity: .warning)
      $0.report(.simAccess(.card(.init(change: 3))), severity: .warning)
      $0.report(.hcrp(HCRPEvent(request: 1, status: 2, byPeer: false)), severity: .warning)
    },
    Case("profiles' requests without an answer", finds: ["link.request-refused"]) {
      $0.disconnect()
      $0.report(obex(3, nil), severity: .warning)
      $0.report(.simAccess(.unanswered(.init(request: 5, byPeer: false))), severity: .warning)
      $0.report(.sdp(.unanswered(.init(request: 6, byPeer: false))), severity: .warning)
      $0.report(.hcrp(HCRPEvent(request: 1, status: nil, byPeer: false)), severity: .warning)
    },
    Case("a profile's request has no answer yet", cannotTell: ["link.request-refused"]) {
      $0.reportLast(obex(3, nil), severity: .warning)
    },
    Case("a profile's request succeeds, and one is aborted") {
      $0.report(obex(3, 0x20))
      $0.report(obex(2, 0x20))
    },
    // IAP2 link packets.
    Case("faults of an iAP2 link", finds: ["ea.link-fault"]) {
      $0.report(.iap2(.wrongChecksum(.init(sequence: 1))), severity: .warning)
      $0.report(.iap2(.undeclaredSession(.init(identifier: 9))), severity: .warning)
      $0.report(.iap2(.missing(.init(first: 2, count: 1, isAtLeast: false))), severity: .warning)
      $0.report(.iap2(.wanted(.init(sequences: [2]))), severity: .warning)
      $0.report(.iap2(.incompleteMessage(.init(identifier: nil, present: 4))), severity: .warning)
      $0.report(.iap2(.garbage(.init(count: 4, isBlank: false))), severity: .warning)
      $0.report(
        .iap2(.frameIncomplete(.init(present: 4, missing: 2, isFollowed: true))),
        severity: .warning)
      $0.report(.iap2(.unacknowledged(.init(count: 2))), severity: .warning)
      $0.report(.iap2(.reset(.init())), severity: .warning)
      $0.report(
        .iap2(
          .externalAccessory(
            .stray(.init(sessionIdentifier: 7, count: 4, isFromAccessory: true)))),
        severity: .warning)
      $0.disconnect()
    },
    Case("packets and messages that iAP2 does not allow", finds: ["ea.link-fault"]) {
      $0.report(
        .iap2(.packetTooLong(.init(sequence: 1, length: 1_412, allowed: 1_024))),
        severity: .warning)
      $0.report(
        .iap2(.acknowledgedUnsent(.init(acknowledgement: 9, last: 1))), severity: .warning)
      $0.report(
        .iap2(.malformedMessage(.init(identifier: 0xEA01, problem: .lacks(parameter: 0)))),
        severity: .warning)
      $0.report(
        .iap2(.externalAccessory(.dataTooShort(.init(count: 1, isFromAccessory: true)))),
        severity: .warning)
      $0.report(
        .iap2(
          .externalAccessory(
            .unknown(.init(message: 0xEA03, sessionIdentifier: 99, wasOpen: false)))),
        severity: .warning)
      $0.disconnect()
    },
    Case("an iAP2 message with its length reversed", finds: ["ea.link-fault"]) {
      $0.report(
        .iap2(
          .malformedMessage(.init(identifier: 0xEA00, problem: .reversedLength(0x1000, is: 16)))),
        severity: .warning)
      $0.disconnect()
    },
    Case("another iAP2 packet with the same number", finds: ["ea.link-fault"]) {
      $0.report(
        .iap2(.retransmitted(.init(sequence: 5, hasOtherPayload: true))), severity: .warning)
    },
    Case("an iAP2 message of the other side", finds: ["ea.link-fault"]) {
      $0.report(
        .iap2(.wrongSender(.init(identifier: 0xEA00, isFromAccessory: true))), severity: .warning)
    },
    Case("iAP2 messages that contradict each other about the sides") {
      $0.report(.iap2(.wrongSender(.init(identifier: 0xEA00, isFromAccessory: true))))
    },
    Case("both sides end an External Accessory session") {
      $0.report(
        .iap2(
          .externalAccessory(
            .unknown(.init(message: 0xEA03, sessionIdentifier: 7, wasOpen: true)))))
    },
    Case(
      "a slice is not confirmed when the capture ends", cannotTell: ["transport.missing-receipt"]
    ) {
      $0.report(.flowControl(.unconfirmed(slice: [1], waited: 0, .captureEnded)))
    },
    // Time_Stamp 0 in each SDU. Vol 4, Part E, 5.4.5
    Case("a controller without a clock") {
      $0.record(.iso, received: true, "60 60 0a 00 00 00 00 00 01 00 02 00 aa bb")
      $0.record(.iso, received: true, "60 60 0a 00 00 00 00 00 02 00 02 00 aa bb")
    },
    Case("the Apple Accessory Protocol is refused", finds: ["ea.accessory-protocol-unanswered"]) {
      $0.report(.accessoryProtocol(.connectFailed(.init(status: 1))), severity: .error)
    },
    // Ear Detection with one position of two.
    Case("an AAP message ends early", finds: ["ea.accessory-protocol-malformed"]) {
      $0.report(
        .accessoryProtocol(
          .malformedMessage(
            .init(
              opcode: 6, size: 7,
              lack: .init(
                reason: .truncated(needed: 1, available: 0), layer: "AAP", field: "Secondary",
                offset: 7, limit: "PDU")))),
        severity: .warning)
    },
  ]

  private static let ofSound = [
    // LE CIS Request, HCI_LE_Reject_CIS_Request. Vol 4, Part E, 7.7.65.26, 7.8.102
    Case("this host refuses a CIS", finds: ["audio.stream-failed"]) {
      $0.event("3e 07 1a 4000 6000 01 02")
      $0.record(.command, received: false, "67 20 03 6000 0d")
      $0.event("0e 06 01 6720 00 6000")
      $0.disconnect()
    },
    // LL_CHANNEL_MAP_IND with the instant 20 in connection event 30. Vol 6, Part B, 5.1.2
    Case("a change is sent after its instant", finds: ["link.instant-passed"]) {
      $0.report(
        .linkLayer(
          .instantPassed(.init(byPeripheral: false, opcode: 0x01, instant: 20, count: 30))),
        severity: .warning)
    },
    Case("a change after its instant, and a gap", cannotTell: ["link.instant-passed"]) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 3)
      $0.report(
        .linkLayer(
          .instantPassed(.init(byPeripheral: false, opcode: 0x01, instant: 20, count: 30))),
        severity: .warning)
    },
    Case("a change takes effect at its instant", finds: []) {
      $0.report(.linkLayer(.channelMap(.init(map: 0x1F_FFFF_FFFF))), severity: .info)
    },
    // LL_REJECT_EXT_IND of LL_CIS_REQ and LL_PHY_REQ, LL_UNKNOWN_RSP to LL_CS_REQ; a collision, and what need not be supported.
    // Vol 6, Part B, 2.4.2.8, 2.4.2.18
    Case("a side refuses a CIS over the air", finds: ["audio.stream-failed"]) {
      $0.report(
        .linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x1F, error: 0x0D))),
        severity: .warning)
    },
    Case("a side refuses a PHY over the air", finds: ["link.change-failed"]) {
      $0.report(
        .linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x16, error: 0x1A))),
        severity: .warning)
    },
    Case("a side does not know Channel Sounding", finds: ["link.sounding-failed"]) {
      $0.report(.linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x32, error: nil))))
    },
    Case("a side does not accept a CIS while a procedure is in progress", finds: []) {
      $0.report(
        .linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x1F, error: 0x23))),
        severity: .warning)
      $0.report(.linkLayer(.rejected(.init(byPeripheral: true, opcode: 0x14, error: nil))))
    },
    // LL_CS_CONFIG_REQ, LL_CS_REQ, LL_FRAME_SPACE_REQ and LL_PHY_REQ of both sides at once: the Central's go on. 5.3
    Case("both sides request the same at once", finds: []) {
      for opcode: UInt8 in [0x30, 0x32, 0x3B, 0x16] {
        $0.report(
          .linkLayer(.rejected(.init(byPeripheral: false, opcode: opcode, error: 0x23))),
          severity: .warning)
      }
    },
    Case("another procedure prevents a change of the PHY", finds: ["link.change-failed"]) {
      $0.report(
        .linkLayer(.rejected(.init(byPeripheral: false, opcode: 0x16, error: 0x2A))),
        severity: .warning)
    },
    // LL_CIS_TERMINATE_IND over the air: Connection Timeout; Remote User Terminated Connection. Vol 6, Part B, 2.4.2.32
    Case("an error ends a CIS over the air", finds: ["audio.stream-failed"]) {
      $0.report(
        .linkLayer(
          .isochronousStreamEnded(.init(byPeripheral: true, group: 1, stream: 2, error: 0x08))),
        severity: .warning)
    },
    Case("a side ends a CIS over the air", finds: []) {
      $0.report(
        .linkLayer(
          .isochronousStreamEnded(.init(byPeripheral: true, group: 1, stream: 2, error: 0x13))),
        severity: .info)
    },
    // LE Create BIG Complete. 7.7.65.27
    Case("a broadcast group is not created", finds: ["audio.stream-failed"]) {
      $0.report(
        .isochronous(.groupFailed(.init(big: 1, isOurs: true, status: 0x12))), severity: .error)
    },
    // Time_Stamp and Packet_Sequence_Number of SDUs of 2 octets. 5.4.5
    Case("the time stamp of an SDU goes back", finds: ["audio.isochronous-gap"]) {
      $0.record(.iso, received: true, "60 60 0a 00 e8 03 00 00 01 00 02 00 aa bb")
      $0.record(.iso, received: true, "60 60 0a 00 e8 01 00 00 02 00 02 00 aa bb")
    },
    // BIG_Encryption: Bad_Code, with the wrong code; decrypting.
    Case("the Broadcast_Code is wrong", finds: ["audio.broadcast-not-received"]) {
      let code = String(repeating: "ab", count: 16)
      read(&$0, "c82b", "\(broadcastSource) 03 \(code) \(subgroup)")
      $0.disconnect()
    },
    Case("a broadcast is decrypted") {
      read(&$0, "c82b", "\(broadcastSource) 02 \(subgroup)")
      $0.disconnect()
    },
    // PA_Sync_State: No PAST.
    Case("nobody transfers the sync", finds: ["audio.broadcast-not-received"]) {
      read(&$0, "c82b", "01 00 665544332211 01 563412 04 00 \(subgroup)")
      $0.disconnect()
    },
    // BIS_Sync_State 0xFFFFFFFF.
    Case("the streams of a broadcast are not found", finds: ["audio.broadcast-not-received"]) {
      read(&$0, "c82b", "\(broadcastSource) 00 01 ffffffff 00")
      $0.disconnect()
    },
    // ASE_ID, ASE_State: Idle, then Releasing. ASCS 1.0.1, 3.1
    Case("an idle endpoint is released", finds: ["audio.endpoint-state"]) {
      read(&$0, "c42b", "01 00")
      $0.pdu(4, "1b 0300 01 06", received: true)
      $0.disconnect()
    },
    Case(
      "an idle endpoint is released, and packets are lost", cannotTell: ["audio.endpoint-state"]
    ) {
      read(&$0, "c42b", "01 00")
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.pdu(4, "1b 0300 01 06", received: true)
      $0.disconnect()
    },
    // Volume Control Service 1.0, 1.6: Invalid Change Counter is 0x80.
    Case("a volume control refuses", finds: ["audio.control-refused"]) {
      $0.report(
        .attribute(
          .attError(
            .init(pdu: .writeRequest, handle: 3, uuid: BluetoothUUID(0x2B7E as UInt16), error: 0x80)
          )))
    },
    Case("another service refuses") {
      $0.report(
        .attribute(
          .attError(
            .init(pdu: .writeRequest, handle: 3, uuid: BluetoothUUID(0x2A39 as UInt16), error: 0x80)
          )))
    },
    // The setup code is wrong: HAP Specification (Non-Commercial Version), R2, 5.6.4.
    Case("a HomeKit accessory refuses", finds: ["link.request-refused"]) {
      $0.report(
        .homeKit(
          .init(
            isVerification: false, state: 4, method: nil, error: 2, status: 0, isLocal: false)),
        severity: .warning)
    },
    Case("a HomeKit accessory is paired") {
      $0.report(
        .homeKit(
          .init(
            isVerification: false, state: 6, method: nil, error: nil, status: 0, isLocal: false)))
    },
    // Result codes: MCS 1.0.1, 3.18.2; TBS 1.0, 3.12.2; AVRCP 1.6, 6.15.3.
    Case("players and calls refuse", finds: ["audio.control-refused"]) {
      $0.report(
        .leAudio(.mediaResult(.init(opcode: 1, result: 2, isLocal: false))), severity: .warning)
      $0.report(
        .leAudio(.callResult(.init(opcode: 0, call: 1, result: 1, isLocal: false))),
        severity: .warning)
      $0.report(.audio(.remoteRejected(.init(pdu: 0x50, status: 1))), severity: .warning)
      $0.report(
        .audio(.profileUnknown(.init(profile: 0x110E, toPeer: true))), severity: .warning)
      $0.report(
        .audio(.operationRefused(.init(operation: 0x44, isNotImplemented: true, byPeer: true))),
        severity: .warning)
    },
    Case("a signal of a stream is not answered", finds: ["audio.signal-rejected"]) {
      $0.report(
        .audio(.signalUnanswered(.init(signal: 7, byPeer: false))), severity: .warning)
    },
    // AVDTP_SET_CONFIGURATION, BAD_STATE. AVDTP 1.3, 8.20.6.2
    Case("both sides configure a stream at once", finds: []) {
      $0.report(
        .audio(.signalRejected(.init(signal: 3, category: 0, error: 0x31, isCollision: true))))
    },
    // A channel of the stream ends, and the link 5 s later. AVDTP 1.3, 6
    Case("a stream ends alone", finds: ["audio.stream-dropped"]) {
      $0.report(.audio(.ended(.init(stream: streaming, withCapture: false))), severity: .warning)
      $0.wait(5_000)
      $0.disconnect()
    },
    Case("a stream ends alone, and packets are lost", cannotTell: ["audio.stream-dropped"]) {
      $0.record(.event, received: true, "13 05 01 4000 0100", dropped: 1)
      $0.report(.audio(.ended(.init(stream: streaming, withCapture: false))), severity: .warning)
      $0.wait(5_000)
      $0.disconnect()
    },
    // Two days later by the clock.
    Case("a stream ends, and the clock is set", cannotTell: ["audio.stream-dropped"]) {
      $0.report(.audio(.ended(.init(stream: streaming, withCapture: false))), severity: .warning)
      $0.wait(172_800_000)
      $0.event("13 05 01 4000 0100")
      $0.disconnect()
    },
    Case(
      "a stream ends, and a log goes on after the capture", cannotTell: ["audio.stream-dropped"]
    ) {
      $0.report(.audio(.ended(.init(stream: streaming, withCapture: false))), severity: .warning)
      $0.wait(5_000)
      $0.reportLast(.app(AppEvent(.line, AppEvent.Origin(file: "/logs/app.ndjson", line: 7))))
    },
    Case("a stream ends with its link") {
      $0.report(.audio(.ended(.init(stream: streaming, withCapture: false))), severity: .warning)
      $0.disconnect()
    },
    Case("players and calls do what they are asked") {
      $0.report(.leAudio(.mediaResult(.init(opcode: 1, result: 1, isLocal: false))))
      $0.report(.leAudio(.callResult(.init(opcode: 0, call: 1, result: 0, isLocal: false))))
    },
  ]

  /// Provisioning Failed: Confirmation Failed. Link Close: Success, Timeout, Fail. Mesh Protocol 1.1, 5.4.1.10,
  /// 5.3.1.4.3
  private static let ofMesh = [
    Case("provisioning fails", finds: ["mesh.provisioning-failed"], connects: false) {
      for packet in [meshLink, "00 07", "81 00 00 02 94 09 04", "00 0b 02"] { bearer(&$0, packet) }
    },
    Case("provisioning is given up", finds: ["mesh.provisioning-failed"], connects: false) {
      for packet in [meshLink, "00 07", "00 0b 01"] { bearer(&$0, packet) }
    },
    // The FCS is wrong: the receiver ignores the PDU, and its sender repeats it. 5.3.1.1
    Case("a Provisioning Failed with a wrong FCS", connects: false) {
      for packet in [
        meshLink, "00 07", "81 00 00 02 00 09 04", "82 00 00 01 3e 08", "00 0b 00",
      ] { bearer(&$0, packet) }
    },
    Case("provisioning succeeds", connects: false) {
      for packet in [meshLink, "00 07", "88 00 00 01 3e 08", "00 0b 00"] { bearer(&$0, packet) }
    },
  ]

  /// What another rule reports is not reported again.
  @Test func provisioningFailsOnce() {
    let one = Self.ofMesh[0].run()
    #expect(one.all.map(\.occurrences) == [1])
    #expect(one.all.first?.expected == "the same Out of Band value on both sides")
  }

  /// The link closes for the same reason.
  @Test func wrongPINIsReportedOnce() throws {
    let all = Self.ofPINs[0].run().all
    #expect(all.map(\.occurrences) == [1])
    let finding = try #require(all.first)
    #expect(
      finding.observed
        == "no link key after the request for a PIN in #2; authentication failed: Authentication Failure (0x05)"
    )
    #expect(finding.place.frames.map(\.number) == [2, 3] && finding.confidence == .certain)
  }
}
