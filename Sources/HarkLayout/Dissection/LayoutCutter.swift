import HarkCore
import HarkDissection
import Synchronization

/// Cuts a stream as the `-hark-stream` of a layout says.
final class LayoutCutter: MessageCutter {
  let headerCount: Int
  private let layout: Layout
  private let idle = Mutex<[Machine]>([])

  private final class Machine: @unchecked Sendable {
    // Used by who took it out of `idle`, and nobody else.
    var machine: LayoutMachine

    init(_ layout: Layout) {
      // It runs for each message of a stream, of which there may be one in each byte.
      var budget = LayoutMachine.Budget()
      budget.steps = 1 << 12
      machine = LayoutMachine(layout, budget: budget)
    }
  }

  /// Nil where the layout says nothing of streams.
  init?(_ layout: Layout) {
    guard let header = layout.streamHeader else { return nil }
    (headerCount, self.layout) = (header, layout)
  }

  func count(_ header: RawSpan) -> Int? {
    let own = idle.withLock { $0.popLast() } ?? Machine(layout)
    defer { idle.withLock { $0.append(own) } }
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
    if field.severity != .note { areMet = false }
  }
}
