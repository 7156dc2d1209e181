import HarkCore
import HarkLayout

/// Reads any text as a layout, and any bytes with it: nothing may trap, hang or exhaust memory, each
/// mistake has its place, and what is found lies in the bytes.
///
/// The text has its length in front; the rest are the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLayout(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let text = String(decoding: input.bytes(), as: UTF8.self)
  let bytes = input.all()
  do {
    let layout = try Layout.load("a.ksy", from: Files(texts: ["a.ksy": text]))
    #if FAST
      var once = LayoutMachine(layout, mode: .lenient)
      _ = once.summary(bytes.span.bytes)
      return 0
    #endif
    for mode in [LayoutMachine.Mode.lenient, .strict] {
      var machine = LayoutMachine(layout, mode: mode)
      var checker = Checker(count: bytes.count)
      machine.run(bytes.span.bytes, into: &checker)
      precondition(checker.open == 0, "groups are closed")
      _ = machine.summary(bytes.span.bytes)
      _ = machine.total(bytes.span.bytes)
    }
  } catch {
    #if FAST
      return 0
    #endif
    // YAML breaks lines at more than line feeds.
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = text.unicodeScalars.count { breaks.contains($0) } + 1
    precondition(!error.diagnostics.isEmpty, "what fails has a reason")
    for diagnostic in error.diagnostics {
      precondition((1...lines).contains(diagnostic.location.line), "\(diagnostic) of \(lines)")
    }
  }
  return 0
}

/// Every receiver may count on this.
private struct Checker: LayoutReceiver {
  static var wantsFields: Bool { true }

  let count: Int
  var open = 0

  init(count: Int) { self.count = count }

  private func check(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
  }

  mutating func open(_ field: Int, at offset: Int, limit: Int?) { open += 1 }

  mutating func close(at offset: Int) {
    open -= 1
    precondition(open >= 0, "a group is closed that is not open")
  }

  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {
    check(range)
  }

  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {}
  mutating func unclaimed(_ range: Range<Int>) { check(range) }
  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) { check(range) }
}
