import HarkCore
import HarkCrypto
import HarkSession

/// Something that a capture shows to be wrong, or not as it should be.
public struct Finding: Sendable {
  public enum Severity: UInt8, Comparable, Sendable, CaseIterable {
    /// Worth knowing; it may be meant so.
    case info
    /// Something is lost, slow or not as documented, and the rest continues.
    case warning
    /// What the user wanted cannot work.
    case error

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }

    public var name: String {
      switch self {
      case .info: "info"
      case .warning: "warning"
      case .error: "error"
      }
    }

    /// The name in counts for people: `info` has no plural.
    public var noun: String { self == .info ? "note" : name }

    /// `2 errors`, `1 note`.
    public func counted(_ count: Int) -> String { Names.count(count, noun) }
  }

  /// How sure it is that what was observed means what the finding says.
  public enum Confidence: String, Sendable, CaseIterable {
    /// The capture shows it.
    case certain
    /// What the capture shows has hardly another explanation.
    case likely
    /// It has others, which the capture can neither show nor rule out.
    case possible
  }

  public let rule: RuleDescription
  public internal(set) var severity: Severity
  public let confidence: Confidence
  /// Where it was seen first.
  public internal(set) var place: Place
  let observation: FindingText
  let expectation: FindingText
  /// How often it was seen; the texts describe the first time.
  public internal(set) var occurrences = 1
  /// Whether the texts of another time differ from the first: other values, or another sentence.
  var varies = false
  /// The last packet of the last time.
  public internal(set) var lastFrame: PacketID
  /// The line of a log that shows the last time; nil if packets do.
  public internal(set) var lastLog: AppEvent.Origin?

  /// One sentence, without the full stop. It may quote a line of a log, but no key that the line has.
  public var observed: String {
    place.log == nil ? observation.text : KeysInText.masked(observation.text)
  }
  /// One sentence, without the full stop.
  public var expected: String { expectation.text }

  /// The same in the rule's own words: an ellipsis replaces the values of this capture.
  package var observedWords: String { observation.withoutValues }
  package var expectedWords: String { expectation.withoutValues }

  /// What shows the last time: `#154`, `journal.ndjson:3`.
  public var lastEvidence: String { lastLog?.text ?? "#\(lastFrame.number)" }

  /// How often it was seen, if more than once: `2 times, the last in #48`. If the other times read differently, the
  /// first sentence does not count for them: `and 1 similar case, the last in #48`.
  package var repetition: String? {
    guard occurrences > 1 else { return nil }
    let count =
      varies
      ? "and \(Names.count(occurrences - 1, "similar case"))" : "\(Names.count(occurrences)) times"
    // What an app declares is in no packet.
    return lastLog == nil && lastFrame.number == 0 ? count : "\(count), the last in \(lastEvidence)"
  }
}

/// What a rule would have to know of something that the capture does not show.
public struct Undecided: Sendable {
  public let rule: RuleDescription
  public internal(set) var place: Place
  let explanation: FindingText
  /// What several reasons have in common: it is reported once per device.
  let cause: String
  public internal(set) var occurrences = 1

  /// One sentence, without the full stop.
  public var reason: String { explanation.text }
}

/// Where in a capture, and whose.
public struct Place: Sendable {
  public let time: Timestamp
  public let controller: UInt16?
  public let link: LinkID?
  public let device: DeviceID?
  /// The packets that show it, in order, the first few of many.
  public internal(set) var frames: [PacketID]
  /// The line of a log that shows it; nil if only packets do.
  public let log: AppEvent.Origin?
  /// The kind of the event that shows it, as the JSON of a timeline calls it; nil for the end of the capture.
  package let kind: StaticString?
  /// What the device is called, or where it is not known the link.
  public internal(set) var label = ""
  /// Where it is in the capture: of what no packet shows, the one before.
  private let packet: PacketID

  static let mostFrames = 8

  /// - Parameter others: Packets besides those of the event.
  init(_ event: Event, and others: [PacketID] = []) {
    time = event.time
    (controller, link, device) = (event.controller, event.link, event.device)
    packet = event.frames.last
    kind = event.content.described.kind.name
    log = event.app.flatMap { $0.origin.line > 0 ? $0.origin : nil }
    let own = event.frames.count == 0 ? [] : [event.frames.first, event.frames.last]
    frames = Array(Set(others + own).sorted().prefix(Self.mostFrames))
  }

  /// The end of a capture.
  init(endOf session: borrowing Session, and others: [PacketID] = []) {
    time = session.counts.lastTime ?? Timestamp(nanoseconds: 0)
    (controller, link, device, log, kind) = (nil, nil, nil, nil, nil)
    packet = PacketID(UInt32(clamping: session.packets.count))
    frames = Array(Set(others + [packet]).sorted().prefix(Self.mostFrames))
  }

  /// Adds the packets of a later event.
  func and(_ event: Event) -> Place {
    var place = self
    let own = event.frames.count == 0 ? [] : [event.frames.first, event.frames.last]
    let all = Set(frames + own)
    place.frames = Array(all.sorted().prefix(Self.mostFrames))
    return place
  }

  var lastFrame: PacketID { frames.last ?? packet }

  /// What shows it: `#154`, `journal.ndjson:3`.
  var evidence: String { log?.text ?? "#\(lastFrame.number)" }
}
