import HarkCore
import HarkCrypto

extension SimplePairing {
  /// A step of Secure Simple Pairing on a BR/EDR link.
  public enum Step: Sendable {
    case capability(Capability, isPeer: Bool)
    /// This host does not pair. Vol 4, Part E, 7.1.36.
    case refused(reason: UInt8)
    /// This host replies that its user did not confirm, or that it cannot ask one. Vol 4, Part E, 7.1.31, 7.1.33,
    /// 7.1.35
    case rejected(Question)
    case method(Pairing.Method)
    /// Without Numeric Comparison, hosts confirm it automatically.
    case numericValue(UInt32, isCompared: Bool)
    case passkeyRequested
    /// This host displays the passkey that the peer's user enters.
    case passkey(UInt32)
    /// A side's user enters the passkey. Vol 4, Part E, 7.7.48, 7.3.63
    case keypress(type: UInt8, isPeer: Bool)
    case oobDataRequested
    /// A side uses the debug key, whose private key the specification prints. Vol 2, Part H, 7.6.1
    /// - isOutOfBand: Whether Out of Band data commits to it.
    case debugKey(SimplePairingToolbox.Curve, isPeer: Bool, isOutOfBand: Bool)
    /// A side sent the random number to which it had committed. Vol 2, Part H, 7.2.1
    /// - number: The number that both users compare, computed from what both sides sent.
    case commitment(isKept: Bool, isPeer: Bool, number: UInt32?)
    /// A side sent the check value for what both sides sent. If a side uses the debug key, hark can compute it. 7.2.5
    case checkValue(isRight: Bool, isPeer: Bool)
    /// Whether the link key is the one that follows from the debug key. 7.2.5
    case linkKey(isDerived: Bool)
    case ended(status: UInt8)
  }

  /// What the controller asks, of the host or its user. Vol 4, Part E, 7.7.42 to 7.7.44
  public enum Question: String, Sendable {
    case confirmation, passkey
    case oobData = "oob-data"
  }
}

extension SimplePairing.Step: Described {
  public var kind: EventKind { SecurityEvent.kind("secure-simple-pairing") }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.word("step", name.description, .identity)
    switch self {
    case .capability(let capability, let isPeer):
      sink.flag("peer", isPeer, .incidental)
      sink.word("io_capability", Names.of(capability.ioCapability, "hci.evt.ioCapability"))
      sink.flag("mitm", capability.mitm)
      sink.flag("oob", capability.oobDataPresent != 0)
    case .refused(let reason): sink.number("reason", reason, .viewpoint)
    case .rejected(let question): sink.word("question", question.rawValue)
    case .method(let method): sink.word("method", method.rawValue)
    case .numericValue(let value, let isCompared):
      sink.number("value", value, .incidental)
      sink.flag("compared", isCompared)
    case .passkey(let value): sink.number("value", value, .incidental)
    case .keypress(let type, let isPeer):
      sink.flag("peer", isPeer, .incidental)
      sink.code("type", type, "type_name", "hci.evt.keypress")
    case .debugKey(let curve, let isPeer, let isOutOfBand):
      sink.flag("peer", isPeer, .incidental)
      sink.word("curve", curve.rawValue)
      sink.flag("oob", isOutOfBand)
    case .commitment(let isKept, let isPeer, let number):
      sink.flag("peer", isPeer, .incidental)
      sink.flag("kept", isKept)
      if let number { sink.number("value", number, .incidental) }
    case .checkValue(let isRight, let isPeer):
      sink.flag("peer", isPeer, .incidental)
      sink.flag("right", isRight)
    case .linkKey(let isDerived): sink.flag("right", isDerived)
    case .ended(let status): sink.number("status", status)
    case .passkeyRequested, .oobDataRequested: break
    }
    sink.sentence("Secure Simple Pairing\(words)")
  }

  private var name: StaticString {
    switch self {
    case .capability: "io-capability"
    case .refused: "refused"
    case .rejected: "rejected"
    case .method: "method"
    case .numericValue: "numeric-value"
    case .passkeyRequested: "passkey-requested"
    case .passkey: "passkey"
    case .keypress: "keypress"
    case .oobDataRequested: "oob-data-requested"
    case .debugKey: "debug-key"
    case .commitment: "commitment"
    case .checkValue: "check-value"
    case .linkKey: "link-key"
    case .ended: "ended"
    }
  }

  /// The text after the words Secure Simple Pairing.
  private var words: EventSentence {
    switch self {
    case .capability(let capability, let isPeer):
      ": \(isPeer ? "peer" : "this host") has \(capability.words)"
    case .refused(let reason): " refused by this host: \(Names.status(reason))"
    case .rejected(.confirmation): ": this host rejects the number to confirm"
    case .rejected(.passkey): ": this host enters no passkey"
    case .rejected(.oobData): ": this host has no Out of Band data of the peer"
    case .method(let method): ": \(method.rawValue)"
    case .numericValue(let value, let isCompared):
      isCompared
        ? ": number to compare \(personal: Names.sixDigits(value))"
        : ": confirmation requested, number \(personal: Names.sixDigits(value))"
    case .passkeyRequested: ": passkey entry by the user requested"
    case .passkey(let value): ": passkey \(personal: Names.sixDigits(value)) shown"
    case .keypress(let type, let isPeer):
      """
      : \(Names.of(type, "hci.evt.keypress") ?? "keypress \(type)") at \
      \(isPeer ? "the peer" : "this host")
      """
    case .oobDataRequested: ": Out of Band data requested"
    case .debugKey(let curve, let isPeer, true):
      """
      : the Out of Band data of \(isPeer ? "the peer" : "this host") commits to the debug key \
      (\(curve.rawValue)), so anyone can compute the link key
      """
    case .debugKey(let curve, let isPeer, false):
      """
      : \(isPeer ? "the peer" : "this controller") uses the debug key (\(curve.rawValue)), so anyone who records \
      the pairing can compute the link key
      """
    case .checkValue(true, let isPeer):
      ": the check value of \(isPeer ? "the peer" : "this controller") is right"
    case .checkValue(false, let isPeer):
      """
      : the check value of \(isPeer ? "the peer" : "this controller") does not fit the keys, random numbers and \
      capabilities that both sent: another device may be between the two
      """
    case .linkKey(true): ": the link key follows from the debug key and the recorded messages"
    case .linkKey(false):
      ": the link key does not follow from the debug key and the recorded messages"
    case .commitment(true, let isPeer, let number?):
      """
      : the random number of \(isPeer ? "the peer" : "this controller") fits its commitment; the number to compare is \
      \(personal: Names.sixDigits(number))
      """
    case .commitment(true, let isPeer, nil):
      ": the random number of \(isPeer ? "the peer" : "this controller") fits its commitment"
    case .commitment(false, let isPeer, _):
      """
      : the random number of \(isPeer ? "the peer" : "this controller") does not fit its commitment: another device may \
      be between the two
      """
    case .ended(0): " complete"
    case .ended(let status): " failed: \(Names.status(status))"
    }
  }
}

extension SimplePairing.Capability {
  /// `DisplayYesNo, MITM Protection Required - General Bonding`
  fileprivate var words: String {
    let requirements = authenticationRequirements
    let oob = oobDataPresent
    return [
      Names.of(ioCapability, "hci.evt.ioCapability") ?? "IO capability \(ioCapability)",
      Names.of(requirements, "hci.evt.authenticationRequirements")
        ?? "authentication requirements \(Names.hex(requirements))",
      oob == 0 ? nil : "OOB data \(Names.of(oob, "hci.evt.oobDataPresent") ?? "present")",
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
