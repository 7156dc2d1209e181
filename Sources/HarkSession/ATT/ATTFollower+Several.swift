import HarkCore
import HarkDissection

// PDUs of ATT with the values of several attributes. Core Specification, Vol 3, Part F.
extension ATTFollower {
  /// Multiple Handle Value notifications. Vol 3, Part F, 3.4.7.4.
  mutating func severalPassed(
    _ pdu: ATTPDU, _ bytes: RawSpan, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let values = pdu.values(bytes, isCut: moment.isTruncated)
    know(
      values.map(\.handle), tables.database(link, clientDirection: moment.direction.opposite),
      &tables)
    for value in values {
      var part = moment
      // The recorder cut it, or the server sent less than it announces.
      part.cut = value.length - value.range.count
      valueDelivered(
        .handleValueNotification, value.handle, bytes.extracting(value.range), link, part, &tables,
        &leAudio, &accessory)
    }
  }

  /// Notes the types of the values in the packet, in order.
  private mutating func know(
    _ handles: [UInt16], _ key: Session.DatabaseKey, _ tables: inout Tables
  ) {
    tables.record.hasAttributeTypes = true
    for handle in handles {
      tables.record.attributeTypes.append(
        tables.databases[key].type(of: handle),
        size: tables.databases[key].size(ofDeclaration: handle) ?? 0)
    }
  }

  /// The values of Read Multiple, concatenated in the order of the requested handles. Only the server and the client
  /// know how long each value is. Vol 3, Part F, 3.4.4.8.
  mutating func severalReadTogether(
    _ request: ATTState.Request, _ value: RawSpan, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    endRead(link, 1 - moment.side, &tables, &leAudio, &accessory)
    tables.endDiscovery(link, moment, from: moment.direction.opposite)
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    know(request.handles, key, &tables)
    guard !tables.carriesKeysAnywhere(key) else { return }
    let isLocal = moment.direction == .hostToController
    tables.emit(
      .attribute(
        .readMultiple(
          .init(
            attributes: request.handles.map {
              .init(handle: $0, type: tables.databases[key].type(of: $0))
            }, value: value.array, isLocal: isLocal))), moment)
  }

  /// The values of Read Multiple Variable, in the order of the requested handles. If the last one is cut, it is left
  /// out. Vol 3, Part F, 3.4.4.12.
  mutating func severalRead(
    _ request: ATTState.Request, _ pdu: ATTPDU, _ bytes: RawSpan, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    endRead(link, 1 - moment.side, &tables, &leAudio, &accessory)
    tables.endDiscovery(link, moment, from: moment.direction.opposite)
    know(
      request.handles, tables.database(link, clientDirection: moment.direction.opposite), &tables)
    let values = pdu.values(bytes, isCut: moment.isTruncated)
    for (handle, value) in zip(request.handles, values) where value.isWhole {
      var part = moment
      part.cut = 0
      wasRead(handle, bytes.extracting(value.range), [], part, &tables, &leAudio, &accessory)
    }
    if let last = values.last, values.count <= request.handles.count {
      reportShort(last, of: request.handles[values.count - 1], pdu, link, moment, &tables)
    }
  }

  /// A server may cut the last value only where its PDU has the size of the MTU.
  private func reportShort(
    _ value: ATTPDU.PartialValue, of handle: UInt16, _ pdu: ATTPDU, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let mtu = tables.links[link].mtu
    guard !value.isWhole, !moment.isTruncated, tables.links[link].certainty == .seen,
      tables.links[link].air == nil, pdu.size < Int(mtu)
    else { return }
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    tables.emit(
      .attribute(
        .valueShort(
          .init(
            handle: handle, uuid: tables.databases[key].type(of: handle), size: value.range.count,
            announced: value.length, pduSize: pdu.size, mtu: mtu,
            isLocal: moment.direction == .hostToController))), moment, severity: .warning)
  }
}
