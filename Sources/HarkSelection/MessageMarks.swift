import HarkCore
import HarkSession

/// What the messages of a capture say, by the packet that completes each, of the protocols that are asked
/// for. A write is believed when it is answered, so what it says is known only after its packet.
public final class MessageMarks {
  /// The first parts of the paths that are wanted.
  private let wanted: Set<String>
  private var values: [UInt32: [MessageValue]] = [:]
  /// The packets up to this one were looked at: what messages say about them now comes too late.
  public var lastTaken: UInt32 = 0 {
    didSet { if lastTaken > oldValue { values[oldValue] = nil } }
  }
  /// Those of them that messages say more of.
  public private(set) var late: Set<UInt32> = []

  public init(of wanted: Set<String>) { self.wanted = wanted }

  /// Takes what `session` has read of messages with the record indexed last.
  public func take(_ session: borrowing Session) {
    for message in session.messages {
      let found = message.values.filter { value in
        value.path.lastIndex(of: ".").map { wanted.contains(String(value.path[..<$0])) } ?? false
      }
      guard !found.isEmpty else { continue }
      if message.packet.number > lastTaken {
        values[message.packet.number, default: []] += found
      } else {
        late.insert(message.packet.number)
      }
    }
  }

  subscript(number: UInt32) -> [MessageValue] { values[number] ?? [] }
}
