import HarkCore
import HarkFilter
import HarkSelection
import HarkSession
import Testing

/// Each event of the app's side answers to filters: by its lane, its severity, what it says, and when it happened; and
/// rules over logs look at it.
@Suite struct AppEventFilterTests {
  private static let start = Timestamp(seconds: 1_795_189_262, nanoseconds: 0)
  private static let later = Timestamp(seconds: 1_795_189_264, nanoseconds: 500_000_000)

  /// The event that a session tells of a line 2.5 s behind its first record.
  private static func reported(_ kind: AppEvent.Kind) -> AppEvent {
    var app = AppEvent(
      kind, AppEvent.Origin(file: "journal.ndjson", line: 3), text: "what the line says")
    (app.process, app.isCertain) = ("AcmeTransport", true)
    app[.address] = "E2:4F:2A:22:22:22"
    switch kind {
    case .declaration:
      var bundle = AppDeclaration.Bundle(path: "")
      bundle.name = "Acme"
      app.declaration = AppDeclaration([bundle])
    case .clock: app.clock = AppClock(.given)
    default: break
    }
    return app
  }

  @Test(arguments: AppEvent.Kind.allCases) func kinds(_ kind: AppEvent.Kind) throws {
    var session = Session()
    let app = Self.reported(kind)
    session.report(app, at: Self.start, before: Self.start)
    session.dropEvents()
    session.report(app, at: Self.later, before: Self.start)
    let event = try #require(session.events.first)
    // A rule judges only where one of its topics came up.
    let topics = event.content.described.kind.topics
    switch kind {
    case .clock: #expect(topics.isEmpty)
    case .internetMessage: #expect(topics == .internetMessages)
    case .declaration: #expect(topics == .declaration)
    default: #expect(topics.contains(.logs))
    }
    let sentence = EventText.sentence(event, session)
    #expect(!sentence.isEmpty)
    let word = try #require(sentence.split(whereSeparator: { " ,:;“”".contains($0) }).first)
    let severity = app.severity.name.description
    for (filter, isMet) in [
      ("lane == app", true), ("lane == gatt", false), ("lane in {app, link}", true),
      ("severity == \(severity)", true), ("severity < \(severity)", false),
      ("text contains \"\(word)\"", true), ("text contains \"no such words\"", false),
      ("time_relative == 2.5", true), ("time_relative > 3", false),
      // No packet shows it.
      ("number", false), ("lane == app and kind == acl", false), ("not att", true),
    ] {
      var run = EventFilter(try Filter(filter))
      #expect(run.matches(event, session) == isMet, "\(kind.rawValue): \(filter)")
    }
  }
}
