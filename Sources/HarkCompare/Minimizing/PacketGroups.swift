import HarkCore
import HarkSession

/// Which records of a capture belong together.
///
/// Records are recognized by their index, from 0; their packets have numbers from 1.
public struct PacketGroups: Sendable {
  /// For each record the first one of its PDU, as far as it is known yet.
  private var pdus: [Int] = []
  private var messages: [Int] = []
  private var links: [Int] = []

  public init() {}

  /// Takes the record that was indexed last, and what was reported since the one before.
  public mutating func take(_ session: borrowing Session) {
    while pdus.count < session.packets.count {
      messages.append(pdus.count)
      pdus.append(pdus.count)
    }
    for event in session.events {
      switch event.content {
      case .accessory(let accessory):
        let frames = accessory.frames.map { Int($0.number) - 1 }.filter(messages.indices.contains)
        for frame in frames.dropFirst() { Self.join(frames[0], frame, &messages) }
      case .capture(.incompletePDU), .channel(.framesMissing): join(event.frames, session)
      default: break
      }
    }
  }

  /// What came of a PDU that was never whole stays together, otherwise it would lack more than it did.
  private mutating func join(_ frames: Event.Frames, _ session: borrowing Session) {
    guard let first = session.packets[frames.first.number], frames.first < frames.last else {
      return
    }
    let count = min(frames.last.number - frames.first.number, Self.longestPDU)
    for number in frames.first.number...frames.first.number + count {
      guard let row = session.packets[number], row.link == first.link,
        row.channel == first.channel, row.direction == first.direction
      else { continue }
      Self.join(Int(frames.first.number) - 1, Int(number) - 1, &pdus)
      Self.join(Int(frames.first.number) - 1, Int(number) - 1, &messages)
    }
  }

  /// Packets that are looked at for what came of one PDU.
  private static let longestPDU: UInt32 = 4_096

  /// Call it after the last record.
  public mutating func finish(_ session: borrowing Session) {
    links = pdus.indices.map { index in
      guard let row = session.packets[UInt32(index + 1)] else { return -1 }
      // Packets on no link: commands to controllers, advertising, and so on.
      return row.link.map { Int($0.index) } ?? -1 - Int(row.kind.rawValue)
    }
    for index in pdus.indices {
      guard let row = session.packets[UInt32(index + 1)], row.chain != 0 else { continue }
      let other = Int(row.chain) - 1
      guard pdus.indices.contains(other) else { continue }
      Self.join(other, index, &pdus)
      Self.join(other, index, &messages)
    }
  }

  /// The records of each link, and those of each kind that are on none.
  func byLink(_ selection: [Int]) -> [[Int]] { Self.groups(selection) { links[$0] } }

  /// The records of each message that a vendor's framing put together, and of each PDU.
  func byMessage(_ selection: [Int]) -> [[Int]] {
    Self.groups(selection) { Self.root($0, messages) }
  }

  /// The records of each PDU: its fragments.
  func byPDU(_ selection: [Int]) -> [[Int]] { Self.groups(selection) { Self.root($0, pdus) } }

  /// The records of the links that some records are on, with those on none.
  public func onLinks(of some: [Int]) -> [Int] {
    let wanted = Set(some.map { links[$0] })
    return links.indices.filter { links[$0] < 0 || wanted.contains(links[$0]) }
  }

  /// In the order of their first records.
  private static func groups(_ selection: [Int], _ key: (Int) -> Int) -> [[Int]] {
    var placeOf: [Int: Int] = [:]
    var groups: [[Int]] = []
    for index in selection {
      let key = key(index)
      if let place = placeOf[key] {
        groups[place].append(index)
      } else {
        placeOf[key] = groups.count
        groups.append([index])
      }
    }
    return groups
  }

  private static func root(_ index: Int, _ parents: [Int]) -> Int {
    var index = index
    while parents[index] != index { index = parents[index] }
    return index
  }

  private static func join(_ a: Int, _ b: Int, _ parents: inout [Int]) {
    let (a, b) = (root(a, parents), root(b, parents))
    let first = min(a, b)
    parents[a] = first
    parents[b] = first
  }
}
