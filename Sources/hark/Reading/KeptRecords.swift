import HarkCapture
import HarkCore
import HarkFilter
import HarkPresentation
import HarkSelection
import HarkSession

/// The records of a part of a capture, and those before it that it cannot be understood without.
struct KeptRecords {
  /// By the number of the record: asked for, or proof of a state.
  private var selected: [Bool] = [false]
  private var proof: [Bool] = [false]
  /// Packets of one message, or of one SDU.
  private var messages: [[PacketID]] = []
  private var state: PacketFilter
  private var names = 0

  init() throws { state = PacketFilter(try Filter(StateRecords.filter)) }

  /// Takes the record that `selection` has indexed last.
  mutating func take(
    _ record: CaptureRecord, _ bytes: RawSpan, isSelected: Bool, _ selection: inout Selection
  ) {
    selected.append(isSelected)
    var isProof = state.matches(record, bytes, &selection.packet, &selection.session)
    // A name was reported.
    if selection.session.nameChanges != names {
      names = selection.session.nameChanges
      isProof = true
    }
    proof.append(isProof)
    let number = UInt32(truncatingIfNeeded: selection.session.packets.count)
    // Fragments of a PDU name each other in their rows; segments of an SDU do not.
    if let pdu = selection.session.packetsOfPDU, pdu.isComplete,
      pdu.numbers.first != selection.session.packets[number]?.chain
    {
      messages.append(pdu.numbers.map { PacketID($0) })
    }
    takeEvents(selection.session)
  }

  /// Takes the events since the last record.
  mutating func takeEvents(_ session: borrowing Session) {
    for event in session.events { take(event) }
  }

  /// Takes what an event shows: its packets are proof, or belong together.
  private mutating func take(_ event: Event) {
    var packets = [event.frames.first, event.frames.last]
    if case .accessory(let accessory) = event.content {
      packets = accessory.frames
      if packets.count > 1 { messages.append(packets) }
    }
    switch event.lane {
    case .host, .link, .pairing, .l2cap, .sdp, .rfcomm, .iap2, .keys, .session:
      for packet in packets where Int(packet.number) < proof.count {
        proof[Int(packet.number)] = true
      }
    default: break
    }
  }

  /// Call it after the last record: decides what is kept.
  mutating func close(_ session: borrowing Session) {
    guard let last = selected.lastIndex(of: true) else { return }
    var links: Set<LinkID> = []
    for number in selected.indices where selected[number] {
      if let link = session.packets[UInt32(number)]?.link { links.insert(link) }
    }
    for number in 1..<last where proof[number] && !selected[number] {
      let link = session.packets[UInt32(number)]?.link
      if link.map(links.contains) ?? true { selected[number] = true }
    }
    // Messages first: their packets may be fragments, too.
    for packets in messages where packets.contains(where: { contains($0.number) }) {
      for packet in packets { keep(packet.number) }
    }
    for number in selected.indices where selected[number] {
      if let row = session.packets[UInt32(number)] { keep(row.related) }
    }
    for number in selected.indices where selected[number] {
      keepFragments(of: UInt32(number), session)
    }
  }

  func contains(_ number: UInt32) -> Bool {
    Int(number) < selected.count && selected[Int(number)]
  }

  private mutating func keep(_ number: UInt32) {
    if number > 0, Int(number) < selected.count { selected[Int(number)] = true }
  }

  /// Keeps the other fragments of a PDU.
  private mutating func keepFragments(of number: UInt32, _ session: borrowing Session) {
    guard let row = session.packets[number], row.chain != 0 else { return }
    let last = row.flags.contains(.completes) ? number : row.chain
    guard let end = session.packets[last], end.flags.contains(.completes), end.chain <= last else {
      return
    }
    for other in max(1, end.chain)...last
    where other == last || session.packets[other]?.chain == last {
      keep(other)
    }
  }
}
