import HarkCore
import HarkCrypto
import HarkDissection

// What the host requests.
extension AAPEvent {
  /// The host renames the accessory.
  public struct Renamed: Described {
    public let name: String

    public var kind: EventKind { AAPEvent.kind("accessory-renamed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("name", name, .parameter)
      sink.sentence("host renames the accessory to “\(personal: name)”")
    }
  }

  public struct NotificationsRequested: Described {
    public let mask: [UInt8]

    public var kind: EventKind { AAPEvent.kind("aap-notifications-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("mask", Hex.text(mask))
      sink.sentence("host requests notifications, mask \(Hex.text(mask))")
    }
  }

  public struct FeaturesRequested: Described {
    public let flags: UInt64

    public var kind: EventKind { AAPEvent.kind("aap-features-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("flags", Names.hex(flags))
      sink.sentence("host sets feature flags \(Names.hex(flags))")
    }
  }

  public struct FeaturesAcknowledged: Described {
    public var kind: EventKind { AAPEvent.kind("aap-features-acknowledged") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("accessory acknowledges the feature flags")
    }
  }

  /// After this the host may set equalizers.
  public struct HostCapabilities: Described {
    public let mask: [UInt8]

    public var kind: EventKind { AAPEvent.kind("aap-host-capabilities") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("mask", Hex.text(mask))
      sink.sentence(
        "host sends its capabilities, which allow it to set equalizers: mask \(Hex.text(mask))")
    }
  }

  /// Whether the headphone accommodation's equalizer applies to calls, and to media.
  public struct Accommodation: Described {
    public let phone: UInt8
    public let media: UInt8

    public var kind: EventKind { AAPEvent.kind("headphone-accommodation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("phone", phone, "phone_name", "aap.phone")
      sink.code("media", media, "media_name", "aap.media")
      sink.sentence(
        """
        headphone accommodation: phone \(Names.of(phone, "aap.phone") ?? "\(phone)"), \
        media \(Names.of(media, "aap.media") ?? "\(media)")
        """)
    }
  }

  /// A custom equalizer, whose form is unknown.
  public struct Equalizer: Described {
    /// In bytes.
    public let size: Int

    public var kind: EventKind { AAPEvent.kind("custom-equalizer") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("size", size, .incidental)
      sink.sentence("custom EQ of \(Names.count(size, "byte"))")
    }
  }

  public struct KeysRequested: Described {
    /// The bits of the keys that the host requests.
    public let keys: UInt16

    public var kind: EventKind { AAPEvent.kind("proximity-keys-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("keys", keys)
      let names = [(UInt16(1), "IRK"), (4, "Encryption Key")].filter { keys & $0.0 != 0 }.map(\.1)
      sink.sentence("host requests proximity keys: \(names.joined(separator: " and "))")
    }
  }
}

// What the accessory reports.
extension AAPEvent {
  /// The components whose battery changed.
  public struct Batteries: Described {
    public let batteries: [Battery]

    public var kind: EventKind { AAPEvent.kind("battery") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("batteries", batteries) { $0.describe(to: &$1) }
      sink.sentence("battery: \(batteries.map(\.words).joined(separator: ", "))")
    }
  }

  public struct Battery: Equatable, Sendable {
    public let component: UInt8
    /// In percent; 255 if the component is absent. The meaning of other values above 100 is unknown.
    public let level: UInt8
    public let status: UInt8

    private var isAbsent: Bool { level == AAPMessage.absentLevel }

    fileprivate func describe(to sink: inout some EventSink) {
      sink.code("component", component, "component_name", "aap.component")
      sink.number("level", level <= 100 ? level : nil, .incidental)
      sink.number("unknown_level", level > 100 && !isAbsent ? level : nil, .incidental)
      sink.code("status", status, "status_name", "aap.charging", .incidental)
    }

    fileprivate var words: String {
      let name = Names.of(component, "aap.component")?.lowercased() ?? "component \(component)"
      guard !isAbsent else { return "\(name) absent" }
      let level = level <= 100 ? "\(level) %" : "level unknown (\(level))"
      return "\(name) \(level), \(Names.of(status, "aap.charging") ?? "status \(status)")"
    }
  }

  /// The batteries in proximity pairing advertising, which is encrypted.
  public struct AdvertisedBattery: Described {
    public let plaintext: ProximityPlaintext

