import HarkCore
import HarkDissection

/// Where a packet has what a filter searches for in bytes and texts: `contains`, `matches` and `==`.
extension Filter {
  /// The beginning of a longer match is not looked for.
  private static let longestShown = 64

  /// Whether it searches at all.
  public var searches: Bool { checks.contains(where: isSearch) }

  /// The places in the bytes of a packet (`frame`), one for each search that finds something.
  public func hits(in bytes: RawSpan) -> [Range<Int>] {
    guard let range = propertyChecks[.frame] else { return [] }
    return checks[range].compactMap { hit($0, bytes, 0..<bytes.byteCount) }
  }

  /// The nodes of a packet, or of a PDU that it completes, and the places in their bytes, one for each search that
  /// finds something.
  public func hits(_ tree: borrowing Tree, _ bytes: RawSpan) -> [(node: Int, range: Range<Int>)] {
    var found: [(node: Int, range: Range<Int>)] = []
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      let id = Int(node.field.id)
      guard id + 1 < scan.starts.count, node.kind != .inferred else { continue }
      for place in scan.starts[id]..<scan.starts[id + 1] {
        let check = checks[scan.checks[Int(place)]]
        let range = node.range.clamped(to: 0..<bytes.byteCount)
        guard !found.contains(where: { $0.node == index }),
          let hit = hit(check, bytes, range)
        else { continue }
        found.append((index, hit))
      }
    }
    return found
  }

  private func isSearch(_ check: Check) -> Bool {
    guard !check.isNegated, check.source == .bytes || check.source == .text else { return false }
    return switch check.predicate {
    case .strings, .contains, .pattern: true
    default: false
    }
  }

  private func hit(_ check: Check, _ bytes: RawSpan, _ range: Range<Int>) -> Range<Int>? {
    guard isSearch(check), let range = check.slice.map({ $0.part(of: range) }) ?? range else {
      return nil
    }
    let operand = check.operands.lowerBound
    switch check.predicate {
    case .contains:
      let part = strings[operand].low
      return FilterRun.start(of: part, in: bytes, range).map { $0..<($0 + part.count) }
    case .pattern:
      let pattern = patterns[operand]
      return pattern.end(in: bytes, range).map { end in
        // The shortest match that ends there.
        let first = max(range.lowerBound, end - Self.longestShown)
        let start = (first..<max(first, end)).reversed().first {
          pattern.end(in: bytes, $0..<range.upperBound) == end
        }
        return (start ?? range.lowerBound)..<end
      }
    default:
      let isEqual = check.operands.contains { index in
        strings[index].low.count == range.count
          && FilterRun.start(of: strings[index].low, in: bytes, range) != nil
      }
      return isEqual ? range : nil
    }
  }
}
