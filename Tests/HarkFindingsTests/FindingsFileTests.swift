import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkSession
import HarkTestSupport
import Testing

/// The conversations by hand that are whole in records, as files.
@Suite struct FindingsFileTests {
  static let recorded = FindingsMadeTests.cases.filter { $0.capture() != nil }

  /// What is in records is found in a file of them, too.
  @Test(arguments: recorded) func inFile(_ one: FindingsMadeTests.Case) throws {
    let findings = try Self.findings(try #require(one.capture()), "made.btsnoop")
    #expect(findings.ids == one.finds)
    #expect(Set(findings.undecided.map(\.rule.id)).sorted() == one.cannotTell)
  }

  /// What is found in a file of these bytes.
  static func findings(
    _ bytes: [UInt8], _ name: String, keys: KeyRing = KeyRing()
  ) throws -> Findings {
    let folder = try TestFolder()
    let path = folder.path(name)
    try Data(bytes).write(to: URL(filePath: path))
    let capture = try Capture(path: path)
    var session = Session(keys: keys, framings: .known)
    var findings = Findings()
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      findings.take(session)
      session.dropEvents()
      return true
    }
    #expect(end.problem == nil)
    session.finish()
    findings.take(session)
    findings.finish(session)
    return findings
  }
}
