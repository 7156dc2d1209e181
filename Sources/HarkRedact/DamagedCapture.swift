import HarkCapture

extension CaptureBytes {
  /// The packets of a damaged capture in a new one of the same format, without the damaged parts; nil if it cannot be written.
  func withoutDamage() -> CaptureBytes? {
    // A writer needs to know all interfaces when it begins.
    guard let first = try? Capture(bytes: bytes, name: name) else { return nil }
    _ = first.forEachRecord { _, _ in true }
    let info = first.info
    guard let format = CaptureOutput.format(of: info),
      let output = CaptureOutput.choose(format, for: [info]),
      let capture = try? Capture(bytes: bytes, name: name)
    else { return nil }
    var writer = CaptureWriter(output, of: [info], application: "hark")
    var made: [UInt8] = []
    writer.begin(to: &made)
    _ = capture.forEachRecord { record, packet in
      var origin = RecordOrigin(info, controller: record.controller)
      if record.flags.contains(.commented) { origin.comments = capture.comments }
      _ = writer.append(record, packet, origin, to: &made)
      return true
    }
    return writer.count > 0 ? CaptureBytes(made, name: name) : nil
  }
}
