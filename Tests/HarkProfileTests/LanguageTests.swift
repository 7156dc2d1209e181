import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// What profiles can say about messages, with JSON.
struct LanguageTests {
  static func profile(_ text: String) throws -> Profile {
    do throws(LayoutErrors) {
      return try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    } catch {
      Issue.record("\(error.diagnostics)")
      throw error
    }
  }

  static let channel = """
    profile:
      id: acme
    channels:
      - l2cap-psm: 0x81
        from: phone
        wrapper: {prefix: W, size: 3, id: '_.slice(1, 3)'}
        encoding: json
        messages:
          - when: a.exists
            is: several
            messages:
              - is: transport.message
                session-id: a
                data: b.base64
              - when: c.exists
                is: accepted
                id: c
          - when: d.exists
            is: accepted
            of: d
            needs: [x, y]
            id: x
          - when: seed.exists
            is: security.private-key
            cipher-suite: XWing
            key: seed.hex
      - l2cap-psm: 0x83
        from: accessory
        receipts: {prefix: [0x52], size: 3, id: '_.slice(1, 3)'}
        encoding: raw
        messages:
          - is: receiver-ready
    """

  static func run(_ values: [(psm: UInt16, text: String)]) throws -> [Framed.Content] {
    var assembler = try profile(channel).framing.makeAssembler()
    var framed: [Framed] = []
    for (index, value) in values.enumerated() {
      framed += assembler.receive(
        VendorValue(
          frames: [PacketID(UInt32(index))], time: Timestamp(microseconds: Int64(index)),
          channel: .psm(value.psm), toServer: true, operation: .data, bytes: Array(value.text.utf8))
      )
    }
    return (framed + assembler.reset(.linkClosed)).map(\.content)
  }

  static func words(_ content: Framed.Content) -> String {
    switch content {
    case .transport(let frame): "transport \(frame.message.sessionID) \(frame.message.data)"
    case .accepted(let id): "accepted \(id)"
    case .unreadable(let message): "\(message.problem) \(message.bytes.count)"
    case .flowControl(let control): "\(control)"
    default: "\(content)"
    }
  }

