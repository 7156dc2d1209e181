import HarkCore
import HarkFindings
import HarkSession

/// Something that is wrong in a capture, or worth knowing.
public struct Finding: Sendable {
  /// `keys.nonce-reuse`
  public let rule: String
  public let title: String
  public let severity: TimelineEvent.Severity
  /// Whose it is: a device, or a link whose device is not known; empty where it is nobody's.
  public let device: String
  /// The packets that show it, by their numbers, the first few of many.
  public let packets: [Int]
  /// How often it was seen.
  public let occurrences: Int
  /// One sentence each, without the full stop.
  public let observed: String
  public let expected: String
  /// What it means, how to mend it, and where that is written.
  public let meaning: String
  public let fix: String
  public let source: String

  init(_ finding: HarkFindings.Finding) {
    let about = finding.rule
    (rule, title, meaning) = (about.id, about.title, about.meaning)
    (fix, source) = (about.fix, about.source)
    severity = TimelineEvent.Severity(rawValue: finding.severity.name) ?? .info
    device = finding.place.label
    packets = finding.place.frames.map { Int($0.number) }
    occurrences = finding.occurrences
    (observed, expected) = (finding.observed, finding.expected)
  }
}

/// Who took part in a capture, and how much there is of it.
public struct CaptureSummary: Sendable {
  public struct Device: Sendable, Equatable {
    /// Nil where the capture does not name it.
    public let name: String?
    /// The identity address where that is known, else the first one seen.
    public let address: String
  }

  /// The format with its variant: `btsnoop 1002 (H4)`.
  public let format: String
  public let packetCount: Int
  /// Nanoseconds from the first packet to the last.
  public let duration: Int64
  /// Those that were connected, in the order in which they were first seen.
  public let devices: [Device]
  /// What is wrong with the capture, such as a cut end.
  public let problem: String?

  init(_ pass: CapturePass) {
    format = pass.capture.info.format
    packetCount = pass.session.packets.count
    let counts = pass.session.counts
    duration = counts.firstTime.flatMap { counts.lastTime?.since($0) } ?? 0
    var connected: Set<DeviceID> = []
    for link in pass.session.links {
      if let device = pass.session.device(of: link.id) { connected.insert(device) }
    }
    devices = pass.session.devices.filter { connected.contains($0.id) && $0.mergedInto == nil }
      .map { Device(name: $0.name, address: $0.address.description) }
    problem = pass.problem
  }
}
