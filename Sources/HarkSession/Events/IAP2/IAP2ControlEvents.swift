import HarkCrypto
import HarkDissection

// The iAP2 control session.
extension IAP2Event {
  /// A message that no other event describes.
  public struct Message: Described {
    public let identifier: UInt16
    public let size: Int
    public let values: [IAP2Value]

    public var kind: EventKind { IAP2Event.kind("iap2-message") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("message", identifier, .incidental)
      sink.word("message_name", Names.of(identifier, "iap2.csm.message"), .identity)
      sink.number("size", size, .incidental)
      if !values.isEmpty {
        sink.list("values") { sink in
          // Users' names for their devices differ in every capture.
          let isNamed = values.contains { $0.name(in: identifier).contains("DeviceName") }
          for value in values {
            sink.element {
              $0.word("name", value.name(in: identifier))
              value.describe(isNamed ? .incidental : .parameter, to: &$0)
            }
          }
        }
      }
      sink.sentence("\(message(identifier))\(listed)")
    }

    /// `: MediaItemTitle "Song", PlaybackStatus Playing (1)`
    private var listed: EventSentence {
      guard !values.isEmpty else { return "" }
      let words = values.map { value -> EventSentence in
        let name = value.shortName(in: identifier)
        return value.text.map { "\(name) \(personal: $0)" } ?? "\(name)"
      }
      return ": \(words.few(most: 8))"
    }
  }

  /// What the accessory reports about itself.
  public struct Identification: Described {
    /// Including everything it reported before.
    public let identification: IAP2Identification
    public let isUpdate: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-identification") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("update", isUpdate)
      identification.describe(to: &sink)
      sink.sentence(
        """
        accessory \(isUpdate ? "updates its identification" : "identifies itself"): \
        \(identification.words)
        """)
    }
  }

  public struct IdentificationAccepted: Described {
    public var kind: EventKind { IAP2Event.kind("iap2-identification-accepted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("identification accepted")
    }
  }

  public struct IdentificationRejected: Described {
    /// The parameters that the Apple device does not accept; empty if it lists none.
    public let parameters: [IAP2RejectedParameter]

    public var kind: EventKind {
      IAP2Event.kind("iap2-identification-rejected", step: "iap2-identification-accepted")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.words("parameters", parameters.map { $0.name ?? $0.number })
      sink.sentence(words)
    }

    private var words: EventSentence {
      guard !parameters.isEmpty else { return "identification rejected without a reason" }
      let names = parameters.map { parameter -> EventSentence in
        let name = parameter.name ?? "parameter \(parameter.number)"
        return parameter.value.map { "\(name) (\(personal: $0))" } ?? "\(name)"
      }
      return "identification rejected because of \(names.joined(separator: ", "))"
    }
  }

  /// A step of the accessory's authentication.
  public struct Authentication: Described {
    public let step: Step

    public enum Step: Equatable, Sendable {
      case certificateRequested
      case certificate(size: Int, Fingerprint)
      case challenge(size: Int, Fingerprint)
      case response(size: Int, Fingerprint)
      case serialNumber
      case failed
      case succeeded
    }

    public var kind: EventKind {
      switch step {
      case .certificateRequested: IAP2Event.kind("iap2-certificate-requested")
      case .certificate: IAP2Event.kind("iap2-certificate")
      case .challenge: IAP2Event.kind("iap2-challenge")
      case .response: IAP2Event.kind("iap2-response")
      case .serialNumber: IAP2Event.kind("iap2-authentication-serial-number")
      case .failed:
        IAP2Event.kind("iap2-authentication-failed", step: "iap2-authentication-succeeded")
      case .succeeded: IAP2Event.kind("iap2-authentication-succeeded")
      }
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      switch step {
      case .certificate(let size, let fingerprint), .challenge(let size, let fingerprint),
        .response(let size, let fingerprint):
        sink.number("size", size, .incidental)
        sink.fingerprint(fingerprint)
      case .certificateRequested, .serialNumber, .failed, .succeeded: break
      }
      sink.sentence("authentication\(words)")
    }

    private var words: String {
      switch step {
      case .certificateRequested: ": request for the accessory's certificate"
      case .certificate(let size, let fingerprint): Self.words("certificate", size, fingerprint)
      case .challenge(let size, let fingerprint): Self.words("challenge", size, fingerprint)
      case .response(let size, let fingerprint): Self.words("response", size, fingerprint)
      case .serialNumber: ": the accessory reports its serial number"
      case .failed: " failed"
      case .succeeded: " succeeded"
      }
    }

    private static func words(
      _ name: StaticString, _ size: Int, _ fingerprint: Fingerprint
    ) -> String {
      ": \(name) of \(Names.count(size, "byte")), fingerprint \(fingerprint)"
    }
  }
}

