import CSodium

/// Why a sealed key file was not opened.
public enum SealedKeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case wrongPassphrase
  /// What is damaged.
  case damaged(String)
  /// A version, or costs of the passphrase, that this hark does not take.
  case unsupported(String)

  public var description: String {
    switch self {
    case .wrongPassphrase: "the passphrase is wrong"
    case .damaged(let what): "damaged: \(what)"
    case .unsupported(let what): what
    }
  }
}

/// A key file that is encrypted with a passphrase: Argon2id makes a key of it, and libsodium's secretstream
/// (XChaCha20-Poly1305) seals the file's JSON in chunks. All numbers are little-endian.
///
///     offset  size
///          0     8  "HARKKEYS"
///          8     4  version: 1
///         12     4  Argon2id: operations
///         16     4  Argon2id: memory in KiB
///         20    16  Argon2id: salt
///         36    16  mark of the passphrase
///         52    24  header of the secretstream
///         76    16  BLAKE2b of bytes 0 to 75
///         92        chunks of 65,536 bytes and 17 bytes more, the last one shorter and with TAG_FINAL
///
/// The header is authenticated with each chunk. The mark distinguishes a wrong passphrase from a damaged file; the hash
/// distinguishes a damaged header from a wrong passphrase.
public enum SealedKeyFile {
  static let magic = Array("HARKKEYS".utf8)
  static let headerSize = 92
  private static let chunkSize = 65_536
  private static let extra = 17
  private static let version: UInt32 = 1

  /// What a passphrase costs to try: RFC 9106, 4, the second recommendation, in one lane.
  private static let operations: UInt32 = 3
  private static let memory: UInt32 = 64 << 10
  /// What a file may ask for: a header is read before anything proves who wrote it.
  private static let mostOperations: UInt32 = 8
  private static let mostMemory: UInt32 = 256 << 10

  /// Whether a file begins as a sealed one does.
  public static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// The longest sealed file: what the longest text becomes.
  static let longest =
    headerSize + KeyFile.longest + (KeyFile.longest / chunkSize + 1) * extra

