import HarkTestSupport
import Testing

@testable import HarkCompare

/// A step is late if its own request waited longer, whatever its user did before.
@Suite struct SlowerTests {
  typealias Packets = [(Double, String)]

  /// What is slower, with its durations in milliseconds.
  private static func slower(_ good: Packets, _ bad: Packets) -> [String] {
    let comparison = Comparison(
      DiffTests.made("good", DiffTests.common + good), DiffTests.made("bad", DiffTests.common + bad)
    )
    let differences = comparison.devices.flatMap(\.differences)
    #expect(differences.allSatisfy { $0.kind == .slower })
    return differences.compactMap { difference in
      difference.durations.map {
        "\(difference.bad?.kind ?? "") \($0.good / 1_000_000) \($0.bad / 1_000_000)"
      }
    }
  }

  /// A request at a time, and its response later.
  private static func exchange(
    _ request: String, _ response: String, at time: Double, after wait: Double
  ) -> Packets { [(time, request), (time + wait, response)] }

  /// The user of the good capture pauses before the request, and the response of the bad one is late.
  @Test(arguments: [
    ("value", ">0a0300", "<0b4f"), ("subscription", ">1204000100", "<13"),
    ("att-error", ">12030001", "<0112030003"),
    ("pairing-method", "»01030009100000", "«02030009100000"),
  ])
  func lateResponse(_ kind: String, _ request: String, _ response: String) {
    // Values in a row are one step.
    let between = Self.exchange(">02f700", "<03b900", at: 0.5, after: 0.02)
    let good = between + Self.exchange(request, response, at: 10, after: 0.02)
    let bad = between + Self.exchange(request, response, at: 1, after: 4)
    #expect(Self.slower(good, bad) == ["\(kind) 20 4000"])
    // Who asks later is not slower, and neither is what follows a late response.
    let later = between + Self.exchange(request, response, at: 40, after: 0.02)
    #expect(Self.slower(good, later) == [])
    let next = Self.exchange(">0a0300", "<0b2a", at: 20, after: 0.02)
    #expect(Self.slower(good + next, bad + next) == ["\(kind) 20 4000"])
  }

  @Test func lateMTU() {
    let (request, response) = (">02f700", "<03b900")
    #expect(
      Self.slower(
        Self.exchange(request, response, at: 10, after: 0.02),
        Self.exchange(request, response, at: 1, after: 4)) == ["mtu 20 4000"])
  }

  /// Each side sends its Pairing Public Key; the Peripheral's answers the Central's. Vol 3, Part H, 3.5.6
  @Test func latePublicKey() {
    let key = String(repeating: "a5", count: 64)
    let start = Self.exchange("»01030009100000", "«02030009100000", at: 1, after: 0.02)
    let good = start + Self.exchange("»0c" + key, "«0c" + key, at: 1.1, after: 0.02)
    let bad = start + Self.exchange("»0c" + key, "«0c" + key, at: 1.1, after: 3.9)
    #expect(Self.slower(good, bad) == ["pairing-public-keys 20 3900"])
  }

  /// The clock is set back by an hour, or forward by two days, while a request waits: how long it took is unknown.
  @Test(arguments: [-3_600, 172_800] as [Double]) func clockStep(_ step: Double) {
    let between = Self.exchange(">02f700", "<03b900", at: 0.5, after: 0.02)
    let good = between + Self.exchange(">0a0300", "<0b4f", at: 1, after: 0.02)
    let bad = between + Self.exchange(">0a0300", "<0b4f", at: 1, after: step)
    #expect(Self.slower(good, bad) == [])
    #expect(Self.slower(good + [(1.1, "<1b030050")], bad + [(step + 1.1, "<1b030050")]) == [])
    // After the step, time is known again.
    let next = Self.exchange(">1204000100", "<13", at: 20, after: 0.02)
    let late = Self.exchange(">1204000100", "<13", at: step + 20, after: 4)
    #expect(Self.slower(good + next, bad + late) == ["subscription 20 4000"])
  }

  /// What a Peripheral sends on its own follows what the Central did.
  @Test func lateNotification() {
    let start = Self.exchange(">1204000100", "<13", at: 1, after: 0)
    #expect(
      Self.slower(start + [(1.1, "<1b030050")], start + [(4.1, "<1b030050")])
        == ["value 100 3100"])
  }

  /// Changed steps are in both captures, whether a value changes or the kind.
  @Test func counts() {
    let good = DiffTests.made("good", DiffTests.common + [(1, ">1204000100"), (1, "<13")])
    let bad = DiffTests.made("bad", DiffTests.common + [(1, ">1204000100"), (1, "<0112040005")])
    let same = Comparison(good, good)
    let steps = same.devices.reduce(0) { $0 + $1.common }
    #expect(same.summary == "no difference in \(steps) steps")
    #expect(Comparison(good, bad).summary == "different: 1 step changed; \(steps) in both")
  }
}
