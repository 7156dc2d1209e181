import HarkCore
import HarkSession

// Why a message could not be put together or read.
extension EventText {
  package static func gap(_ gap: Gap) -> String {
    switch gap {
    case .endWithoutStart: "its start is not in the capture"
    case .outsideMessage(let reason):
      "neither its start nor its end is in the capture; \(cause(reason))"
    case .startWithoutEnd(let reason): "its end never came; \(cause(reason))"
    case .continuationWithoutFirst: "its first fragment is not in the capture"
    case .moreWithoutLast(let reason): "its last fragment never came; \(cause(reason))"
    case .lostFragments(let first, let count):
      count == 1
        ? "its fragment \(first) never came"
        : "\(Names.count(count, "fragment")) never came, from number \(first) on"
    case .noAnswer(let reason): "no answer came; \(cause(reason))"
    case .tooLarge(let limit): "it grew over \(Names.count(limit)), which is more than hark keeps"
    }
  }

  package static func problem(_ problem: FramingProblem) -> String {
    switch problem {
    case .empty: "it is empty"
    case .unknownType(let type): "type \(Names.hex(type)) is unknown"
    case .tooShort(let field, let needed, let available):
      "\(field) needs \(Names.count(needed, "byte")), \(available) available"
    case .trailing(let offset, let count):
      "\(Names.count(count, "byte")) left over at byte \(offset)"
    case .keySize(let type, let found):
      "no \(type == .publicKey ? "public" : "encapsulated") key has \(Names.count(found, "byte"))"
    case .privateKey(let reason): "the private key that came along is none: \(reason)"
    case .valueTooLong(let size, let limit):
      "a value of \(Names.count(size, "byte")); attributes have \(limit) at most"
    case .tooDeep(let encoding, let limit):
      "\(encoding) nested more than \(Names.count(limit, "level")) deep"
    case .tooMany(let encoding, let limit):
      "\(encoding) of more than \(Names.count(limit)) values or bytes"
    case .missing(let field): "\(field) is missing"
    case .wrong(let field): "\(field) is not what it must be"
    case .cutByCapture(let missing):
      "the recorder did not keep \(Names.count(missing, "byte")) of it; "
        + "capture with full packet length"
    default: json(problem)
    }
  }

  private static func json(_ problem: FramingProblem) -> String {
    switch problem {
    case .notJSON(let offset): "not JSON from byte \(offset) on"
    case .truncatedJSON(let offset, let depth, let inString):
      "JSON that began at byte \(offset) breaks off"
        + (inString ? " inside of a text" : "") + ", \(Names.count(depth, "level")) deep"
    case .concatenatedJSON(let objects): "\(Names.count(objects, "JSON object")) in one message"
    case .deepJSON(let limit): "JSON nested more than \(Names.count(limit, "level")) deep"
    case .base64MidQuantum(let field, let characters):
      "\(field) has \(Names.count(characters)) characters of base64, no multiple of 4: "
        + "a part is missing"
    case .base64Character(let field, let offset): "\(field) is no base64 at character \(offset)"
    case .unknownObject(let members):
      "object of unknown kind with the members \(members.joined(separator: ", "))"
    default: "unreadable"
    }
  }

  static func problem(_ problem: PlaintextProblem) -> String {
    switch problem {
    case .empty: "the plaintext is empty"
    case .unknownType(let type): "plaintext of unknown type \(Names.hex(type))"
    case .tooShort(let field, let offset, let needed, let available):
      "the plaintext ends in \(field): \(Names.count(needed, "byte")) needed at byte \(offset), "
        + "\(available) available"
    case .trailing(let offset, let count):
      "\(Names.count(count, "byte")) of the plaintext left over at byte \(offset)"
    case .json(let problem): "the plaintext cannot be read: \(self.problem(problem))"
    case .version(let version): "plaintext of unknown version \(version)"
    }
  }
}
