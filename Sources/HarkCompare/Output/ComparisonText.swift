import HarkCore
import HarkPresentation
import HarkSession

/// A comparison for people: where captures part first, then every difference of each device.
public struct ComparisonText: Sendable {
  private let style: Style

  public init(style: Style = .plain) { self.style = style }

  /// So many differences of a device are reported; JSON has all.
  static let mostDifferences = 60

  public func write(_ comparison: Comparison, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.string("\(comparison.good) and \(comparison.bad)") }
    out.string(": \(comparison.summary)\n")
    if let remark = comparison.remark { out.string("\(remark)\n") }
    if let (device, difference) = comparison.divergence {
      heading("first divergence", device, to: &out)
      write(difference, to: &out)
    }
    let first = comparison.divergence?.difference
    for device in comparison.devices {
      // The first divergence is above.
      let others = device.differences.filter { difference in
        first.map { !$0.isSame(as: difference) } ?? true
      }
      guard !others.isEmpty else { continue }
      heading(
        others.count < device.differences.count ? "other differences" : "differences", device,
        to: &out)
      for difference in others.prefix(Self.mostDifferences) { write(difference, to: &out) }
      let rest = others.count - Self.mostDifferences
      if rest > 0 { out.string("and \(Names.count(rest)) more\n") }
      let omitted = max(device.good.omitted, device.bad.omitted)
      if omitted > 0 { out.string("\(Names.count(omitted, "later step")) not compared\n") }
    }
    alone(comparison.good, comparison.onlyGood, to: &out)
    alone(comparison.bad, comparison.onlyBad, to: &out)
    if comparison.count(.slower) > 0 {
      out.string("\nslower: steps that took \(Difference.explanation)\n")
    }
  }

  private func heading(
    _ title: String, _ device: DeviceComparison, to out: inout TextBuffer
  ) {
    out.byte(0x0A)
    style.write(.title, to: &out) { $0.string(title.uppercased()) }
    out.string("  \(device.name)\n")
  }

  private func write(_ difference: Difference, to out: inout TextBuffer) {
    let role: Style.Role =
      switch difference.kind {
      case .missing, .additional: .error
      case .changed: .warning
      case .slower: .strong
      }
    style.write(role, to: &out) { $0.string(difference.kind.rawValue) }
    let lane = (difference.bad ?? difference.good)?.lane.name ?? ""
    let details = difference.details
    out.string("  \(lane)\(details.isEmpty ? "" : ": ")\(details)\n")
    if let good = difference.good { step("good", good, to: &out) }
    if let bad = difference.bad { step("bad", bad, to: &out) }
  }

  private func step(_ label: String, _ step: Step, to out: inout TextBuffer) {
    var head = TextBuffer()
    head.string("  \(label)")
    head.pad(to: 8, from: 0)
    head.timeOfDay(step.time)
    head.cut(to: min(head.count, 20))
    out.append(head.bytes)
    out.text("  ")
    let text = "\(Timeline.printable(step.text))  \(Timeline.frames(step.frames))"
    let lines = style.width.map { Columns.lines(of: text, width: max(20, $0 - 22)) } ?? [text]
    for (index, line) in lines.enumerated() {
      if index > 0 { for _ in 0..<22 { out.byte(0x20) } }
      out.string(line + "\n")
    }
  }

  private func alone(
    _ name: String, _ parties: [CaptureSteps.Party], to out: inout TextBuffer
  ) {
    guard !parties.isEmpty else { return }
    out.byte(0x0A)
    style.write(.title, to: &out) { $0.string("ONLY IN") }
    out.string("  \(name)\n")
    for party in parties {
      out.string("  \(party.label), \(Names.count(party.steps.count + party.omitted, "step"))\n")
    }
  }
}

extension DeviceComparison {
  /// `Acme Watch`, or both names where they are not the same.
  package var name: String {
    good.label == bad.label ? good.label : "\(good.label) and \(bad.label)"
  }
}

extension Difference {
  /// What of the step is otherwise, without its sentence.
  package var details: String {
    if let durations {
      return "\(Names.duration(durations.good)) in the good one, \(Names.duration(durations.bad)) "
        + "in the bad one"
    }
    if let beyond {
      let isBad = isBeyondBad ?? (kind == .missing || bad?.act == .linkInferred)
      let capture = isBad ? "bad" : "good"
      return beyond == .beginning
        ? "the \(capture) capture starts later, within the link"
        : "the \(capture) capture ends earlier, within the link"
    }
    return Timeline.printable(
      Self.named(changes).map { change in
        "\(change.name) \(change.good ?? "none") → \(change.bad ?? "none")"
      }.joined(separator: ", "))
  }

  /// The changes for people: the sentences of both steps say what another kind of event means, and the name of a code
  /// what the code means.
  private static func named(_ changes: [Change]) -> [Change] {
    if changes.contains(where: { $0.name == "kind" }) { return [] }
    let names = Set(changes.map(\.name))
    return changes.compactMap { change in
      guard !names.contains(change.name + "_name") else { return nil }
      guard change.name.hasSuffix("_name") else { return change }
      return Change(good: change.good, bad: change.bad, name: String(change.name.dropLast(5)))
    }
  }
}
