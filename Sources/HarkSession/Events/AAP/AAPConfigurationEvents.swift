import HarkCore
import HarkDissection

// The accessory's configuration, in the terms of AudioAccessoryKit where it has them.
extension AAPEvent {
  /// What Apple's API would receive, and why.
  public struct AccessoryControl: Described {
    public let control: AccessoryControlDevice.Event
    public let cause: Cause

    public var kind: EventKind { AAPEvent.kind("configuration") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      control.describe(to: &sink)
      cause.describe(to: &sink)
      let own = ownAddress(of: event, session)
      sink.sentence(([cause.words(own)] + changes(own)).joined(separator: "; "))
    }

    private func changes(_ own: UInt64?) -> [EventSentence] {
      switch control {
      case .failed(let error): return ["error \(error.rawValue)"]
      case .register(let configuration), .update(let configuration):
        if case .ears = cause {
          return configuration.devicePlacement.map { ["devicePlacement \($0.rawValue)"] } ?? []
        }
        func source(_ octets: [UInt8]?) -> EventSentence {
          guard let octets else { return "nil" }
          return name(BluetoothAddress(octets: octets), own)
        }
        return [
          "primaryAudioSource \(source(configuration.primaryAudioSourceDeviceIdentifier))",
          "secondaryAudioSource \(source(configuration.secondaryAudioSourceDeviceIdentifier))",
        ]
      }
    }
  }

  /// What the accessory reported that changes its configuration.
  public enum Cause: Equatable, Sendable {
    case ears(primary: UInt8, secondary: UInt8)
    case audioSource(BluetoothAddress, type: UInt8)
    case connection(BluetoothAddress, state: UInt8, type: UInt8)
    case hosts([Host])

    fileprivate func describe(to sink: inout some EventSink) {
      switch self {
      case .ears(let primary, let secondary):
        sink.code("primary", primary, "primary_name", "aap.primary")
        sink.code("secondary", secondary, "secondary_name", "aap.secondary")
      case .audioSource(let host, let type):
        sink.address("host", host)
        sink.code("audio", type, "audio_name", "aap.source")
      case .connection(let host, let state, let type):
        sink.address("host", host)
        sink.code("connection_state", state, "connection_state_name", "aap.connectionState")
        sink.code("connection_type", type, "connection_type_name", "aap.connectionType")
      case .hosts(let hosts):
        sink.objects("hosts", hosts) { host, sink in
          sink.address("address", host.address, .parameter)
          sink.code("link", host.link, "link_name", "aap.linkState")
        }
      }
    }

    fileprivate func words(_ own: UInt64?) -> EventSentence {
      switch self {
      case .ears(let primary, let secondary):
        return """
          primary \(Names.of(primary, "aap.primary") ?? "\(primary)"), \
          secondary \(Names.of(secondary, "aap.secondary") ?? "\(secondary)")
          """
      case .audioSource(let host, 0) where host.value == 0: return "no audio source"
      case .audioSource(let host, 0): return "no audio source, last \(name(host, own))"
      case .audioSource(let host, let type):
        return "audio source \(name(host, own)), \(Names.of(type, "aap.source") ?? "type \(type)")"
      case .connection(let host, let state, let type):
        return """
          host \(name(host, own)) \(state == 1 ? "connected" : "not connected"), \
          \(Names.of(type, "aap.connectionType") ?? "type \(type)")
          """
      case .hosts(let hosts):
        let list = hosts.map { host -> EventSentence in
          let link = Names.of(host.link, "aap.linkState") ?? "link \(host.link)"
          return "\(name(host.address, own)) \(link)"
        }
        return "hosts: \(list.joined(separator: ", "))"
      }
    }
  }

  public struct Host: Equatable, Sendable {
    public let address: BluetoothAddress
    public internal(set) var link: UInt8
  }

  /// The accessory continues naming an audio source that it reports as not connected.
  public struct AudioSourceNotCleared: Described {
    public let source: BluetoothAddress

    public var kind: EventKind { AAPEvent.kind("audio-source-not-cleared") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.address("host", source)
      let host = name(source, ownAddress(of: event, session))
      sink.sentence(
        """
        audio source not cleared: the accessory still names \(host), which it reports as not \
        connected
        """)
    }
  }

  /// A control command.
  public struct Setting: Described {
    public let identifier: UInt8
    public let value: UInt8
    public let step: Step

    public enum Step: Sendable {
      /// The host sets it.
      case set
      /// The accessory has set the value, this many nanoseconds later.
      case confirmed(latency: Int64?)
      /// The accessory answers with a different value from the one the host set.
      case overruled(asked: UInt8)
      /// The accessory reports it unasked, with the previous value.
      case reported(before: UInt8?)
    }

    public var kind: EventKind {
      switch step {
      case .set: AAPEvent.kind("setting-set")
      case .confirmed: AAPEvent.kind("setting-confirmed")
      case .overruled: AAPEvent.kind("setting-overruled", step: "setting-confirmed")
      case .reported: AAPEvent.kind("setting-reported")
      }
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("identifier", identifier, .family)
      sink.word("name", AAPNames.setting(identifier))
      sink.number("value", value)
      sink.word("value_name", words(value))
      switch step {
      case .set: break
      case .confirmed(let latency): sink.nanoseconds("latency", latency)
      case .overruled(let asked): sink.number("asked", asked)
      case .reported(let before): sink.number("before", before)
      }
      sink.sentence("\(sentence)")
    }

