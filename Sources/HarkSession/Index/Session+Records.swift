import HarkCapture
import HarkCore

extension Session {
  // MARK: The index pass

  /// Reads one record. Records come in the order of the capture.
  // Once in the program, and not in each loop that calls it.
  @inline(never)
  public mutating func index(_ record: borrowing CaptureRecord, _ bytes: RawSpan) {
    let number = UInt32(truncatingIfNeeded: tables.packets.count + 1)
    let cut = max(0, record.originalCount - record.count)
    var moment = PacketContext(
      packet: PacketID(number), time: record.time, direction: record.direction,
      controller: record.controller, cut: cut)
    tables.record.begin(
      PacketRow(
        offset: record.offset, time: record.time, count: UInt32(clamping: record.count),
        controller: record.controller, cut: UInt16(clamping: cut), kind: record.kind,
        flags: record.direction == .controllerToHost ? .received : []))
    count(record, cut, &moment)
    switch record.kind {
    case .acl: traffic.acl(bytes, &moment, &tables)
    case .event: event(bytes, &moment)
    case .command: command(bytes, &moment)
    case .sco, .iso: streamData(bytes, record.kind, &moment)
    case .leLinkLayer, .leRadio, .nordicBLE, .ppi, .basebandRadio:
      air.take(bytes, record.kind, &moment, &tables, &traffic)
    case .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .loopback:
      traffic.network.take(
        bytes, record.kind, &moment, &tables, &traffic.accessory, &traffic.streams)
    case .usbAccessory:
      traffic.usb.take(
        bytes, isInferred: record.flags.contains(.inferred), &moment, &tables, &traffic.accessory,
        &traffic.streams)
    default: otherRecord(bytes, record.kind, moment)
    }
    if let link = moment.link {
      tables.links[link].packets += 1
      if cut > 0 { tables.links[link].truncatedPackets += 1 }
      tables.record.row.linkNumber = link.index + 1
    }
    if tables.log.isHolding { tables.settleAwaitedLinks(record.kind, moment) }
    tables.packets.append(tables.record.row)
  }

  private mutating func count(
    _ record: borrowing CaptureRecord, _ cut: Int, _ moment: inout PacketContext
  ) {
    tables.counts.kindTable[Int(record.kind.rawValue)] += 1
    if !record.flags.contains(.timeUnknown) || tables.counts.firstTime == nil {
      tables.noteTime(record.time, moment.packet)
      if tables.counts.clock.lastStep == moment.packet { clockStepped(moment) }
    }
    let (kind, dropped, flags) = (record.kind, record.dropped, record.flags)
    if cut > 0 || dropped > 0 || kind == .h4 || !flags.isEmpty {
      countUnusual(copy record, cut, &moment)
    }
  }

  /// Reports that the clock was set, and what waits for an answer: how long it waits cannot be measured.
  @inline(never)
  private mutating func clockStepped(_ moment: PacketContext) {
    var waiting = CaptureEvent.ClockSetBack.Waiting()
    waiting.commands = commands.clockStepped(to: moment.time)
    for index in tables.links.all.indices where tables.links.all[index].closed == nil {
      tables.links[LinkID(index)].hasClockStep = true
    }
    for link in tables.links.all where link.closed == nil {
      for side in [0, 1] {
        waiting.requests += link.att.pending(side).count
        if link.att.indications[side] != nil { waiting.indications += 1 }
      }
      if link.air == nil { waiting.signaling += link.requests.count }
      if link.pairing.last != nil { waiting.pairings += 1 }
    }
    if tables.counts.lastSetForward == moment.packet {
      // Without that, it may be a pause.
      guard waiting.isAny else { return }
      return tables.emit(
        .capture(
          .clockSetForward(.init(nanoseconds: tables.counts.forwardStep, waiting: waiting))),
        moment, severity: .warning)
    }
    let setBacks = tables.counts.setBacks
    guard waiting.isAny || setBacks.count <= Self.mostSetBacks else { return }
    tables.emit(
      .capture(.clockSetBack(.init(nanoseconds: setBacks.step, waiting: waiting))), moment,
      severity: .warning)
  }

  /// A capture that is out of order may have one for every other packet.
  private static let mostSetBacks = 16

  /// Counts what most records do not have. Separate from `count`, which every record calls.
  @inline(never)
  private mutating func countUnusual(
    _ record: CaptureRecord, _ cut: Int, _ moment: inout PacketContext
  ) {
    if record.kind == .h4 {
      tables.counts.h4Types[UInt8(truncatingIfNeeded: record.formatCode), default: 0] += 1
    }
    if record.flags.contains(.directionUnknown) {
      moment.isUndirected = true
      tables.record.row.flags.insert(.directionUnknown)
      tables.counts.directionUnknown += 1
      if tables.counts.directionUnknown + tables.counts.directionInferred == 1 {
        tables.emit(.capture(.directionUnknown), moment, severity: .warning)
      }
    }
    if record.dropped > 0 {
      tables.counts.dropped += Int(record.dropped)
      traffic.buffers.forget()
      commands.forget()
      tables.advertising.fragments.breakAll()
      tables.emit(.capture(.dropped(.init(count: record.dropped))), moment, severity: .warning)
    }
    if cut > 0 {
      tables.counts.sliced += 1
      if record.kind.isData { tables.counts.slicedData += 1 }
      if tables.counts.sliced == 1 {
        tables.emit(.capture(.sliced(.init(count: cut))), moment, severity: .warning)
      }
    }
  }

  /// Call once after the last record: reports what is still open.
  public mutating func finish() {
    isFinished = true
    if tables.log.isHolding { tables.endAwaitedLinks() }
    if !tables.record.messages.isEmpty { tables.record.messages.removeAll() }
    if !tables.record.pieces.isEmpty { tables.record.pieces.removeAll() }
    guard let row = tables.packets[UInt32(truncatingIfNeeded: tables.packets.count)] else { return }
    let end = PacketContext(
      packet: PacketID(UInt32(truncatingIfNeeded: tables.packets.count)), time: row.time,
      direction: .hostToController, controller: row.controller, cut: 0)
    for controller in commands.controllers.sorted() { expireCommands(controller, end) }
    isochronous.end(end, &tables)
    periodic.end(end, &tables)
    traffic.finish(end, &tables)
    tables.flushActivity()
    tables.reportUnreadable()
  }

  /// Takes the events that happened since the last call, in order.
  public mutating func takeEvents(_ body: (Event) throws -> Void) rethrows {
    guard !tables.log.events.isEmpty else { return }
    // From the end, because that moves the events: any other way of taking them out of the array copies them, even
    // when it reverses itself, and through a span.
    if tables.log.events.count > 1 {
      unsafe tables.log.events.withUnsafeMutableBufferPointer { events in
        unsafe events.reverse()
      }
    }
    while let event = tables.log.events.popLast() { try body(event) }
  }

  /// Creates events for what was only counted so far, when a continuing capture pauses.
  public mutating func reportCounted() {
    if tables.log.isHolding { tables.endAwaitedLinks() }
    tables.reportActivity()
    tables.reportUnreadable()
  }

  /// Forgets the events that happened since the last call.
  public mutating func dropEvents() {
    if !tables.log.events.isEmpty { tables.log.events.removeAll(keepingCapacity: true) }
  }
}
