import HarkCore
import HarkTestSupport

@testable import HarkSession

/// iAP2 on an RFCOMM data link of a BR/EDR link, as records. The host that captured is the Apple
/// device; the bytes are put together here, apart from hark's own reading of them.
struct IAP2Conversation {
  private(set) var records = [
    BREDRTests.connected,
    .pdu(1, "02 01 04 00 03 00 40 00", received: false, link: 0x0B),
    .pdu(1, "03 01 08 00 41 00 40 00 00 00 00 00", received: true, link: 0x0B),
  ]

  enum Side { case device, accessory }

  /// One RFCOMM frame with `bytes`, on DLCI 8.
  mutating func frame(_ side: Side, _ bytes: [UInt8]) {
    let frame = RFCOMMBytes.frame(side == .device ? 0x23 : 0x21, 0xEF, bytes)
    records.append(
      .pdu(
        side == .device ? 0x41 : 0x40, Hex.text(frame), received: side == .accessory, link: 0x0B,
        at: Int64(records.count)))
  }

  /// The last record came right behind the one before.
  mutating func hurry() { records[records.count - 1].time = records[records.count - 2].time }

  /// The recorder lost `count` packets before the last record.
  mutating func lose(_ count: UInt32) { records[records.count - 1].dropped += count }

  /// The recorder did not keep the last `count` bytes of a record.
  mutating func cut(_ index: Int, _ count: Int) { records[index] = records[index].losing(count) }

  /// A link packet in frames of `size` bytes at most.
  mutating func send(
    _ side: Side, _ sequence: UInt8, _ acknowledgement: UInt8, control: UInt8 = 0x40,
    session: UInt8 = 0, _ payload: [UInt8] = [], frames size: Int = 100
  ) {
    let bytes = Self.packet(control, sequence, acknowledgement, session, payload)
    for start in stride(from: 0, to: bytes.count, by: size) {
      frame(side, Array(bytes[start..<min(bytes.count, start + size)]))
    }
  }

  /// What both sides say first. Sessions are 1 (control), 2 (External Accessory), 3 (file transfer).
  /// - Parameter length: The longest packet that each side accepts.
  mutating func begin(window: UInt8 = 5, length: UInt16 = 0x1000) {
    let parameters: [UInt8] = [
      1, window, UInt8(length >> 8), UInt8(length & 0xFF), 4, 0, 0, 0x17, 3, 3, 1, 0, 1, 2, 2, 1, 3,
      1, 1,
    ]
    send(.accessory, 0x2B, 0, control: 0x80, parameters)
    send(.device, 0x65, 0x2B, control: 0xC0, parameters)
    send(.accessory, 0x2B, 0x65)
  }

  static func packet(
    _ control: UInt8, _ sequence: UInt8, _ acknowledgement: UInt8, _ session: UInt8,
    _ payload: [UInt8]
  ) -> [UInt8] {
    func checksum(_ bytes: [UInt8]) -> UInt8 { 0 &- bytes.reduce(0, &+) }
    let length = 9 + (payload.isEmpty ? 0 : payload.count + 1)
    let header: [UInt8] = [
      0xFF, 0x5A, UInt8(length >> 8), UInt8(length & 0xFF), control, sequence, acknowledgement,
      session,
    ]
    let whole = header + [checksum(header)]
    return payload.isEmpty ? whole : whole + payload + [checksum(payload)]
  }

  static func message(_ identifier: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
    [0x40, 0x40, 0, UInt8(parameters.count + 6), UInt8(identifier >> 8), UInt8(identifier & 0xFF)]
      + parameters
  }

  static func parameter(_ identifier: UInt8, _ value: [UInt8] = []) -> [UInt8] {
    [0, UInt8(value.count + 4), 0, identifier] + value
  }

  /// The events of iAP2, in short.
  func reported() -> [String] {
    let session = MadeRecord.session(records)
    return session.events.compactMap { event in
      guard case .iap2(let reported) = event.content else { return nil }
      return Self.short(reported)
    }
  }