/// A parameter of a message that does not contain other parameters.
public struct IAP2Value: Sendable {
  /// Its identifier, after those of the groups around it.
  public let path: [UInt16]
  /// As in trees; nil if only the presence of the parameter counts.
  public let text: String?
  /// Whether the parameter is a text, and not a number, a code or an address.
  let isText: Bool

  fileprivate func describe(_ role: EventRole, to sink: inout some EventSink) {
    if isText { sink.text("value", text, role) } else { sink.phrase("value", text, role) }
  }

  /// `MediaItem.MediaItemTitle`, or the numbers of its path.
  fileprivate func name(in message: UInt16) -> String {
    Catalog.parameterName(iAP2: message, path) ?? "parameter \(path.numbers)"
  }

  /// The name without the groups around it.
  fileprivate func shortName(in message: UInt16) -> String {
    guard let whole = Catalog.parameterName(iAP2: message, path) else { return name(in: message) }
    return whole.split(separator: ".").last.map(String.init) ?? whole
  }
}

/// What an accessory reports about itself.
public struct IAP2Identification: Sendable {
  public internal(set) var name: String?
  public internal(set) var modelIdentifier: String?
  public internal(set) var manufacturer: String?
  public internal(set) var serialNumber: String?
  public internal(set) var firmwareVersion: String?
  public internal(set) var hardwareVersion: String?
  public internal(set) var protocols: [ExternalAccessoryProtocol] = []

  public struct ExternalAccessoryProtocol: Sendable {
    public internal(set) var identifier: UInt8 = 0
    /// `com.example.protocol`.
    public internal(set) var name = ""
    /// 0 none, 1 settings and prompt, 2 settings only.
    public internal(set) var matchAction: UInt8?

    fileprivate var words: EventSentence {
      "\(personal: name)\(matchAction.map { " (\(Self.words(matchAction: $0)))" } ?? "")"
    }

    /// What the Apple device does if no app for the protocol is installed.
    private static func words(matchAction: UInt8) -> String {
      guard matchAction != 0 else { return "match action none: iOS shows no prompt" }
      return Names.of(matchAction, "iap2.csm.matchAction") ?? "match action \(matchAction)"
    }
  }

  fileprivate func describe(to sink: inout some EventSink) {
    sink.text("name", name)
    sink.product("model_identifier", modelIdentifier, .parameter)
    sink.product("manufacturer", manufacturer, .parameter)
    sink.text("serial_number", serialNumber)
    sink.product("firmware_version", firmwareVersion, .parameter)
    sink.product("hardware_version", hardwareVersion, .parameter)
    sink.objects("protocols", protocols) { it, sink in
      sink.number("identifier", it.identifier)
      sink.product("name", it.name, .parameter)
      sink.number("match_action", it.matchAction)
    }
  }

  /// `Acme, model A1, by Acme Inc., firmware 1.2, protocols com.example.protocol (…)`
  fileprivate var words: EventSentence {
    var parts: [EventSentence?] = [
      name.map { "\(personal: $0)" }, modelIdentifier.map { "model \(personal: $0)" },
      manufacturer.map { "by \(personal: $0)" }, firmwareVersion.map { "firmware \(personal: $0)" },
    ]
    if !protocols.isEmpty {
      parts.append("protocols \(protocols.map(\.words).joined(separator: ", "))")
    }
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

/// A parameter of the identification that the Apple device rejects.
public struct IAP2RejectedParameter: Sendable {
  /// Its identifier, after those of the groups around it.
  public let path: [UInt16]
  /// The accessory's value for it, if it is a text or a list of protocols.
  public let value: String?

  /// Its name in IdentificationRejected.
  fileprivate var name: String? {
    Catalog.parameterName(
      iAP2: IAP2ControlMessage.Identifier.identificationRejected.rawValue, path)
  }
  fileprivate var number: String { path.numbers }
}

extension [UInt16] {
  /// `10.1`
  fileprivate var numbers: String { map { "\($0)" }.joined(separator: ".") }
}