    public var kind: EventKind { AAPEvent.kind("advertised-battery") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("key", plaintext.key.description, .incidental)
      sink.objects("buds", plaintext.buds) { $0.describe(to: &$1) }
      sink.object("case") { plaintext.box.describe(to: &$0) }
      let batteries = [
        "first bud \(plaintext.buds[0].words)", "second bud \(plaintext.buds[1].words)",
        "case \(plaintext.box.words)",
      ]
      sink.sentence(
        """
        advertises battery: \(batteries.joined(separator: ", ")); decrypted with proximity pairing \
        key \(plaintext.key.description)
        """)
    }
  }

  /// Proximity pairing advertising whose encrypted end no key decrypts.
  public struct LockedAdvertising: Described {
    /// The identity address, if it is known.
    public let address: BluetoothAddress
    public let lock: Lock

    /// What is missing.
    public enum Lock: Sendable {
      /// The proximity pairing key of a device whose address is known.
      case noKey
      /// Not even the IRK is known: the owner of the address is unknown.
      case unresolved
      /// Decrypting the block with the device's key does not give battery levels.
      case keyDoesNotFit

      package var name: StaticString {
        switch self {
        case .noKey: "proximity-key"
        case .unresolved: "irk-and-proximity-key"
        case .keyDoesNotFit: "other-proximity-key"
        }
      }

      package var words: StaticString {
        switch self {
        case .noKey: "the headphones' proximity pairing key is not known"
        case .unresolved:
          "no known IRK resolves the address, and the proximity pairing key is not known"
        case .keyDoesNotFit: "the proximity pairing key of this device does not fit"
        }
      }
    }

    public var kind: EventKind {
      EventKind(
        "advertising-locked", .configuration, .encryptedAdvertising, isStep: false, isShared: false
      ).folded(as: "advertisers with encrypted proximity pairing advertising")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("needs", lock.name.description)
      sink.address("address", address)
      sink.sentence(
        "encrypted proximity pairing advertising of \(personal: address), not decrypted: \(lock.words.description)"
      )
    }
  }

  public struct Information: Described {
    public let name: String
    public let model: String
    public let firmware: String

    public var kind: EventKind { AAPEvent.kind("accessory-information") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("name", name)
      sink.product("model", model, .parameter)
      sink.product("firmware", firmware, .parameter)
      let parts: [EventSentence] = [
        name.isEmpty ? "accessory without a name" : "accessory is “\(personal: name)”",
        model.isEmpty ? "" : "model \(personal: model)",
        firmware.isEmpty ? "" : "firmware \(personal: firmware)",
      ]
      sink.sentence(parts.filter { !$0.text.isEmpty }.joined(separator: ", "))
    }
  }

  public struct StemPress: Described {
    public let press: UInt8
    public let bud: UInt8

    public var kind: EventKind { AAPEvent.kind("stem-press") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("press", press, "press_name", "aap.press")
      sink.code("bud", bud, "bud_name", "aap.bud")
      sink.sentence(
        """
        \(Names.of(press, "aap.press") ?? "press \(press)") of the stem, \
        \(Names.of(bud, "aap.bud") ?? "bud \(bud)")
        """)
    }
  }

  /// The accessory changes the volume while its wearer talks.
  public struct Conversation: Described {
    public let level: UInt8

    public var kind: EventKind { AAPEvent.kind("conversational-awareness") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("level", level)
      sink.sentence("conversational awareness: volume level \(level)")
    }
  }

  /// How many messages of one client there were.
  public struct CustomMessages: Described {
    public let client: UInt32
    public let count: Int

    public var kind: EventKind { AAPEvent.kind("custom-messages") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("client", client, "client_name", "aap.client")
      sink.number("count", count, .incidental)
      let name = Names.of(client, "aap.client") ?? "client \(Names.hex(UInt64(client)))"
      sink.sentence("\(Names.count(count, "custom message")) of \(name)")
    }
  }
}

extension ProximityPlaintext.Battery {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("level", level, .incidental)
    sink.flag("charging", isCharging, .incidental)
  }

  fileprivate var words: String {
    level.map { "\($0) %\(isCharging ? ", charging" : "")" } ?? "absent"
  }
}
