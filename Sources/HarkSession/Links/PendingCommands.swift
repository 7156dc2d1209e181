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
    /// The handle or the address that its Command Complete repeats; nil where that repeats none.
    let subject: UInt64?
    /// Of the key that it gives to the controller.
    var key: Fingerprint?
    /// Whether a Command Status said that the controller has begun: the result follows.
    var isBegun = false
    /// Whether it was sent, or another after it, when the controller took no more: which of them an
    /// answer is to nobody knows.
    var isUncertain = false

    /// What `bytes` say, as far as they go.
    var message: HCICommandMessage { HCICommandMessage(bytes.raw, isCut: true) }
  }

  private var entries: [Command] = []
  /// How many commands a controller takes until its next answer, by what its last one said. Of
  /// controllers that were not received nothing is known.
  private var allowed: [(controller: UInt16, count: UInt8)] = []

  /// Controllers take few commands at a time; more in waiting means their events are missing.
  static let most = 32
  /// Hosts wait for an answer no longer than this, in nanoseconds.
  private static let longest: Int64 = 2_000_000_000
  /// What controllers take too long for, where it is not known which commands they have answered.
  private static let longestUncertain: Int64 = 500_000_000

  mutating func sent(_ command: Command) {
    var command = command
    let isTooMany = takesTooMany(command)
    if hasLike(command) {
      dropUnanswered(before: command)
      let isUncertain = entries.indices.contains {
        isLike($0, command)
          && (entries[$0].isUncertain || isTooMany && !asksTheSame($0, command))
      }
      if isUncertain {
        command.isUncertain = true
        for index in entries.indices where isLike(index, command) {
          entries[index].isUncertain = true
        }
      }
    }
    if entries.count == Self.most { entries.removeFirst() }
    entries.append(command)
  }

  // Entries are compared by their places: an element that is handed to a function is copied.

  private func hasLike(_ command: borrowing Command) -> Bool {
    for index in entries.indices where isLike(index, command) { return true }
    return false
  }

  private func isLike(_ index: Int, _ command: borrowing Command) -> Bool {
    entries[index].opcode == command.opcode && entries[index].controller == command.controller
      && entries[index].subject == command.subject
  }

  private func asksTheSame(_ index: Int, _ command: borrowing Command) -> Bool {
    entries[index].purpose == command.purpose && entries[index].bytes == command.bytes
  }

  /// HCI_Host_Number_Of_Completed_Packets may be sent at any time, and is answered only if it fails.
  /// Vol 4, Part E, 7.3.40
  private static let completedPackets = HCIOpcode.hostNumberOfCompletedPackets.rawValue

  /// Whether the controller has not said that it takes one more.
  private mutating func takesTooMany(_ command: Command) -> Bool {
    guard command.opcode != Self.completedPackets,
      let index = allowed.firstIndex(where: { $0.controller == command.controller })
    else {
      return false
    }
    if allowed[index].count == 0 { return true }
    allowed[index].count -= 1
    return false
  }

  /// Drops earlier commands of the same kind whose answers the capture lacks: the answer to this one
  /// would be taken for the answer to them, and so on to the end.
  private mutating func dropUnanswered(before command: Command) {
    for index in entries.indices.reversed() where isLike(index, command) {
      let waited = command.time.since(entries[index].time)
      let most = entries[index].isUncertain ? Self.longestUncertain : Self.longest
      if entries[index].isBegun || command.opcode == Self.completedPackets || waited > most {
        entries.remove(at: index)
      }
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
  /// - Parameters:
  ///   - subject: What the answer repeats of its command.
  ///   - status: With an error, some controllers do not repeat the handle as they should (4.5): the command
  ///     is the one that has waited longest then.
  mutating func answered(
    _ opcode: UInt16, _ subject: UInt64?, status: UInt8, controller: UInt16, isComplete: Bool
  ) -> Command? {
    let index =
      place(opcode, subject, controller) ?? (status == 0 ? nil : place(opcode, nil, controller))
    guard let index else { return nil }
    guard !isComplete, status == 0, entries[index].purpose?.isCompleted == true else {
      return entries.remove(at: index)
    }
    entries[index].isBegun = true
    return entries[index]
  }

  private func place(_ opcode: UInt16, _ subject: UInt64?, _ controller: UInt16) -> Int? {
    entries.indices.first {
      entries[$0].opcode == opcode && entries[$0].controller == controller
        && (subject == nil || entries[$0].subject == nil || entries[$0].subject == subject)
    }
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
