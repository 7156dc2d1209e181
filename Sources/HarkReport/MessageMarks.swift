import HarkCore
import HarkSession

/// What the messages of a capture say, by the packet that completes each, of the protocols that are asked
/// for. A write is believed when it is answered, so what it says is known only behind its packet.
public struct MessageMarks: Sendable {
  /// The first parts of the paths that are wanted.
  private let wanted: Set<String>
  private var values: [UInt32: [MessageValue]] = [:]

  public init(of wanted: Set<String>) { self.wanted = wanted }

  /// Takes what `session` has read of messages with the record indexed last.
  public mutating func take(_ session: borrowing Session) {
    for message in session.messages {
      let found = message.values.filter { value in
        value.path.lastIndex(of: ".").map { wanted.contains(String(value.path[..<$0])) } ?? false
      }
      if !found.isEmpty { values[message.packet.number, default: []] += found }
    }
  }

  subscript(number: UInt32) -> [MessageValue] { values[number] ?? [] }
}
