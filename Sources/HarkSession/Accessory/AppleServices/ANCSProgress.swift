import HarkCore

/// What has come of an answer over Data Source so far.
struct ANCSAnswer {
  enum Subject: Equatable {
    case notification(UInt32)
    case application(String)
  }

  struct Attribute {
    var id: UInt8
    var bytes: ArraySlice<UInt8>
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// ANCS defines eight.
  static let mostAttributes = 64

  private(set) var subject = Subject.notification(0)
  private(set) var attributes: [Attribute] = []
  /// Behind the last attribute that is whole.
  private(set) var end = 0
  /// Whether more must come.
  private(set) var isOpen = true

  /// Reads what is there.
  /// - Parameter wanted: How many attributes were asked for; nil where that is not known.
  init(_ bytes: [UInt8], wanted: Int?) throws(FramingProblem) {
    guard let command = bytes.first else { return }
    switch command {
    case 0:
      guard bytes.count >= 5 else { return }
      subject = .notification(UInt32(truncatingIfNeeded: bytes.raw.unsigned(at: 1, 4)))
      end = 5
    case 1:
      guard let nul = bytes.dropFirst().firstIndex(of: 0) else { return }
      subject = .application(String(decoding: bytes[1..<nul], as: UTF8.self))
      end = nul + 1
    default: throw .unknownType(command)
    }
    let wanted = wanted.map { min($0, Self.mostAttributes) }
    while attributes.count < wanted ?? Self.mostAttributes, bytes.count - end >= 3 {
      let count = Int(bytes.raw.unsigned(at: end + 1, 2))
      guard bytes.count - end - 3 >= count else { return }
      attributes.append(Attribute(id: bytes[end], bytes: bytes[(end + 3)..<(end + 3 + count)]))
      end += 3 + count
    }
    isOpen = wanted.map { attributes.count < $0 } ?? (end < bytes.count)
  }
}
