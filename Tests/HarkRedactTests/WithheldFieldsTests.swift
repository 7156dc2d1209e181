import Foundation
import HarkCapture
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkRedact

/// Any field may turn out to be personal: then none of its bytes stays, whatever reads them else.
@Suite struct WithheldFieldsTests {
  @Test(arguments: [
    "iap2-session/iap2-session.btsnoop", "ertm-session/ertm-session.pklg",
    "ancs-session/ancs-session.btsnoop", "aap-session/aap-session.pcapng",
    "pebble-session/pebble-session.btsnoop", "hands-free/hands-free.btsnoop",
  ])
  func nothingStays(_ path: String) throws {
    let file = try Samples.read(path)
    var dice = Dice(state: DailyPart.seed(77))
    let fields = Catalog.shared.paths.map(\.field).filter {
      if case .group = $0.definition.form { return false }
      if case .list = $0.definition.form { return false }
      return $0.definition.personal == nil
    }
    // Half of all fields, so that those are among them that the capture has.
    let chosen = Set(fields.filter { _ in Bool.random(using: &dice) })
    var redaction = Redaction(level: .strict, map: RedactionMap(), framings: .known)
    redaction.withheld = chosen
    let redacted = try redaction.redact(file)
    // What is read from the capture itself.
    let old = try CaptureBytes(file.bytes, name: path).log() ?? file
    let capture = try Capture(bytes: old.bytes, name: path)
    var places = 0
    _ = capture.forEachRecord { record, bytes in
      guard record.kind == .command || record.kind == .event else { return true }
      var tree = Tree()
      Catalog.shared.describe(bytes, .record(record.kind), Context(), into: &tree)
      let whole = tree.nodes.filter { $0.kind == .value && $0.count > 0 }
      for node in whole where chosen.contains(node.field) {
        // Some bytes are those of another field, too.
        let isAlone = !tree.nodes.contains {
          !chosen.contains($0.field) && $0.count > 0 && $0.range.overlaps(node.range)
            && ($0.kind == .value || $0.kind == .part)
        }
        guard isAlone else { continue }
        places += 1
        let start = Int(record.offset) + node.range.lowerBound
        let new = redacted.bytes[start..<(start + Int(node.count))]
        #expect(new.allSatisfy { $0 == 0 }, "\(node.field.name) stays, \(DailyPart.note)")
      }
      return true
    }
    #expect(places > 0)
  }
}
