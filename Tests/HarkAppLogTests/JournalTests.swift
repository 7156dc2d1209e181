import Foundation
import HarkJournal
import HarkSession
import Testing

@testable import HarkAppLog

/// What the file for apps writes, hark reads.
@Suite struct JournalTests {
  @Test func roundTrip() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let point = "com.apple.accessory-transport-security"
    let journal = HarkJournal(file: file, extensionPoint: point)
    let before = Date()
    journal.write(.extensionLaunched)
    journal.write(
      .securityMessage, [.keyType: "publicKey", .size: 1216, .capabilities: ["a", "b"]],
      message: "a \"b\"\n/c")
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      journal.write(.line, message: "\(index)")
    }
    let again = HarkJournal(file: file)
    again.write(.extensionEnded)
    let log = try AppLog(path: file.path())
    #expect(log.format == "hark journal")
    #expect(log.counts.damaged == 0)
    #expect(log.entries.count == 203)
    let key = try #require(log.entries.first { $0.event.kind == .securityMessage })
    #expect(key.event[.size] == "1216")
    #expect(key.event[.capabilities] == "a, b")
    #expect(key.event[.extensionPoint] == point)
    #expect(key.event.text == "a \"b\"\n/c")
    #expect(key.event.pid == Int(ProcessInfo.processInfo.processIdentifier))
    let passed = Double(key.time.nanoseconds) / 1e9 - before.timeIntervalSince1970
    #expect(passed > -0.001 && passed < 60)
    let lines = Set(log.entries.filter { $0.event.kind == .line }.map(\.event.text))
    #expect(lines == Set((0..<200).map { "\($0)" }))
  }

  /// The file for apps and the program know the same names.
  @Test func names() {
    let events = Set(HarkJournal.Event.allCases.map(\.rawValue))
    let kinds = Set(AppEvent.Kind.allCases.map(\.rawValue))
    #expect(events.isSubset(of: kinds))
    #expect(kinds.subtracting(events) == ["entitlement-missing", "declaration", "clock"])
    #expect(
      Set(HarkJournal.Fact.allCases.map(\.rawValue))
        == Set(AppEvent.Fact.allCases.map(\.rawValue)))
  }
}
