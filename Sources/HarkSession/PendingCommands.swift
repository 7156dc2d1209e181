import HarkCore
import HarkCrypto
import HarkDissection

/// The HCI commands that wait for their Command Complete or Command Status. A command only asks: what
/// it asks for is so once the controller says that it is. Core Specification, Vol 4, Part E, 4.4.
struct PendingCommands {
  struct Command {
    let controller: UInt16
    let opcode: UInt16
    let packet: UInt32
    let time: Timestamp
    /// The live link that the command names.
    let link: LinkID?
    /// What it asks for; nil of commands that change nothing that is followed.
    let purpose: CommandPurpose?
    /// The packet from its first octet; empty where nothing is made of its parameters.
    let bytes: [UInt8]
    /// Of the key that it gives to the controller.
    var key: Fingerprint?
    /// Whether a Command Status said that the controller has begun: the result follows.
    var isBegun = false
  }

  private var entries: [Command] = []
  /// How many commands a controller takes until its next answer, by what its last one said. Of
  /// controllers that were not heard nothing is known.
  private var allowed: [(controller: UInt16, count: UInt8)] = []

  /// Controllers take few commands at a time; more in waiting means their events are missing.
  static let most = 32
  /// Hosts wait for an answer no longer than this, in nanoseconds.
  private static let longest: Int64 = 2_000_000_000

  mutating func sent(_ command: Command) {
    if isUnanswered(command) {
      entries.removeAll { $0.controller == command.controller && $0.opcode == command.opcode }
    }
    if entries.count == Self.most { entries.removeFirst() }
    entries.append(command)
  }

  /// Whether an earlier command of the same kind lacks its answer in the capture. Without that the
  /// answer to this one would be taken for the answer to that one, and so on to the end.
  private mutating func isUnanswered(_ command: Command) -> Bool {
    var isTooMany = false
    if let index = allowed.firstIndex(where: { $0.controller == command.controller }) {
      isTooMany = allowed[index].count == 0
      if !isTooMany { allowed[index].count -= 1 }
    }
    return entries.contains {
      $0.controller == command.controller && $0.opcode == command.opcode
        && (isTooMany || $0.isBegun || command.time.since($0.time) > Self.longest)
    }
  }

  /// Num_HCI_Command_Packets, which each answer has. 7.7.14, 7.7.15
  mutating func allow(_ count: UInt8, controller: UInt16) {
    if let index = allowed.firstIndex(where: { $0.controller == controller }) {
      allowed[index].count = count
    } else if allowed.count < Links.mostControllers {
      allowed.append((controller, count))
    }
  }

  /// The command that is answered. One whose result comes with Command Complete goes on waiting after
  /// a Command Status that says that it was begun.
  mutating func answered(
    _ opcode: UInt16, controller: UInt16, isBegun: Bool
  ) -> Command? {
    guard
      let index = entries.firstIndex(where: {
        $0.opcode == opcode && $0.controller == controller
      })
    else { return nil }
    guard isBegun, entries[index].purpose?.isCompleted == true else {
      return entries.remove(at: index)
    }
    entries[index].isBegun = true
    return entries[index]
  }

  /// The key that the command sent last gives to the controller.
  mutating func setKey(_ key: Fingerprint?) {
    if !entries.isEmpty { entries[entries.count - 1].key = key }
  }

  /// A controller that is reset answers no command that came before.
  mutating func forget(controller: UInt16) {
    entries.removeAll { $0.controller == controller }
  }

  /// Packets are missing from the capture: the answers may be among them.
  mutating func forget() {
    entries.removeAll(keepingCapacity: true)
    allowed.removeAll(keepingCapacity: true)
  }
}
