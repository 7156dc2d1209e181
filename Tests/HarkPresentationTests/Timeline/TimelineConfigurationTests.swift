import HarkCore
import HarkCrypto
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// What vendors' messages about the accessory itself say.
@Suite struct TimelineConfigurationTests {
  typealias Control = AccessoryControlDevice

  enum Step { case register, update, failed }

  private static func report(
    _ step: Step, from sender: MessageDirection,
    remarks: [Control.Remark] = [], _ change: (inout Control.Change) -> Void
  ) -> AccessoryContent {
    var configuration = Control.Configuration(deviceCapabilities: [.placement, .audioSwitching])
    configuration.devicePlacement = .inEar
    configuration.primaryAudioSourceDeviceIdentifier = [0xC0, 0xDE, 0, 0, 0, 1]
    var made = Control.Change()
    change(&made)
    let event: Control.Event =
      switch step {
      case .register: .register(configuration)
      case .update: .update(configuration)
      case .failed: .failed(.accessoryNotCapable)
      }
    var report = Control.Report(event, made)
    report.sender = sender
    report.before = Control.Configuration(
      deviceCapabilities: [.placement, .audioSwitching], devicePlacement: .offHead)
    report.remarks = remarks
    return .configuration(report)
  }

  static let session = EASession(
    sessionIdentifier: 7, protocolIdentifier: nil, protocolString: "com.acme.lamp")

  static let table: [(AccessoryContent, String)] = [
    (
      report(.register, from: .accessoryToHost) {
        $0.deviceCapabilities = .value(["audioSwitching", "placement"])
        $0.devicePlacement = .value("inEar")
      },
      "accessory registers deviceCapabilities [audioSwitching, placement], devicePlacement inEar"
    ),
    (
      report(.update, from: .accessoryToHost) {
        $0.devicePlacement = .value("inEar")
        $0.secondaryAudioSourceDeviceIdentifier = .cleared
      }, "accessory updates devicePlacement inEar, was offHead, secondaryAudioSource nil"
    ),
    (
      report(
        .update, from: .hostToAccessory,
        remarks: [
          .reversed(
            .primaryAudioSourceDeviceIdentifier, BluetoothAddress(0x0100_0000_DEC0)),
          .notDeclared(.devicePlacement, .placement), .secondaryWithoutPrimary,
          .disagrees(.devicePlacement), .invalidated(PacketID(12)),
        ]
      ) { $0.primaryAudioSourceDeviceIdentifier = .value([0xC0, 0xDE, 0, 0, 0, 1]) },
      "phone updates primaryAudioSource C0:DE:00:00:00:01, was nil; primaryAudioSource is not a "
        + "device in this capture; reversed, it is 01:00:00:00:DE:C0; devicePlacement "
        + "without the capability placement; a secondary audio source without a primary one; the "
        + "accessory last reported a different devicePlacement; the registration was invalidated in #12 "
        + "and not repeated"
    ),
    (
      report(.failed, from: .hostToAccessory) { _ in },
      "phone refuses the configuration: accessoryNotCapable"
    ),
    (
      .externalAccessory(session, .close(toAccessory: 1, fromAccessory: 2)),
      "External Accessory session 7 (com.acme.lamp) closed after 1 byte to the accessory, 2 from it"
    ),
    (
      .transport(.decision(.reject(error: .unsupported)), sessionID: "S"),
      "transport session S rejected: unsupported"
    ),
    (
      .security(.sessionInvalidated(error: .invalidated), sessionID: nil),
      "security session invalidated"
    ),
    (
      .networkSharing(
        .network(
          .init(
            ssid: "Acme", isSSIDBroadcast: false, securityPolicy: ["wpa3"],
            credentials: .password))),
      "shares the Wi-Fi network “Acme”: hidden, securityPolicy wpa3, credentials password "
        + "(not shown)"
    ),
    (
      .networkSharing(.failed(.accessoryTransportNotSecured)),
      "Wi-Fi sharing fails: accessoryTransportNotSecured"
    ),
  ]

  @Test(arguments: table) func sentences(_ content: AccessoryContent, _ expected: String) {
    #expect(content.words(nil).text == expected)
  }

  @Test func notCleared() {
    let event = TimelineSentenceTests.event(
      .audioSourceNotCleared(.init(source: BluetoothAddress(0xC0DE_0000_0007))))
    #expect(event.lane == .configuration)
    #expect(
      EventText.sentence(event, Session())
        == "audio source not cleared: the accessory still names C0:DE:00:00:00:07, whose link is "
        + "closed")
  }

  @Test func lanes() {
    #expect(
      Self.table.map { $0.0.ownLane } == Array(repeating: .configuration, count: 4)
        + Array(repeating: .session, count: 5))
  }

  /// What a program reads of a configuration.
  @Test func json() throws {
    var json = JSONText()
    json.object {
      $0.members { sink in
        Self.report(
          .update, from: .accessoryToHost, remarks: [.addressSize(.devicePlacement, 5)]
        ) {
          $0.devicePlacement = .cleared
          $0.addressOrder = .littleEndian
        }.describe(to: &sink)
      }
    }
    #expect(
      json.text.string == """
        {"type":"configuration","step":"update","said":["device_placement"],\
        "cleared":["device_placement"],"address_order":"little-endian",\
        "device_capabilities":["audioSwitching","placement"],"device_placement":"inEar",\
        "primary_audio_source":"C0:DE:00:00:00:01",\
        "before":{"device_capabilities":["audioSwitching","placement"],\
        "device_placement":"offHead"},"remarks":[{"remark":"address-size",\
        "member":"device_placement","size":5}]}
        """)
  }
}
