import HarkCore
import HarkDissection

/// One command or result code, with its texts.
struct HandsFreeLine {
  /// Without `AT`, in upper case: `+BRSF`, `D`, `OK`.
  let spelling: String
  let isTest: Bool
  let isRead: Bool
  let numbers: [UInt32]
  var texts: [String] = []
  /// The first parameter, if it is a text.
  var first: String?
  var indicators: [String] = []

  /// Which part of a service level connection a command sets up.
  var setUp: HandsFree.SetUp {
    switch name {
    case .cmer: .events
    case .chld where isTest: .holding
    case .bind where isRead: .indicators
    default: []
    }
  }

  var name: HFPMessage.Name? { HFPMessage.Name(rawValue: spelling) }

  /// - Parameter bytes: The bytes from which `line` was read.
  init(_ line: HFPMessage.Line, _ bytes: RawSpan) {
    spelling = bytes.utf8(line.name).uppercased()
    (isTest, isRead, numbers) = (line.isTest, line.isRead, line.numbers)
    first = line.first.map { bytes.utf8($0) }
    for text in line.texts { texts.append(bytes.utf8(text)) }
    for name in line.indicators { indicators.append(bytes.utf8(name)) }
  }
}
