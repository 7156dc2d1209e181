import HarkCore
import HarkDissection

// ATT reads. Core Specification, Vol 3, Part F, 3.4.4.
extension ATTFollower {
  mutating func read(
    _ request: ATTState.Request, _ value: RawSpan, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let side = 1 - moment.side
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    if tables.carriesKeys(request.handle, key) { tables.conceal(request.handle, key, moment) }
    tables.learnReportMap(request, value, link, key, moment)
    tables.endDiscovery(link, moment, from: moment.direction.opposite)
    // Only a value that fills the response can continue. Vol 3, Part F, 3.4.4.4.
    let size = value.byteCount + moment.cut
    let isWhole = size + 1 < Int(tables.links[link].mtu)
    if request.offset == 0 {
      endRead(link, side, &tables, &leAudio, &accessory)
      if isWhole {
        return wasRead(request.handle, value, [], moment, &tables, &leAudio, &accessory)
      }
      tables.links[link].att.reads[side] = ATTState.LongRead(
        handle: request.handle, bytes: value.array, count: size,
        packets: tables.endsFragments(moment) ? tables.framesOfPDU(moment) : [], moment: moment)
    } else if let read = tables.links.longRead(on: link, side), read.count == request.offset {
      let room = max(0, ATTState.LongRead.longest - read.bytes.count)
      let frames = tables.framesOfPDU(moment)
      let kept = min(room, value.byteCount)
      if !read.isCut { tables.links[link].att.reads[side]?.bytes += value.array(0..<kept) }
      tables.links[link].att.reads[side]?.count += kept + moment.cut
      tables.links[link].att.reads[side]?.packets = read.frames + frames
      tables.links[link].att.reads[side]?.moment.time = moment.time
    }
    if isWhole {
      completeRead(link, side, key, &tables)
      endRead(link, side, &tables, &leAudio, &accessory)
    }
  }

  /// Reports a value that was read, with all its parts.
  /// - Parameter reports: What it says if it is known to be a report descriptor.
  mutating func endRead(
    _ link: LinkID, _ side: Int, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower, reports: HIDReports? = nil
  ) {
    guard let read = tables.links.longRead(on: link, side) else { return }
    tables.links[link].att.reads[side] = nil
    var moment = read.moment
    moment.link = link
    moment.cut = read.isCut ? read.count - read.bytes.count : 0
    wasRead(
      read.handle, read.bytes.raw, read.frames, moment, &tables, &leAudio, &accessory,
      reports: reports)
  }

  /// `frames` may be empty for a value that is complete in the packet of `moment`.
  /// - Parameter isName: Whether a Device Name is the device's, not another value in the same response.
  mutating func wasRead(
    _ handle: UInt16, _ value: RawSpan, _ frames: @autoclosure () -> [PacketID],
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower, reports: HIDReports? = nil, isName: Bool = true
  ) {
    guard let link = moment.link else { return }
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    var uuid = tables.databases[key].used(
      handle, .read, value, cut: moment.cut, moment.packet)
    if uuid == nil {
      uuid =
        accessory.recognize(
          handle, .read, value, toServer: false, key, frames(), moment, &tables)
        ?? tables.listenedType(at: handle)
    }
    tables.databases[key].noteConfiguration(
      handle, uuid, value, cut: moment.cut, link, isOfPeer: moment.direction == .hostToController,
      moment.packet)
    // Without a known MTU, nothing else shows that a Report Map is complete.
    if uuid?.is(.reportMap) == true, !moment.isTruncated,
      let reports = reports ?? HIDReports.whole(value)
    {
      tables.learn(reports, at: handle, of: key, moment)
    }
    let isLocal = moment.direction == .hostToController
    if isName, uuid?.is(.deviceName) == true, !moment.isTruncated {
      tables.named(value, key, moment)
    }
    if tables.holdsKeys(uuid) { tables.databases[key].conceal(handle) }
    if uuid == .databaseHash, !moment.isTruncated {
      tables.learn(hash: value.array, of: key, moment)
    }
    if uuid?.is(.reportReference) == true {
      tables.learnReportReference(handle, value, key, moment)
    }
    if let uuid, tables.framings.using(characteristic: uuid) != nil {
      return accessory.take(uuid, .read, value, toServer: false, key, frames(), moment, &tables)
    }
    if leAudio.take(.readResponse, handle, value, isLocal: isLocal, uuid: uuid, moment, &tables) {
      return
    }
    if HomeKitSteps.take(value, uuid, isLocal: isLocal, moment, &tables) { return }
    tables.value(
      .readResponse, handle, value, isLocal: isLocal, uuid: uuid, parts: frames(), moment)
  }

  /// The longest value that Read By Type returns. 3.4.4.2
  private static let longestByType = 253

  /// The values that Read By Type returned: reads like those by handle. Part G, 4.8.2
  mutating func readByType(
    _ entries: [ATTPDU.Entry], _ bytes: RawSpan, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let side = 1 - moment.side
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    endRead(link, side, &tables, &leAudio, &accessory)
    tables.endDiscovery(link, moment, from: moment.direction.opposite)
    // A value that fills the response may be longer. 3.4.4.2
    let most = min(Self.longestByType, Int(tables.links[link].mtu) - 4)
    for (index, entry) in entries.enumerated() {
      let value = bytes.extracting(entry.value ?? 0..<0)
      if tables.carriesKeys(entry.handle, key) { tables.conceal(entry.handle, key, moment) }
      if entries.count == 1, value.byteCount >= most, !moment.isTruncated {
        tables.links[link].att.reads[side] = ATTState.LongRead(
          handle: entry.handle, bytes: value.array, count: value.byteCount,
          packets: tables.endsFragments(moment) ? tables.framesOfPDU(moment) : [], moment: moment)
        return
      }
      var part = moment
      part.cut = 0
      // A device has one name: the first. Part C, 12.1
      wasRead(
        entry.handle, value, [], part, &tables, &leAudio, &accessory, isName: index == 0)
    }
  }
}
