import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// A part of a timeline as arrows between this host and one device.
struct SequenceDiagram: Sendable {
  struct Step: Sendable {
    enum Direction: Sendable { case toDevice, toHost, unknown }

    let time: Timestamp
    let relative: Int64
    let direction: Direction
    let text: String
    let frames: Event.Frames
    let severity: Event.Severity
    /// Whether the finding that the diagram is about was seen here.
    let isMarked: Bool
  }

  let title: String
  let device: String
  let steps: [Step]

  static let mostSteps = 24
  static let mostDiagrams = 6
  /// How many steps are shown before and after that of a finding.
  static let surroundings = 6

  /// The key exchange of each device, and what happened around the worst findings.
  static func all(
    _ lines: [Timeline.Line], _ findings: [Finding], _ session: borrowing Session
  ) -> [SequenceDiagram] {
    var diagrams: [SequenceDiagram] = []
    let labels = Labels(session)
    var devices: [String] = []
    for line in lines where line.lane == .keys {
      let device = labels.last(of: line.device)
      if !devices.contains(device) { devices.append(device) }
    }
    for device in devices.prefix(2) {
      let lanes: Set<Event.Lane> = [.keys, .session, .notification, .reply]
      let own = lines.indices.filter {
        lanes.contains(lines[$0].lane) && labels.last(of: lines[$0].device) == device
      }
      diagrams.append(
        make("Key exchange", device, Array(own.prefix(mostSteps)), lines, nil, session))
    }
    var reported: Set<String> = []
    for finding in findings where finding.severity > .info {
      guard diagrams.count < mostDiagrams, reported.insert(finding.rule.id).inserted,
        let frame = finding.place.frames.last, !finding.place.label.isEmpty
      else { continue }
      let label = labels.last(of: finding.place.label)
      let own = lines.indices.filter {
        lines[$0].lane != .host && lines[$0].lane != .note && lines[$0].lane != .app
          && labels.last(of: lines[$0].device) == label
      }
      guard let place = Self.place(of: finding, at: frame, own, lines) else { continue }
      let part = own[max(0, place - surroundings)..<min(own.count, place + surroundings + 1)]
      diagrams.append(
        make(finding.rule.title, label, Array(part), lines, own[place], session))
    }
    return diagrams
  }

  /// Which of a device's lines reports a finding: of those that the packet has, the one of its event, otherwise
  /// the worst.
  private static func place(
    of finding: Finding, at frame: PacketID, _ own: [Int], _ lines: [Timeline.Line]
  ) -> Int? {
    guard let first = own.firstIndex(where: { lines[$0].frames.last >= frame }) else { return nil }
    let same = own[first...].prefix { lines[$0].frames.last == lines[own[first]].frames.last }
    let kind = finding.place.kind?.description
    if let place = same.indices.first(where: { lines[own[$0]].kind.description == kind }) {
      return place
    }
    let worst = same.map { lines[$0].severity }.max()
    return same.indices.first { lines[own[$0]].severity == worst } ?? first
  }

  /// What devices are called in the end: before their names are known, lines have their addresses.
  private struct Labels {
    private var labels: [String: String] = [:]

    init(_ session: borrowing Session) {
      for device in session.devices where device.mergedInto == nil && device.name != nil {
        for address in device.addresses { labels["\(address)"] = device.label }
      }
    }

    func last(of label: String) -> String { labels[label] ?? label }
  }

  private static func make(
    _ title: String, _ device: String, _ places: [Int], _ lines: [Timeline.Line], _ marked: Int?,
    _ session: borrowing Session
  ) -> SequenceDiagram {
    var steps: [Step] = []
    for place in places {
      let line = lines[place]
      steps.append(
        Step(
          time: line.time, relative: line.relative, direction: direction(line, session),
          text: Timeline.printable(line.text), frames: line.frames,
          severity: line.severity, isMarked: place == marked))
    }
    return SequenceDiagram(title: title, device: device, steps: steps)
  }

  private static func direction(
    _ line: Timeline.Line, _ session: borrowing Session
  ) -> Step.Direction {
    guard let row = session.packets[line.frames.last], row.kind.isHCI,
      !row.flags.contains(.directionUnknown)
    else { return .unknown }
    return row.flags.contains(.received) ? .toHost : .toDevice
  }
}
