/// A sealed conversation over GATT: connection, discovery, subscription, and the values of a framing.
extension SealedConversation {
  /// A capture of it, as a phone would record it; nil without a framing.
  package var capture: [UInt8]? {
    guard framing != .none else { return nil }
    var capture = HostCapture(handle: 0x0040)
    capture.command(0x1009, returns: [0] + HostCapture.phone.reversed())
    // LE Connection Complete: Central, 15 ms, 2 s.
    capture.event(
      0x3E,
      [0x01, 0, 0x40, 0, 0, 1] + HostCapture.accessory.reversed() + [12, 0, 0, 0, 0xC8, 0, 0])
    // ATT_EXCHANGE_MTU
    capture.send(Self.att, [0x02, 0xF7, 0])
    capture.receive(Self.att, [0x03, 0xF7, 0])
    capture.encrypt()
    let handles = discover(&capture)
    subscribe(&capture, handles)
    for value in values {
      let handle = handles[value.characteristic] ?? 0
      capture.send(Self.att, [0x12] + HostCapture.u16(handle) + value.bytes)
      capture.receive(Self.att, [0x13])
    }
    capture.disconnect()
    return capture.bytes
  }

  /// The channel of ATT.
  private static var att: Int { 0x0004 }

  /// - Returns: The handle of each characteristic's value.
  private func discover(_ capture: inout HostCapture) -> [String: Int] {
    var handles: [String: Int] = [:]
    var (next, entries, descriptors): (Int, [UInt8], [Int]) = (2, [], [])
    for characteristic in framing.characteristics {
      handles[characteristic.uuid] = next + 1
      entries += HostCapture.u16(next) + [characteristic.properties]
      entries += HostCapture.u16(next + 1) + HostCapture.uuid(characteristic.uuid)
      next += 2
      guard characteristic.subscription != nil else { continue }
      descriptors.append(next)
      next += 1
    }
    let end = HostCapture.u16(next - 1)
    // ATT_READ_BY_GROUP_TYPE of services, until there are no more.
    capture.send(Self.att, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    capture.receive(Self.att, [0x11, 20, 1, 0] + end + HostCapture.uuid(framing.service))
    capture.send(Self.att, [0x10] + HostCapture.u16(next) + [0xFF, 0xFF, 0x00, 0x28])
    capture.receive(Self.att, [0x01, 0x10] + HostCapture.u16(next) + [0x0A])
    // ATT_READ_BY_TYPE of characteristics.
    capture.send(Self.att, [0x08, 1, 0] + end + [0x03, 0x28])
    capture.receive(Self.att, [0x09, 21] + entries)
    // ATT_FIND_INFORMATION of Client Characteristic Configurations.
    for descriptor in descriptors {
      let handle = HostCapture.u16(descriptor)
      capture.send(Self.att, [0x04] + handle + handle)
      capture.receive(Self.att, [0x05, 1] + handle + [0x02, 0x29])
    }
    return handles
  }

  private func subscribe(_ capture: inout HostCapture, _ handles: [String: Int]) {
    for characteristic in framing.characteristics {
      guard let wanted = characteristic.subscription, let handle = handles[characteristic.uuid]
      else { continue }
      capture.send(Self.att, [0x12] + HostCapture.u16(handle + 1) + [wanted, 0])
      capture.receive(Self.att, [0x13])
      if let value = framing.announcement(publicKey) {
        capture.receive(Self.att, [0x1B] + HostCapture.u16(handle) + value)
      }
    }
  }
}
