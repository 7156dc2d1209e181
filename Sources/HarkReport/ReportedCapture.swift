import HarkCompare
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// What a report says about one capture, when that was read to its end.
public struct ReportedCapture: Sendable {
  struct Fact: Sendable {
    let label: String
    let text: String
  }

  /// What was said with an accessory in one of its sessions.
  struct Exchange: Sendable {
    var device = ""
    /// Over which link; nil if over none.
    let link: LinkID?
    /// Empty if the messages do not name it.
    var session: String
    let framing: String
    var read = 0
    var locked = 0
    /// Why messages are locked, the reason of the first.
    var reason: String?
    let first: PacketID
    var last: PacketID

    /// For tables.
    var name: String { session.isEmpty ? "unnamed" : session }
  }

  struct Device: Sendable {
    let name: String
    let addresses: [String]
    let services: Int
    let characteristics: Int
    let links: [String]
  }

  /// A packet that proves a finding, as `hark show` has it.
  public struct Excerpt: Sendable {
    let packet: PacketID
    let text: String

    public init(_ packet: PacketID, text: String) { (self.packet, self.text) = (packet, text) }
  }

  /// What a monitor trace says about the system; empty if it does not.
  struct SystemVersions: Sendable {
    var bluez = ""
    var kernel = ""

    mutating func take(_ note: CaptureEvent.Note) {
      switch note.source {
      case "bluetoothd": Self.set(&bluez, to: note.text, after: "Bluetooth daemon ")
      case "kernel": Self.set(&kernel, to: note.text, after: "Linux version ")
      default: break
      }
    }

    private static func set(_ version: inout String, to text: String, after words: String) {
      if version.isEmpty, text.hasPrefix(words) { version = String(text.dropFirst(words.count)) }
    }
  }

  let name: String
  public let packets: Int
  /// Whether it is a trace of Linux's monitor, as btmon writes it.
  let isMonitor: Bool
  let start: Timestamp?
  let facts: [Fact]
  /// What the capture cannot show, a sentence each.
  let limits: [String]
  let damage: [String]
  var devices: [Device]
  /// What discovery showed of their GATT servers.
  var databases: GATTLibraryJSON?
  let exchanges: [Exchange]
  public let findings: [Finding]
  /// How many more there are, of rules that found too many.
  var findingsOmitted: Int
  let undecided: [Undecided]
  let lines: [Timeline.Line]
  /// How many lines of the timeline are not among them.
  let linesLeftOut: Int
  let diagrams: [SequenceDiagram]
  let traffic: Traffic
  public var excerpts: [Excerpt] = []
  /// What somebody wrote beside packets.
  public var notes: [CaptureNotes.Note] = []
  /// With a capture in which it went well.
  public var comparison: Comparison?

  /// The packets whose trees belong to the report: those of notes, then those of the worst findings.
  public var evidence: [PacketID] {
    var seen: Set<PacketID> = []
    let noted = notes.map(\.last).filter { Int($0.number) <= self.packets }
    let packets =
      noted + findings.flatMap { $0.place.frames.suffix(Self.mostExcerptsOfFinding) }
    return packets.filter { seen.insert($0).inserted }.prefix(Self.mostExcerpts).sorted()
  }

  static let mostExcerptsOfFinding = 2
  static let mostExcerpts = 40

  /// Whether it is a copy without names, addresses, keys and texts.
  var isRedacted = false
  var versions = SystemVersions()
  /// Whether the capture has nothing that any rule checks.
  var hasNothingToCheck = false
  func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }
}
