import HarkCore
import HarkCrypto
import HarkSession

/// A vendor's framing as a profile describes it.
struct ProfileFraming: VendorFraming {
  let profile: Profile

  init(_ profile: Profile) { self.profile = profile }

  var name: String { profile.name }
  var service: BluetoothUUID? { profile.service }
  var channels: [VendorChannel] { profile.channels.map(\.channel) }

  func carriesKeys(_ channel: VendorChannel) -> Bool {
    profile.places[channel].map { profile.channels[$0].isSecret } ?? false
  }

  func makeAssembler() -> any VendorAssembler { ProfileAssembler(profile) }

  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    var result = DecodedPlaintext()
    guard !plaintext.isEmpty else {
      result.problem = .empty
      return result
    }
    var isFirst = true
    let candidates = profile.plaintexts.filter { $0.direction ?? direction == direction }
    // Whichever of them it is, or none: what cannot be read may hold a password as well.
    result.isSecret = candidates.contains { $0.isSecret }
    for candidate in candidates {
      var found = Self.decode(plaintext, candidate.contents)
      found.decoded.isSecret = found.isKnown ? candidate.isSecret : result.isSecret
      if found.isKnown { return found.decoded }
      // What the first makes of it tells most.
      if isFirst { result = found.decoded }
      isFirst = false
    }
    return result
  }

  private static func decode(
    _ plaintext: [UInt8], _ contents: Profile.Contents
  ) -> (decoded: DecodedPlaintext, isKnown: Bool) {
    let message = contents.encoding.read(plaintext, listsFields: true)
    var result = DecodedPlaintext()
    result.fields = message.fields
    result.problem = message.plaintextProblem
    var evaluator = Evaluator(message.value)
    guard case .rule(let rule) = contents.choose(&evaluator) else {
      if message.problem == nil, let first = plaintext.first {
        result.problem = .unknownType(first)
      }
      return (result, false)
    }
    guard message.problem == nil || rule.takesPart else { return (result, true) }
    if rule.kind == .envelope {
      guard let body = evaluator.bytes(.body, of: rule), let inner = rule.contents else {
        return (result, true)
      }
      var decoded = decode(body, inner).decoded
      // Ranges are those of bytes inside, which are not where they seem.
      if inner.encoding.source != nil, body.count != plaintext.count { decoded.fields = [] }
      return (decoded, true)
    }
    do throws(FramingProblem) {
      if let content = try evaluator.content(rule) { result.contents = [content] }
    } catch {
      result.problem = .json(error)
    }
    result.id = evaluator.text(.messageID, of: rule)
    result.version = evaluator.int(.messageVersion, of: rule)
    return (result, true)
  }
}
