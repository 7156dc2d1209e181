import HarkCore
import HarkDissection
import Testing

@testable import HarkCrypto
@testable import HarkPresentation
@testable import HarkSession

@Suite struct TimelineSentenceTests {
  static let watch = BluetoothAddress(0xE222_2222_2222, .random)

  /// The event of advertising data of Apple's.
  private static func advertised(_ data: String) -> AAPEvent {
    let bytes = Hex.bytes(data.filter { $0 != " " }) ?? []
    guard let content = ContinuityMessage.find(bytes.raw, bytes.indices) else {
      preconditionFailure("not an accessory's: \(data)")
    }
    return .advertised(.init(address: watch, content: content, isFirst: true))
  }

  private static let central = LinkManagerEvent.Sender(
    lap: 0x33_4455, central: nil, isPeripheral: false)

  static func event(_ content: Event.Content) -> Event {
    Event(
      time: Timestamp(nanoseconds: 0), frames: Event.Frames(PacketID(12)), controller: 0,
      content: content)
  }

  static func value(
    _ opcode: ATTPDU.Opcode, _ short: UInt16?, _ bytes: [UInt8], isLocal: Bool = false
  ) -> AttributeEvent.Value {
    AttributeEvent.Value(
      opcode, handle: 0x2A, uuid: short.map { BluetoothUUID($0) }, isLocal: isLocal,
      bytes.raw)
  }

  static func channel(
    _ psm: UInt16, local: UInt16 = 0x40, isPeerRequest: Bool = false
  ) -> HarkSession.Channel {
    HarkSession.Channel(
      id: ChannelID(0), link: LinkID(0), psm: psm, localCID: local, remoteCID: 0x51,
      isPeerRequest: isPeerRequest, opened: PacketID(1), entry: nil, stream: StreamID(0))
  }

  /// With credits, as LE has them.
  static let creditBased: HarkSession.Channel = {
    var opened = channel(0x0080)
    opened.limits = HarkSession.Channel.Limits(
      local: .init(mtu: 512, mps: 64, credits: 10), peer: .init(mtu: 247, mps: 100, credits: 1),
      least: 23)
    return opened
  }()

  static let repeating: HarkSession.Channel = {
    var closed = channel(0x1011)
    closed.repeatedFrames = 4
    return closed
  }()

  static let key: BondingKey = {
    var octets = [UInt8](repeating: 7, count: 16)
    return try! BondingKey(
      .longTermKey, &octets, address: watch, origin: .capture(PacketID(66)))
  }()

