/// The recorder's numeric options: a number with a unit after it.
/// A mistake is reported when the recorder starts, before anything is opened.
public enum RecordingAmount: String, Sendable {
  /// In bytes.
  case rotateSize = "--rotate-size"
  /// In seconds.
  case rotateTime = "--rotate-time"
  /// Files.
  case rotateCount = "--rotate-count"
  /// In bytes.
  case buffer = "--buffer"
  /// In bytes; of what a capture may take when it is read.
  case memory = "--memory"

  /// What is wrong with a number, in words.
  public struct Mistake: Error, Equatable {
    public let text: String
  }

  private var units: [Character: Int] {
    switch self {
    case .rotateSize, .buffer, .memory: ["k": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    case .rotateTime: ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    case .rotateCount: [:]
    }
  }

  private var example: String {
    switch self {
    case .rotateSize: "100M"
    case .rotateTime: "1h"
    case .rotateCount: "10"
    case .buffer: "32M"
    case .memory: "2G"
    }
  }

  private var kind: String {
    switch self {
    case .rotateSize, .buffer, .memory: "a size"
    case .rotateTime: "a time"
    case .rotateCount: "a number"
    }
  }

  private var least: Int {
    switch self {
    case .rotateSize, .buffer: 4_096
    case .memory: 64 << 20
    case .rotateTime, .rotateCount: 1
    }
  }

  /// Understands `text`. Units may be in upper or lower case.
  public func value(of text: String) throws(Mistake) -> Int {
    var digits = text[...]
    var unit = 1
    let units = units
    if let last = text.last,
      let factor = units[last]
        ?? units[Character(last.uppercased())] ?? units[Character(last.lowercased())]
    {
      digits = text.dropLast()
      unit = factor
    }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
      throw Mistake(text: "\(rawValue) takes \(kind) such as \(example), not '\(text)'")
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow, product <= Int.max / 4 else {
      throw Mistake(text: "\(rawValue): '\(text)' is too large")
    }
    guard product >= least else {
      let shown = least.isMultiple(of: 1 << 20) ? "\(least >> 20)M" : "\(least)"
      throw Mistake(text: "\(rawValue) must be at least \(shown), not '\(text)'")
    }
    return product
  }
}
