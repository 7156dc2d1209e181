import HarkCore
import HarkCrypto

// What vendors' messages report about an audio accessory, in the terms of AudioAccessoryKit.
extension AccessoryControlDevice.Report {
  func describe(to sink: inout some EventSink) {
    sink.word("type", "configuration", .identity)
    sink.word("step", step, .identity)
    sink.words("said", change.members.map(\.path), .identity)
    let cleared = change.members.filter { change.says($0) == false }
    if !cleared.isEmpty { sink.words("cleared", cleared.map(\.path)) }
    sink.word("address_order", change.addressOrder?.rawValue)
    switch event {
    case .register(let configuration), .update(let configuration):
      // It also contains everything reported before.
      let isStated = change.members.contains(.deviceCapabilities)
      configuration.describe(
        capabilities: isStated ? .parameter : .incidental, .incidental, to: &sink)
    case .failed(let error): sink.word("error", error.rawValue)
    }
    if let before {
      sink.object("before") {
        before.describe(capabilities: .incidental, .incidental, to: &$0)
      }
    }
    if !remarks.isEmpty { sink.objects("remarks", remarks) { $0.describe(to: &$1) } }
  }

  private var step: String {
    switch event {
    case .register: "register"
    case .update: "update"
    case .failed: "failed"
    }
  }

  var words: EventSentence {
    ([what] + remarks.map(\.words)).joined(separator: "; ")
  }

  private var what: EventSentence {
    let who = sender == .hostToAccessory ? "phone" : "accessory"
    switch event {
    case .failed(let error): return "\(who) refuses the configuration: \(error.rawValue)"
    case .register(let configuration):
      let members: [EventSentence] = change.members.map {
        "\($0.words) \(configuration.words(of: $0))"
      }
      let isKnown =
        before.map { before in
          change.members.allSatisfy {
            before.words(of: $0).text == configuration.words(of: $0).text
          }
        } ?? false
      let news = isKnown && !members.isEmpty ? ", as before" : ""
      return "\(who) registers \(members.joined(separator: ", "))\(news)"
    case .update(let configuration):
      let members = change.members.map { words(of: $0, in: configuration) }
      guard !members.isEmpty else { return "\(who) updates nothing" }
      let news = before == configuration ? ", as before" : ""
      return "\(who) updates \(members.joined(separator: ", "))\(news)"
    }
  }

  /// `devicePlacement inEar, was offHead`
  private func words(
    of member: AccessoryControlDevice.Member,
    in configuration: AccessoryControlDevice.Configuration
  ) -> EventSentence {
    let new = configuration.words(of: member)
    guard let old = before?.words(of: member), old.text != new.text else {
      return "\(member.words) \(new)"
    }
    return "\(member.words) \(new), was \(old)"
  }
}

extension AccessoryControlDevice.Configuration {
  fileprivate func words(of member: AccessoryControlDevice.Member) -> EventSentence {
    switch member {
    case .deviceCapabilities:
      "[\(capabilityNames.joined(separator: ", "))]"
    case .devicePlacement: "\(devicePlacement?.rawValue ?? "nil")"
    case .primaryAudioSourceDeviceIdentifier: Self.words(primaryAudioSourceDeviceIdentifier)
    case .secondaryAudioSourceDeviceIdentifier: Self.words(secondaryAudioSourceDeviceIdentifier)
    case .spatialExtensionDescription:
      spatialExtensionDescription.map { "“\(personal: $0)”" } ?? "nil"
    }
  }

  private static func words(_ source: [UInt8]?) -> EventSentence {
    AccessoryControlDevice.words(ofSource: source).map { "\(personal: $0)" } ?? "nil"
  }
}

extension AccessoryControlDevice.Remark {
  fileprivate func describe(to sink: inout some EventSink) {
    switch self {
    case .notDeclared(let member, let capability):
      sink.word("remark", "not-declared")
      sink.word("member", member.path)
      sink.word("capability", capability.rawValue, .incidental)
    case .secondaryWithoutPrimary: sink.word("remark", "secondary-without-primary")
    case .addressSize(let member, let count):
      sink.word("remark", "address-size")
      sink.word("member", member.path)
      sink.number("size", count, .incidental)
    case .reversed(let member, let address):
      sink.word("remark", "address-reversed")
      sink.word("member", member.path)
      sink.address("address", address)
    case .unknownPlacement(let name):
      sink.word("remark", "unknown-placement")
      sink.identifier("value", name)
    case .unknownCapability(let name):
      sink.word("remark", "unknown-capability")
      sink.identifier("value", name)
    case .invalidated(let packet):
      sink.word("remark", "invalidated")
      sink.number("frame", packet.number, .incidental)
    case .disagrees(let member):
      sink.word("remark", "disagrees")
      sink.word("member", member.path)
    }
  }

  fileprivate var words: EventSentence {
    switch self {
    case .notDeclared(let member, let capability):
      "\(member.words) without the capability \(capability.rawValue)"
    case .secondaryWithoutPrimary: "a secondary audio source without a primary one"
    case .addressSize(let member, let count):
      "\(member.words) has \(Names.count(count, "byte")); an address has 6"
    case .reversed(let member, let address):
      """
      \(member.words) is not a device in this capture; reversed, it is \
      \(personal: address)
      """
    case .unknownPlacement(let name): "placement “\(personal: name)” is not defined by Apple"
    case .unknownCapability(let name): "capability “\(personal: name)” is not defined by Apple"
    case .invalidated(let packet):
      "the registration was invalidated in #\(packet.number) and not repeated"
    case .disagrees(let member): "the accessory last reported a different \(member.words)"
    }
  }
}

extension AccessoryControlDevice.Member {
  /// Its member in JSON.
  fileprivate var path: String {
    switch self {
    case .deviceCapabilities: "device_capabilities"
    case .devicePlacement: "device_placement"
    case .primaryAudioSourceDeviceIdentifier: "primary_audio_source"
    case .secondaryAudioSourceDeviceIdentifier: "secondary_audio_source"
    case .spatialExtensionDescription: "spatial_extension_description"
    }
  }

  /// `primaryAudioSource`, as in rows of AAP.
  fileprivate var words: String {
    switch self {
    case .primaryAudioSourceDeviceIdentifier: "primaryAudioSource"
    case .secondaryAudioSourceDeviceIdentifier: "secondaryAudioSource"
    case .deviceCapabilities, .devicePlacement, .spatialExtensionDescription: rawValue
    }
  }
}
