import HarkCore
import HarkDissection

/// The library entries that may describe a link that was open before the capture began: it has no address or name.
struct Elimination: Sendable {
  let link: LinkID
  /// The entries that its use of attributes has not ruled out.
  var candidates: [Int]
  /// The accesses that were weighed.
  private var weighed: Set<UInt32> = []
  /// The latest uses, which are repeated again and again, by the low bits of their handles.
  private var recent = [UInt32](repeating: .max, count: 16)

  init(_ link: LinkID, _ candidates: Range<Int>) {
    (self.link, self.candidates) = (link, Array(candidates))
  }

  /// More links and accesses than captures have.
  static let mostLinks = 1_024
  static let mostAccesses = 2_048

  /// Whether a use like `access` has not been considered before.
  mutating func isNews(_ access: AttributeAccess) -> Bool {
    let place = Int(access.handle & 15)
    guard recent[place] != access.code else { return false }
    recent[place] = access.code
    return weighed.count < Self.mostAccesses && weighed.insert(access.code).inserted
  }
}

// The only entry that can describe such a link. This does work for single packets only if there is a library.
extension Tables {
  /// A link begins in the middle.
  mutating func beginElimination(_ link: LinkID) {
    let count = devices.borrowing.library.entries.count
    guard count > 0, !links[link].isAfterEnd,
      devices.borrowing.eliminations.count < Elimination.mostLinks
    else { return }
    links[link].att.elimination = devices.borrowing.eliminations.count
    devices.borrowing.eliminations.append(Elimination(link, 0..<count))
  }

  /// Considers what a PDU shows about the server on such a link, before anything else processes it.
  mutating func weigh(
    _ number: Int, _ opcode: ATTPDU.Opcode, _ facts: Facts, _ link: LinkID,
    _ moment: PacketContext
  ) {
    guard moment.isSenderKnown, !facts.isMalformed, links[link].device == nil,
      let access = AttributeAccess(
        opcode, facts, moment, request: links.request(on: link, 1 - moment.side)),
      devices.borrowing.eliminations[number].isNews(access)
    else { return }
    let entries = devices.borrowing.library.entries
    if access.isProof {
      devices.borrowing.eliminations[number].candidates.removeAll {
        !entries[$0].database.allows(access)
      }
    }
    let key = Session.DatabaseKey.link(link)
    if let lender = devices.borrowing.lenders[key] {
      guard lender.match.isByElimination,
        !devices.borrowing.eliminations[number].candidates.contains(lender.entry)
      else { return }
      databases[key].returnBorrowed()
      returnBorrowed(key, moment)
    }
    borrowRemaining(number, moment) { $0.allows(access) }
  }

  /// The entry of a link turned out to be wrong.
  mutating func eliminate(_ entry: Int, on link: LinkID, _ moment: PacketContext) {
    guard let number = links[link].att.elimination else { return }
    devices.borrowing.eliminations[number].candidates.removeAll { $0 == entry }
    // Another link may be the one it is about.
    for other in devices.borrowing.eliminations.indices where other != number {
      let link = devices.borrowing.eliminations[other].link
      guard links[link].closed == nil, links[link].device == nil,
        devices.borrowing.lenders[.link(link)] == nil
      else { continue }
      var moment = moment
      moment.link = link
      borrowRemaining(other, moment) { _ in true }
    }
  }

  /// Borrows from the entry that is left, if it is one.
  private mutating func borrowRemaining(
    _ number: Int, _ moment: PacketContext, where fits: (GATTDatabase) -> Bool
  ) {
    let link = devices.borrowing.eliminations[number].link
    let entries = devices.borrowing.library.entries
    let hash = devices.borrowing.hashes[.link(link)]
    let free = devices.borrowing.eliminations[number].candidates.filter { entry in
      let isOther = hash.map { entries[entry].hash ?? $0 != $0 } ?? false
      return !isOther && !isLent(entry, butTo: link)
    }
    guard let last = free.last, fits(entries[last].database),
      free.dropLast().allSatisfy({
        entries[$0].isOfSameDevice(as: entries[last])
          || entries[$0].database.hasSameAttributes(as: entries[last].database)
      })
    else { return }
    let lender = GATTLibrary.Lender(
      source: entries[last].source, match: entries.count == 1 ? .onlyEntry : .onlyFit, entry: last)
    guard !borrow(from: lender, for: .link(link), moment) else { return }
    devices.borrowing.eliminations[number].candidates.removeAll { $0 == last }
  }

  /// Whether a server on another open link has the entry: a device has one link.
  private func isLent(_ entry: Int, butTo link: LinkID) -> Bool {
    devices.borrowing.lenders.contains { key, lender in
      guard lender.entry == entry else { return false }
      switch key {
      case .link(let other): return other != link && links[other].closed == nil
      case .device(let device):
        return links.live(on: links[link].controller).contains {
          $0 != link && links[$0].transport != .brEDR
            && links[$0].device.map { devices.current($0) } == device
        }
      case .local: return false
      }
    }
  }
}
