import HarkCapture
import HarkCore
import HarkDissection
import HarkFilter
import HarkSession

/// A filter at work on the packets of a capture.
public struct PacketFilter {
  private var run: FilterRun
  /// The properties that the filter asks for.
  private let early: [FilterProperty]
  private let late: [FilterProperty]
  /// Those that events give to packets.
  private let shown: Set<FilterProperty>
  /// What events say about packets, where that was found out before; otherwise those reported so far count.
  private let marks: EventMarks?

  public var filter: Filter { run.filter }

  public init(_ filter: Filter, _ marks: EventMarks? = nil) {
    self.init(filter, marks, of: FilterProperty.allCases)
  }

  /// A filter of which only what packets have themselves is asked: the rest is asked of events.
  init(forEvents filter: Filter) {
    self.init(filter, nil, of: FilterProperty.allCases.filter { !$0.isOfEvent })
  }

  private init(_ filter: Filter, _ marks: EventMarks?, of properties: [FilterProperty]) {
    run = FilterRun(filter)
    self.marks = marks
    let wanted = properties.filter(filter.wants)
    shown = Set(wanted.filter(\.isOfShownEvents))
    early = wanted.filter { !$0.isOfShownEvents && !$0.needsFields }
    late = wanted.filter(\.needsFields)
  }

  /// Whether the record that `session` has indexed last matches. If it does, `packet` has read it.
  public mutating func matches(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ packet: inout PacketReading,
    _ session: inout Session
  ) -> Bool {
    let number = UInt32(truncatingIfNeeded: session.packetCount)
    guard run.filter.mayMatch(record.kind), let row = session.row(of: number) else { return false }
    run.begin()
    give(row, number, record.originalCount, bytes, session)
    if let decided = run.decide() {
      if decided { packet.read(record, bytes, &session) }
      return decided
    }
    packet.read(record, bytes, &session)
    scan(packet, bytes, session)
    return run.result()
  }

  /// Whether a packet that was read already matches; `session` has indexed it last.
  public mutating func matches(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session
  ) -> Bool {
    run.begin()
    give(packet.row, packet.number, packet.record.originalCount, bytes, session)
    if let decided = run.decide() { return decided }
    scan(packet, bytes, session)
    return run.result()
  }

  /// Appends what each test says about the record that `session` has indexed last; see `EventFilter`.
  mutating func appendBits(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ packet: inout PacketReading,
    _ session: inout Session, to words: inout [UInt64]
  ) {
    let number = UInt32(truncatingIfNeeded: session.packetCount)
    run.begin()
    if let row = session.row(of: number) {
      give(row, number, record.originalCount, bytes, session)
      if run.filter.wantsFields(of: record.kind) {
        packet.read(record, bytes, &session)
        scan(packet, bytes, session)
      }
    }
    run.appendBits(to: &words)
  }

  /// Appends what each test says about the values of messages alone.
  mutating func appendBits(_ values: [MessageValue], to words: inout [UInt64]) {
    run.begin()
    var message = MessageTree()
    message.read(values)
    run.scan(message.tree, message.bytes.raw)
    run.appendBits(to: &words)
  }

  private mutating func scan(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session
  ) {
    run.scan(packet.tree, bytes)
    for index in 0..<packet.completedCount {
      let bytes = packet.completed[index].bytes
      run.scan(packet.completed[index].tree, bytes.raw)
    }
    if !packet.message.isEmpty { run.scan(packet.message.tree, packet.message.bytes.raw) }
    if let psm = packet.psm { run.add(psm: psm) }
    if !late.isEmpty { giveLate(packet, session) }
  }

  // MARK: Properties

