import HarkCore
import HarkCrypto
import HarkSession
import Testing

@testable import HarkProfile

/// What messages of a vendor's accessory mean in Apple's words.
struct KindTests {
  typealias Control = AccessoryControlDevice

  /// All that a channel tells of JSON messages, in turn from the accessory and, where they begin
  /// with a blank, from the phone.
  static func contents(_ rules: String, _ messages: [String]) throws -> [AccessoryContent] {
    try events(rules, messages).flatMap { event -> [AccessoryContent] in
      if case .plain(let message) = event.content { return message.contents }
      Issue.record("\(event.content)")
      return []
    }
  }

  static func events(_ rules: String, _ messages: [String]) throws -> [AccessoryEvent] {
    let text = """
      profile:
        id: acme
      tables:
        placements: {0: offHead, 1: inEar, 9: onTable}
        capabilities: {0: audioSwitching, 1: placement, 3: headTracking}
        errors: {1: accessoryNotCapable, 2: accessoryTransportNotSecured, 3: transportFailed}
      channels:
        - l2cap-psm: 0x81
          secret: true
          encoding: json
          messages:
      \(rules)
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    var channel = AccessoryChannel(profile.framing)
    var keys = KeyRing()
    return messages.enumerated().flatMap { index, text in
      channel.receive(
        VendorValue(
          frames: [PacketID(UInt32(index + 1))], time: Timestamp(microseconds: Int64(index)),
          channel: .psm(0x81), toServer: text.hasPrefix(" "), operation: .data,
          bytes: Array(text.utf8)), keys: &keys)
    }
  }

  static let configuration = """
          - when: kind == "register"
            is: configuration.register
            device-capabilities: capabilities.flags("capabilities")
            device-placement: placement.named("placements")
          - when: kind == "update"
            is: configuration.update
            address-order: little-endian
            device-placement: placement.named("placements")
            primary-audio-source-device-identifier: primary.hex.slice(0, primary.hex.size)
            secondary-audio-source-device-identifier: secondary.hex
            spatial-extension-description: spatial
            cleared:
              device-placement: _.has("placement") and not placement.exists
              secondary-audio-source-device-identifier: none
          - when: kind == "error"
            is: configuration.error
            error: code.named("errors")
    """

  static func reports(_ messages: [String]) throws -> [Control.Report] {
    try contents(configuration, messages).compactMap {
      if case .configuration(let report) = $0 { report } else { nil }
    }
  }

  @Test func configurationGoesOn() throws {
    let reports = try Self.reports([
      #"{"kind": "register", "capabilities": 3, "placement": 0}"#,
      #"{"kind": "update", "placement": 1}"#,
      #"{"kind": "update", "primary": "665544332211", "secondary": "010203040506"}"#,
      #"{"kind": "update", "none": true, "secondary": "010203040506", "placement": null}"#,
      #"{"kind": "update", "primary": "000000000000", "spatial": "wide"}"#,
    ])
    #expect(reports.count == 5)
    let known = reports.map(\.configuration)
    #expect(known[0]?.deviceCapabilities == [.audioSwitching, .placement])
    #expect(known[0]?.devicePlacement == .offHead)
    #expect(reports[0].before == nil)
    if case .register = reports[0].event {} else { Issue.record("\(reports[0].event)") }
    #expect(known[1]?.devicePlacement == .inEar)
    #expect(known[1]?.deviceCapabilities == [.audioSwitching, .placement])
    #expect(reports[1].change.members == [.devicePlacement])
    #expect(reports[1].before == known[0])
    #expect(known[2]?.primaryAudioSourceDeviceIdentifier == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    #expect(known[2]?.secondaryAudioSourceDeviceIdentifier == [6, 5, 4, 3, 2, 1])
    #expect(known[2]?.devicePlacement == .inEar)
    // Cleared is not the same as not said.
    #expect(reports[3].change.devicePlacement == .cleared)
    #expect(reports[3].change.secondaryAudioSourceDeviceIdentifier == .cleared)
    #expect(reports[3].change.primaryAudioSourceDeviceIdentifier == .nothing)
    #expect(known[3]?.devicePlacement == nil)
    #expect(known[3]?.secondaryAudioSourceDeviceIdentifier == nil)
    #expect(known[3]?.primaryAudioSourceDeviceIdentifier != nil)
    #expect(known[4]?.primaryAudioSourceDeviceIdentifier == nil)
    #expect(known[4]?.spatialExtensionDescription == "wide")
    #expect(reports.allSatisfy { $0.remarks.isEmpty && $0.sender == .accessoryToHost })
    #expect(reports[2].change.addressOrder == .littleEndian)
  }

  @Test func oddConfigurations() throws {
    let reports = try Self.reports([
      #"{"kind": "update", "placement": 1}"#,
      #"{"kind": "register", "capabilities": 6, "placement": 9}"#,
      #"{"kind": "update", "secondary": "0102"}"#,
      #" {"kind": "update", "placement": 1}"#,
      #"{"kind": "error", "code": 1}"#,
    ])
    // Nothing is known about what was declared before the capture.
    #expect(reports[0].remarks == [])
    #expect(reports[1].remarks == [.unknownCapability("bit 2"), .unknownPlacement("onTable")])
    #expect(
      reports[2].remarks == [
        .addressSize(.secondaryAudioSourceDeviceIdentifier, 2),
        .notDeclared(.secondaryAudioSourceDeviceIdentifier, .audioSwitching),
        .secondaryWithoutPrimary,
      ])
    #expect(reports[3].remarks == [.disagrees(.devicePlacement)])
    #expect(reports[3].sender == .hostToAccessory)
    #expect(reports[4].event == .failed(.accessoryNotCapable))
  }

  @Test func invalidated() throws {
    let rules = Self.configuration.replacingOccurrences(
      of: "code.named(\"errors\")", with: "code")
    let messages = [
      #"{"kind": "register", "capabilities": 2, "placement": 0}"#,
      #"{"kind": "error", "code": "invalidated"}"#, #"{"kind": "update", "placement": 1}"#,
      #"{"kind": "register", "capabilities": 2, "placement": 0}"#,
    ]
    let remarks = try Self.contents(rules, messages).map { content -> [Control.Remark] in
      if case .configuration(let report) = content { report.remarks } else { [] }
    }
    #expect(remarks == [[], [], [.invalidated(PacketID(2))], []])
  }

  @Test func externalAccessory() throws {
    let rules = """
            - when: open.exists
              is: external-accessory.open
              session-identifier: open
              protocol-identifier: 2
              protocol-string: name
            - when: data.exists
              is: external-accessory.data
              session-identifier: id
              data: data.hex
            - when: ok.exists
              is: external-accessory.status
              session-identifier: id
              is-accepted: ok
            - is: external-accessory.close
              session-identifier: id
      """
    let contents = try Self.contents(
      rules,
      [
        #" {"open": 7, "name": "com.acme.lamp"}"#, #"{"id": 7, "ok": true}"#,
        #" {"id": 7, "data": "010203"}"#, #"{"id": 7, "data": "04"}"#, #" {"id": 7}"#,
      ])
    let session = EASession(
      sessionIdentifier: 7, protocolIdentifier: 2, protocolString: "com.acme.lamp")
    #expect(
      contents == [
        .externalAccessory(session, .open),
        .externalAccessory(session, .status(isAccepted: true)),
        .externalAccessory(session, .data(count: 3)), .externalAccessory(session, .data(count: 1)),
        .externalAccessory(session, .close(toAccessory: 3, fromAccessory: 1)),
      ])
  }

  @Test func sessions() throws {
    let rules = """
            - when: step == "ask"
              is: transport.session-request
              session-id: id
            - when: step == "decide"
              is: transport.decision
              is-accepted: ok
              error: error
            - when: step == "done"
              is: transport.completed
              error: code.named("errors")
            - when: step == "cancel"
              is: security.cancel
              error: error
            - when: step == "gone"
              is: security.session-invalidated
      """
    let contents = try Self.contents(
      rules,
      [
        #"{"step": "ask", "id": "S"}"#, #"{"step": "decide", "ok": true}"#,
        #"{"step": "decide", "ok": false, "error": "unsupported"}"#, #"{"step": "done"}"#,
        #"{"step": "done", "code": 3}"#, #"{"step": "cancel", "error": "unknown"}"#,
        #"{"step": "gone"}"#,
      ])
    #expect(
      contents == [
        .transport(.sessionRequest, sessionID: "S"),
        .transport(.decision(.accept), sessionID: nil),
        .transport(.decision(.reject(error: .unsupported)), sessionID: nil),
        .transport(.completed(.success), sessionID: nil),
        .transport(.completed(.failure(.transportFailed)), sessionID: nil),
        .security(.cancel(error: .unknown), sessionID: nil),
        .security(.sessionInvalidated(error: nil), sessionID: nil),
      ])
    let wrong = try Self.events(rules, [#"{"step": "cancel", "error": "tired"}"#])
    guard case .unreadable(let message) = wrong.first?.content else {
      Issue.record("\(wrong)")
      return
    }
    #expect(message.problem == .wrong(field: "error"))
  }

  @Test func network() throws {
    let rules = """
            - when: ssid.exists
              is: wifi.network
              ssid: ssid
              is-ssid-broadcast: visible
              security-policy: policies
              password: password
            - is: wifi.error
              error: code.named("errors")
      """
    let events = try Self.events(
      rules,
      [
        #"{"ssid": "Acme", "visible": false, "policies": ["wpa2", "wpa3"], "password": "sesame"}"#,
        #"{"ssid": "Open", "password": ""}"#, #"{"code": 2}"#,
      ])
    var contents: [AccessoryContent] = []
    for event in events {
      guard case .plain(let message) = event.content else { continue }
      contents += message.contents
      #expect(message.bytes.isEmpty)
    }
    #expect(
      contents == [
        .networkSharing(
          .network(
            .init(
              ssid: "Acme", isSSIDBroadcast: false, securityPolicy: ["wpa2", "wpa3"],
              credentials: .password))),
        .networkSharing(
          .network(.init(ssid: "Open", credentials: WINetworkSharing.Credentials.none))),
        .networkSharing(.failed(.accessoryTransportNotSecured)),
      ])
    #expect(!"\(events)".contains("sesame"))
  }

  /// Live Activities, in Apple's words, and what they show.
  @Test func liveActivities() throws {
    let rules = """
            - when: end.exists
              is: live-activity.end
              identifier: end
              state: state
            - when: do == "start"
              is: live-activity.start
              identifier: id
              source-identifier: app
              source-name: name
              state: state
              relevance: score
              title: title
              body: text
            - when: do == "update"
              is: live-activity.update
              identifier: id
              relevance: score
            - when: do == "alert"
              is: live-activity.alert
              identifier: id
              title: title
      """
    let contents = try Self.contents(
      rules,
      [
        #" {"do": "start", "id": "A1", "app": "com.acme.pizza", "name": "Pizza","#
          + #" "state": "active", "score": 0.5, "title": "On its way", "text": "12 min"}"#,
        #" {"do": "update", "id": "A1", "score": 50}"#,
        #" {"do": "alert", "id": "A1", "title": "At the door"}"#,
        #" {"end": "A1", "state": "dismissed"}"#, #" {"do": "update"}"#,
      ])
    var all = [AccessoryLiveActivity](repeating: AccessoryLiveActivity(), count: 5)
    for index in 0..<4 { all[index].identifier = "A1" }
    (all[0].sourceIdentifier, all[0].sourceName) = ("com.acme.pizza", "Pizza")
    (all[0].state, all[0].relevance, all[1].relevance) = ("active", 0.5, 50)
    (all[0].title, all[0].body, all[2].title) = ("On its way", "12 min", "At the door")
    all[3].state = "dismissed"
    #expect(
      contents == [
        .liveActivity(all[0], .start), .liveActivity(all[1], .update),
        .liveActivity(all[2], .alert), .liveActivity(all[3], .end),
        .liveActivity(all[4], .update),
      ])
    // What is there and is not a number makes a message unreadable.
    let wrong = try Self.events(rules, [#" {"do": "update", "score": "high"}"#])
    guard case .unreadable(let message) = wrong.first?.content else {
      Issue.record("\(wrong)")
      return
    }
    #expect(message.problem == .wrong(field: "score"))
  }

  @Test func greetings() throws {
    let rules = """
            - is: greeting
              display-name: name
              version: fw
              identifier: sn
      """
    let contents = try Self.contents(
      rules, [#"{"name": "Clip", "fw": "4.2.1", "sn": 17}"#, #"{"fw": 1.5}"#, "{}"])
    #expect(
      contents == [
        .greeting(.init(name: "Clip", version: "4.2.1", identifier: "17")),
        .greeting(.init(version: "1.5")), .greeting(.init()),
      ])
  }

  @Test func failures() throws {
    let rules = """
            - when: nack
              is: accessory.refusal
              error: code
              message: text
              command-id: id
            - is: accessory.error
              error: code
              message: text
      """
    let contents = try Self.contents(
      rules,
      [
        #"{"nack": true}"#, #"{"nack": true, "id": "C7", "code": "busy", "text": "Charging"}"#,
        #"{"code": 7}"#, #"{"code": "E12", "text": "Too hot"}"#,
      ])
    #expect(
      contents == [
        .failure(.init(isRefusal: true)),
        .failure(.init(isRefusal: true, error: "busy", message: "Charging", commandID: "C7")),
        .failure(.init(isRefusal: false, error: "7")),
        .failure(.init(isRefusal: false, error: "E12", message: "Too hot")),
      ])
    let wrong = try Self.events(rules, [#"{"text": "?"}"#])
    guard case .unreadable(let message) = wrong.first?.content else {
      Issue.record("\(wrong)")
      return
    }
    #expect(message.problem == .missing(field: "code"))
  }

  @Test func dataEvents() throws {
    let rules = """
            - is: transport.data-event
              data: data.hex
              feature-id: feature
              is-ciphertext: sealed
      """
    let contents = try Self.contents(
      rules, [#" {"data": "0102", "feature": "F"}"#, #" {"data": "03", "sealed": true}"#])
    #expect(
      contents == [
        .transport(.dataEvent(.plaintext(data: [1, 2], featureID: "F")), sessionID: "F"),
        .transport(.dataEvent(.ciphertext(data: [3], featureID: "")), sessionID: nil),
      ])
  }

  /// Nothing of a plaintext stays that may hold a password, readable or not.
  @Test func sealedPassword() throws {
    let text = """
      profile: {id: acme}
      channels:
        - l2cap-psm: 0x81
          encoding: raw
          messages: []
      plaintext:
        - encoding: json
          secret: true
          messages:
            - when: ssid.exists
              is: wifi.network
              ssid: ssid
              password: password
      """
    let profile = try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
    for plaintext in [#"{"ssid": "A", "password": "sesame"}"#, "sesame", "{"] {
      let decoded = profile.framing.decode(
        plaintext: Array(plaintext.utf8), direction: .hostToAccessory)
      #expect(decoded.isSecret)
      #expect(!"\(decoded)".contains("sesame"))
    }
  }

  /// Bytes that are no text, in an identifier that a wrong profile takes for one, are hexadecimal digits.
  @Test(arguments: [
    ("4fc3a9d2e10b", "4fc3a9d2e10b"), ("416363c3a9", "Accé"), ("00017f", "00017f"),
  ]) func identifiers(_ digits: String, _ shown: String) throws {
    let rules = """
          - is: notification.remove
            notification-identifier: id.hex
      """
    let removed = try Self.contents(rules, ["{\"id\": \"\(digits)\"}"])
    #expect(
      removed == [.remove(.init(sourceIdentifier: nil, notificationIdentifier: shown))])
  }

  /// What a layout calls text is text: U+FFFD replaces what its encoding does not have. In UTF-8, d2 9f is U+049F.
  @Test(arguments: ["ASCII", "UTF-8"]) func textsOfLayouts(_ encoding: String) throws {
    let layout = """
      meta:
        id: frame
      seq:
        - id: id
          size: 6
          type: str
          encoding: \(encoding)
      """
    let text = """
      profile:
        id: acme
      channels:
        - l2cap-psm: 0x81
          encoding: frame.ksy
          messages:
            - is: transport.message
              session-id: id
              data: id
      """
    let profile = try Profile.load(
      "p.yaml", from: MadeFiles(texts: ["p.yaml": text, "frame.ksy": layout]))
    var channel = AccessoryChannel(profile.framing)
    var keys = KeyRing()
    let replaced =
      encoding == "ASCII"
      ? "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{B}\u{FFFD}" : "\u{FFFD}\u{49F}\u{FFFD}\u{B}\u{FFFD}"
    for (digits, session) in [("e1d29fc30b80", replaced), ("73657373696f", "sessio")] {
      let events = channel.receive(
        VendorValue(
          frames: [PacketID(1)], time: Timestamp(microseconds: 0), channel: .psm(0x81),
          toServer: false, operation: .data, bytes: Hex.bytes(digits) ?? []), keys: &keys)
      let sessions = events.compactMap { event -> String? in
        if case .message(let message) = event.content { message.sessionID } else { nil }
      }
      #expect(sessions == [session], "\(events.map(\.content))")
    }
  }
}
