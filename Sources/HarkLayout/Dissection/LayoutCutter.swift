import HarkCore
import HarkDissection

/// Cuts a stream as the `-hark-stream` of a layout says.
final class LayoutCutter: MessageCutter {
  let headerCount: Int
  let holdsSecrets: Bool
  private let layout: Layout
  private let machines: LayoutMachinePool

  /// Nil if the layout says nothing of streams.
  init?(_ layout: Layout) {
    guard let header = layout.streamHeader else { return nil }
    (headerCount, self.layout) = (header, layout)
    holdsSecrets = layout.fields.contains { $0.personal == .key }
    // It runs for each message of a stream, of which there may be one in each byte.
    var budget = LayoutMachine.Budget()
    budget.steps = 1 << 12
    machines = LayoutMachinePool(layout, budget: budget)
  }

  func count(_ header: RawSpan) -> Int? {
    let own = machines.take()
    defer { machines.giveBack(own) }
    var checks = HeaderChecks(layout)
    own.machine.run(header, into: &checks)
    return checks.areMet ? own.machine.total(header) : nil
  }
}

/// Whether a header is what its layout demands. Checks that may need the rest do not count.
private struct HeaderChecks: LayoutReceiver {
  static var wantsFields: Bool { true }

  private let layout: Layout
  private(set) var areMet = true

  init(_ layout: Layout) { self.layout = layout }

  mutating func open(_ field: Int, at offset: Int, limit: Int?) {}
  mutating func close(at offset: Int) {}
  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {}
  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {}
  mutating func unclaimed(_ range: Range<Int>) {}

  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    guard case .check(let check) = failure.reason, check != .checksum, check != .expression,
      let field = failure.field.map({ layout.fields[$0] }), !field.isInstance
    else { return }
    if field.severity != .info { areMet = false }
  }
}
