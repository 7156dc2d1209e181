import HarkCapture
import HarkCore
import HarkFindings
import HarkSession

/// Finds the smallest part of a capture that still shows findings, by leaving out ever smaller groups
/// of packets: delta debugging, after Zeller and Hildebrandt, “Simplifying and Isolating
/// Failure-Inducing Input”, IEEE Transactions on Software Engineering 28(2), 2002.
///
/// Each part is read again from its first packet, by a new session and the rules. The same capture
/// gives the same part.
public struct Minimization {
  private let held: HeldCapture
  private let groups: PacketGroups
  private let wanted: [WantedFinding]
  private let rules: [any Rule.Type]
  private let session: () -> Session
  private let progress: (_ tries: Int, _ packets: Int) -> Void
  /// How many parts were read.
  public private(set) var tries = 0
  /// Whether it was given up before nothing more could be left out.
  public private(set) var isCutShort = false
  private var packetsRead = 0

  /// So many parts are read at most, and this many packets in all of them.
  static let mostTries = 20_000
  static let mostPackets = 50_000_000

  /// - Parameters:
  ///   - session: Makes a session with the keys and framings that the findings were made with.
  ///   - progress: Called with each part before it is read.
  public init(
    _ held: HeldCapture, _ groups: PacketGroups, for wanted: [WantedFinding],
    session: @escaping () -> Session, progress: @escaping (_ tries: Int, _ packets: Int) -> Void
  ) {
    (self.held, self.groups, self.wanted) = (held, groups, wanted)
    (self.session, self.progress) = (session, progress)
    rules = Set(wanted.map(\.rule)).sorted().compactMap(Rules.named)
  }

  /// Finds the part.
  /// - Parameter candidates: Parts to begin with, as indexes of records in order: the first that shows
  ///   the findings is taken, or the whole capture.
  /// - Returns: Nil if not even the whole capture shows them.
  public mutating func run(_ candidates: [[Int]]) -> [Int]? {
    let whole = Array(0..<held.count)
    let start = (candidates.filter { $0.count < whole.count } + [whole]).first { shows($0) }
    guard var part = start else { return nil }
    // A message is one step of what happened, a PDU may be a part of one.
    part = reduce(groups.byLink(part))
    part = reduce(groups.byMessage(part))
    return reduce(groups.byPDU(part))
  }

  /// Leaves out groups, at first many at once, until none is left that can be.
  private mutating func reduce(_ groups: [[Int]]) -> [Int] {
    var groups = groups
    var size = max(1, groups.count / 2)
    while true {
      var place = 0
      var isSmaller = false
      while place < groups.count, !isCutShort {
        let rest = groups[..<place] + groups[min(groups.count, place + size)...]
        if !rest.isEmpty, shows(rest.flatMap(\.self).sorted()) {
          groups = Array(rest)
          isSmaller = true
        } else {
          place += size
        }
      }
      if isCutShort || size == 1 && !isSmaller { break }
      size = max(1, size / 2)
    }
    return groups.flatMap(\.self).sorted()
  }

  /// Whether a part shows the findings.
  private mutating func shows(_ part: [Int]) -> Bool {
    guard tries < Self.mostTries, packetsRead < Self.mostPackets else {
      isCutShort = true
      return false
    }
    progress(tries, part.count)
    tries += 1
    packetsRead += part.count
    return isShown(in: part)
  }

  /// Whether a part shows them, with the same packets.
  func isShown(in part: [Int]) -> Bool {
    isShown(in: held, part) { packet in
      let place = Int(packet.number) - 1
      return part.indices.contains(place)
        ? PacketID(UInt32(truncatingIfNeeded: part[place] + 1)) : packet
    }
  }

  /// Whether another capture shows them, too.
  public func isShown(in capture: HeldCapture) -> Bool {
    isShown(in: capture, Array(0..<capture.count), original: nil)
  }

  private func isShown(
    in capture: HeldCapture, _ part: [Int], original: ((PacketID) -> PacketID)?
  ) -> Bool {
    var session = session()
    var findings = Findings(rules)
    for index in part {
      capture.withRecord(index) { session.index($0, $1) }
      findings.take(session)
      session.dropEvents()
    }
    session.finish()
    findings.take(session)
    findings.finish(session)
    return wanted.allSatisfy { $0.isShown(in: findings.all, session, original: original) }
  }
}
