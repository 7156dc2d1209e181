import HarkCore
import HarkFindings
import HarkSession

/// A problem in a capture, or information worth knowing, as `hark findings` reports it.
public struct Finding: Sendable {
  /// The name of the rule: `keys.nonce-reuse`.
  public let rule: String
  /// The rule's title, a short sentence.
  public let title: String
  public let severity: TimelineEvent.Severity
  /// The device concerned, or the link if its device is unknown; nil if the finding concerns neither.
  public let device: String?
  /// The numbers of the first few packets that show it, counted from 1.
  public let packets: [Int]
  /// How often it occurs in the capture.
  public let occurrences: Int
  /// What the capture shows, without a full stop.
  public let observed: String
  /// What the specification requires instead, without a full stop.
  public let expected: String
  /// What the finding means for the accessory and its user.
  public let meaning: String
  /// How to fix it.
  public let fix: String
  /// The document that defines the expected behavior, with its section.
  public let source: String

  init(_ finding: HarkFindings.Finding) {
    let about = finding.rule
    (rule, title, meaning) = (about.id, about.title, about.meaning)
    (fix, source) = (about.fix, about.source)
    severity = TimelineEvent.Severity(rawValue: finding.severity.name) ?? .info
    device = finding.place.label.isEmpty ? nil : finding.place.label
    packets = finding.place.frames.map { Int($0.number) }
    occurrences = finding.occurrences
    (observed, expected) = (finding.observed, finding.expected)
  }
}

/// The format, size, duration and connected devices of a capture.
public struct CaptureSummary: Sendable {
  /// A device that was connected during the capture.
  public struct Device: Sendable, Equatable {
    /// Nil if the capture does not contain its name.
    public let name: String?
    /// The identity address if it is known, otherwise the first address in the capture.
    public let address: String
  }

  /// The format of the capture and its variant: `btsnoop 1002 (H4)`.
  public let format: String
  public let packetCount: Int
  /// Nanoseconds from the first packet to the last.
  public let duration: Int64
  /// The devices that were connected, in the order in which they first appear.
  public let devices: [Device]
  /// How the capture is truncated or damaged; nil if it is complete.
  public let problem: String?

  init(_ pass: CapturePass) {
    format = pass.capture.info.format
    packetCount = pass.session.packets.count
    let counts = pass.session.counts
    duration = counts.duration ?? 0
    var connected: Set<DeviceID> = []
    for link in pass.session.links {
      if let device = pass.session.device(of: link.id) { connected.insert(device) }
    }
    devices = pass.session.devices.filter { connected.contains($0.id) && $0.mergedInto == nil }
      .map { Device(name: $0.name, address: $0.address.description) }
    problem = pass.problem
  }
}
