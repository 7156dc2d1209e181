import HarkCore
import HarkCrypto
import HarkDissection

/// The HCI commands without Command Complete or Command Status so far. A command only requests:
/// its effect exists once the controller confirms it. Core Specification, Vol 4, Part E, 4.4.
struct PendingCommands {
  struct Command {
    let controller: UInt16
    let opcode: UInt16
    let packet: UInt32
    /// When it was sent. If the clock was set meanwhile, when that happened: it has waited at least since then.
    var time: Timestamp
    /// The live link that the command names.
    let link: LinkID?
    /// Its purpose; nil for commands without an effect that hark follows.
    let purpose: CommandPurpose?
    /// The packet from its first octet; empty if its parameters are not needed.
    let bytes: [UInt8]
    /// The handle or address that its Command Complete repeats; nil if that repeats none.
    let subject: UInt64?
    /// The fingerprint of the key that it gives to the controller.
    var key: Fingerprint?
    /// Whether a Command Status reported that the controller has begun: the result follows.
    var isBegun = false
    /// Whether it, or a later one, was sent when the controller accepted no more: it is unknown which of them
    /// an answer belongs to.
    var isUncertain = false
    /// Whether the timeline reports that the controller has not answered it, or its time is unknown.
    var isOverdue = false

    /// The message in `bytes`, as far as they go.
    var message: HCICommandMessage { HCICommandMessage(bytes.raw, isCut: true) }
  }

  private var entries: [Command] = []
  /// How many commands each controller accepts until its next answer, according to its last one. Unknown for
  /// controllers that have not answered.
  private var allowed: [(controller: UInt16, count: UInt8)] = []

  /// Controllers accept few commands at a time: if more are pending, their events are missing.
  static let most = 32
  /// Hosts wait no longer than this for an answer, in nanoseconds.
  private static let longest: Int64 = 2_000_000_000
  /// The time after which a controller is too slow if it is unknown which commands it has answered.
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

  // Entries are compared in place: an element passed to a function is copied.

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

  /// Whether the controller has not announced room for another command.
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

  /// Drops earlier commands of the same kind whose answers the capture lacks. Otherwise, the answer to this one
  /// would be assigned to the first of them, and so on to the end.
  private mutating func dropUnanswered(before command: Command) {
    for index in entries.indices.reversed() where isLike(index, command) {
      let waited = command.time.since(entries[index].time)
      let most = entries[index].isUncertain ? Self.longestUncertain : Self.longest
      if entries[index].isBegun || command.opcode == Self.completedPackets || waited > most {
        entries.remove(at: index)
      }
    }
  }

  /// Num_HCI_Command_Packets, which each answer contains. 7.7.14, 7.7.15
  mutating func allow(_ count: UInt8, controller: UInt16) {
    if let index = allowed.firstIndex(where: { $0.controller == controller }) {
      allowed[index].count = count
    } else if allowed.count < Links.mostControllers {
      allowed.append((controller, count))
    }
  }

  /// The command that is answered. A command whose result comes with Command Complete stays pending after
  /// a Command Status that reports its start.
  /// - Parameters:
  ///   - subject: The part of its command that the answer repeats.
  ///   - status: With an error, some controllers do not repeat the handle as they should (4.5): the answer
  ///     then belongs to the command that is pending longest.
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

  /// The commands that a controller has not answered in the time that hosts wait. Those may still be answered.
  /// Empty for controllers without any answer in the capture: it may record only what the host sends.
  mutating func overdue(at time: Timestamp, controller: UInt16) -> [Command] {
    guard let first = entries.first(where: { !$0.isOverdue }),
      time.since(first.time) > Self.longest,
      allowed.contains(where: { $0.controller == controller })
    else { return [] }
    var found: [Command] = []
    for index in entries.indices
    where entries[index].controller == controller && time.since(entries[index].time) > Self.longest
      && !entries[index].isBegun && !entries[index].isUncertain && !entries[index].isOverdue
      && entries[index].opcode != Self.completedPackets
    {
      entries[index].isOverdue = true
      found.append(entries[index])
    }
    return found
  }

  /// The clock was set: how long the pending commands wait is unknown.
  /// - Parameter time: By the new clock.
  /// - Returns: How many there are.
  mutating func clockStepped(to time: Timestamp) -> Int {
    var count = 0
    for index in entries.indices {
      entries[index].time = time
      guard !entries[index].isBegun, !entries[index].isUncertain, !entries[index].isOverdue,
        entries[index].opcode != Self.completedPackets
      else { continue }
      entries[index].isOverdue = true
      count += 1
    }
    return count
  }

  /// The controllers that have commands pending.
  var controllers: Set<UInt16> { Set(entries.map(\.controller)) }

  /// The key that the last command gives to the controller.
  mutating func setKey(_ key: Fingerprint?) {
    if !entries.isEmpty { entries[entries.count - 1].key = key }
  }

  /// A controller that is reset does not answer earlier commands.
  mutating func forget(controller: UInt16) {
    entries.removeAll { $0.controller == controller }
  }

  /// Another controller has the index: how many commands it accepts is unknown.
  mutating func forgetAllowed(controller: UInt16) {
    allowed.removeAll { $0.controller == controller }
  }

  /// Packets are missing from the capture, possibly the answers.
  mutating func forget() {
    entries.removeAll(keepingCapacity: true)
    allowed.removeAll(keepingCapacity: true)
  }
}
