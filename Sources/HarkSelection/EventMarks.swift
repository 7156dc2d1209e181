import HarkCore
import HarkFilter
import HarkSession

/// What the events of a capture reveal about its packets, as far as a filter needs it. A packet may belong to
/// events that are reported long after it, so this is collected before packets are filtered.
public final class EventMarks {
  private var run: FilterRun
  private let wanted: Set<FilterProperty>
  /// By the number of the packet: the index of its entry in `words`; 0 for none.
  private var places: [UInt32] = []
  /// For each packet the highest severity, and then a tally of the filter's tests.
  private var words: [UInt32] = [0]
  /// The packets up to this one were filtered: marks for them now come too late.
  public var lastTaken: UInt32 = 0
  /// The packets among them that receive marks later.
  public private(set) var late: Set<UInt32> = []

  public init(_ filter: Filter) {
    run = FilterRun(filter)
    wanted = Set(FilterProperty.allCases.filter { $0.isOfShownEvents && filter.wants($0) })
  }

  /// Takes an event, whose packets `session` has indexed.
  /// - Parameter packets: Those of its packets that are marked; nil for all.
  public func take(_ event: Event, _ session: borrowing Session, on packets: [PacketID]? = nil) {
    run.begin()
    run.add(event, wanted, session)
    let isDecisive =
      run.mayDecide || wanted.contains(.severity) && event.severity > .info
    for packet in packets ?? event.packets(session) {
      if packet.number > lastTaken {
        add(event.severity, to: Int(packet.number))
      } else if isDecisive {
        late.insert(packet.number)
      }
    }
  }

  private func add(_ severity: Event.Severity, to number: Int) {
    while places.count <= number { places.append(0) }
    if places[number] == 0 {
      // Further ones are not reported.
      guard let place = UInt32(exactly: words.count) else { return }
      places[number] = place
      words += [UInt32](repeating: 0, count: 1 + run.tallyCount)
    }
    let place = Int(places[number])
    words[place] = max(words[place], UInt32(severity.rawValue))
    run.tally(into: &words[(place + 1)..<(place + 1 + run.tallyCount)])
  }

  func tally(of number: UInt32) -> ArraySlice<UInt32>? {
    place(of: number).map { words[($0 + 1)..<($0 + 1 + run.tallyCount)] }
  }

  func severity(of number: UInt32) -> Event.Severity {
    place(of: number).flatMap { Event.Severity(rawValue: UInt8(truncatingIfNeeded: words[$0])) }
      ?? .info
  }

  private func place(of number: UInt32) -> Int? {
    guard Int(number) < places.count, places[Int(number)] != 0 else { return nil }
    return Int(places[Int(number)])
  }
}

extension FilterRun {
  /// Returns what an event reveals about its packets, limited to `wanted`.
  mutating func add(
    _ event: Event, _ wanted: Set<FilterProperty>, _ session: borrowing Session
  ) {
    if wanted.contains(.lane) { add(.lane, choice: event.lane.rawValue) }
    if wanted.contains(.text) { add(.text, text: EventText.sentence(event, session)) }
    if wanted.contains(.event) {
      add(.event, text: event.content.described.kind.name.description)
    }
    if wanted.contains(.rule), case .finding(let remark) = event.content {
      add(.rule, text: remark.rule)
    }
  }
}
