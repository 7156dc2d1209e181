import HarkCore
import HarkPresentation
import HarkSession

/// Something that happened, described so that it is the same in another capture: without times, addresses,
/// handles, numbers of sessions and what users wrote.
public struct Step: Sendable {
  /// What may be otherwise in a step that is the same one.
  struct Parameter: Sendable {
    /// That of the member in the JSON of a timeline.
    let name: String
    var value: String
    /// Whether captures of a host and captures from the air give it differently.
    var isViewpoint = false
  }

  /// What a comparison treats differently from other steps.
  enum Act: Sendable {
    case linkOpened, linkInferred, linkFailed, linkClosed, encryption, linkLocked, discovery, value,
      message, other
    /// A value of an attribute whose type the capture does not show.
    case unnamedValue

    init(_ content: Event.Content) {
      self =
        switch content {
        case .link(.opened): .linkOpened
        case .link(.inferred): .linkInferred
        case .link(.failed): .linkFailed
        case .link(.closed): .linkClosed
        case .security(.encryption): .encryption
        case .linkLayer(.locked): .linkLocked
        case .attribute(.discovery): .discovery
        case .attribute(.value(let value)): value.uuid == nil ? .unnamedValue : .value
        case .accessory(let accessory):
          switch accessory.content {
          case .message, .plain, .incomplete, .unreadable: .message
          default: .other
          }
        default: .other
        }
    }
  }

  let act: Act
  /// `link-opened`, `message`: what the JSON of a timeline calls it.
  let kind: String
  /// What it is: steps with the same are the same step.
  let identity: String
  /// What it is at the least: one of two steps that stand in the same place with the same may be the
  /// other, which went otherwise.
  let family: String
  /// What distinguishes it from others.
  let marks: [Parameter]
  private(set) var parameters: [Parameter]
  let lane: Event.Lane
  /// The sentence of the timeline.
  package let text: String
  let time: Timestamp
  package let frames: Event.Frames
  /// From what it answers to this step, or from its request to the response, in nanoseconds: what the event says, or
  /// what the requests and responses of its packets show. `measure` finds the latter.
  var latency: Int64?
  /// Who sent its last packet; nil if that is unknown, or if it is a packet between a host and its controller.
  var sender: Sender?
  /// Whether captures of a host and captures from the air both can show it.
  let isShared: Bool
  /// Whether the capture ended before the session knew its outcome.
  let isLeftOpen: Bool
  /// The time from the beginning of the capture to its first packet, and from its last one to the end, in nanoseconds.
  /// `measure` finds them; nil without packets, or if the clock was set there.
  var sinceStart: Int64?
  var untilEnd: Int64?
  /// The last packet until then at which the clock of the capture was set, which `measure` finds; 0 if there is none.
  var clockStep = PacketID(0)

  /// Whether it may be a step: notes and gaps are none.
  static func isStep(_ event: Event) -> Bool {
    switch event.lane {
    case .note, .gap, .finding: false
    default: true
    }
  }

  struct Sender: Sendable {
    let isReceived: Bool
    let isPeripheral: Bool
  }

  /// Nil for what is no step, such as what a recorder adds.
  init?(_ event: Event, _ session: borrowing Session) {
    let described = event.content.described
    let about = described.kind
    guard let step = about.step else { return nil }
    var members = StepMembers()
    described.describe(event, in: session, to: &members)
    (act, kind) = (Act(event.content), about.name.description)
    identity = ([kind] + members.identity).joined(separator: "\n")
    // Kinds that are one step with different outcomes share its name.
    family = ([step.description] + members.family).joined(separator: "\n")
    (marks, parameters) = (members.marks, members.parameters)
    (lane, isShared) = (about.lane, about.isShared)
    text = EventText.sentence(event, session)
    isLeftOpen = session.isFinished
    (time, frames, latency) = (event.time, event.frames, members.latency)
  }

  /// Whether another in the same place may be this one, which went otherwise. Messages are many, and what
  /// they say is another in each capture; but each is either read or not.
  func mayBe(_ other: Step) -> Bool {
    family == other.family && (kind != other.kind || act != .message)
  }

  /// The same without what depends on where it was captured.
  func withoutViewpoints() -> Step {
    var step = self
    step.parameters.removeAll(where: \.isViewpoint)
    return step
  }

  /// What another does otherwise.
  func changes(to other: Step) -> [Difference.Change] {
    var changes: [Difference.Change] = []
    if kind != other.kind {
      changes.append(Difference.Change(good: kind, bad: other.kind, name: "kind"))
    }
    let (mine, theirs) = (marks + parameters, other.marks + other.parameters)
    for parameter in mine {
      let value = theirs.first { $0.name == parameter.name }?.value
      // Other kinds have other members.
      if value == parameter.value || value == nil && kind != other.kind { continue }
      changes.append(
        Difference.Change(good: parameter.value, bad: value, name: parameter.name))
    }
    for parameter in theirs where !mine.contains(where: { $0.name == parameter.name }) {
      changes.append(Difference.Change(good: nil, bad: parameter.value, name: parameter.name))
    }
    return changes
  }

  /// Whether another right after it shows nothing new: values come as often as an attribute changes,
  /// and hosts try again and again.
  func isRepeated(by next: Step) -> Bool {
    let repeats = isValue || act == .linkFailed || lane == .host
    return repeats && identity == next.identity && (isValue || changes(to: next).isEmpty)
  }

  private var isValue: Bool { act == .value || act == .unnamedValue }

}
