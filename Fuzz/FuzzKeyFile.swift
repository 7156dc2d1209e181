import HarkCore
import HarkCrypto

/// Reads any bytes as a key file: nothing may trap, each error has its place, and no message shows a
/// run of the file that could be a key.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyFile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let bytes = input.all()
  if SealedKeyFile.isSealed(bytes) { return fuzzSealed(bytes) }
  // For other text, an import reports what it is; most of it is nothing.
  _ = try? KeyImport.read(bytes, path: "fuzz")
  do {
    let file = try KeyFile(bytes, name: "fuzz")
    #if FAST
      return 0
    #endif
    let ring = KeyRing([file])
    precondition(ring.entries.count <= file.count)
    for entry in ring.entries { precondition(!entry.isExposed) }
  } catch {
    #if FAST
      return 0
    #endif
    precondition(!error.problems.isEmpty, "what fails has a reason")
    let lines = bytes.count { $0 == 0x0A } + 1
    for problem in error.problems {
      checkSecrecy(problem.description)
      guard let line = problem.line, let column = problem.column else {
        precondition(error.problems.count == 1, "only a problem of the whole file has no place")
        continue
      }
      precondition((1...lines).contains(line), "\(problem): line \(line) of \(lines)")
      precondition((1...bytes.count + 1).contains(column), "\(problem): column \(column)")
    }
  }
  return 0
}

/// A sealed file never arises by chance: it fails, and its plaintext is never read.
private func fuzzSealed(_ bytes: [UInt8]) -> CInt {
  var text = Array("fuzz".utf8)
  do {
    _ = try KeyFileContents(bytes, path: "fuzz").open(Secret(taking: &text))
    preconditionFailure("a sealed file was forged")
  } catch {
    guard case .sealed = error else { preconditionFailure("the text of a forged file was read") }
  }
  return 0
}

/// Messages quote names of members, known ones only: the longest has 13 letters.
private func checkSecrecy(_ message: String) {
  let words = message.utf8.split { !isDigit($0) }
  for word in words where word.count >= 32 {
    preconditionFailure("\(message): \(word) may be a key")
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
  default: false
  }
}
