import HarkPresentation
import HarkSession

/// What is otherwise in one capture than in another, by what happened and not by when.
public struct Comparison: Sendable {
  public let good: String
  public let bad: String
  package let devices: [DeviceComparison]
  /// Devices with which something happened in one capture only.
  package let onlyGood: [CaptureSteps.Party]
  package let onlyBad: [CaptureSteps.Party]

  /// Whether one capture is of a host's controller, and the other from the air.
  private let isOfBothKinds: Bool
  /// Whether nothing after the start of encryption could be compared.
  private let isLocked: Bool

  /// What is to be known of the comparison; nil if that is nothing.
  package var remark: String? {
    isOfBothKinds ? isLocked ? CommonGround.lockedRemark : CommonGround.remark : nil
  }

  public init(_ good: CaptureSteps, _ bad: CaptureSteps) {
    (self.good, self.bad) = (good.name, bad.name)
    var (good, bad) = (good, bad)
    isOfBothKinds = good.source != nil && bad.source != nil && good.source != bad.source
    isLocked = isOfBothKinds && CommonGround.keep(&good, &bad)
    // What this host does for itself comes last.
    let all = Pairs.match(good.parties, bad.parties)
    let pairs =
      all.filter { !good.parties[$0.good].isHost } + all.filter { good.parties[$0.good].isHost }
    devices = pairs.map { DeviceComparison(good.parties[$0.good], bad.parties[$0.bad]) }
    onlyGood = good.parties.indices.filter { index in !pairs.contains { $0.good == index } }
      .map { good.parties[$0] }
    onlyBad = bad.parties.indices.filter { index in !pairs.contains { $0.bad == index } }
      .map { bad.parties[$0] }
  }

  public var isSame: Bool {
    onlyGood.isEmpty && onlyBad.isEmpty && devices.allSatisfy { $0.differences.isEmpty }
  }

  /// Of all devices: the first in which what happened is not the same, in the order of the bad capture.
  /// What differs with this host alone counts where no device differs.
  package var divergence: (device: DeviceComparison, difference: Difference)? {
    let all = devices.compactMap { device in
      device.divergence.map { (device: device, difference: $0) }
    }
    let some = all.filter { !$0.device.good.isHost }
    // What a capture cannot show comes first only if there is nothing else.
    let shown = some.filter { $0.difference.beyond == nil }
    return (!shown.isEmpty ? shown : some.isEmpty ? all : some).min { a, b in
      a.difference.place < b.difference.place
    }
  }

  package func count(_ kind: Difference.Kind) -> Int {
    devices.reduce(0) { sum, device in sum + device.differences.count { $0.kind == kind } }
  }

  /// `different: 2 steps missing, 1 changed; 40 in both`
  public var summary: String {
    let counts = Difference.Kind.allCases.map { (kind: $0, count: count($0)) }
    var parts: [String] = []
    for (kind, count) in counts where count > 0 {
      let many = parts.isEmpty ? Names.count(count, "step") : Names.count(count)
      parts.append("\(many) \(kind.rawValue)")
    }
    let isOfSteps = !parts.isEmpty
    let beyond = devices.reduce(0) { $0 + $1.differences.count { $0.beyond != nil } }
    if beyond > 0 { parts.append("\(beyond) of them beyond the start or end of a capture") }
    let alone = onlyGood.count + onlyBad.count
    if alone > 0 { parts.append("\(Names.count(alone, "device")) in only one capture") }
    let common = devices.reduce(0) { $0 + $1.common }
    return isSame
      ? "no difference in \(Names.count(common, "step"))" + (isLocked ? " before encryption" : "")
      : "different: \(parts.joined(separator: ", ")); "
        + "\(isOfSteps ? Names.count(common) : Names.count(common, "step")) in both"
  }
}
