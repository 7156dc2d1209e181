import HarkCore
import HarkCrypto
import HarkSession

struct SlowReceipt: Rule {
  static let about = RuleDescription(
    id: "transport.slow-receipt", title: "A message took far longer than the others",
    severity: .info, needs: .accessoryMessages,
    meaning:
      "The user sees the notification late. Single outliers come from radio retransmissions, a "
      + "long connection interval, or a busy accessory.",
    source:
      "Measured in the capture: the time from a message to its receipt, compared with the others "
      + "of the same accessory",
    fix:
      "Look at the link around the named packets: interval, other traffic, retransmissions; "
      + "request a short interval during message transfers.")
  static let wants: Set<Event.Family> = [.accessory]

  /// Latencies by their binary logarithm: bounded, and enough for a median within a factor of two.
  private struct Latencies {
    var counts = [Int](repeating: 0, count: 64)
    var total = 0

    mutating func add(_ nanoseconds: Int64) {
      counts[63 - max(1, nanoseconds).leadingZeroBitCount] += 1
      total += 1
    }

    /// No latency of the faster half is above it.
    var median: Int64 {
      var below = 0
      for (exponent, count) in counts.enumerated() {
        below += count
        if below * 2 >= total { return exponent >= 62 ? .max : Int64(1) << Int64(exponent + 1) }
      }
      return .max
    }
  }

  private static let fewest = 5
  private static let slow = Int64.seconds(1)
  private static let factor: Int64 = 8

  private struct Sender: Hashable {
    let owner: Owner
    let direction: MessageDirection
  }

  private var latencies: [Sender: Latencies] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .accepted(let acceptance) = accessory.content, let answers = acceptance.answers,
      let latency = answers.latency
    else { return }
    let sender = Sender(owner: Owner(event, session), direction: accessory.direction)
    guard latencies[sender] != nil || latencies.count < 256 else { return }
    let known = latencies[sender, default: Latencies()]
    if known.total >= Self.fewest, latency >= Self.slow,
      latency / Self.factor >= known.median
    {
      report.found(
        event, session,
        observed: "a receipt after \(public: Names.duration(latency))",
        expected:
          "the usual time: half of the \(public: known.total) previous receipts took less than "
          + "\(public: Names.duration(known.median))",
        frames: [answers.packet])
    }
    latencies[sender, default: Latencies()].add(latency)
  }
}
