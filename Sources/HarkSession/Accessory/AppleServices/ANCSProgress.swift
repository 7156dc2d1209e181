import HarkCore
import HarkDissection

/// The part of an answer received over Data Source so far.
struct ANCSProgress {
  enum Subject: Equatable {
    case notification(UInt32)
    case application(String)
  }

  struct Attribute {
    var id: UInt8
    var bytes: ArraySlice<UInt8>
    /// U+FFFD replaces what is not UTF-8, as ANCS requires.
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// ANCS defines eight.
  static let mostAttributes = 64

  private(set) var subject = Subject.notification(0)
  private(set) var attributes: [Attribute] = []
  /// After the last complete attribute.
  private(set) var end = 0
  /// Whether more must come.
  private(set) var isOpen = true

  /// Reads what is there.
  /// - Parameter wanted: How many attributes were requested; nil if that is unknown.
  init(_ bytes: [UInt8], wanted: Int?) throws(FramingProblem) {
    let wanted = wanted.map { min($0, Self.mostAttributes) }
    let answer = ANCSAnswer(bytes.raw, most: wanted ?? Self.mostAttributes)
    guard let code = answer.code else { return }
    guard answer.isOfCommand else { throw .unknownType(code) }
    if let uid = answer.uid {
      subject = .notification(uid)
    } else if let application = answer.appIdentifier {
      subject = .application(String(decoding: bytes[application], as: UTF8.self))
    } else {
      return
    }
    end = answer.end
    attributes = answer.attributes.map { Attribute(id: $0.id, bytes: bytes[$0.value]) }
    if answer.endsInAttribute { return }
    isOpen = wanted.map { attributes.count < $0 } ?? (end < bytes.count)
  }
}
