import HarkCore
import Testing

@testable import HarkLayout

/// The specs of Kaitai Struct's own test suite, in strict mode.
@Suite struct ConformanceTests {
  @Test(.enabled(if: Suite.folder != nil, "no Kaitai Struct test suite beside the project"))
  func specs() {
    let names = Suite.files(in: "spec/ks", ending: ".kst").map { String($0.dropLast(4)) }
    let listed = Set(Suite.list("kst-passing.txt"))
    var passing: [String] = []
    var failures: [String] = []
    for name in names {
      if let problem = Spec(name).problem() {
        failures.append("\(name): \(problem)")
        #expect(!listed.contains(name), "\(name) is listed as passing: \(problem)")
      } else {
        passing.append(name)
        #expect(listed.contains(name), "\(name) passes: add it to kst-passing.txt")
      }
    }
    print("Kaitai Struct conformance: \(passing.count)/\(names.count)")
    for failure in failures { print("  not: \(failure)") }
  }
}

/// One `.kst` file.
struct Spec {
  let name: String

  init(_ name: String) { self.name = name }

  private struct Assertion {
    let actual: SourceNode
    /// Nil if nothing is expected.
    let expected: SourceNode?
    let exception: String?
  }

  /// What does not hold, or nil.
  func problem() -> String? {
    guard let folder = Suite.folder,
      let text = Suite.text(of: "\(folder)/spec/ks/\(name).kst")
    else { return "no spec" }
    let diagnostics = Diagnostics()
    guard let spec = Document.read(text, file: name, diagnostics), let data = spec["data"]?.text
    else { return "the spec cannot be read: \(diagnostics.all)" }
    let id = spec["id"]?.text ?? name
    let assertions = (spec["asserts"]?.items ?? []).compactMap { item in
      item["actual"].map {
        Assertion(
          actual: $0, expected: item["expected"]?.text == "null" ? nil : item["expected"],
          exception: item["exception"]?.text)
      }
    }
    let layout: Layout
    do throws(LayoutErrors) {
      layout = try Layout.load(
        "\(folder)/formats/\(id).ksy",
        importPaths: [folder + "/formats/ks_path", folder + "/formats"],
        probes: assertions.flatMap { [$0.actual] + ($0.expected.map { [$0] } ?? []) },
        from: DiskFiles())
    } catch {
      let errors = error.diagnostics.filter { $0.severity == .error }
      return "refused: \(errors.first.map(\.description) ?? "")"
    }
    let bytes = Suite.bytes(of: "\(folder)/src/\(data)")
    return run(layout, bytes.span.bytes, assertions, spec["exception"])
  }

  private func run(
    _ layout: Layout, _ packet: RawSpan, _ assertions: [Assertion], _ exception: SourceNode?
  ) -> String? {
    var machine = LayoutMachine(layout, mode: .strict)
    var silence = LayoutSilence()
    let failure = machine.run(packet, into: &silence)
    if let exception { return Self.problem(exception, failure?.reason) }
    // Two specs ask for what was read before the end of the data.
    if let failure, assertions.isEmpty { return "stopped: \(failure)" }
    var next = 0
    for assertion in assertions {
      let actual = Result { () throws(Stop) in try machine.evaluate(layout.probes[next], packet) }
      next += 1
      let text = assertion.actual.text ?? ""
      if let expected = assertion.exception {
        guard case .failure(let stop) = actual, Self.names(of: stop.reason).contains(expected)
        else { return "\(text) does not fail with \(expected)" }
        continue
      }
      guard case .success(let value) = actual else { return "\(text) fails: \(actual)" }
      let found = Inspected(value, in: machine, packet)
      var wanted = Inspected.null
      if assertion.expected != nil {
        guard let value = try? machine.evaluate(layout.probes[next], packet) else {
          return "what is expected of \(text) cannot be evaluated"
        }
        wanted = Inspected(value, in: machine, packet)
        next += 1
      }
      if !found.matches(wanted) { return "\(text) is \(found), not \(wanted)" }
    }
    if let failure, !Self.asksForParts.contains(name) { return "stopped: \(failure)" }
    return nil
  }

  /// In Kaitai's debug mode, what was read before the end of the data can be looked at.
  private static let asksForParts = ["debug_array_user_eof_exception"]

  private static func problem(
    _ exception: SourceNode, _ reason: LayoutFailure.Reason?
  ) -> String? {
    let full = exception.text ?? exception["type"]?.text ?? ""
    let type = String(full.prefix { $0 != "<" })
    guard let reason, names(of: reason).contains(type) else {
      return "expected \(full), got \(reason.map { "\($0)" } ?? "nothing")"
    }
    if let message = exception["message"]?.text,
      case .endOfStream(let needed, let available) = reason,
      message != "requested \(needed) bytes, but only \(available) bytes available"
    {
      return "expected \(message), got \(reason)"
    }
    return nil
  }

  private static func names(of reason: LayoutFailure.Reason) -> [String] {
    switch reason {
    case .endOfStream: ["EndOfStreamError"]
    case .undecidedEndianness: ["UndecidedEndiannessError"]
    case .conversion: ["ConversionError"]
    case .check(.equal): ["ValidationNotEqualError"]
    case .check(.least): ["ValidationLessThanError"]
    case .check(.most): ["ValidationGreaterThanError"]
    case .check(.anyOf): ["ValidationNotAnyOfError"]
    case .check(.inEnum): ["ValidationNotInEnumError"]
    case .check(.expression): ["ValidationExprError"]
    default: []
    }
  }
}