    private var sentence: String {
      let name = AAPNames.setting(identifier) ?? "setting \(Names.hex(identifier))"
      switch step {
      case .set: return "host sets \(name) to \(words(value))"
      case .confirmed(let latency):
        let after = latency.map { " after \(Names.duration($0))" } ?? ""
        return "accessory set \(name) to \(words(value))\(after)"
      case .overruled(let asked):
        return "accessory reports \(name) as \(words(value)); the host set \(words(asked))"
      case .reported(let before):
        return "\(name) is \(words(value))\(before.map { ", was \(words($0))" } ?? "")"
      }
    }

    private func words(_ value: UInt8) -> String { AAPNames.value(value, of: identifier) }
  }

  /// What hosts send each other through the accessory.
  public struct SmartRouting: Described {
    public let peer: BluetoothAddress
    public let isRelayed: Bool
    /// Nil if it cannot be read.
    public let object: OPACKValue?

    public var kind: EventKind { AAPEvent.kind("smart-routing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.address("host", peer)
      sink.flag("is_relayed", isRelayed)
      if case .dictionary(let entries) = object {
        sink.objects("entries", entries) { entry, sink in
          if case .string(let key) = entry.key { sink.identifier("key", key) }
          if case .string = entry.value {
            sink.text("value", entry.value.words)
          } else {
            sink.phrase("value", entry.value.words)
          }
        }
      }
      let peer = name(peer, ownAddress(of: event, session))
      let content = object.map(words) ?? "content not decoded"
      sink.sentence("smart routing \(isRelayed ? "relayed from" : "to") \(peer): \(content)")
    }

    /// `reason “Hijackv2”, localscore 100`. One level deep: nested items are counted.
    private func words(_ object: OPACKValue) -> EventSentence {
      guard case .dictionary(let entries) = object else { return "\(personal: object.words)" }
      let list = entries.prefix(16).map { entry -> EventSentence in
        let key = if case .string(let name) = entry.key { name } else { entry.key.words }
        return "\(personal: key) \(personal: entry.value.words)"
      }
      return "\(list.joined(separator: ", "))\(entries.count > 16 ? " …" : "")"
    }
  }

  /// The address of the recorded host.
  private static func ownAddress(of event: Event, _ session: borrowing Session) -> UInt64? {
    event.controller.flatMap { session.controllers[$0]?.address?.value }
  }

  private static func name(_ host: BluetoothAddress, _ own: UInt64?) -> EventSentence {
    "\(personal: host)\(host.value == own ? " (this host)" : "")"
  }
}

extension OPACKValue {
  fileprivate var words: String {
    switch self {
    case .null: "null"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .string(let text): "“\(text)”"
    case .data(let bytes): Names.count(bytes.count, "byte")
    case .uuid(let uuid): "\(uuid)"
    case .absoluteTime: "a time"
    case .array(let items): "(\(Names.count(items.count, "item")))"
    case .dictionary(let entries): "(\(Names.count(entries.count, "entry", "entries")))"
    }
  }
}

extension AccessoryControlDevice {
  /// The address that an audio source identifier represents, or its octets.
  package static func words(ofSource octets: [UInt8]?) -> String? {
    guard let octets else { return nil }
    guard octets.count == 6 else { return Hex.text(octets) }
    return "\(BluetoothAddress(octets: octets))"
  }
}

extension AccessoryControlDevice.Event {
  fileprivate func describe(to sink: inout some EventSink) {
    switch self {
    case .failed(let error): sink.word("error", error.rawValue)
    case .register(let configuration):
      sink.flag("is_first", true)
      configuration.describe(to: &sink)
    case .update(let configuration): configuration.describe(to: &sink)
    }
  }
}

extension AccessoryControlDevice.Configuration {
  /// - Parameters:
  ///   - capabilities: The role of the capabilities in a comparison.
  ///   - role: The role of the other members.
  func describe(
    capabilities: EventRole = .parameter, _ role: EventRole = .parameter,
    to sink: inout some EventSink
  ) {
    sink.words("device_capabilities", capabilityNames, capabilities)
    sink.word("device_placement", devicePlacement?.rawValue, role)
    sink.text(
      "primary_audio_source",
      AccessoryControlDevice.words(ofSource: primaryAudioSourceDeviceIdentifier), role)
    sink.text(
      "secondary_audio_source",
      AccessoryControlDevice.words(ofSource: secondaryAudioSourceDeviceIdentifier), role)
    sink.text("spatial_extension_description", spatialExtensionDescription, role)
  }

  /// The order of a set differs from run to run; this order does not.
  var capabilityNames: [String] {
    AccessoryControlDevice.Capability.allCases.filter(deviceCapabilities.contains).map(\.rawValue)
  }
}