  static let table: [(Event.Content, String)] = [
    (
      .link(.usbAccessory(.init(isInferred: true))),
      "a link: iAP2, recognized by its data: the capture does not have its descriptors"
    ),
    (
      .channel(.opened(.init(channel: creditBased))),
      "channel opened: dynamic (SPSM 0x0080), Source CID 0x0040, Destination CID 0x0051; "
        + "this host: MTU 512, MPS 64, 10 credits; peer: MTU 247, MPS 100, 1 credit"
    ),
    (
      .channel(.closed(.init(channel: creditBased))),
      "channel closed: dynamic (SPSM 0x0080), Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(.closed(.init(channel: repeating))),
      "channel closed: dynamic (PSM 0x1011), Source CID 0x0040, Destination CID 0x0051; "
        + "4 frames retransmitted"
    ),
    (
      .channel(
        .configured(
          .init(
            channel: channel(0x1011),
            configuration: .init(
              mode: .enhancedRetransmission, localMTU: 672, peerMTU: 1024, hasFCS: false,
              isExtended: true)))),
      "channel configured: Enhanced Retransmission mode, no FCS, Extended Control Field, "
        + "MTU 672 of this host and 1024 of the peer: dynamic (PSM 0x1011), "
        + "Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(
        .creditsLacking(
          .init(channel: creditBased, byPeer: true, nanoseconds: 1_250_000_000))),
      "peer had no credits left for 1.3 s: dynamic (SPSM 0x0080), "
        + "Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(
        .reconfigured(.init(channel: channel(0x0027), mtu: 128, mps: 96, byPeer: true))),
      "peer now accepts SDUs of up to 128 bytes in frames of up to 96: EATT (PSM 0x0027), "
        + "Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .rfcomm(
        .recognized(
          .init(
            link: DataLink(channel: ChannelID(0), dlci: 14, isLocalService: true),
            protocolName: "HFP"))),
      "HFP on local RFCOMM channel 7, recognized by its first bytes: the capture does not have its service record"
    ),
    (
      .rfcomm(.sessionRecognized(.init(cid: 0x0041))),
      "RFCOMM on CID 0x0041, recognized by the form of its frames: the capture does not contain the opening of the channel"
    ),
    (
      .rfcomm(
        .opened(
          .init(
            link: DataLink(channel: ChannelID(0), dlci: 14, isLocalService: false), byPeer: false,
            wasOpen: true))),
      "RFCOMM channel 7 was open before the capture began"
    ),
    (
      .rfcomm(
        .unanswered(.init(link: DataLink(channel: ChannelID(0), dlci: 14, isLocalService: false)))),
      "RFCOMM channel 7 not opened: SABM has no response in the capture"
    ),
    (
      .rfcomm(
        .notOpen(
          .init(
            link: DataLink(channel: ChannelID(0), dlci: 14, isLocalService: false), byPeer: true,
            wasClosed: true))),
      "peer sent data on RFCOMM channel 7 after it was closed"
    ),
    (
      .rfcomm(
        .notOpen(
          .init(
            link: DataLink(channel: ChannelID(0), dlci: 14, isLocalService: true), byPeer: false,
            wasClosed: false))),
      "this host sent data on local RFCOMM channel 7, which no SABM opened"
    ),
    (
      .rfcomm(.sessionRefused(.init(byPeer: true))), "RFCOMM session refused by peer"
    ),
    (
      .rfcomm(.sessionUnanswered(.init(byPeer: false))),
      "RFCOMM session not opened: SABM has no response in the capture"
    ),
    (
      .rfcomm(.sessionUnanswered(.init(byPeer: true))),
      "RFCOMM session not opened: the peer's SABM has no response in the capture"
    ),
    (
      .security(
        .keyMissing(
          .init(
            keyKind: .longTermKey,
            names: .init(
              requested: .init(ediv: 0x4321, rand: 1), given: .init(ediv: 0x1234, rand: 2))))),
      "the peer requests the LTK with EDIV 0x4321, but this host gave it the one with EDIV 0x1234"
    ),
    (
      .security(
        .keyMissing(
          .init(
            keyKind: .longTermKey,
            names: .init(
              requested: .init(ediv: 0x1234, rand: 1), given: .init(ediv: 0, rand: 0))))),
      "the peer requests the LTK with EDIV 0x1234, but their bond is one of LE Secure Connections, with EDIV 0x0000"
    ),
    (
      .security(
        .keyMissing(
          .init(
            keyKind: .longTermKey,
            names: .init(
              requested: .init(ediv: 0x1234, rand: 0x8877_6655_4433_2211),
              given: .init(ediv: 0x1234, rand: 0x10))))),
      """
      the peer requests the LTK with EDIV 0x1234 and Rand 0x8877665544332211, but this host gave it the one with \
      EDIV 0x1234 and Rand 0x0000000000000010
      """
    ),
    (
      .security(.pairing(.cutOff(.init(isChosen: true)))),
      "Pairing not completed: the link is closed first"
    ),
    (.security(.pairing(.pinRefused(.init()))), "Pairing: this host gives no PIN"),
    (
      .security(.pairing(.simple(.rejected(.oobData)))),
      "Secure Simple Pairing: this host has no Out of Band data of the peer"
    ),
    (
      .simAccess(.card(.init(change: 3))), "SIM card: Card removed (0x03)"
    ),
    (
      .simAccess(.refused(.init(request: 0x05, result: 2, byPeer: true))),
      "TRANSFER_APDU_REQ refused by peer: Error, card not accessible (0x02)"
    ),
    (
      .simAccess(.unanswered(.init(request: 0x0D, byPeer: false))),
      "RESET_SIM_REQ has no answer in the capture"
    ),
    (
      .hcrp(HCRPEvent(request: 3, status: 2, byPeer: false)),
      "HCRP CR_DataChannelCreditReturn refused by peer: Credit Synchronization Error (0x0002)"
    ),
    (
      .channel(.reconfigurationRefused(.init(result: 1))),
      "reconfiguration of channels refused: reduction in size of MTU not allowed"
    ),
    (.controller(.found(.init(name: "hci0", address: nil))), "controller hci0"),
    (
      .controller(.found(.init(name: "hci0", address: watch))),
      "controller hci0, address E2:22:22:22:22:22"
    ),
    (.controller(.gone), "controller removed"),
    (.controller(.opened), "controller opened by the host"),
    (.controller(.closed), "controller closed by the host"),
    (.controller(.reset), "controller reset"),
    (
      .controller(.version(.init(version: 9, company: 0x0059))),
      "controller is Bluetooth 5.0, made by Nordic Semiconductor ASA"
    ),
    (
      .controller(.commandFailed(.init(opcode: 0x2005, status: 0x0C))),
      "HCI_LE_Set_Random_Address failed: Command Disallowed (0x0c)"
    ),
    (
      .controller(
        .commandFailed(
          .init(
            opcode: 0x2039, status: 0x0C, purpose: CommandPurpose(.advertisingStop, sets: [3])))),
      "advertising of set 0x03 not stopped: Command Disallowed (0x0c)"
    ),
    (
      .controller(.discovery(.advertisingStopped(.init(sets: [], wasOn: false)))),
      "advertising is off"
    ),
    (
      .controller(.discovery(.advertisingEnded(.init(set: 1, status: 0x3C, events: 1)))),
      "advertising of set 0x01 ended: its duration elapsed, after 1 event"
    ),
    (
      .controller(.discovery(.advertisingEnded(.init(set: nil, status: 0, events: nil)))),
      "advertising ended: a connection was established"
    ),
    (
      .link(.connectionRequested(.init(transport: .esco, classOfDevice: 0))),
      "peer requests a connection (eSCO)"
    ),
    (
      .link(.connectionRequested(.init(transport: .brEDR, classOfDevice: 0x24_0404))),
      "peer requests a connection, Audio/Video: Wearable Headset Device; Rendering, Audio"
    ),
    (
      .link(.change(.roleFailed(.init(status: 0x21)))),
      "role not changed: Role Change Not Allowed (0x21)"
    ),
    (.security(.encryptionRefreshed(.init())), "link encryption continues with a new key"),
    (
      .security(.encryptionNotRefreshed(.init(status: 5))),
      "encryption key not refreshed: Authentication Failure (0x05)"
    ),
    (
      .attribute(.mtu(.init(client: 22, server: 517))),
      "MTU 23 (client 22, server 517); the smallest MTU allowed is 23"
    ),
    (
      .attribute(.mtu(.init(client: 185, server: 50, isRepeated: true))),
      "MTU 50 (client 185, server 50); a client may request it only once per connection"
    ),
    (
      .attribute(
        .wrongResponse(
          .init(
            pdu: .readRequest, handle: 0x15, uuid: BluetoothUUID(UInt16(0x2A19)),
            response: .readBlobResponse))),
      """
      the peer answered ATT_READ_REQ of Battery Level (0x0015) with ATT_READ_BLOB_RSP, which is not a response to it
      """
    ),
    (
      .attribute(
        .wrongResponse(
          .init(
            pdu: .readRequest, handle: 3, uuid: nil, response: .errorResponse,
            misnamed: .init(handle: 0x15, uuid: BluetoothUUID(UInt16(0x2A19)), error: 2)))),
      """
      the peer answered ATT_READ_REQ of attribute 0x0003 with ATT_ERROR_RSP about Battery Level (0x0015), which is not a \
      response to it: Read Not Permitted (0x02)
      """
    ),
    (
      .attribute(.partWritten(.init(handle: 3, uuid: nil, offset: 10, size: 4, isLocal: false))),
      "completed a long write to a part of attribute 0x0003: 4 bytes from offset 10"
    ),
    (
      .attribute(
        .valueShort(
          .init(
            handle: 3, uuid: nil, size: 40, announced: 400, pduSize: 52, mtu: 185, isLocal: false))),
      "the peer sent 40 of 400 bytes of attribute 0x0003 in a PDU of 52 bytes, but the MTU is 185"
    ),
    (
      .attribute(.unsolicited(.init(pdu: .readResponse, byPeer: true))),
      "the peer sent ATT_READ_RSP, although no request in the capture waits for it"
    ),
    (
      .attribute(
        .unsolicited(.init(pdu: .errorResponse, refused: .writeRequest, byPeer: false))),
      "this host sent ATT_ERROR_RSP about ATT_WRITE_REQ, although no request in the capture waits for it"
    ),
    (
      .attribute(
        .unsolicited(
          .init(pdu: .handleValueConfirmation, isForOtherBearer: true, byPeer: true))),
      "the peer sent ATT_HANDLE_VALUE_CFM on another bearer than the indication"
    ),
    (
      .attribute(
        .preparedDiffers(.init(handle: 0x15, uuid: nil, offset: 18, size: 6, isLocal: false))),
      """
      the peer returned a prepared write of attribute 0x0015 differently than it was sent: 6 bytes from offset 18
      """
    ),
    (
      .attribute(.unknownRefused(.init(opcode: 0x3A, error: 6, isLocal: false))),
      "request 0x3a refused: Request Not Supported (0x06)"
    ),
    (
      .attribute(.unknownRefused(.init(opcode: 0x3A, error: 6, isLocal: true))),
      "peer: request 0x3a refused by this host: Request Not Supported (0x06)"
    ),
    (
      .attribute(.writeCancelled(.init(handle: 0x15, uuid: nil, size: 6, isLocal: false))),
      "cancelled the long write of attribute 0x0015, 6 bytes prepared"
    ),
    (
      .security(.encryptionStarted(.init(key: nil, byPeer: true))),
      "host supplies its LTK for the link encryption that the peer starts"
    ),
    (
      .security(.encryptionStarted(.init(key: nil, byPeer: true, isShortTerm: true))),
      "host supplies the STK of the pairing for the link encryption that the peer starts"
    ),
    (
      .linkLayer(
        .isochronousStreamEnded(.init(byPeripheral: false, group: 1, stream: 2, error: 0x13))),
      "Central ends Connected Isochronous Stream 2 of group 1: Remote User Terminated Connection (0x13)"
    ),
    (
      .linkLayer(
        .isochronousStreamEnded(
          .init(byPeripheral: nil, group: 1, stream: 2, error: 0x08, isWithACL: true))),
      "Connected Isochronous Stream 2 of group 1 ended with its connection: Connection Timeout (0x08)"
    ),
    (
      .linkLayer(
        .isochronousStreamAddress(.init(address: 0x3123_4567, group: 1, stream: 2))),
      "Connected Isochronous Stream 2 of group 1 begins, access address 0x31234567"
    ),
    (
      .linkLayer(
        .broadcastChannelMap(.init(group: 0x1234_5678, map: 0x1F_FFFF_0000, instant: 120))),
      "broadcast group 0x12345678: channel map from BIG event 120 on: 21 of 37 channels in use"
    ),
    (
      .linkLayer(
        .broadcastGroupTerminating(.init(group: 0x1234_5678, reason: 0x13, instant: 120))),
      """
      the broadcaster announces the end of broadcast group 0x12345678 at BIG event 120: Remote User Terminated \
      Connection (0x13)
      """
    ),
    (
      .linkLayer(.broadcastGroupTerminated(.init(group: 0x1234_5678, reason: 0x13))),
      "broadcast group 0x12345678 ended: Remote User Terminated Connection (0x13)"
    ),
    (
      .linkLayer(.broadcastGroupTerminated(.init(group: 0x1234_5678, cause: .notAnnounced))),
      "broadcast group 0x12345678 ended: its broadcaster no longer announces it"
    ),
    (
      .linkLayer(.broadcastGroupTerminated(.init(group: 0x1234_5678, cause: .replaced))),
      "broadcast group 0x12345678 ended: its broadcaster announces another group"
    ),
    (
      .linkLayer(.broadcastGroupTerminated(.init(group: 0x1234_5678, cause: .notReceived))),
      "broadcast group 0x12345678 ended: nothing received for 164 s"
    ),
    (
      .security(
        .pairing(
          .securityRequested(
            .init(
              requirements: .init(secureConnections: false, bonding: false, mitm: false),
              isOfWrongSide: true)))),
      "Central requests security, but only the Peripheral may: LE legacy pairing, no bonding, no MITM protection"
    ),
    (
      .linkLayer(
        .linkManager(.version(.init(sender: central, version: 9, company: 0x000F)))),
      "piconet 0x334455: Central's controller is Bluetooth 5.0, made by Broadcom Corporation"
    ),
    (
      .linkLayer(
        .linkManager(
          .features(.init(sender: central, page: 0, names: ["Encryption", "Role switch"])))),
      "piconet 0x334455: Central's LMP features: Encryption, Role switch"
    ),
    (
      .linkLayer(.linkManager(.channels(.init(sender: central, change: .hopping(40))))),
      "piconet 0x334455: Central hops over 40 of 79 channels"
    ),
    (
      .linkLayer(.linkManager(.power(.init(sender: central, change: .decrease)))),
      "piconet 0x334455: Central asks the Peripheral for less power"
    ),
    (
      .linkLayer(.linkManager(.request(.init(sender: central, change: .sniff(800))))),
      "piconet 0x334455: Central requests sniff mode every 500 ms"
    ),
    (
      .linkLayer(
        .linkManager(
          .rejected(.init(sender: central, opcode: 23, extendedOpcode: nil, error: 0x24)))),
      "piconet 0x334455: Central rejects the Peripheral's LMP_SNIFF_REQ: LMP PDU Not Allowed (0x24)"
    ),
    (
      .linkLayer(.linkManager(.detached(.init(sender: central, reason: 0x13)))),
      "piconet 0x334455: Central ends the link: Remote User Terminated Connection (0x13)"
    ),
    (
      .linkLayer(.linkManager(.pairing(.init(sender: central, step: .authentication)))),
      "piconet 0x334455: Central authenticates the Peripheral"
    ),
    (
      .linkLayer(
        .linkManager(.pairingFailed(.init(sender: central, cause: .numericComparison)))),
      "piconet 0x334455: Central ends the pairing: its user did not confirm the six digits"
    ),
    (
      .linkLayer(.instantPassed(.init(byPeripheral: false, opcode: 0x18, instant: 20, count: 30))),
      "Central sends LL_PHY_UPDATE_IND after its instant: connection event 30, instant 20"
    ),
    (
      .linkLayer(.encryptionRequested(.init(isShortTerm: nil))),
      """
      Central starts link encryption with the key of a pairing or of an LE Secure Connections bond (EDIV and Rand \
      are 0)
      """
    ),
    (
      .capture(.incompletePDU(.init(place: nil, have: 1))),
      "PDU incomplete: 1 byte received, unknown number missing"
    ),
    (
      .capture(.incompletePDU(.init(place: nil, have: 20, missing: 1))),
      "PDU incomplete: 20 bytes received, 1 missing"
    ),
    (
      .controller(.commandFailed(.init(opcode: 0xFC11, status: 0x01))),
      "vendor-specific command 0xfc11 failed: Unknown HCI Command (0x01)"
    ),
    (.controller(.discovery(.scanStarted)), "scanning started"),
    (
      .controller(.discovery(.scanStopped(.init(devices: 1, reports: 12_345)))),
      "scanning stopped: 1 new device in 12 345 reports"
    ),
    (
      .controller(.discovery(.scanStopped(.init(devices: 0, reports: 0)))),
      "scanning stopped: nothing received"
    ),
    (.controller(.discovery(.advertisingStarted(.init(sets: [])))), "advertising started"),
    (
      .controller(.discovery(.advertisingStarted(.init(sets: [1])))),
      "advertising of set 0x01 started"
    ),
    (
      .controller(
        .discovery(
          .advertisingStarted(
            .init(sets: [], solicited: [BluetoothUUID(0x180F as UInt16)])))),
      "advertising started, soliciting Battery"
    ),
    (
      .controller(.discovery(.advertisingStopped(.init(sets: [1, 2])))),
      "advertising of sets 0x01, 0x02 stopped"
    ),
    (
      .link(.failed(.init(status: 0x02, peer: nil, transport: .le))), "connection attempt cancelled"
    ),
    (
      .link(.failed(.init(status: 0x0D, peer: watch, transport: .esco))),
      "eSCO connection to E2:22:22:22:22:22 failed: "
        + "Connection Rejected due to Limited Resources (0x0d)"
    ),
    (
      .handsFree(.call(.init(state: .incoming, isWaiting: true))), "another call is waiting"
    ),
    (.handsFree(.caller(.init(number: "1", isWaiting: true))), "waiting caller 1"),
    (
      .sdp(.unanswered(.init(request: 6, byPeer: false))),
      "SDP_SERVICE_SEARCH_ATTR_REQ has no answer in the capture"
    ),
    (
      .sdp(
        .missing(
          .init(
            uuids: [BluetoothUUID(0x1101 as UInt16), BluetoothUUID(0x1124 as UInt16)],
            isLocal: false))), "has no service with SerialPort and HID"
    ),
    (
      .sdp(.missing(.init(uuids: [BluetoothUUID(0x0100 as UInt16)], isLocal: false))),
      "has no service with L2CAP"
    ),
    (
      .audio(.signalUnanswered(.init(signal: 7, byPeer: false))),
      "AVDTP_START not answered within 4 s"
    ),
    (
      .audio(.profileUnknown(.init(profile: 0x110E, toPeer: true))),
      "the peer does not support A/V Remote Control"
    ),
    (
      .audio(.volume(.init(volume: 127, isRequest: true, isLocal: true))),
      "this host's volume set to 100 % (127)"
    ),
    (
      .audio(.remoteRejected(.init(pdu: 0xA0, status: 0))), "GeneralReject: Invalid command"
    ),
    (.handsFree(.caller(.init(number: ""))), "caller without a number"),
    (.handsFree(.call(.init(state: .rejected))), "call rejected"),
    (.handsFree(.call(.init(state: .cancelled))), "outgoing call cancelled"),
    (
      .handsFree(.call(.init(state: .unconnected))),
      "outgoing call ended before it was answered"
    ),
    (.handsFree(.call(.init(state: .unwaiting))), "no call is waiting"),
    (
      .handsFree(.codecRefused(.init(id: 3, codecs: [1, 2]))),
      "codec LC3-SWB refused by the Hands-Free unit, which has CVSD, mSBC"
    ),
    (.handsFree(.codecProposed(.init(id: 7))), "codec 7 proposed by the Audio Gateway"),
    (
      .handsFree(.refused(.init(command: "D", error: nil, result: "BUSY"))), "ATD refused: BUSY"
    ),
    (
      .handsFree(.refused(.init(command: nil, error: nil, result: "NO CARRIER"))),
      "Audio Gateway reports NO CARRIER"
    ),
    (
      .handsFree(.command(.init(action: .hold(12)))), "Hands-Free unit: release call 2"
    ),
    (
      .handsFree(.command(.init(action: .hold(21)))),
      "Hands-Free unit: private consultation with call 1"
    ),
    (
      .handsFree(.codecConfirmed(.init(id: 2, proposed: 1))),
      "codec mSBC confirmed by the Hands-Free unit, but the Audio Gateway proposed CVSD"
    ),
    (.link(.sounding(.security(.init()))), "Channel Sounding: security enabled"),
    (
      .link(
        .sounding(
          .configuration(
            .init(config: 1, isRemoved: false, role: 0, mainMode: 2, subMode: 0xFF)))),
      "Channel Sounding: configuration 1 created, Initiator, Mode-2"
    ),
    (
      .link(.sounding(.procedures(.init(config: 1, interval: 4, count: 0)))),
      "Channel Sounding: procedures of configuration 1 enabled, one every 4 connection events, "
        + "until disabled"
    ),
    (
      .link(.sounding(.ended(.init(config: 1, completed: 98, aborted: 2)))),
      "Channel Sounding: procedures of configuration 1 disabled: 98 completed, 2 aborted"
    ),
    (
      .link(.sounding(.failed(.init(step: .security, status: 0x06, config: nil)))),
      "Channel Sounding: security was not enabled: PIN or Key Missing (0x06)"
    ),
    (
      .link(
        .sounding(
          .aborted(
            .init(
              config: 0, counter: 7, isProcedure: false, procedureReason: 0, subeventReason: 2)))),
      "Channel Sounding: a subevent of procedure 7 aborted: No CS_SYNC (mode-0) received"
    ),
    (
      .capture(
        .clockSetBack(
          .init(nanoseconds: 3_600_000_000_000, waiting: .init(commands: 0, requests: 1)))),
      "the clock of the capture goes back by 60 min 0 s here, so it is unknown how long 1 ATT request waited"
    ),
    (
      .capture(
        .clockSetForward(
          .init(nanoseconds: 90_000_000_000_000, waiting: .init(commands: 0, pairings: 1)))),
      "the clock of the capture jumps forward by 25 h 0 min here, so it is unknown how long 1 pairing waited"
    ),
    (
      .homeKit(
        .init(
          isVerification: false, state: 1, method: 0, error: nil, status: nil, isLocal: false)),
      "HomeKit Pair Setup: M1, Pair Setup"
    ),
    (
      .homeKit(
        .init(
          isVerification: false, state: 4, method: nil, error: 2, status: 0, isLocal: false)),
      "HomeKit Pair Setup refused in M4: kTLVError_Authentication (2)"
    ),
    (
      .homeKit(
        .init(
          isVerification: true, state: nil, method: nil, error: nil, status: 5, isLocal: false)),
      "HomeKit Pair Verify refused: Insufficient Authentication (0x05)"
    ),
    (
      .bnep(
        .init(
          request: 1, byPeer: false, source: 0x1115, destination: 0x1116, outcome: .response(4))),
      "BNEP setup from PANU to NAP refused by peer: Operation Failed: Connection Not Allowed "
        + "(0x0004)"
    ),
    (
      .bnep(.init(request: 3, byPeer: true, source: nil, destination: nil, outcome: .response(0))),
      "BNEP network type filter accepted"
    ),
    (
      .bnep(
        .init(request: 7, byPeer: false, source: nil, destination: nil, outcome: .notUnderstood)),
      "BNEP control type 0x07 not understood by peer"
    ),
    (
      .isochronous(.ended(.init(handle: 0x60, reason: 8, isWithACL: true))),
      "isochronous stream 0x0060 ended with its ACL connection: Connection Timeout (0x08)"
    ),
    (
      .isochronous(.sduTooLong(.init(handle: 0x60, length: 140, most: 100))),
      "isochronous stream 0x0060: an SDU has 140 bytes, and Max_SDU is 100"
    ),
    (
      .link(.failed(.init(status: 0x3E, peer: watch, transport: .le))),
      "connection to E2:22:22:22:22:22 failed: Connection Failed to be Established / "
        + "Synchronization Timeout (0x3e)"
    ),
    (
      .link(.change(.parameters(.init(interval: 24, latency: 0, timeout: 72)))),
      "connection parameters: interval 30 ms, latency 0, supervision timeout 720 ms"
    ),
    (
      .link(
        .change(
          .parametersRequested(
            .init(
              request: .init(minimum: 6, maximum: 9, latency: 4, timeout: 6_553, isLinkLayer: false)
            ))
        )),
      "Peripheral requests interval 7.5 ms to 11.25 ms, latency 4, supervision timeout 65530 ms; "
        + "the supervision timeout is outside the range 100 ms to 32 s"
    ),
    (
      .link(
        .change(
          .parametersRequested(
            .init(
              request: .init(
                minimum: 0, maximum: 0xFFFF, latency: 0xFFFF, timeout: 0xFFFF, isLinkLayer: false)))
        )),
      "Peripheral requests interval 0 ms to 81918.75 ms, latency 65535, "
        + "supervision timeout 655350 ms; the interval is outside the range 7.5 ms to 4 s; "
        + "the latency is more than 499; "
        + "the supervision timeout is outside the range 100 ms to 32 s"
    ),
    (
      .link(.change(.parametersRefused(.init(byPeer: true, isLinkLayer: false)))),
      "peer refuses the requested connection parameters"
    ),
    (
      .link(.change(.parametersRefused(.init(byPeer: nil, isLinkLayer: false)))),
      "requested connection parameters refused"
    ),
    (
      .link(.change(.parametersRefused(.init(byPeer: false, isLinkLayer: true)))),
      "this host refuses the requested connection parameters"
    ),
    (.link(.change(.phy(.init(tx: 2, rx: 2)))), "PHY LE 2M"),
    (
      .isochronous(
        .established(
          .init(
            handle: 0x60, interval: 8, toPeripheral: .init(latency: 8_000, phy: 2, maxPDU: 120),
            toCentral: .init(latency: 9_000, phy: 2, maxPDU: 0)))),
      "isochronous stream 0x0060 established: every 10 ms; to the Peripheral 120 bytes, latency "
        + "8 ms, LE 2M, to the Central no data"
    ),
    (
      .isochronous(.requested(.init(handle: 0x60, name: .init(cig: 1, cis: 2)))),
      "Central requests isochronous stream 0x0060: CIG 1, CIS 2"
    ),
    (
      .isochronous(.refused(.init(handle: 0x60, reason: 0x0D))),
      "this host refuses isochronous stream 0x0060: "
        + "Connection Rejected due to Limited Resources (0x0d)"
    ),
    (
      .isochronous(.gap(.init(handle: 0x60, missing: 2))),
      "isochronous stream 0x0060: 2 SDUs of the peer missing, according to the sequence numbers"
    ),
    (
      .isochronous(.groupEnded(.init(big: 1, isOurs: false, reason: 0x16))),
      "sync with broadcast group 1 terminated by this host"
    ),
    (
      .isochronous(
        .groupEnded(.init(big: 1, isOurs: false, reason: nil, controllerEnd: .reset))),
      "sync with broadcast group 1 ended by HCI_Reset"
    ),
    (
      .isochronous(.ended(.init(handle: 0x60, reason: nil, controllerEnd: .removed))),
      "isochronous stream 0x0060 ended: the controller was removed"
    ),
    (
      .periodic(
        .synchronized(
          .init(
            sync: 0x13,
            train: .init(
              advertiser: .init(sid: 3, address: watch), phy: 2, interval: 80,
              subevents: .init(count: 4, interval: 16))))),
      "synchronized with periodic advertising, sync 0x0013: SID 3 of E2:22:22:22:22:22, "
        + "every 100 ms, LE 2M, with responses: 4 subevents every 20 ms"
    ),
    (
      .periodic(
        .lost(
          .init(
            sync: 0x13,
            account: .init(reports: 12, truncated: 1, unreported: 2, subevents: [0, 1, 3])))),
      "sync 0x0013 lost after 12 reports, 1 of them incomplete, 2 more changes of its data, "
        + "in subevents 0, 1, 3"
    ),
    (
      .periodic(
        .heard(.init(sync: 0x13, account: .init(reports: 3, notReceived: 2, subevents: [0, 3])))),
      "sync 0x0013: 3 reports received, in subevents 0, 3, 2 subevent PDUs not received"
    ),
    (
      .periodic(.heard(.init(sync: 0x13, account: .init(notReceived: 1)))),
      "sync 0x0013: no report received, 1 subevent PDU not received"
    ),
    (
      .periodic(.responses(.init(set: 1, requests: 40, heard: 12, missing: 1))),
      "periodic advertising of set 0x01: controller requested data for 40 subevents, "
        + "12 responses received, 1 missing or incomplete"
    ),
    (.link(.change(.phy(.init(tx: 1, rx: 3)))), "PHY LE 1M out, LE Coded in"),
    (
      .accessoryProtocol(.lockedAdvertising(.init(address: watch, lock: .unresolved))),
      "encrypted proximity pairing advertising of E2:22:22:22:22:22, not decrypted: no known IRK resolves the "
        + "address, and the proximity pairing key is not known"
    ),
    (
      .accessoryProtocol(
        advertised("1e ff 4c 00 07 19 01 14 20 2b 9a 35 00 00 04 00010203040506070809 0a0b0c0d0e0f")
      ),
      "E2:22:22:22:22:22 advertises AirPods Pro (2nd generation): buds 90 % and 100 %, case 30 % or "
        + "50 %, both in ear, lid open, idle"
    ),
    (
      .accessoryProtocol(
        advertised("1e ff 4c 00 07 19 00 ff ff 14 ff ff 08 00 03 00010203040506070809 0a0b0c0d0e0f")
      ),
      "E2:22:22:22:22:22 advertises proximity pairing of model 0xffff: not paired, buds unknown and "
        + "unknown, case unknown or unknown, none in ear, both in case, lid closed, connection state "
        + "0x03"
    ),
    (
      .accessoryProtocol(advertised("07 ff 4c 00 12 02 e4 01")),
      "E2:22:22:22:22:22 advertises Find My: near its owner, battery critically low"
    ),
    (
      .accessoryProtocol(advertised("12 ff 4c 00 06 2d 01 11 22 33 44 55 66 05 00 02 00 03 02")),
      "E2:22:22:22:22:22 advertises HomeKit: category 5, not paired, state number 2, configuration 3"
    ),
    (
      .accessoryProtocol(
        advertised(
          "1a ff 4c 00 02 15 e2c56db5dffb48d2b060d0f5a71096e0 0001 0002 c5")),
      "E2:22:22:22:22:22 advertises iBeacon: UUID E2C56DB5-DFFB-48D2-B060-D0F5A71096E0, major 1, "
        + "minor 2, measured power -59 dBm"
    ),
    (
      .accessoryProtocol(
        .malformedMessage(
          .init(
            opcode: 6, size: 7,
            lack: .init(
              reason: .truncated(needed: 1, available: 0), layer: "AAP", field: "Secondary",
              offset: 7, limit: "PDU")))),
      "AAP message Ear Detection ends early: Secondary needs 1 byte, 0 available"
    ),
    (.link(.change(.dataLength(.init(tx: 251, rx: 251)))), "Link Layer packets of up to 251 bytes"),
    (
      .link(.change(.dataLength(.init(tx: 27, rx: 251)))),
      "Link Layer packets of up to 27 bytes out, 251 bytes in"
    ),
    (
      .link(.change(.peerVersion(.init(version: 99, company: 0xFFFE)))),
      "peer's controller is Bluetooth version 99, made by company 0xfffe"
    ),
    (
      .link(.change(.roleChanged(.init(role: .peripheral)))),
      "role changed: this host is now Peripheral"
    ),
    (
      .link(
        .change(
          .synchronous(
            .init(
              parameters: Link.Synchronous(
                airMode: 3, transmissionInterval: 12, txPacketLength: 60, rxPacketLength: 1))))),
      "synchronous link changed: Transparent Data, packets of up to 60 bytes out, 1 byte in, "
        + "every 7.5 ms"
    ),
  ]

  static let security: [(Event.Content, String)] = [
    (
      .security(.pairing(.simple(.debugKey(.p192, isPeer: true, isOutOfBand: true)))),
      "Secure Simple Pairing: the Out of Band data of the peer commits to the debug key (P-192), "
        + "so anyone can compute the link key"
    ),
    (
      .security(.pairing(.simple(.debugKey(.p256, isPeer: false, isOutOfBand: false)))),
      "Secure Simple Pairing: this controller uses the debug key (P-256), "
        + "so anyone who records the pairing can compute the link key"
    ),
    (
      .security(.pairing(.simple(.checkValue(isRight: true, isPeer: true)))),
      "Secure Simple Pairing: the check value of the peer is right"
    ),
    (
      .security(.pairing(.simple(.linkKey(isDerived: true)))),
      "Secure Simple Pairing: the link key follows from the debug key and the recorded messages"
    ),
    (
      .security(.pairing(.simple(.commitment(isKept: true, isPeer: true, number: 5371)))),
      "Secure Simple Pairing: the random number of the peer fits its commitment; "
        + "the number to compare is 005371"
    ),
    (
      .security(.pairing(.simple(.commitment(isKept: true, isPeer: false, number: nil)))),
      "Secure Simple Pairing: the random number of this controller fits its commitment"
    ),
    (
      .security(.pairing(.simple(.commitment(isKept: false, isPeer: true, number: nil)))),
      "Secure Simple Pairing: the random number of the peer does not fit its commitment: "
        + "another device may be between the two"
    ),
    (
      .security(
        .pairing(
          .requested(
            .init(
              requirements: .init(secureConnections: true, bonding: true, mitm: true),
              ioCapability: 1)))),
      "Pairing requested: LE Secure Connections, bonding, MITM protection, DisplayYesNo"
    ),
    (
      .security(
        .pairing(
          .requested(
            .init(
              requirements: .init(secureConnections: false, bonding: false, mitm: false),
              ioCapability: 0, isCrossTransport: true)))),
      "Cross-transport key derivation requested: keys for LE over BR/EDR"
    ),
    (
      .security(
        .pairing(
          .crossTransportAccepted(
            .init(
              derivesLTK: true, central: .init(irk: true, csrk: true),
              peripheral: .init(irk: true, csrk: false))))),
      "Cross-transport key derivation accepted: LTK derived from the link key; to be sent: "
        + "IRK and CSRK of the Central, IRK of the Peripheral"
    ),
    (
      .security(
        .pairing(
          .crossTransportIncomplete(
            .init(
              central: .init(irk: false, csrk: false),
              peripheral: .init(irk: false, csrk: true))))),
      "Cross-transport key derivation incomplete, not sent: CSRK of the Peripheral"
    ),
    (
      .security(
        .pairing(
          .keysMissing(
            .init(
              central: .init(irk: true, csrk: false),
              peripheral: .init(ltk: true, irk: true, csrk: true))))),
      "Pairing: agreed, but not sent: IRK of the Central, LTK and IRK and CSRK of the Peripheral"
    ),
    (
      .security(.pairing(.keypress(.init(type: 1, byPeer: true)))),
      "Pairing: Passkey digit entered at the peer"
    ),
    (
      .security(.pairing(.simple(.keypress(type: 4, isPeer: false)))),
      "Secure Simple Pairing: Passkey entry completed at this host"
    ),
    (
      .security(
        .pairing(.method(.init(method: .numericComparison, secureConnections: true, keySize: 16)))),
      "Pairing: LE Secure Connections, Numeric Comparison, 16-byte key"
    ),
    (
      .security(
        .pairing(
          .securityRequested(
            .init(requirements: .init(secureConnections: false, bonding: false, mitm: false))))),
      "Peripheral requests security: LE legacy pairing, no bonding, no MITM protection"
    ),
    (.security(.pairing(.publicKeys(.init(isDebugKey: false)))), "Pairing: public keys exchanged"),
    (
      .security(.pairing(.publicKeys(.init(isDebugKey: true)))),
      "Pairing: a debug key is used, so anyone can compute the LTK"
    ),
    (.security(.pairing(.failed(.init(reason: 4)))), "Pairing failed: Confirm Value Failed (0x04)"),
    (
      .security(.pairing(.failed(.init(reason: 4, byPeer: true)))),
      "Pairing failed: Confirm Value Failed (0x04), sent by the peer"
    ),
    (
      .security(.pairing(.failed(.init(reason: 4, byPeer: false)))),
      "Pairing failed: Confirm Value Failed (0x04), sent by this host"
    ),
    (
      .security(
        .pairing(.complete(.init(secureConnections: true, bonding: true, isCaptured: true)))),
      "Pairing complete: LE Secure Connections"
    ),
    (
      .security(
        .pairing(
          .complete(
            .init(
              secureConnections: true, bonding: true, isCaptured: true, derivesLinkKey: true)))),
      "Pairing complete: LE Secure Connections, link key for BR/EDR derived from the LTK"
    ),
    (
      .security(
        .pairing(.complete(.init(secureConnections: false, bonding: nil, isCaptured: false)))),
      "Pairing complete: LE legacy pairing, its last messages not captured"
    ),
    (
      .security(.pairing(.unfinished(.init(secureConnections: true)))),
      "Pairing not finished: encryption begins without Pairing DHKey Check of both sides"
    ),
    (
      .security(.pairing(.unfinished(.init(secureConnections: false)))),
      "Pairing not finished: encryption begins without Pairing Random of both sides"
    ),
    (
      .security(
        .pairing(
          .simple(
            .capability(
              .init(ioCapability: 1, oobDataPresent: 0, authenticationRequirements: 5),
              isPeer: false)))),
      "Secure Simple Pairing: this host has DisplayYesNo, "
        + "MITM Protection Required - General Bonding"
    ),
    (
      .security(
        .pairing(
          .simple(
            .capability(
              .init(ioCapability: 9, oobDataPresent: 2, authenticationRequirements: 6),
              isPeer: true)))),
      "Secure Simple Pairing: peer has IO capability 9, authentication requirements 0x06, "
        + "OOB data P-256 from remote device"
    ),
    (
      .security(.pairing(.simple(.refused(reason: 0x18)))),
      "Secure Simple Pairing refused by this host: Pairing Not Allowed (0x18)"
    ),
    (.security(.pairing(.simple(.method(.justWorks)))), "Secure Simple Pairing: Just Works"),
    (
      .security(.pairing(.simple(.numericValue(123, isCompared: true)))),
      "Secure Simple Pairing: number to compare 000123"
    ),
    (
      .security(.pairing(.simple(.numericValue(999_999, isCompared: false)))),
      "Secure Simple Pairing: confirmation requested, number 999999"
    ),
    (
      .security(.pairing(.simple(.passkeyRequested))),
      "Secure Simple Pairing: passkey entry by the user requested"
    ),
    (.security(.pairing(.simple(.passkey(7)))), "Secure Simple Pairing: passkey 000007 shown"),
    (
      .security(.pairing(.simple(.oobDataRequested))),
      "Secure Simple Pairing: Out of Band data requested"
    ),
    (.security(.pairing(.simple(.ended(status: 0)))), "Secure Simple Pairing complete"),
    (
      .security(.pairing(.simple(.ended(status: 5)))),
      "Secure Simple Pairing failed: Authentication Failure (0x05)"
    ),
    (.security(.pairing(.pinRequested(.init()))), "Pairing: PIN requested"),
    (
      .security(.pairing(.linkKey(.init(type: 8)))),
      "Link key created: Authenticated Combination Key generated from P-256"
    ),
    (.security(.encryption(.init(isOn: true, keySize: 16))), "link encryption on, 16-byte key"),
    (.security(.encryption(.init(isOn: false, keySize: nil))), "link encryption off"),
    (.security(.encryptionKeySize(.init(size: 16))), "the encryption key has 16 bytes"),
    (
      .security(.encryptionKeySize(.init(size: 7))),
      "the encryption key has 7 bytes instead of 16: shorter keys are easier to break"
    ),
    (
      .security(.encryptionFailed(.init(status: 6))),
      "link encryption failed: PIN or Key Missing (0x06)"
    ),
    (
      .security(.authenticationFailed(.init(status: 5))),
      "authentication failed: Authentication Failure (0x05)"
    ),
    (
      .security(
        .keyInCapture(
          .init(keyKind: key.kind, fingerprint: key.fingerprint, address: key.address))),
      "the capture exposes the LTK \(key.fingerprint) with E2:22:22:22:22:22"
    ),
    (.security(.encryptionStarted(.init(key: nil))), "host starts link encryption"),
    (
      .channel(.opened(.init(channel: channel(1)))),
      "channel opened: SDP (PSM 0x0001), Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(.opened(.init(channel: channel(0x10FF, isPeerRequest: true)))),
      "channel opened by peer: dynamic (PSM 0x10ff), Source CID 0x0051, Destination CID 0x0040"
    ),
    (
      .channel(
        .refused(
          .init(
            psm: 0x81, result: 4, byPeer: true, isCreditBased: true, requested: 3, refused: 2))),
      "peer refuses 2 of 3 channels that this host requested: dynamic (SPSM 0x0081), "
        + "no resources available"
    ),
    // Also on BR/EDR. Vol 3, Part A, 4.26
    (
      .channel(
        .refused(
          .init(
            psm: 0x27, result: 7, byPeer: true, isCreditBased: true, requested: 2, refused: 2))),
      "peer refuses both channels that this host requested: EATT (SPSM 0x0027), "
        + "encryption key size too short"
    ),
    (
      .channel(.refused(.init(psm: 3, result: 4))),
      "channel refused: RFCOMM (PSM 0x0003), no resources available"
    ),
    (
      .channel(.closed(.init(channel: channel(0x19)))),
      "channel closed: AVDTP (PSM 0x0019), Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(
        .configurationRefused(
          .init(channel: channel(0x19), result: 9, byPeer: nil, isCommandReject: false))),
      "configuration refused: AVDTP (PSM 0x0019), Source CID 0x0040, Destination CID 0x0051: "
        + "result 0x0009"
    ),
  ]

  static let data: [(Event.Content, String)] = [
    (.attribute(.mtu(.init(client: 527, server: 185))), "MTU 185 (client 527, server 185)"),
    (
      .attribute(.mtu(.init(client: 48, server: 512, channelMTU: 64))),
      "MTU exchange (client 48, server 512) on a bearer that must use the MTU of its L2CAP channel"
    ),
    (
      .attribute(
        .discovery(.init(services: 5, characteristics: 13, descriptors: 1, isLocal: false))),
      "discovered: 5 services, 13 characteristics, 1 descriptor"
    ),
    (
      .attribute(
        .discovery(.init(services: 5, characteristics: 8, descriptors: 0, isLocal: false))),
      "discovered: 5 services, 8 characteristics"
    ),
    (
      .attribute(
        .borrowed(
          .init(
            source: "watch.json", match: .databaseHash, services: 1, characteristics: 2,
            descriptors: 0))),
      "GATT database borrowed from watch.json, matched by Database Hash: "
        + "1 service, 2 characteristics, 0 descriptors"
    ),
    (
      .attribute(
        .recognized(
          .init(
            handle: 0x0864, uuid: BluetoothUUID(0x2A19 as UInt16), framing: "Acme",
            evidence: .key(.encapsulatedKey, .p256, count: 65, values: 1), others: 0,
            isLocal: false))),
      "attribute 0x0864 is inferred to be Battery Level of Acme, by an encapsulated key of P-256 "
        + "(65 bytes) in 1 value of this form"
    ),
    (
      .attribute(
        .recognized(
          .init(
            handle: 0x0864, uuid: BluetoothUUID(0x2A4B as UInt16), framing: "HID Service",
            evidence: .reportDescriptor(count: 63), others: 2, isLocal: false))),
      "attribute 0x0864 is inferred to be Report Map of HID Service, by a value that is a whole report descriptor "
        + "(63 bytes); 2 other attributes of HID Service may carry the same messages"
    ),
    (
      .attribute(
        .unframedKey(.init(handle: 0x0033, uuid: nil, shape: .p256Uncompressed, isLocal: false))),
      "attribute 0x0033 holds a public key of P-256 (65 bytes), which no profile describes; "
        + "run `hark dissectors guess --keys` with the accessory's key to find the messages that it decrypts"
    ),
    (
      .channel(.unframedKey(.init(place: .cid(0x0041), shape: .xWing))),
      "data on channel 0x0041 probably holds a public key of X-Wing (1216 bytes), which no profile describes; "
        + "run `hark dissectors guess --keys` with the accessory's key to find the messages that it decrypts"
    ),
    (
      .attribute(.returned(.init(source: "watch.json"))),
      "The GATT database differs from the one in watch.json, which hark no longer uses: "
        + "the server has changed, or it is another device"
    ),
    (
      .attribute(
        .serviceNotFound(.init(service: BluetoothUUID(0x180F as UInt16), isLocal: false))),
      "searched for service Battery: not found"
    ),
    (
      .attribute(
        .serviceNotFound(.init(service: BluetoothUUID(0x1805 as UInt16), isLocal: true))),
      "peer searched for service Current Time: not found"
    ),
    (
      .attribute(
        .subscription(
          .init(
            handle: 0x1C, uuid: BluetoothUUID(0x2A19 as UInt16), bits: 1, isLocal: false))),
      "subscribed to Battery Level notifications"
    ),
    (
      .attribute(.subscription(.init(handle: 0x1C, uuid: nil, bits: 0, isLocal: true))),
      "peer unsubscribed from the characteristic at 0x001c"
    ),
    (
      .attribute(.value(value(.readResponse, 0x2A00, Array("Acme".utf8)))),
      "read Device Name: \"Acme\""
    ),
    (.attribute(.value(value(.readResponse, 0x2A19, [87]))), "read Battery Level: 87 %"),
    // Assigned Numbers, 2.6.3: category 0x003 (Watch), subcategory 0x02 (Smartwatch).
    (
      .attribute(.value(value(.readResponse, 0x2A01, [0xC2, 0x00]))),
      "read Appearance: Watch: Smartwatch (0x00c2)"
    ),
    // Device Information Service, 3.9; Device ID Profile, 5.6: 0x0205 is version 2.0.5.
    (
      .attribute(.value(value(.readResponse, 0x2A50, [0x01, 0x4C, 0x00, 0x0E, 0x20, 0x05, 0x02]))),
      "read PnP ID: Vendor ID Source Bluetooth SIG (0x01), Vendor ID Apple, Inc. (0x004c), "
        + "Product ID 0x200e, Product Version 2.0.5 (0x0205)"
    ),
    (
      .attribute(.value(value(.readResponse, 0x2A50, [0x02, 0x6D, 0x04, 0x42, 0xB0, 0x13, 0x00]))),
      "read PnP ID: Vendor ID Source USB (0x02), Vendor ID 0x046d, Product ID 0xb042, "
        + "Product Version 0.1.3 (0x0013)"
    ),
    (
      .attribute(.value(value(.handleValueNotification, nil, [1, 0xAB]))),
      "notification of attribute 0x002a: 01 ab"
    ),
    (
      .attribute(.value(value(.writeRequest, 0x2A06, [2], isLocal: true))),
      "peer: wrote to this host's Alert Level: High Alert (2)"
    ),
    (
      .attribute(.repeated(.init(value: value(.handleValueNotification, 0x2A19, [86]), times: 45))),
      "45 more notifications of Battery Level; the last: 86 %"
    ),
    (
      .attribute(
        .repeated(.init(value: value(.writeRequest, 0x2A06, [2], isLocal: true), times: 1))),
      "1 more write to this host's Alert Level: High Alert (2)"
    ),
    (
      .attribute(
        .attError(
          .init(pdu: .readRequest, handle: 3, uuid: BluetoothUUID(0x2A00 as UInt16), error: 5))),
      "ATT_READ_REQ of Device Name (0x0003) refused: Insufficient Authentication (0x05)"
    ),
    (
      .attribute(.requestTimeout(.init(pdu: .readRequest, handle: 3))),
      "ATT_READ_REQ of 0x0003 was not answered within 30 s: no more requests are allowed on this link"
    ),
    (
      .attribute(.requestTimeout(.init(pdu: .readRequest, handle: 3, bearer: .fixed))),
      "ATT_READ_REQ of 0x0003 on the fixed channel was not answered within 30 s: "
        + "no more requests are allowed on this bearer"
    ),
    (
      .attribute(.requestTimeout(.init(pdu: .readRequest, handle: 3, isLocal: true))),
      "peer: ATT_READ_REQ of 0x0003 was not answered within 30 s: "
        + "no more requests are allowed on this link"
    ),
    (
      .attribute(.requestTimeout(.init(pdu: .handleValueIndication, handle: 3))),
      "this host did not confirm the peer's ATT_HANDLE_VALUE_IND of 0x0003 within 30 s"
    ),
    (
      .attribute(.requestTimeout(.init(pdu: .handleValueIndication, handle: 3, isLocal: true))),
      "the peer did not confirm this host's ATT_HANDLE_VALUE_IND of 0x0003 within 30 s"
    ),
    (
      .attribute(
        .answeredLate(
          .init(
            pdu: .handleValueIndication, handle: 3, nanoseconds: 35_000_000_000, isLocal: true))),
      "the peer confirmed ATT_HANDLE_VALUE_IND of 0x0003 after 35 s"
    ),
    (
      .attribute(
        .answeredLate(.init(pdu: .readRequest, handle: 3, nanoseconds: 35_000_000_000))),
      "the peer answered ATT_READ_REQ of 0x0003 after 35 s"
    ),
    (.capture(.note(.init(source: "bluetoothd", text: "up"))), "bluetoothd: up"),
    (.capture(.note(.init(source: "note", text: "up"))), "up"),
    (
      .capture(
        .profileMistake(
          .init(
            profile: "acme", file: "acme/profile.yaml", line: 24, column: 16,
            mistake: "'first' never holds in 3 fragments"))),
      "likely mistake in the profile, not in the traffic: acme/profile.yaml:24:16: 'first' never holds in 3 fragments"
    ),
    (.capture(.dropped(.init(count: 3))), "the recorder lost 3 packets here"),
    (
      .capture(.directionUnknown),
      "the capture does not record directions; hark infers them where the data shows them"
    ),
    (
      .capture(.damage(.init(damage: "truncated: record 2"))),
      "capture truncated: record 2"
    ),
    (
      .capture(.incompletePDU(.init(place: nil, have: 20, missing: 1))),
      "PDU incomplete: 20 bytes received, 1 missing"
    ),
    (
      .capture(.incompletePDU(.init(place: .cid(4), have: 20, missing: 1))),
      "PDU incomplete: 20 bytes received, 1 missing: channel 0x0004 (Attribute Protocol)"
    ),
    (
      .capture(.incompletePDU(.init(place: .channel(channel(0x1011)), have: 9, cut: 3))),
      "PDU incomplete: 9 bytes received, 3 cut by the recorder: dynamic (PSM 0x1011), "
        + "Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(.creditsExceeded(.init(channel: channel(0x1011), byPeer: true))),
      "peer sent more than its credits allow: dynamic (PSM 0x1011), Source CID 0x0040, "
        + "Destination CID 0x0051"
    ),
    (
      .channel(
        .requestUnanswered(
          .init(
            code: .leCreditBasedConnectionRequest, byPeer: false, nanoseconds: 70_000_000_000))),
      "L2CAP_LE_CREDIT_BASED_CONNECTION_REQ of this host was not answered for 70 s"
    ),
    (
      .channel(
        .misplaced(.init(cid: 0x0001, code: .connectionParameterUpdateRequest, byPeer: true))),
      """
      peer sent L2CAP_CONNECTION_PARAMETER_UPDATE_REQ on CID 0x0001, where it is not defined: receivers reject or ignore it
      """
    ),
    (
      .channel(.misplaced(.init(cid: 0x0007, code: nil, byPeer: nil))),
      "data on CID 0x0007, which such links do not have: receivers ignore it"
    ),
    (
      .channel(
        .limitExceeded(
          .init(channel: channel(0x1011), byPeer: true, limit: .sduSize, value: 80, most: 60))),
      "peer sent an SDU of 80 bytes, but the receiver's MTU is 60: dynamic (PSM 0x1011), "
        + "Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .channel(
        .limitExceeded(
          .init(
            channel: channel(0x1011), byPeer: false, limit: .credits, value: 65_537, most: 65_535))),
      "this host gave credits for 65537 K-frames, but at most 65535 are allowed: "
        + "dynamic (PSM 0x1011), Source CID 0x0040, Destination CID 0x0051"
    ),
    (
      .iap2(.frameIncomplete(.init(present: 30, missing: 40, isFollowed: true))),
      "frame incomplete: 30 bytes in the capture, 40 missing; the next frame begins instead"
    ),
    (
      .iap2(.frameIncomplete(.init(present: 5, missing: nil, isFollowed: false))),
      "frame incomplete: 5 bytes in the capture, its header incomplete"
    ),
    (
      .mesh(.unprovisioned(.init(device: BluetoothUUID(high: 1, low: 2)))),
      "Mesh: device 00000000-0000-0001-0000-000000000002 can be provisioned"
    ),
    (
      .mesh(.linkOpened(.init(bearer: .init(link: 0x23AF_5850, device: nil)))),
      "Mesh: provisioning link 0x23af5850 opened"
    ),
    (
      .mesh(.step(.init(type: 9, method: nil, error: 1, isFromDevice: true))),
      "Mesh: Provisioning Failed from the device: Invalid PDU (0x01)"
    ),
    (
      .mesh(
        .incomplete(
          .init(
            type: 3, isFromDevice: true, received: 1, segments: 3, hasWrongFCS: false,
            bearer: .init(link: 0x23AF_5850, device: nil)))),
      "Mesh: Provisioning Public Key from the device incomplete: 1 of 3 segments; link 0x23af5850"
    ),
    (
      .mesh(.linkClosed(.init(bearer: .init(link: 0x23AF_5850, device: nil), reason: 1))),
      "Mesh: provisioning link 0x23af5850 closed: Timeout"
    ),
    (
      .mesh(.network(.init(sign: .privateBeacon))), "Mesh: Mesh Private beacon of a network"
    ),
    (
      .attribute(.sentEarly(.init(pdu: .readRequest, handle: 3, pending: .writeRequest))),
      "ATT_READ_REQ of 0x0003 was sent before the response to ATT_WRITE_REQ"
    ),
    (
      .capture(.unreadable(.init(protocolName: "ATT", count: 2))),
      "2 packets not decoded as ATT"
    ),
    (
      .controller(.hardwareError(.init(code: 0x42))),
      "the controller reports a hardware error, code 0x42"
    ),
    (
      .controller(.bufferOverflow(.init(linkType: 1))),
      "the controller's buffers overflowed: the host sent more ACL data than they hold"
    ),
    (
      .controller(
        .buffersExceeded(
          .init(used: 5, size: 4, isWriteCommand: false, isIsochronous: true))),
      "the host has 5 ISO packets outstanding at the controller, which has buffers for 4"
    ),
    (
      .controller(.buffersExceeded(.init(used: 4, size: 3, isWriteCommand: true))),
      "the host has 4 packets outstanding at the controller, which has buffers for 3: the last is "
        + "a Write Command"
    ),
    (
      .attribute(.mtuExceeded(.init(pdu: .handleValueNotification, handle: 3, size: 27, mtu: 23))),
      "ATT_HANDLE_VALUE_NTF of 0x0003 has 27 bytes, but the MTU is 23"
    ),
    (
      .iap2(.windowStalled(.init(allowed: 5, nanoseconds: 1_250_000_000))),
      "waited 1.3 s with 5 packets outstanding, the most allowed"
    ),
    (
      .accessoryProtocol(
        .battery(
          .init(batteries: [
            .init(component: 4, level: 100, status: 1), .init(component: 2, level: 200, status: 2),
            .init(component: 8, level: 0xFF, status: 4),
          ]))), "battery: left 100 %, charging, right level unknown (200), discharging, case absent"
    ),
    (
      .handsFree(.appleState(.init(battery: 9, isDocked: false))),
      "accessory battery: 100 %, not docked"
    ),
    (
      .handsFree(.appleState(.init(battery: 50, isDocked: nil))),
      "accessory battery: level unknown (50)"
    ),
    (
      .iap2(.packetTooLong(.init(sequence: 45, length: 1_412, allowed: 1_024))),
      "packet 45 has 1412 bytes, where 1024 are allowed"
    ),
    (
      .iap2(.acknowledgedUnsent(.init(acknowledgement: 124, last: 104))),
      "packet 124 acknowledged, which the other side has not sent: its last packet is 104"
    ),
    (
      .iap2(.wrongSender(.init(identifier: 0xEA00, isFromAccessory: true))),
      "the accessory sent StartExternalAccessoryProtocolSession, which only the Apple device sends"
    ),
    (
      .iap2(.malformedMessage(.init(identifier: 0x5001, problem: .length(5)))),
      "NowPlayingUpdate malformed: its length is 5 bytes, less than the header's 6"
    ),
    (
      .iap2(
        .malformedMessage(.init(identifier: 0x5001, problem: .reversedLength(0x1A01, is: 0x011A)))),
      "NowPlayingUpdate malformed: its length is 6657, which is 282 with its two bytes reversed"
    ),
    (
      .iap2(.incompleteMessage(.init(identifier: nil, present: 6, hasStart: false))),
      "6 bytes of the control session do not begin a message: its beginning is missing, or damaged"
    ),
    (
      .iap2(.malformedMessage(.init(identifier: 0xEA00, problem: .lacks(parameter: 1)))),
      "StartExternalAccessoryProtocolSession malformed: no ExternalAccessoryProtocolSessionIdentifier"
    ),
    (
      .iap2(
        .externalAccessory(
          .unknown(.init(message: 0xEA01, sessionIdentifier: 55, wasOpen: false)))),
      "StopExternalAccessoryProtocolSession for External Accessory session 55, which was never opened"
    ),
    (
      .iap2(.externalAccessory(.dataTooShort(.init(count: 1, isFromAccessory: true)))),
      "External Accessory data from the accessory of 1 byte: its session identifier needs 2 bytes"
    ),
    (
      .link(.closeFailed(.init(status: 0x02))),
      "disconnection failed: Unknown Connection Identifier (0x02)"
    ),
    (
      .link(.change(.parametersFailed(.init(status: 0x3B)))),
      "connection parameters not changed: Unacceptable Connection Parameters (0x3b)"
    ),
    (
      .link(
        .change(
          .parametersRequested(
            .init(
              request: .init(minimum: 6, maximum: 12, latency: 4, timeout: 200, isLinkLayer: true)))
        )),
      "peer's controller requests interval 7.5 ms to 15 ms, latency 4, supervision timeout 2000 ms"
    ),
    (
      .link(.change(.phyFailed(.init(status: 0x1A)))),
      "PHY not changed: Unsupported Remote Feature (0x1a)"
    ),
    (
      .link(.change(.subrate(.init(factor: 4, latency: 1, continuation: 2, timeout: 200)))),
      "subrate factor 4, latency 1, continuation number 2, supervision timeout 2000 ms"
    ),
    (
      .link(.change(.subrateFailed(.init(status: 0x1A)))),
      "subrate not changed: Unsupported Remote Feature (0x1a)"
    ),
    (
      .link(
        .change(
          .rate(.init(interval: 3, factor: 2, latency: 1, continuation: 0, timeout: 200)))),
      "connection rate: interval 0.375 ms, subrate factor 2 (0.75 ms), latency 1, "
        + "continuation number 0, supervision timeout 2000 ms"
    ),
    (
      .link(.change(.rateFailed(.init(status: 0x1A)))),
      "connection rate not changed: Unsupported Remote Feature (0x1a)"
    ),
    (
      .link(.change(.frameSpace(.init(initiator: 2, space: 100, phys: 3, types: 3)))),
      "frame space 100 µs (LE 1M, LE 2M; T_IFS_ACL_CP, T_IFS_ACL_PC)"
    ),
    (
      .link(.change(.frameSpaceFailed(.init(status: 0x1A)))),
      "frame space not changed: Unsupported Remote Feature (0x1a)"
    ),
    (.link(.change(.modeChanged(.init(mode: 2, interval: 800)))), "Sniff mode, interval 500 ms"),
    (.link(.change(.modeChanged(.init(mode: 0, interval: 0)))), "Active mode"),
    (
      .link(.change(.dataFlushed(.init(cause: nil)))),
      "the controller discarded data of this host: the flush timeout expired, or the host flushed it"
    ),
    (
      .link(.change(.dataFlushed(.init(cause: .timeout)))),
      "the controller discarded data of this host: the flush timeout expired"
    ),
    (
      .link(.change(.dataFlushed(.init(cause: .host)))),
      "the controller discarded data of this host, as the host asked"
    ),
    (
      .link(.change(.flushCompleted(.init()))),
      "the controller discarded data of this host as requested"
    ),
    (
      .link(.change(.qualityViolated(.init()))),
      "the controller cannot provide the agreed quality of service"
    ),
    (.link(.change(.supervisionTimeout(.init(timeout: 32_000)))), "supervision timeout 20 s"),
    (.link(.change(.supervisionTimeout(.init(timeout: 0)))), "no supervision timeout"),
    (.link(.change(.pathLoss(.init(loss: 64, zone: 2)))), "high path loss: 64 dB"),
    (.link(.change(.pathLoss(.init(loss: 64, zone: 7)))), "path loss zone 7: 64 dB"),
    (
      .controller(
        .discovery(
          .monitored(.init(address: BluetoothAddress(0x1122_3344_5566), condition: 1)))),
      "monitored advertiser 11:22:33:44:55:66: RSSI above the high threshold"
    ),
    (
      .channel(.excess(.init(cid: 4, byPeer: nil, length: 5, count: 1))),
      "PDU on CID 0x0004 has 1 byte more than its PDU Length of 5: receivers may discard it"
    ),
    (
      .security(.keyMissing(.init(keyKind: .longTermKey))),
      "host has no LTK for the peer: none was created, or this host lost the bond"
    ),
    (
      .security(.keyMissing(.init(keyKind: .linkKey))),
      "host has no link key for the peer: none was created, or this host lost the bond"
    ),
    (
      .security(.authenticatedPayloadTimeout(.init())),
      "the peer sent no authenticated packet within the Authenticated Payload Timeout"
    ),
    (
      .attribute(
        .value(
          AttributeEvent.Value(
            .readResponse, handle: 3, uuid: BluetoothUUID(0x2A00 as UInt16), isLocal: false,
            Array("Acme".utf8).raw, cut: 15))),
      "read Device Name: \"Acme\", cut: 15 bytes missing"
    ),
    (
      .attribute(
        .value(
          AttributeEvent.Value(
            .handleValueNotification, handle: 3, uuid: BluetoothUUID(0x2A19 as UInt16),
            isLocal: false,
            [UInt8]().raw, cut: 1))),
      "notification of Battery Level: cut: 1 byte missing"
    ),
    (
      .iap2(.cut(.init(sequence: 103, count: 12))),
      "packet 103 truncated: the recorder cut 12 bytes of it"
    ),
    (
      .capture(.orphanFragment(.init(count: 20))),
      "20 bytes continue a PDU whose beginning is not in the capture"
    ),
    (
      .capture(.sliced(.init(count: 40))),
      "truncated packets: the recorder cut 40 bytes from this one, which cannot be decoded"
    ),
  ]

  @Test func sentences() {
    let session = Session()
    for (content, sentence) in Self.table + Self.security + Self.data {
      #expect(EventText.sentence(Self.event(content), session) == sentence)
    }
  }

  /// Every case has JSON that names its kind.
  @Test func lanes() {
    let session = Session()
    for (content, _) in Self.table + Self.security + Self.data {
      var out = TextBuffer()
      TimelineJSON().write(Self.event(content), session, to: &out)
      #expect(out.string.contains("\"kind\":\""))
      #expect(!out.string.contains("\"kind\":\"unknown\""))
      #expect(out.string.hasSuffix("}\n"))
    }
  }

  /// Text of the capture cannot drive the terminal.
  @Test func escapes() {
    let session = Session()
    var timeline = Timeline(style: Style(isColored: false))
    var out = TextBuffer()
    let event = Self.event(
      .capture(.note(.init(source: "x", text: "\u{1B}]0;owned\u{07}\r\n\u{9B}2J"))))
    timeline.write(event, session, to: &out)
    #expect(out.string.contains("\\u001b]0;owned\\u0007\\r\\n\\u009b2J"))
    #expect(!out.bytes.contains(0x1B))
    #expect(out.bytes.filter { $0 == 0x0A }.count == 2)
  }
}
