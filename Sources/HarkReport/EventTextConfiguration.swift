import HarkCore
import HarkCrypto
import HarkSession

// What vendors' messages say in the words of AudioAccessoryKit.
extension EventText {
  static func configuration(_ report: AccessoryControlDevice.Report) -> String {
    let who = report.sender == .hostToAccessory ? "phone" : "accessory"
    var parts: [String] = []
    switch report.event {
    case .failed(let error): parts = ["\(who) refuses the configuration: \(error.rawValue)"]
    case .register(let configuration):
      parts = ["\(who) registers \(members(report, configuration).joined(separator: ", "))"]
    case .update(let configuration):
      let members = members(report, configuration)
      parts = [
        "\(who) updates "
          + (members.isEmpty ? "nothing" : members.joined(separator: ", "))
          + (report.before == configuration && !members.isEmpty ? ", as before" : "")
      ]
    }
    return (parts + report.remarks.map { remark($0) }).joined(separator: "; ")
  }

  /// `primaryAudioSource`, as rows of AAP have it.
  private static func name(_ member: AccessoryControlDevice.Member) -> String {
    switch member {
    case .primaryAudioSourceDeviceIdentifier: "primaryAudioSource"
    case .secondaryAudioSourceDeviceIdentifier: "secondaryAudioSource"
    default: member.rawValue
    }
  }

  /// `devicePlacement inEar, was offHead`. Of a registration all, else what the message names.
  private static func members(
    _ report: AccessoryControlDevice.Report, _ configuration: AccessoryControlDevice.Configuration
  ) -> [String] {
    report.change.members.map { member in
      let new = value(member, configuration)
      guard case .update = report.event, let before = report.before else {
        return "\(name(member)) \(new)"
      }
      let old = value(member, before)
      return "\(name(member)) \(new)" + (old == new ? "" : ", was \(old)")
    }
  }

  private static func value(
    _ member: AccessoryControlDevice.Member, _ configuration: AccessoryControlDevice.Configuration
  ) -> String {
    switch member {
    case .deviceCapabilities:
      let names = AccessoryControlDevice.Capability.allCases
        .filter(configuration.deviceCapabilities.contains).map(\.rawValue)
      return "[\(names.joined(separator: ", "))]"
    case .devicePlacement: return configuration.devicePlacement?.rawValue ?? "nil"
    case .primaryAudioSourceDeviceIdentifier:
      return AccessoryControlDevice.words(
        ofSource: configuration.primaryAudioSourceDeviceIdentifier) ?? "nil"
    case .secondaryAudioSourceDeviceIdentifier:
      return AccessoryControlDevice.words(
        ofSource: configuration.secondaryAudioSourceDeviceIdentifier) ?? "nil"
    case .spatialExtensionDescription:
      return configuration.spatialExtensionDescription.map { "“\($0)”" } ?? "nil"
    }
  }

  private static func remark(_ remark: AccessoryControlDevice.Remark) -> String {
    switch remark {
    case .notDeclared(let member, let capability):
      "\(name(member)) without the capability \(capability.rawValue)"
    case .secondaryWithoutPrimary: "a secondary audio source without a primary one"
    case .addressSize(let member, let count):
      "\(name(member)) has \(Names.count(count, "byte")), an address has 6"
    case .reversed(let member, let address):
      "\(name(member)) is no device of the capture; the other way around it is \(address)"
    case .unknownPlacement(let name): "placement “\(name)” is none of Apple's"
    case .unknownCapability(let name): "capability “\(name)” is none of Apple's"
    case .invalidated(let packet):
      "the registration was invalidated in #\(packet.number) and not made anew"
    case .disagrees(let member): "the accessory last said another \(name(member))"
    }
  }

  // MARK: External Accessory, transport and security sessions

  static func externalAccessory(_ session: EASession, _ message: EASession.Message) -> String {
    let name = session.words.text
    return switch message {
    case .open: "\(name) opened"
    case .status(let isAccepted):
      "\(name) \(isAccepted ? "taken by the accessory" : "refused by the accessory")"
    case .data(let count): "\(name): \(Names.count(count, "byte"))"
    case .close(let toAccessory, let fromAccessory):
      "\(name) closed after \(Names.count(toAccessory, "byte")) to the accessory, "
        + "\(fromAccessory) from it"
    }
  }

  static func transport(_ event: TransportEvent, _ session: String?) -> String {
    let name = "transport session" + (session.map { " \($0)" } ?? "")
    return switch event {
    case .sessionRequest: "\(name) requested"
    case .decision(.accept): "\(name) accepted"
    case .decision(.reject(let error)): "\(name) rejected\(because(error?.rawValue))"
    case .completed(let result): "message of \(name) \(completed(result))"
    case .cancel(let error): "\(name) cancelled\(because(error?.rawValue))"
    case .sessionInvalidated(let error): "\(name) invalidated\(because(error?.rawValue))"
    case .dataEvent(let data):
      "\(Names.count(data.message.data.count, "byte")) for \(name), "
        + (data.isEncrypted ? "ciphertext" : "plaintext")
    case .messageReceived(let message), .sendMessageToDataProvider(let message):
      "message of \(name), \(Names.count(message.data.count, "byte"))"
    }
  }

  static func security(_ event: SecurityEvent, _ session: String?) -> String {
    let name = "security session" + (session.map { " \($0)" } ?? "")
    return switch event {
    case .sessionRequest: "\(name) requested"
    case .decision(.accept): "\(name) accepted"
    case .decision(.reject(let error)): "\(name) rejected\(because(error?.rawValue))"
    case .completed(let result): "message of \(name) \(completed(result))"
    case .cancel(let error): "\(name) cancelled\(because(error?.rawValue))"
    case .sessionInvalidated(let error): "\(name) invalidated\(because(error?.rawValue))"
    case .sendSecurityMessage(let message), .messageReceived(let message):
      "message of \(name), \(message.keyType.rawValue)"
    }
  }

  private static func because(_ error: String?) -> String { error.map { ": \($0)" } ?? "" }

  private static func completed(_ result: AccessoryMessage.Result) -> String {
    switch result {
    case .success: "completed"
    case .failure(let error): "not completed: \(error.rawValue)"
    }
  }

  // MARK: Wi-Fi sharing

  static func networkSharing(_ event: WINetworkSharing.Event) -> String {
    switch event {
    case .failed(let error): return "Wi-Fi sharing fails: \(error.rawValue)"
    case .network(let network):
      let parts = [
        network.isSSIDBroadcast.map { $0 ? nil : "hidden" } ?? nil,
        network.securityPolicy.isEmpty
          ? nil : "securityPolicy \(network.securityPolicy.joined(separator: ", "))",
        network.credentials.map {
          "credentials \($0.rawValue)" + ($0 == .none ? "" : " (not shown)")
        },
      ]
      let rest = parts.compactMap { $0 }.joined(separator: ", ")
      return "shares the Wi-Fi network “\(network.ssid)”" + (rest.isEmpty ? "" : ": \(rest)")
    }
  }
}

extension AccessoryContent {
  /// The row of a timeline that it belongs to; nil where the direction tells.
  var ownLane: Event.Lane? {
    switch self {
    case .configuration: .configuration
    case .externalAccessory, .transport, .security, .networkSharing: .session
    default: nil
    }
  }
}