  /// The file that holds `plaintext`.
  public static func seal(_ plaintext: UnsafeRawBufferPointer, _ passphrase: Secret) -> [UInt8]? {
    guard Sodium.isReady else { return nil }
    var header = magic
    for number in [version, operations, memory] { append(number, to: &header) }
    var salt = [UInt8](repeating: 0, count: 16)
    unsafe randombytes_buf(&salt, salt.count)
    header += salt
    guard let keys = derive(passphrase, header) else { return nil }
    header += mark(keys)
    var state = crypto_secretstream_xchacha20poly1305_state()
    defer { unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    var stream = [UInt8](repeating: 0, count: 24)
    let begun = unsafe keys.withBytes { key -> Int32 in
      guard let key = unsafe key.bindMemory(to: UInt8.self).baseAddress else { return -1 }
      return unsafe crypto_secretstream_xchacha20poly1305_init_push(&state, &stream, key)
    }
    guard begun == 0 else { return nil }
    header += stream
    header += hash(header)
    var file = header
    var place = 0
    var isLast = false
    file.reserveCapacity(header.count + plaintext.count + (plaintext.count / chunkSize + 1) * extra)
    while !isLast {
      let end = min(place + chunkSize, plaintext.count)
      isLast = end == plaintext.count
      let part = unsafe UnsafeRawBufferPointer(rebasing: plaintext[place..<end])
      var chunk = [UInt8](repeating: 0, count: part.count + extra)
      let tag = UInt8(isLast ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0)
      guard
        unsafe crypto_secretstream_xchacha20poly1305_push(
          &state, &chunk, nil, part.bindMemory(to: UInt8.self).baseAddress, UInt64(part.count),
          header, UInt64(header.count), tag) == 0
      else { return nil }
      file += chunk
      place = end
    }
    return file
  }

  /// The text in a sealed file, for who releases it.
  static func open(_ file: [UInt8], _ passphrase: Secret) throws(SealedKeyFileError) -> [UInt8] {
    guard file.count >= headerSize else { throw .damaged("it ends inside its header") }
    guard hash(Array(file[..<76])) == Array(file[76..<headerSize]) else {
      throw .damaged("its header was changed")
    }
    let version = number(file, 8)
    guard version == Self.version else {
      throw .unsupported(
        "version \(version) of encrypted key files; this version of hark reads version 1")
    }
    guard 1...mostOperations ~= number(file, 12), 8...mostMemory ~= number(file, 16) else {
      throw .unsupported(
        "requires more than \(mostOperations) passes of Argon2id over \(mostMemory >> 10) MiB")
    }
    guard let keys = derive(passphrase, Array(file[..<36])) else {
      throw .unsupported(
        "its passphrase needs \(number(file, 16)) KiB of memory, which is not available")
    }
    guard mark(keys) == Array(file[36..<52]) else { throw .wrongPassphrase }
    return try body(of: file, keys)
  }

  private static func body(
    of file: [UInt8], _ keys: Secret
  ) throws(SealedKeyFileError) -> [UInt8] {
    var state = crypto_secretstream_xchacha20poly1305_state()
    defer { unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    let header = Array(file[..<headerSize])
    let begun = unsafe keys.withBytes { key -> Int32 in
      guard let key = unsafe key.bindMemory(to: UInt8.self).baseAddress else { return -1 }
      return unsafe crypto_secretstream_xchacha20poly1305_init_pull(
        &state, Array(file[52..<76]), key)
    }
    guard begun == 0 else { throw .damaged("its header was changed") }
    var damage: String?
    var text = unsafe [UInt8](unsafeUninitializedCapacity: max(1, file.count - headerSize)) {
      room, count in
      unsafe Sodium.lock(UnsafeRawBufferPointer(room))
      var place = headerSize
      var tag: UInt8 = 0
      while place < file.count {
        let end = min(place + chunkSize + extra, file.count)
        let opened = unsafe file.withUnsafeBufferPointer { sealed in
          unsafe crypto_secretstream_xchacha20poly1305_pull(
            &state, room.baseAddress?.advanced(by: count), nil, &tag,
            sealed.baseAddress?.advanced(by: place), UInt64(end - place), header,
            UInt64(header.count))
        }
        guard end - place >= extra, opened == 0 else {
          damage = "the data after byte \(place) was changed"
          return
        }
        count += end - place - extra
        place = end
        guard tag != UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL) || place == file.count
        else {
          damage = "there is data after its end"
          return
        }
      }
      if tag != UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL) {
        damage = "its end is missing"
      }
    }
    guard let damage else { return text }
    unsafe text.withUnsafeMutableBytes { unsafe Sodium.release(UnsafeRawBufferPointer($0)) }
    throw .damaged(damage)
  }

  /// 64 bytes: the key of the stream, and what the mark is made of.
  private static func derive(_ passphrase: Secret, _ header: [UInt8]) -> Secret? {
    var isMade = false
    let keys = unsafe Secret(count: 64) { room in
      isMade = unsafe passphrase.withBytes { text in
        guard let room = unsafe room.bindMemory(to: UInt8.self).baseAddress,
          let start = unsafe text.bindMemory(to: CChar.self).baseAddress
        else { return false }
        return unsafe crypto_pwhash(
          room, 64, start, UInt64(text.count), Array(header[20..<36]),
          UInt64(number(header, 12)), Int(number(header, 16)) << 10,
          crypto_pwhash_ALG_ARGON2ID13) == 0
      }
    }
    return isMade ? keys : nil
  }

  private static func mark(_ keys: Secret) -> [UInt8] {
    unsafe keys.withBytes { keys in
      let half = unsafe UnsafeRawBufferPointer(rebasing: keys[32...])
      return unsafe Array(Sodium.hash(half, context: "hark mark of a passphrase").prefix(16))
    }
  }

  private static func hash(_ header: [UInt8]) -> [UInt8] {
    unsafe header.withUnsafeBytes {
      unsafe Array(Sodium.hash($0, context: "hark header of a sealed key file").prefix(16))
    }
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }
}
