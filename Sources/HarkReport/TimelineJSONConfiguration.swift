import HarkCore
import HarkCrypto
import HarkSession

// What vendors' messages say of an audio accessory, of sessions and of Wi-Fi networks.
extension TimelineJSON {
  static func configuration(
    _ report: AccessoryControlDevice.Report, to json: inout JSONText
  ) {
    json.string("type", "configuration")
    json.string("step", report.event.name)
    json.array("said") { json in
      for member in report.change.members { json.element(member.path) }
    }
    let cleared = report.change.members.filter { report.change.says($0) == false }
    if !cleared.isEmpty {
      json.array("cleared") { json in
        for member in cleared { json.element(member.path) }
      }
    }
    json.string("address_order", report.change.addressOrder?.rawValue)
    switch report.event {
    case .register(let configuration), .update(let configuration):
      self.configuration(.update(configuration), to: &json)
    case .failed: self.configuration(report.event, to: &json)
    }
    if let before = report.before {
      json.object("before") { self.configuration(.update(before), to: &$0) }
    }
    guard !report.remarks.isEmpty else { return }
    json.objects("remarks", report.remarks) { remark($0, to: &$1) }
  }

  private static func configuration(
    _ control: AccessoryControlDevice.Event, to json: inout JSONText
  ) {
    switch control {
    case .failed(let error): json.string("error", error.rawValue)
    case .register(let configuration), .update(let configuration):
      if case .register = control { json.flag("is_first", true) }
      json.array("device_capabilities") { json in
        for capability in AccessoryControlDevice.Capability.allCases
        where configuration.deviceCapabilities.contains(capability) {
          json.element(capability.rawValue)
        }
      }
      json.string("device_placement", configuration.devicePlacement?.rawValue)
      json.string(
        "primary_audio_source",
        AccessoryControlDevice.words(
          ofSource: configuration.primaryAudioSourceDeviceIdentifier))
      json.string(
        "secondary_audio_source",
        AccessoryControlDevice.words(
          ofSource: configuration.secondaryAudioSourceDeviceIdentifier))
      json.string("spatial_extension_description", configuration.spatialExtensionDescription)
    }
  }

  private static func remark(
    _ remark: AccessoryControlDevice.Remark, to json: inout JSONText
  ) {
    switch remark {
    case .notDeclared(let member, let capability):
      json.string("remark", "not-declared")
      json.string("member", member.path)
      json.string("capability", capability.rawValue)
    case .secondaryWithoutPrimary: json.string("remark", "secondary-without-primary")
    case .addressSize(let member, let count):
      json.string("remark", "address-size")
      json.string("member", member.path)
      json.number("size", count)
    case .reversed(let member, let address):
      json.string("remark", "address-reversed")
      json.string("member", member.path)
      json.described("address", address)
    case .unknownPlacement(let name):
      json.string("remark", "unknown-placement")
      json.string("value", name)
    case .unknownCapability(let name):
      json.string("remark", "unknown-capability")
      json.string("value", name)
    case .invalidated(let packet):
      json.string("remark", "invalidated")
      json.number("frame", packet.number)
    case .disagrees(let member):
      json.string("remark", "disagrees")
      json.string("member", member.path)
    }
  }

  static func externalAccessory(
    _ session: EASession, _ message: EASession.Message, to json: inout JSONText
  ) {
    let type: StaticString =
      switch message {
      case .open: "external-accessory-open"
      case .status: "external-accessory-status"
      case .data: "external-accessory-data"
      case .close: "external-accessory-close"
      }
    json.string("type", type)
    json.number("session_identifier", session.sessionIdentifier)
    json.number("protocol_identifier", session.protocolIdentifier)
    json.string("protocol", session.protocolString)
    switch message {
    case .open: break
    case .status(let isAccepted): json.flag("accepted", isAccepted)
    case .data(let count): json.number("size", count)
    case .close(let toAccessory, let fromAccessory):
      json.number("to_accessory", toAccessory)
      json.number("from_accessory", fromAccessory)
    }
  }

  static func transport(_ event: TransportEvent, _ session: String?, to json: inout JSONText) {
    let type: StaticString
    switch event {
    case .sessionRequest: type = "transport-session-request"
    case .decision(.accept): type = "transport-accept"
    case .decision(.reject(let error)):
      type = "transport-reject"
      json.string("error", error?.rawValue)
    case .completed(let result):
      type = "transport-completed"
      json.string("error", result.error?.rawValue)
    case .cancel(let error):
      type = "transport-cancel"
      json.string("error", error?.rawValue)
    case .sessionInvalidated(let error):
      type = "transport-session-invalidated"
      json.string("error", error?.rawValue)
    case .dataEvent, .messageReceived, .sendMessageToDataProvider: type = "transport-message"
    }
    json.string("type", type)
    json.string("session", session)
  }

  static func security(_ event: SecurityEvent, _ session: String?, to json: inout JSONText) {
    let type: StaticString
    switch event {
    case .sessionRequest: type = "security-session-request"
    case .decision(.accept): type = "security-accept"
    case .decision(.reject(let error)):
      type = "security-reject"
      json.string("error", error?.rawValue)
    case .completed(let result):
      type = "security-completed"
      json.string("error", result.error?.rawValue)
    case .cancel(let error):
      type = "security-cancel"
      json.string("error", error?.rawValue)
    case .sessionInvalidated(let error):
      type = "security-session-invalidated"
      json.string("error", error?.rawValue)
    case .sendSecurityMessage, .messageReceived: type = "security-message"
    }
    json.string("type", type)
    json.string("session", session)
  }

  static func networkSharing(_ event: WINetworkSharing.Event, to json: inout JSONText) {
    switch event {
    case .failed(let error):
      json.string("type", "wifi-error")
      json.string("error", error.rawValue)
    case .network(let network):
      json.string("type", "wifi-network")
      json.string("ssid", network.ssid)
      json.flag("is_ssid_broadcast", network.isSSIDBroadcast)
      json.array("security_policy") { json in
        for policy in network.securityPolicy { json.element(policy) }
      }
      json.string("credentials", network.credentials?.rawValue)
    }
  }
}

extension AccessoryControlDevice.Event {
  fileprivate var name: StaticString {
    switch self {
    case .register: "register"
    case .update: "update"
    case .failed: "failed"
    }
  }
}

extension AccessoryControlDevice.Member {
  /// The member of JSON that has it.
  fileprivate var path: String {
    switch self {
    case .deviceCapabilities: "device_capabilities"
    case .devicePlacement: "device_placement"
    case .primaryAudioSourceDeviceIdentifier: "primary_audio_source"
    case .secondaryAudioSourceDeviceIdentifier: "secondary_audio_source"
    case .spatialExtensionDescription: "spatial_extension_description"
    }
  }
}

extension AccessoryMessage.Result {
  fileprivate var error: AccessoryMessage.Error? {
    if case .failure(let error) = self { error } else { nil }
  }
}
