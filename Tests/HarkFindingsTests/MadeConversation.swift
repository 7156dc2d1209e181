import HarkCapture
import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkCrypto
@testable import HarkSession

/// A conversation by hand, for what no sample shows: records, and what an accessory says in them.
struct MadeConversation: ~Copyable {
  private(set) var session = Session(framings: .known)
  private(set) var findings = Findings()
  /// What a rule does not want tells it nothing.
  private var givenAll = Findings(givesAll: true)
  /// In milliseconds.
  private var time: Int64 = 0
  /// The records as a capture: btsnoop 1002.
  private var written = MadeCapture()
  /// Whether all that happened is in records.
  private var isRecorded = true
  /// The kinds of the events that the session calls a warning or an error.
  private(set) var problems: Set<String> = []

  mutating func wait(_ milliseconds: Int64) { time += milliseconds }

  /// A record: what follows the packet indicator of H4, as hexadecimal digits.
  mutating func record(
    _ kind: PacketKind, received: Bool, _ hex: String, dropped: UInt32 = 0
  ) {
    let bytes = Hex.bytes(hex) ?? []
    var record = CaptureRecord()
    record.kind = kind
    record.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + time * 1_000_000)
    record.direction = received ? .controllerToHost : .hostToController
    (record.count, record.originalCount, record.dropped) = (bytes.count, bytes.count, dropped)
    // btsnoop 1002 is for HCI.
    if kind.isAir { isRecorded = false }
    written.add(record, bytes)
    session.index(record, bytes.raw)
    take()
  }

  private mutating func take() {
    for event in session.events { note(event) }
    findings.take(session)
    givenAll.take(session)
    session.dropEvents()
    time += 10
  }

  private mutating func note(_ event: Event) {
    if event.severity > .info { problems.insert("\(event.content.described.kind.name)") }
  }

  mutating func event(_ hex: String) { record(.event, received: true, hex) }

  /// A PDU on a fixed channel of link 0x0040.
  mutating func pdu(_ cid: UInt16, _ hex: String, received: Bool, link: UInt8 = 0x40) {
    let bytes = Hex.bytes(hex) ?? []
    let frame = [UInt8(bytes.count), 0, UInt8(cid), 0] + bytes
    record(
      .acl, received: received,
      Hex.text([link, received ? 0x20 : 0, UInt8(frame.count), 0] + frame))
  }

  /// LE link 0x0040, as Central where the role is 00; units of 1.25 ms.
  mutating func connect(
    interval: String = "1800", address: String = "665544332211", role: String = "00"
  ) {
    event("3e 13 01 00 4000 \(role) 00 \(address) \(interval) 0000 4800 00")
  }

  /// HCI_LE_Set_Advertising_Data and HCI_LE_Set_Advertising_Enable.
  mutating func advertise(_ data: String) {
    let bytes = Hex.bytes(data) ?? []
    let padding = [UInt8](repeating: 0, count: 31 - bytes.count)
    record(
      .command, received: false, Hex.text([0x08, 0x20, 32, UInt8(bytes.count)] + bytes + padding))
    event("0e 04 01 08 20 00")
    record(.command, received: false, "0a 20 01 01")
    event("0e 04 01 0a 20 00")
  }

  mutating func disconnect(_ reason: String = "13") { event("05 04 00 4000 \(reason)") }

  mutating func encrypt(status: String = "00") {
    event("08 04 \(status) 4000 \(status == "00" ? "01" : "00")")
  }

  mutating func pair() {
    pdu(6, "01 03 00 09 10 01 01", received: false)
    pdu(6, "02 03 00 09 10 01 01", received: true)
    authenticate()
    encrypt()
  }

  /// What both sides prove with that they have the key: Pairing DHKey Check; in LE legacy pairing, Pairing Random.
  mutating func authenticate(legacy: Bool = false) {
    let value = "00112233445566778899aabbccddeeff"
    for received in [false, true] {
      pdu(6, "\(legacy ? "04" : "0d") \(value)", received: received)
    }
  }

  /// An MTU of 512 on both sides.
  mutating func exchangeMTU() {
    pdu(4, "02 0002", received: false)
    pdu(4, "03 0002", received: true)
  }

  /// Discovers the primary services of the peer: that of AMS is one.
  mutating func findServices() {
    pdu(4, "10 0100 ffff 0028", received: false)
    pdu(4, "11 14 1000 1fff dcf855ad02c5f48e3a43360f2b50d389", received: true)
  }

  /// Discovers Battery Level at handle 3, and its Client Characteristic Configuration at 4.
  mutating func discoverBattery() {
    pdu(4, "08 0100 ffff 0328", received: false)
    pdu(4, "09 07 0200 12 0300 192a", received: true)
    pdu(4, "04 0400 0400", received: false)
    pdu(4, "05 01 0400 0229", received: true)
  }

  /// Find By Type Value, for ANCS; its handles in the answer, or Attribute Not Found.
  mutating func searchForANCS(at handles: String? = nil) {
    pdu(4, "06 0100 ffff 0028 d0002d121e4b0fa4994eceb531f40579", received: false)
    pdu(4, handles.map { "07 \($0)" } ?? "01 06 0100 0a", received: true)
  }

  /// Something that framings or logs tell and no packet of this conversation does.
  mutating func report(_ content: Event.Content, severity: Event.Severity = .info) {
    reportLast(content, severity: severity)
    // Packets of its own, so that later events have later frames.
    record(.event, received: true, "13 05 01 4000 0100")
  }

  /// Something that the app's side says, as its logs have it.
  mutating func report(_ app: AppEvent) {
    isRecorded = false
    let now = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + time * 1_000_000)
    session.report(app, at: now, before: now)
    take()
    record(.event, received: true, "13 05 01 4000 0100")
  }

  mutating func gatherAdvertisers() { session.gatherAdvertisers() }

  /// Of which link in order the next reports are, if not of the last one.
  var reportedLink: Int?

  /// As `report`, when the capture ends.
  mutating func reportLast(_ content: Event.Content, severity: Event.Severity = .info) {
    isRecorded = false
    let link = reportedLink.map { session.links[$0] } ?? session.links.last
    let last = PacketID(UInt32(session.packets.count))
    let event = Event(
      time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + time * 1_000_000),
      frames: Event.Frames(last), link: link?.id, device: link?.device, severity: severity,
      content: content)
    note(event)
    findings.take(event, session)
    givenAll.take(event, session)
  }

  mutating func report(
    _ content: AccessoryEvent.Content, from direction: MessageDirection = .accessoryToHost,
    values: Int = 1, commands: Int = 0, took milliseconds: Int64 = 0
  ) {
    let now = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + time * 1_000_000)
    let value = VendorValue(
      frames: [PacketID(UInt32(session.packets.count))], time: now, channel: .psm(0x81),
      toServer: direction == .hostToAccessory, operation: .data, bytes: [])
    var origin = MessageOrigin(value, direction)
    (origin.values, origin.writeCommands) = (values, commands)
    origin.started = Timestamp(nanoseconds: now.nanoseconds - milliseconds * 1_000_000)
    report(.accessory(AccessoryEvent(framing: "Test", origin: origin, content: content)))
  }

  /// What is not sealed.
  mutating func say(
    _ content: AccessoryContent, from direction: MessageDirection = .accessoryToHost
  ) {
    let uuid = BluetoothUUID(high: 1, low: 2)
    report(.plain(PlainMessage(content, uuid, bytes: [])), from: direction)
  }

  mutating func configure(
    _ event: AccessoryControlDevice.Event, _ remarks: [AccessoryControlDevice.Remark] = [],
    _ change: AccessoryControlDevice.Change = .init(),
    before: AccessoryControlDevice.Configuration? = nil,
    from direction: MessageDirection = .accessoryToHost
  ) {
    var report = AccessoryControlDevice.Report(event, change)
    report.remarks = remarks
    (report.sender, report.before) = (direction, before)
    say(.configuration(report), from: direction)
  }

  mutating func message(
    _ session: String = "S", from direction: MessageDirection, receipt: String? = nil,
    opened: [NonstandardDerivation]? = nil, plaintext: [UInt8] = [],
    problem: PlaintextProblem? = nil, isEarly: Bool = false,
    verdict: Verdict = .noEncapsulatedKey(publicKey: nil)
  ) {
    var outcome = TransportedMessage.Outcome.locked(verdict)
    if let opened {
      let use = KeyUse(
        key: Fingerprint(of: [1]), name: nil, origin: .file("test"), exchange: nil,
        deviations: opened, direction: direction)
      var decoded = DecodedPlaintext()
      decoded.problem = problem
      outcome = .opened(
        OpenedPlaintext(
          plaintext: plaintext, size: plaintext.count, keyUse: use, decoded: decoded))
    }
    report(
      .message(
        TransportedMessage(
          sessionID: session, size: 40, sealed: [], receiptID: receipt, outcome: outcome,
          followsKeyOnLink: !isEarly, observations: [])), from: direction)
  }

  mutating func key(
    _ type: SecurityMessage.KeyType, _ suite: CipherSuite, receipt: String? = nil,
    defect: String? = nil, transports: [AccessoryTransport] = [], bytes: [UInt8] = [1, 2, 3]
  ) {
    let step = SecurityStep(
      SecurityMessage(
        keyType: type, cipherSuite: suite, key: bytes, supportedTransports: transports),
      receiptID: receipt)
    switch type {
    case .publicKey:
      report(
        .publicKey(
          PublicKeyEvent(
            step: step, fingerprint: Fingerprint(of: [1]), hasPrivateKey: false, defect: defect)))
    case .encapsulatedKey:
      report(
        .encapsulatedKey(EncapsulatedKeyEvent(step: step, generation: 1, defect: defect)),
        from: .hostToAccessory)
    }
  }

  mutating func accept(
    _ receipt: String, after milliseconds: Int64,
    from direction: MessageDirection = .accessoryToHost
  ) {
    let answers = EarlierMessage(packet: PacketID(1), latency: milliseconds * 1_000_000)
    report(
      .accepted(
        Acceptance(receiptID: receipt, subject: .message(sessionID: "S"), answers: answers)),
      from: direction)
  }

  mutating func finish() -> Findings {
    session.finish()
    take()
    findings.finish(session)
    givenAll.finish(session)
    #expect(findings.outcomes == givenAll.outcomes)
    return findings
  }

  /// The whole conversation as a capture; nil if some of it is in no record.
  var capture: [UInt8]? { isRecorded ? written.bytes : nil }

  /// A conversation over an LE link.
  init(
    interval: String = "1800", connects: Bool = true, _ body: (inout MadeConversation) -> Void
  ) {
    if connects { connect(interval: interval) }
    body(&self)
  }

  static func over(
    interval: String = "1800", connects: Bool = true, _ body: (inout MadeConversation) -> Void
  ) -> Findings {
    var made = MadeConversation(interval: interval, connects: connects, body)
    return made.finish()
  }
}
