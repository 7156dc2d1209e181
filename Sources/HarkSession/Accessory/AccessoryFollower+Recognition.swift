import HarkCore
import HarkDissection

// Attributes of vendors' framings on links that began before the capture, without discovery.
extension AccessoryFollower {
  /// Identifies the attribute at `handle`, whose type is unknown, by one of its values. Earlier values of the same
  /// message or conversation are read now.
  mutating func recognize(
    _ handle: UInt16, _ operation: VendorValue.Operation, _ bytes: RawSpan, toServer: Bool,
    _ key: Session.DatabaseKey, _ frames: @autoclosure () -> [PacketID],
    _ moment: PacketContext, _ tables: inout Tables
  ) -> BluetoothUUID? {
    guard let link = moment.link, !moment.isTruncated,
      tables.devices.borrowing.mayRecognize(bytes, operation, at: handle, of: key, tables.framings)
    else { return nil }
    let frames = frames()
    var value = VendorValue(
      frames: frames.isEmpty ? tables.framesOfPDU(moment) : frames, time: moment.time,
      channel: .characteristic(BluetoothUUID(high: 0, low: 0)), toServer: toServer,
      operation: operation, bytes: bytes.array, mtu: Int(tables.links[link].mtu),
      link: UInt32(link.index))
    value.clockStep = tables.counts.clock.lastStep
    let findings = tables.devices.borrowing.recognition.recognize(
      value, at: handle, of: key, moment, by: tables.framings)
    guard !findings.isEmpty else { return nil }
    let isLocal = key == tables.database(link, clientDirection: .controllerToHost)
    for finding in findings {
      tables.databases[key].recognize(finding.characteristic, at: finding.handle, moment.packet)
      tables.emit(
        .attribute(
          .recognized(
            .init(
              handle: finding.handle, uuid: finding.characteristic, framing: finding.framing,
              evidence: finding.evidence, others: finding.others, isLocal: isLocal))), moment)
      guard tables.carriesKeys(finding.characteristic) else { continue }
      tables.databases[key].conceal(finding.handle)
      tables.conceal(finding.earlier.flatMap { $0.value.frames.map(\.number) })
    }
    for finding in findings {
      for (value, earlier) in finding.earlier {
        receive(
          value.bytes, .characteristic(finding.characteristic), value.operation,
          toServer: value.toServer, of: key, value.frames, missingBytes: 0, link, earlier, &tables)
      }
    }
    return findings.last?.characteristic
  }
}

extension Tables {
  /// Whether a framing that takes all channels also gets the values of an attribute, because they alone show that it
  /// belongs to another framing.
  mutating func listens(to uuid: BluetoothUUID, at handle: UInt16, of key: Session.DatabaseKey)
    -> Bool
  {
    framings.isListening && !VendorFramings.builtIn.hasPlace(.characteristic(uuid))
      && databases[key].characteristics[handle]?.isRecognized == true
  }
}