  private static func short(_ event: IAP2Event) -> String {
    switch event {
    case .detection(let it): "detection(isAnswer: \(it.isAnswer))"
    case .synchronization(let it):
      "synchronization\(it.isAnswer ? " answered" : "") "
        + it.parameters.sessions.map { "\($0.identifier):\($0.type)" }.joined(separator: " ")
    case .identification(let it):
      "identification \(it.identification.name ?? "-") "
        + "\(it.identification.protocols.map { "\($0.identifier):\($0.name)" })"
    case .identificationAccepted: "identificationAccepted"
    case .identificationRejected(let it):
      "rejected \(it.parameters.map { "\($0.path) \($0.value ?? "-")" })"
    case .externalAccessory(let event): externalAccessory(event)
    case .message(let it): "message \(String(it.identifier, radix: 16)) \(it.size)"
    case .fileTransfer(let it): "fileTransfer(\(it.identifier), \(it.step))"
    case .unanswered(let it): "unanswered(\(it.question))"
    default: fault(event)
    }
  }

  private static func fault(_ event: IAP2Event) -> String {
    switch event {
    case .retransmitted(let it):
      "retransmitted(sequence: \(it.sequence))" + (it.hasOtherPayload ? " other payload" : "")
    case .missing(let it): "missing(first: \(it.first), count: \(it.count))"
    case .wanted(let it): "wanted(\(it.sequences))"
    case .windowExceeded(let it):
      "windowExceeded(outstanding: \(it.outstanding), allowed: \(it.allowed))"
    case .windowStalled(let it):
      "windowStalled(allowed: \(it.allowed), nanoseconds: \(it.nanoseconds))"
    case .unacknowledged(let it): "unacknowledged(count: \(it.count))"
    case .garbage(let it): "garbage(count: \(it.count))" + (it.hasWrongHeader ? " header" : "")
    case .frameIncomplete(let it):
      "frameIncomplete(\(it.present), missing: \(it.missing.map { "\($0)" } ?? "-"))"
        + (it.isFollowed ? " followed" : "")
    case .cut(let it): "cut(sequence: \(String(describing: it.sequence)), count: \(it.count))"
    case .wrongChecksum(let it): "wrongChecksum(sequence: \(it.sequence))"
    case .undeclaredSession(let it): "undeclaredSession(\(it.identifier))"
    case .incompleteMessage(let it):
      "incompleteMessage(\(String(describing: it.identifier)), have: \(it.present))"
        + (it.hasStart ? "" : " without start")
    case .packetTooLong(let it): "tooLong(\(it.sequence): \(it.length) > \(it.allowed))"
    case .acknowledgedUnsent(let it): "unsent(\(it.acknowledgement), last: \(it.last))"
    case .wrongSender(let it):
      "wrong sender \(String(it.identifier, radix: 16))"
        + (it.isFromAccessory ? " accessory" : " device")
    case .malformedMessage(let it): "malformed \(String(it.identifier, radix: 16))"
    default: "\(event)"
    }
  }

  private static func externalAccessory(_ event: EASessionEvent) -> String {
    switch event {
    case .open(let it):
      "open \(it.eaSession.sessionIdentifier) \(it.eaSession.protocolString ?? "-")"
        + (it.isDeclared == false ? " undeclared" : "")
    case .status(let it): "status \(it.eaSession.sessionIdentifier) \(it.isAccepted)"
    case .data(let it):
      "data \(it.eaSession.sessionIdentifier) \(it.traffic.sent) \(it.traffic.received)"
        + (it.isEarly ? " early" : "") + (it.isRefused ? " refused" : "")
    case .close(let it):
      "close \(it.eaSession.sessionIdentifier) \(it.traffic.sent) \(it.traffic.received) \(it.end)"
        + (it.isTaken ? "" : " untaken")
    case .stray(let it):
      "stray \(it.sessionIdentifier) \(it.count)" + (it.isReversed ? " reversed" : "")
    case .unknown(let it):
      "\(it.wasOpen ? "late" : "unknown") \(String(it.message, radix: 16)) \(it.sessionIdentifier)"
    case .dataTooShort(let it): "too short \(it.count)"
    }
  }
}
