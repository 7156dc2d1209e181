import HarkCore

extension CaptureBytes {
  /// The HCI packets of a capture of a USB, as btsnoop: of the Linux monitor where it has several controllers, else
  /// H4. Nil for other captures.
  func packetsOfUSB() -> CaptureBytes? {
    guard let capture = try? Capture(bytes: bytes, name: name), capture.info.isOfUSB else {
      return nil
    }
    var single = BtsnoopWriter(.h4)
    var monitor = BtsnoopWriter(.monitor)
    var (packets, records) = (single.fileHeader, monitor.fileHeader)
    var controllers: UInt16 = 0
    _ = capture.forEachRecord { record, bytes in
      guard record.kind.isHCI else { return true }
      controllers = max(controllers, record.controller)
      _ = single.append(record, bytes, to: &packets)
      _ = monitor.append(record, bytes, to: &records)
      return true
    }
    return CaptureBytes(controllers == 0 ? packets : records, name: name)
  }
}

extension CaptureInfo {
  /// Whether its packets are taken from the transfers of a USB.
  public var isOfUSB: Bool {
    interfaces.contains { $0.linkType.map { USBLayout(linkType: $0) != nil } ?? false }
  }
}
