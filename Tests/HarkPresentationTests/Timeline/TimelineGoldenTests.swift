import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

@Suite struct TimelineGoldenTests {
  @Test(arguments: Sample.all + Sample.profiles)
  func timeline(_ name: String) throws {
    expectGolden(try Sample.timeline(name), Sample.path(name, "timeline.txt"))
  }

  /// The containers of one capture tell the same story, times and frame numbers apart.
  @Test(arguments: Sample.all + Sample.profiles)
  func containers(_ name: String) throws {
    let files = try #require(Sample.truth(name)["files"] as? [String])
    var stories: [[String]] = []
    for file in files {
      var story: [String] = []
      // How many are counted together depends on what a container has between them.
      try Sample.read(name, file, keepsValues: true) { event, session in
        // Frame numbers in sentences differ where a container has records of its own.
        let text = EventText.sentence(event, session).split(separator: "#")[0]
        if event.lane != .note, event.lane != .host { story.append("\(event.lane) \(text)") }
      }
      stories.append(story)
    }
    for story in stories.dropFirst() { #expect(story == stories[0]) }
  }
}