  private mutating func give(
    _ row: PacketRow, _ number: UInt32, _ originalCount: Int, _ bytes: RawSpan,
    _ session: borrowing Session
  ) {
    if !shown.isEmpty { giveEvents(of: number, session) }
    for property in early {
      switch property {
      case .number: run.add(property, UInt64(number))
      case .time: run.add(property, nanoseconds: row.time.nanoseconds)
      case .timeRelative:
        run.add(property, nanoseconds: row.time.since(session.firstTime ?? row.time))
      case .timeDelta:
        run.add(property, nanoseconds: row.time.since(session.timeBefore(number) ?? row.time))
      case .kind: run.add(property, UInt64(row.kind.rawValue))
      case .direction: run.add(property, choice: row.directionName.description)
      case .directionInferred:
        if row.flags.contains(.directionInferred) { run.add(property, 1) }
      case .length: run.add(property, UInt64(row.count))
      case .originalLength: run.add(property, UInt64(clamping: originalCount))
      case .controller: run.add(property, UInt64(row.controller))
      case .link: if let link = row.link { run.add(property, UInt64(link.index) + 1) }
      case .channel: if let channel = row.channel { run.add(property, UInt64(channel.index) + 1) }
      case .device:
        if let device = row.link.flatMap({ session.device(of: $0) }) {
          run.add(session.devices[Int(device.index)])
        } else if let name = row.link.flatMap({ session.links[Int($0.index)].peerName }) {
          run.add(.device, text: name)
        }
      case .related: if row.related != 0 { run.add(property, UInt64(row.related)) }
      case .frame: run.add(property, bytes: bytes)
      case .service:
        for uuid in session.services(of: row) { run.add(property, uuid) }
        for name in session.accessoryProtocols { run.add(property, text: name) }
      case .address, .airChannel, .fragments, .malformed, .note, .lane, .severity, .text, .event,
        .rule:
        break
      }
    }
  }

  /// Gives what the events say that packet `number` shows; the severity comes later.
  private mutating func giveEvents(of number: UInt32, _ session: borrowing Session) {
    if let marks {
      if let tally = marks.tally(of: number) { run.add(tally: tally) }
      return
    }
    Self.events(of: number, session) { run.add($0, shown, session) }
  }

  private func severity(of number: UInt32, _ session: borrowing Session) -> Event.Severity {
    if let marks { return marks.severity(of: number) }
    var severity = Event.Severity.info
    Self.events(of: number, session) { severity = max(severity, $0.severity) }
    return severity
  }

  /// The events so far that packet `number`, the last one indexed, shows.
  private static func events(
    of number: UInt32, _ session: borrowing Session, _ body: (Event) -> Void
  ) {
    for event in session.events where event.frames.last.number == number && event.frames.count > 0 {
      body(event)
    }
  }

  private mutating func giveLate(
    _ packet: borrowing PacketReading, _ session: borrowing Session
  ) {
    if let channel = packet.channel { run.add(.airChannel, UInt64(channel)) }
    if filter.wants(.address) {
      giveAddresses(packet.tree)
      for index in 0..<packet.completedCount { giveAddresses(packet.completed[index].tree) }
    }
    for number in packet.fragments { run.add(.fragments, UInt64(number)) }
    var severity = severity(of: packet.number, session)
    severity = max(severity, giveRemarks(packet.tree))
    for index in 0..<packet.completedCount {
      severity = max(severity, giveRemarks(packet.completed[index].tree))
    }
    run.add(.severity, choice: severity.name.description)
  }

  /// Gives the addresses in a PDU, among them the identities that known IRKs show.
  private mutating func giveAddresses(_ tree: borrowing Tree) {
    for address in tree.addresses { run.add(.address, text: address.description) }
  }

  /// Gives what is wrong with a PDU, and how grave it is.
  private mutating func giveRemarks(_ tree: borrowing Tree) -> Event.Severity {
    var severity = Event.Severity.info
    for failure in tree.failures where !failure.isCutByRecorder {
      run.add(.malformed, text: failure.description)
      severity = .error
    }
    for note in tree.notes {
      run.add(.note, text: note.text.description)
      switch note.severity {
      case .info: break
      case .warning: severity = max(severity, .warning)
      case .error: severity = .error
      }
    }
    return severity
  }
}

extension FilterRun {
  /// The name of a device, and each of its addresses.
  mutating func add(_ device: Device) {
    if let name = device.name { add(.device, text: name) }
    for address in device.addresses { add(.device, text: address.description) }
  }
}

extension Tree {
  /// The addresses in the PDU, among them the identities that known IRKs show.
  package var addresses: [BluetoothAddress] {
    nodes.compactMap { node in
      guard node.count == 6 || node.kind == .inferred,
        case .address = Catalog.shared.definitions[Int(node.field.id)].form
      else { return nil }
      return BluetoothAddress(node.value)
    }
  }
}
