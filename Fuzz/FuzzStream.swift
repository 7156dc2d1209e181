import HarkCapture
import HarkCore

/// Reads any bytes as what passes on a line: nothing may trap or loop, and however the bytes are cut,
/// the records are the same.
///
/// The first byte picks the format, one more lets the bytes say it themselves; the second says how many
/// come at a time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStream(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard input.count > 2 else { return 0 }
  let choice = Int(input[0]) % (StreamFormat.allCases.count + 1)
  let format = choice < StreamFormat.allCases.count ? StreamFormat.allCases[choice] : nil
  let bytes = Array(input[2...])
  #if FAST
    let capture = try? Capture(bytes: bytes, name: "fuzz", as: format, chunk: 1 + Int(input[1]))
    _ = capture?.forEachRecord { _, _ in true }
    return 0
  #else
    checkPieces(bytes, format, 1 + Int(input[1]))
    return 0
  #endif
}

private func checkPieces(_ bytes: [UInt8], _ format: StreamFormat?, _ chunk: Int) {
  let whole = records(bytes, format, chunk: .max)
  let cut = records(bytes, format, chunk: chunk)
  precondition(whole == cut, "\(whole ?? []) and in pieces \(cut ?? [])")
}

/// The bytes of each record, with what kind it is in front; nil if the format is not known.
private func records(_ bytes: [UInt8], _ format: StreamFormat?, chunk: Int) -> [[UInt8]]? {
  guard let capture = try? Capture(bytes: bytes, name: "fuzz", as: format, chunk: chunk) else {
    return nil
  }
  var found: [[UInt8]] = []
  let end = capture.forEachRecord { record, bytes in
    precondition(record.count == bytes.byteCount, "a record's count is that of its bytes")
    precondition(record.count <= record.originalCount, "no record is longer than it was")
    found.append([record.kind.rawValue] + bytes.array)
    return true
  }
  precondition(end.records == UInt32(found.count))
  return found
}
