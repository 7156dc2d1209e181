import ArgumentParser
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkSystem

/// A key file that is changed: read, and written again as a whole.
struct KeyStore {
  let path: String
  var file: KeyFile
  /// Nil for a plain file.
  var passphrase: Secret?
  /// Nil if it is only read.
  private let target: FileTarget?

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    _ path: String, passphraseFile: String?, writes: Bool = true, makesNew: Bool = false,
    encrypts: Bool = false
  ) throws {
    self.path = path
    KeyOptions.holdKeys()
    do {
      // A symbolic link stays one, and the file that it leads to does not keep the old keys.
      target = writes ? try FileTarget(Platform.realPath(path) ?? path) : nil
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
    if makesNew, target?.isThere == false {
      file = KeyFile()
      passphrase =
        encrypts
        ? try KeyFileOpener.new(
          PassphraseFile.path(passphraseFile), "--passphrase-file", for: path) : nil
      return
    }
    var opener = KeyFileOpener(passphraseFile)
    (file, passphrase) = try opener.open(path)
    if encrypts, passphrase == nil {
      Console.complain("\(path) already exists unencrypted; 'hark keys rekey' encrypts it")
      throw ExitCode.failure
    }
    for warning in file.warnings { Console.complain(warning) }
  }

  /// Writes the file, reads it back, and only then gives it its name: until then the old one stays.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func save() throws {
    guard file.count <= KeyRing.mostOfFiles else {
      throw failure("would have \(file.count) keys; hark accepts at most \(KeyRing.mostOfFiles)")
    }
    guard let target else { preconditionFailure("the key file is only read") }
    let new = try ReplacingFile(target, isReadBack: true)
    try unsafe file.withJSON { text in
      guard let passphrase else { return try unsafe write(text, to: new.descriptor) }
      guard let sealed = unsafe SealedKeyFile.seal(text, passphrase) else {
        throw failure(
          "cannot be encrypted: deriving a key from the passphrase needs 64 MiB of memory")
      }
      try unsafe sealed.withUnsafeBytes { try unsafe write($0, to: new.descriptor) }
    }
    guard isSame(try readBack(new.descriptor)) else {
      throw failure("verification failed after writing; the old file stays")
    }
    try new.keep(replacesOthers: false)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    // Freeing guarded memory changes `errno`.
    guard let failure = unsafe Platform.writeAll(bytes, to: descriptor).failure else { return }
    throw self.failure("cannot write: \(unsafe String(cString: strerror(failure)))")
  }

  private func isSame(_ other: KeyFile?) -> Bool {
    guard let other else { return false }
    // The file has lists, kind by kind.
    return other.count == file.count
      && Set(other.keys.map(\.identity)) == Set(file.keys.map(\.identity))
  }

  private func readBack(_ descriptor: Int32) throws -> KeyFile? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(descriptor, &part, part.count, off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += part[..<count]
    }
    let contents = KeyFileContents(bytes, path: path)
    return try? passphrase.map { try contents.open($0) } ?? contents.open()
  }

  func failure(_ problem: String) -> ExitCode {
    Console.complain("\(path): \(problem)")
    return .failure
  }

  /// The places of the keys that `names` name; of all keys where there are no names.
  /// - Throws: `ExitCode.failure`, after reporting which name belongs to no key.
  func places(of names: [String], orAll: Bool = true) throws -> [Int] {
    guard !names.isEmpty || !orAll else { return Array(file.keys.indices) }
    var places: Set<Int> = []
    for name in names {
      let found = file.keys.indices.filter { file.keys[$0].isNamed(name) }
      guard !found.isEmpty else {
        throw failure(
          "no key has the fingerprint, name, address or kind '\(name)'; 'hark keys list' lists the keys"
        )
      }
      places.formUnion(found)
    }
    return places.sorted()
  }
}

extension StoredKey {
  /// Whether a user means it by `text`.
  fileprivate func isNamed(_ text: String) -> Bool {
    fingerprint.description == text.lowercased() || details.name == text || kind.rawValue == text
      || details.address.map { $0 == BluetoothAddress(text) } == true
  }
}
