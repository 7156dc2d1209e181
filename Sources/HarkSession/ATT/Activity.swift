import HarkCore
import HarkDissection

/// Folds repeated values of attributes and data of channels: the first of a kind is an event, the others are counted,
/// so that a stream of notifications costs nothing in the index pass.
struct Activity {
  /// What is counted together on a link.
  enum Key: Equatable {
    case value(ATTPDU.Opcode, handle: UInt16, isLocal: Bool)
    case data(ChannelEvent.Data.Place, byPeer: Bool)
  }

  struct Run {
    let link: LinkID
    let key: Key
    /// The first one, which has its own event.
    let content: Content
    /// What the latest one holds.
    var latest: KeptValue
    var first = PacketID(0)
    var last = PacketID(0)
    var lastTime = Timestamp(nanoseconds: 0)
    var times = 0
    /// How many packets they are in: one may contain several messages of a stream.
    var packets = 0

    enum Content {
      case value(AttributeEvent.Value)
      case data(ChannelEvent.Data)
    }

    /// Counts one more.
    mutating func count(
      _ bytes: RawSpan, _ layout: Entry?, _ parts: [UInt32], _ moment: PacketContext
    ) {
      if times == 0 { (first, packets) = (moment.packet, 0) }
      times += 1
      if let begin = parts.first {
        first = min(first, PacketID(begin))
        packets += parts.count { PacketID($0) > last }
      } else if moment.packet != last {
        packets += 1
      }
      latest.replace(bytes, cut: moment.cut, layout: layout)
      // A value that is read in parts has the context of its first packet.
      last = max(moment.packet, PacketID(parts.max() ?? 0))
      lastTime = moment.time
    }

    var repeated: Event.Content {
      switch content {
      case .value(var value):
        value.kept = latest
        return .attribute(.repeated(.init(value: value, times: times)))
      case .data(var data):
        data.kept = latest
        return .channel(.dataRepeated(.init(data: data, times: times)))
      }
    }
  }

  /// Values of a few attributes may alternate without being reported one by one.
  static let most = 8

  var runs: [Run] = []

  /// Counts a value or an SDU if one of its kind has just been reported.
  mutating func counts(
    _ link: LinkID, _ key: Key, _ bytes: RawSpan, _ layout: Entry?, _ parts: [UInt32],
    _ moment: PacketContext
  ) -> Bool {
    for index in runs.indices where runs[index].link == link && runs[index].key == key {
      runs[index].count(bytes, layout, parts, moment)
      return true
    }
    return false
  }

  /// The counted run that ended first.
  var next: Int? {
    var next: Int?
    for index in runs.indices where runs[index].times > 0 {
      if next.map({ runs[index].last < runs[$0].last }) ?? true { next = index }
    }
    return next
  }
}

extension Tables {
  mutating func flushActivity() {
    guard !log.activity.runs.isEmpty else { return }
    reportActivity()
    log.activity.runs.removeAll(keepingCapacity: true)
  }

  /// Reports what was counted, in order of time, and continues counting. It repeatedly searches for the earliest run:
  /// there are few, and sorting would allocate an array for every other value.
  mutating func reportActivity() {
    while let index = log.activity.next {
      let run = log.activity.runs[index]
      report(
        Event(
          time: run.lastTime,
          frames: Event.Frames(run.first, run.last, count: max(1, run.packets)),
          controller: links[run.link].controller, link: run.link,
          device: links[run.link].device,
          content: run.repeated),
        as: run.last)
      log.activity.runs[index].times = 0
    }
  }

  /// Reports a value, or counts it if the last event was of the same kind.
  mutating func value(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ bytes: RawSpan, isLocal: Bool,
    uuid: BluetoothUUID?, parts: [PacketID] = [],
    _ moment: PacketContext
  ) {
    guard let link = moment.link else { return }
    let layout =
      catalog.layoutsOfAttributes.isEmpty ? nil : uuid.flatMap { catalog.layoutsOfAttributes[$0] }
    let key = Activity.Key.value(opcode, handle: handle, isLocal: isLocal)
    if !wanted.values,
      log.activity.counts(link, key, bytes, layout, parts.map(\.number), moment)
    {
      return
    }
    if log.activity.runs.count >= Activity.most { flushActivity() } else { reportActivity() }
    var value = AttributeEvent.Value(
      opcode, handle: handle, uuid: uuid, isLocal: isLocal, bytes, cut: moment.cut,
      layout: layout)
    if uuid?.is(.report) == true {
      value.report = report(at: handle, isLocal: isLocal, on: link)
    }
    report(
      Event(
        time: moment.time, frames: Event.Frames(parts, or: moment.packet),
        controller: moment.controller,
        link: link, device: links[link].device,
        severity: value.isWriteToDeclaration ? .warning : .info,
        content: .attribute(.value(value))),
      as: moment.packet)
    guard !wanted.values else { return }
    log.activity.runs.append(
      Activity.Run(link: link, key: key, content: .value(value), latest: value.kept))
  }

  /// Reports data that nothing or a layout reads, or counts it if similar data was reported last.
  /// - Parameter parts: Its packets; the record alone if that is empty.
  mutating func data(
    _ bytes: RawSpan, at place: ChannelEvent.Data.Place, by layout: Entry?, _ parts: [UInt32],
    _ moment: PacketContext
  ) {
    guard let link = moment.link, !moment.isUndirected,
      !record.row.flags.contains(.secret) || layout?.holdsKeys == true
    else { return }
    let byPeer = moment.isFromPeer
    let key = Activity.Key.data(place, byPeer: byPeer)
    if !wanted.values, log.activity.counts(link, key, bytes, layout, parts, moment) { return }
    if log.activity.runs.count >= Activity.most { flushActivity() } else { reportActivity() }
    let data = ChannelEvent.Data(place, byPeer: byPeer, bytes, cut: moment.cut, layout: layout)
    report(
      Event(
        time: moment.time, frames: Event.Frames(parts, moment), controller: moment.controller,
        link: link, device: links[link].device, content: .channel(.data(data))),
      as: moment.packet)
    guard !wanted.values else { return }
    log.activity.runs.append(
      Activity.Run(link: link, key: key, content: .data(data), latest: data.kept))
  }
}
