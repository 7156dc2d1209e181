import HarkCapture
import HarkCore
import HarkFilter
import HarkSession

/// A filter at work on the events of a capture. An event has time, device, link, lane, severity and
/// text itself; everything else is asked of the packets that show it, and one of them has to fit.
public struct EventFilter {
  private var run: FilterRun
  private var packets: PacketFilter
  /// What the tests say about each packet, `wordCount` words each; empty if no packet is asked.
  private var words: [UInt64] = []
  private var bits: [UInt64] = []
  /// What events give to packets, too, as far as it is asked for.
  private let shown: Set<FilterProperty>

  /// Of events with many packets only the first and the last are known to show it; those between are
  /// looked at, but not more than this.
  static let mostPackets: UInt32 = 4_096

  public var filter: Filter { run.filter }

  public init(_ filter: Filter) {
    run = FilterRun(filter)
    packets = PacketFilter(forEvents: filter)
    shown = Set(FilterProperty.allCases.filter { $0.isOfShownEvents && filter.wants($0) })
  }

  /// Takes the record that `session` has indexed last. Call it for each, before its events.
  public mutating func take(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ packet: inout PacketReading,
    _ session: inout Session
  ) {
    guard filter.asksPackets else { return }
    packets.appendBits(record, bytes, &packet, &session, to: &words)
    let number = UInt32(truncatingIfNeeded: session.packetCount)
    for message in session.messages where message.packet.number < number {
      add(message)
    }
  }

  /// Takes what a message says whose last packet came before: no packet has these fields besides.
  private mutating func add(_ message: MessageValues) {
    let start = (Int(message.packet.number) - 1) * run.wordCount
    guard start >= 0, start + run.wordCount <= words.count else { return }
    bits.removeAll(keepingCapacity: true)
    packets.appendBits(message.values, to: &bits)
    for (index, word) in bits.enumerated() { words[start + index] |= word }
  }

  public mutating func matches(_ event: Event, _ session: borrowing Session) -> Bool {
    run.begin()
    give(event, session)
    guard filter.asksPackets else { return run.result() }
    if event.frames.count == 0 {
      // No packet shows it: whatever is asked of packets is not so.
      bits = [UInt64](repeating: 0, count: run.wordCount)
      return run.result(withBits: bits)
    }
    let (first, last) = (event.frames.first.number, event.frames.last.number)
    if fits(first) || fits(last) { return true }
    guard event.frames.count > 2, first < last else { return false }
    for number in (first + 1)..<min(last, first &+ Self.mostPackets) {
      // What lies between is of other links, too.
      guard event.link == nil || session.row(of: number)?.link == event.link else { continue }
      if fits(number) { return true }
    }
    return false
  }

  private mutating func fits(_ number: UInt32) -> Bool {
    let start = (Int(number) - 1) * run.wordCount
    guard start >= 0, start + run.wordCount <= words.count else { return false }
    bits.removeAll(keepingCapacity: true)
    bits += words[start..<(start + run.wordCount)]
    return run.result(withBits: bits)
  }

  private mutating func give(_ event: Event, _ session: borrowing Session) {
    if filter.wants(.time) { run.add(.time, nanoseconds: event.time.nanoseconds) }
    if filter.wants(.timeRelative), let start = session.firstTime {
      run.add(.timeRelative, nanoseconds: event.time.since(start))
    }
    if let controller = event.controller { run.add(.controller, UInt64(controller)) }
    if let link = event.link { run.add(.link, UInt64(link.index) + 1) }
    if filter.wants(.device) {
      if let device = event.device {
        run.add(session.devices[Int(device.index)])
      } else if let link = event.link.map({ session.links[Int($0.index)] }) {
        if let peer = link.peer { run.add(.device, text: peer.description) }
        if let name = link.peerName { run.add(.device, text: name) }
      }
    }
    if filter.wants(.address) {
      for address in event.addresses(session) { run.add(.address, text: address.description) }
    }
    if filter.wants(.severity) { run.add(.severity, choice: event.severity.name.description) }
    run.add(event, shown, session)
  }
}
