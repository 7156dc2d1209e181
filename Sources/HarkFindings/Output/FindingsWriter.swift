import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Writes the findings of captures in one format.
public protocol FindingsWriter: Sendable {
  /// Call it before the first capture.
  mutating func begin(to out: inout TextBuffer)

  /// Writes what was found in one capture.
  /// - Parameters:
  ///   - session: After the end of the capture.
  ///   - end: How that was: findings of a capture that is cut short are reported with it.
  mutating func write(
    _ name: String, _ findings: Findings, _ session: borrowing Session, _ end: CaptureEnd,
    to out: inout TextBuffer)

  /// Writes that a capture could not be opened.
  /// - Parameter problem: One sentence that names the capture.
  mutating func write(_ name: String, unopened problem: String, to out: inout TextBuffer)

  /// Call it after the last capture.
  mutating func finish(to out: inout TextBuffer)

  /// Writes what was taken so far and would be written in the end, for the writer of another process.
  mutating func writePiece(to out: inout TextBuffer)

  /// Takes what `writePiece` wrote.
  mutating func take(piece: [UInt8])
}

extension FindingsWriter {
  public mutating func begin(to out: inout TextBuffer) {}
  public mutating func finish(to out: inout TextBuffer) {}
  public mutating func writePiece(to out: inout TextBuffer) {}
  public mutating func take(piece: [UInt8]) {}

  /// For people standard error has said it.
  public mutating func write(
    _ name: String, unopened problem: String, to out: inout TextBuffer
  ) {}
}

extension Findings {
  /// What the rules ask for and the capture does not have: of the topics that most captures of an
  /// accessory have.
  var absent: [String] {
    let common: Topics = [
      .links, .pairing, .attributes, .keyExchange, .accessoryMessages, .configuration,
      .externalAccessory,
    ]
    let asked = descriptions.reduce(into: Topics()) { $0.formUnion($1.needs) }
    let absent = common.intersection(asked).subtracting(coverage.seen)
    // Truncated packets may have them.
    return (coverage.truncated > 0 ? absent.intersection(.links) : absent).names
  }

  /// Whether the capture has nothing that any of the rules checks.
  package var hasNothingToCheck: Bool {
    notJudged.count { !$0.isHidden } == descriptions.count
  }

  /// `2 errors, 1 warning, 3 notes`, `nothing found`, or `nothing to check`.
  var summary: String {
    if areOfExpectations {
      let names = Set(all.map(\.rule.id))
      let broken = names.count
      let open = Set(undecided.map(\.rule.id)).subtracting(names).count
      let count = Names.count(descriptions.count, "expectation")
      let rest = open == 0 ? "" : ", \(open) cannot be decided"
      guard broken == 0 else {
        return "\(broken) of \(count) \(broken == 1 ? "does" : "do") not hold" + rest
      }
      let held = descriptions.count - open
      return (open == 0 ? count : "\(held) of \(count)") + (held == 1 ? " holds" : " hold") + rest
    }
    let parts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
      let count = count(severity)
      return count == 0 ? nil : severity.counted(count)
    }
    if parts.isEmpty { return hasNothingToCheck ? "nothing to check" : "nothing found" }
    return parts.joined(separator: ", ")
  }
}
