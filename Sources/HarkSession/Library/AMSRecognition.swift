import HarkCore
import HarkDissection

/// Recognizes the Apple Media Service: a write that requests attributes of an entity, and updates on the same
/// attribute whose values have the forms of these attributes. Apple, Apple Media Service Specification.
struct AMSRecognition {
  typealias Earlier = (value: VendorValue, moment: PacketContext)

  /// An attribute that may be Entity Update.
  fileprivate struct Candidate {
    let handle: UInt16
    var watched: [UInt8: [UInt8]] = [:]
    var earlier: [Earlier] = []
    var updates = 0
    /// Updates whose values have a form of their own, such as a volume.
    var typed = 0
    var isRefuted = false
  }

  private var candidates: [Candidate] = []
  /// Values that may be Remote Command's list of commands.
  private var lists: [(handle: UInt16, earlier: Earlier)] = []
  private var entityUpdate: UInt16?
  private var hasRemoteCommand = false

  private static let mostCandidates = 8
  private static let mostLists = 4
  fileprivate static let mostEarlier = 64
  /// The three characteristics belong to one service.
  private static let nearby = 12

  /// A cheap check whether the value may belong to the service.
  static func isWorthTrying(_ value: RawSpan, isWrite: Bool) -> Bool {
    AMSMessage.mayBe(value, isWritten: isWrite)
  }

  /// - Returns: The attributes of the service, with the attribute of the value last; empty if nothing is proven.
  mutating func take(
    _ value: VendorValue, at handle: UInt16, _ moment: PacketContext
  ) -> [AttributeRecognition.Finding] {
    switch value.operation {
    case .write, .writeCommand:
      watch(value, handle, moment)
      return []
    case .notification: return notification(value, handle, moment)
    default: return []
    }
  }

  private mutating func watch(
    _ value: VendorValue, _ handle: UInt16, _ moment: PacketContext
  ) {
    guard entityUpdate == nil,
      case .watch(let entity, let range) = AMSMessage(
        value.bytes.raw, of: .entityUpdate, isWritten: true)
    else { return }
    let attributes = Array(value.bytes[range])
    guard AMSMessage.EntityID(rawValue: entity) != nil, !attributes.isEmpty,
      Set(attributes).count == attributes.count, attributes.allSatisfy({ $0 <= 3 })
    else { return }
    let place: Int
    if let known = candidates.firstIndex(where: { $0.handle == handle }) {
      place = known
    } else {
      if candidates.count == Self.mostCandidates { candidates.removeFirst() }
      candidates.append(Candidate(handle: handle))
      place = candidates.count - 1
    }
    candidates[place].watched[entity] = attributes
    candidates[place].keep((value, moment))
  }

  private mutating func notification(
    _ value: VendorValue, _ handle: UInt16, _ moment: PacketContext
  ) -> [AttributeRecognition.Finding] {
    if let place = candidates.firstIndex(where: { $0.handle == handle && !$0.isRefuted }) {
      let candidate = candidates[place]
      candidates[place].take(value.bytes)
      if candidates[place].typed > 0, candidates[place].updates > 1 {
        return prove(candidates[place], candidate.earlier)
      }
      candidates[place].keep((value, moment))
    } else if AMSMessage.isCommandList(value.bytes) {
      if let entityUpdate, !hasRemoteCommand, Self.isNear(handle, entityUpdate) {
        hasRemoteCommand = true
        return [remoteCommand(handle, beside: entityUpdate, [])]
      }
      if entityUpdate == nil, !lists.contains(where: { $0.handle == handle }) {
        if lists.count == Self.mostLists { lists.removeFirst() }
        lists.append((handle, (value, moment)))
      }
    }
    return []
  }

  private mutating func prove(
    _ candidate: Candidate, _ earlier: [Earlier]
  ) -> [AttributeRecognition.Finding] {
    let handle = candidate.handle
    entityUpdate = handle
    candidates = []
    var findings: [AttributeRecognition.Finding] = []
    let near = lists.filter { Self.isNear($0.handle, handle) }
    if near.count == 1 {
      hasRemoteCommand = true
      findings.append(remoteCommand(near[0].handle, beside: handle, [near[0].earlier]))
    }
    lists = []
    findings.append(
      AttributeRecognition.Finding(
        framing: AMS.name, handle: handle, characteristic: AMS.entityUpdate,
        evidence: .updates(candidate.updates), earlier: earlier))
    return findings
  }

  private func remoteCommand(
    _ handle: UInt16, beside entityUpdate: UInt16, _ earlier: [Earlier]
  ) -> AttributeRecognition.Finding {
    AttributeRecognition.Finding(
      framing: AMS.name, handle: handle, characteristic: AMS.remoteCommand,
      evidence: .header(beside: entityUpdate), earlier: earlier)
  }

  private static func isNear(_ handle: UInt16, _ other: UInt16) -> Bool {
    handle != other && abs(Int(handle) - Int(other)) <= nearby
  }
}

extension AMSRecognition.Candidate {
  fileprivate mutating func keep(_ value: AMSRecognition.Earlier) {
    if earlier.count < AMSRecognition.mostEarlier { earlier.append(value) }
  }

  /// Counts an update, or finds that it does not belong to this attribute.
  fileprivate mutating func take(_ bytes: [UInt8]) {
    guard
      case .update(let entity, let attribute, _, let value) = AMSMessage(
        bytes.raw, of: .entityUpdate, isWritten: false),
      watched[entity]?.contains(attribute) == true,
      let text = String(validating: bytes[value], as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    else {
      isRefuted = true
      return
    }
    updates += 1
    guard !text.isEmpty else { return }
    guard let isTyped = Self.fits(text, AMSMessage.Attribute(attribute, of: entity)) else {
      isRefuted = true
      return
    }
    if isTyped { typed += 1 }
  }

  /// Whether the attribute has a form and the text fits it; nil if the text does not fit. Appendix A.
  private static func fits(_ text: String, _ attribute: AMSMessage.Attribute) -> Bool? {
    let whole = number(text[...])
    let hasPoint = text.utf8.contains(0x2E)
    switch attribute {
    case .playbackInfo:
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      for part in parts where !part.isEmpty && number(part) == nil { return nil }
      return true
    case .volume:
      guard let whole, whole >= 0, whole <= 1, hasPoint else { return nil }
      return true
    case .duration:
      guard whole != nil, hasPoint else { return nil }
      return true
    case .queueNumber:
      return whole == nil ? nil : false
    case .shuffleMode, .repeatMode:
      guard let whole, whole == 0 || whole == 1 || whole == 2 else { return nil }
      return false
    case .other: return false
    }
  }

  /// A decimal number.
  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.count <= 24 else { return nil }
    for octet in text.utf8 {
      let isDigit = octet >= 0x30 && octet <= 0x39
      guard isDigit || octet == 0x2D || octet == 0x2E else { return nil }
    }
    return Double(text)
  }
}