  @Test(arguments: [
    (#"{"a": "s", "b": "TkI=", "c": "1"}"#, ["transport s [78, 66]", "accepted 1"]),
    // All or nothing.
    (
      #"{"a": "s", "b": "TkI", "c": "1"}"#,
      ["base64MidQuantum(field: \"b\", characters: 3) 32"]
    ),
    (
      #"{"a": "s", "b": "T*I="}"#,
      ["base64Character(field: \"b\", offset: 1) 23"]
    ),
    (#"{"a": "s"}"#, ["missing(field: \"b\") 10"]),
    (#"{"a": [1], "b": ""}"#, ["wrong(field: \"a\") 19"]),
    (#"{"d": {"x": "1", "y": 2}}"#, ["accepted 1"]),
    (#"{"d": {"x": "1"}}"#, ["missing(field: \"y\") 17"]),
    (#"{"d": 1}"#, ["wrong(field: \"d\") 8"]),
    // No bytes with the name of a private key in them, whatever is wrong.
    (
      #"{"seed": "0000"}"#,
      [
        "privateKey(reason: "
          + "\"2 bytes; an X-Wing private key has 32 (its seed)\") 0"
      ]
    ),
    (
      #"{"seed": "00""#,
      [
        "truncatedJSON(offset: 0, depth: 1, inString: false) 0"
      ]
    ),
    (
      #"{"d": {"x": "1", "y": 2}} {"d": 1} x"#,
      [
        "accepted 1", "wrong(field: \"d\") 36",
        "concatenatedJSON(objects: 2) 36",
        "notJSON(offset: 35) 36",
      ]
    ),
    (#"[1]"#, ["unknownArray(items: 1) 3"]),
    (
      #"{"z": 1, "e": 1}"#,
      [
        "unknownObject(members: [\"e\", \"z\"]) 16"
      ]
    ),
  ]) func messages(_ text: String, _ expected: [String]) throws {
    #expect(try Self.run([(0x81, text)]).map { Self.words($0) } == expected)
  }

  /// A sender that waits for each receipt, and one that does not.
  @Test func receipts() throws {
    let message = #"{"d": {"x": "1", "y": 2}}"#
    let values: [(psm: UInt16, text: String)] = [
      (0x81, "W01" + message), (0x83, "R01"), (0x81, "W02" + message), (0x81, "W03" + message),
      (0x83, "R02"), (0x83, "R09"), (0x83, "R0"),
    ]
    let found = try Self.run(values)
    let controls: [FlowControl] = found.compactMap {
      if case .flowControl(let control) = $0 { control } else { nil }
    }
    let expected: [FlowControl] = [
      .confirmed(slices: 1, slowest: 1000),
      .unconfirmed(slice: [0x30, 0x32], waited: 1000, .startedAgain),
      .lateReceipt(slice: [0x30, 0x32], latency: 2000), .unknownReceipt(slice: [0x30, 0x39]),
      .receiverReady, .unconfirmed(slice: [0x30, 0x33], waited: 0, .linkClosed),
    ]
    #expect(controls == expected)
    #expect(found.count { if case .accepted = $0 { true } else { false } } == 3)
  }

  static let plaintext = """
    profile:
      id: acme
    forms:
      one:
        of: body
        notification-identifier: id
      object:
        encoding: json
        message-id: id
        message-version: v
        versions: [1, 2]
        sent-at: t / 1000.0
        switch-on: kind
        messages:
          - case: '"gone"'
            is: notification.remove
            form: one
          - case: 7
            when: body.exists
            is: several
            messages:
              - is: notification.clear
                form: one
              - is: notification.response
                form: one
                user-text: _root.text
    channels: []
    plaintext:
      - when: _[0] == 0x7b
        form: object
      - encoding: raw
        messages:
          - when: _ == "all"
            is: notification.remove-all
    """

  static func decode(_ text: String) throws -> DecodedPlaintext {
    try profile(plaintext).framing.decode(
      plaintext: Array(text.utf8), direction: .hostToAccessory)
  }

  @Test func plaintexts() throws {
    let gone = try Self.decode(
      #"{"id": "m", "v": 2, "t": 1500, "kind": "gone", "body": {"id": 5}}"#)
    #expect(gone.contents == [.remove(.init(notificationIdentifier: "5"))])
    #expect(gone.id == "m" && gone.version == 2 && gone.problem == nil)
    #expect(gone.sentAt == Timestamp(nanoseconds: 1_500_000_000))
    let two = try Self.decode(#"{"kind": 7, "text": "t", "body": {"id": "5"}}"#)
    let id = AccessoryNotification.Identifier(notificationIdentifier: "5")
    #expect(
      two.contents == [
        .clear(id),
        .response(NotificationResponse(identifier: id, actionIdentifier: nil, userText: "t")),
      ])
    #expect(try Self.decode("all").contents == [.removeAllNotifications])
    // Foundation's distantFuture, 4001-01-01: a time that is not kept is not another one.
    let far = try Self.decode(
      #"{"kind": "gone", "t": 64092211200000, "body": {"id": "5"}}"#)
    #expect(far.problem == nil)
    #expect(far.sentAt == nil)
  }

  @Test(arguments: [
    (#"{"v": 3, "kind": "gone"}"#, PlaintextProblem.version(3)),
    (#"{"kind": "new"}"#, .json(.unknownValue(field: "kind"))),
    ("{}", .json(.missing(field: "kind"))),
    (#"{"kind": 7}"#, .json(.unknownValue(field: "kind"))),
    (#"{"kind": "gone"}"#, .json(.missing(field: "body"))),
    (#"{"kind": "gone", "body": {}}"#, .json(.missing(field: "id"))),
    (#"{"kind": "gone", "body": {"id": {}}}"#, .json(.wrong(field: "id"))),
    (#"{"kind": "gone", "t": "x", "body": {"id": "1"}}"#, .json(.wrong(field: "t"))),
    (#"{"kind": "gone", "body": {"id": "1"}} {}"#, .json(.concatenatedJSON(objects: 2))),
    ("al", .unknownType(0x61)),
  ]) func plaintextProblems(_ text: String, _ expected: PlaintextProblem) throws {
    #expect(try Self.decode(text).problem == expected)
  }
}
