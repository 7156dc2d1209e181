import ArgumentParser
import CMemory
import HarkCore
import HarkCrypto
import HarkSystem

/// Key files, those that HARK_KEYS names, and single keys for a quick look.
///
/// No group of options contains another: debug builds of ArgumentParser validate a group four times for each group
/// around it, which took more than half of the time of a short command. Groups that need the same option declare it
/// with the same help.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: ArgumentHelp(
      "A key file, plain or encrypted; 'hark keys' creates one. May be repeated; "
        + "HARK_KEYS names more, separated by colons.",
      valueName: "file"),
    completion: .file())
  var keys: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "An LTK for a quick look, most significant byte first. Other users can see it in the process "
        + "list, like the options below; a key file stays private.",
      valueName: "key[@address]"))
  var ltk: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("An IRK, and its device.", valueName: "key[@address]"))
  var irk: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A BR/EDR link key, and its device.", valueName: "key[@address]"))
  var linkKey: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "An accessory's private key: p256: or xWing: and 32 bytes; without a suite, both are tried.",
      valueName: "[suite:]key"))
  var accessoryKey: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The passkey of an LE legacy pairing: six digits.", valueName: "digits"))
  var passkey: [String] = []

  @Option(help: PassphraseFile.help, completion: .file()) var passphraseFile: String?

  /// The variable of the environment that names key files.
  static let variable = "HARK_KEYS"

  /// The files named in the environment.
  static var namedPaths: [String] {
    (Console.environment(variable) ?? "").split(separator: ":").map(String.init)
  }

  /// Whether there are any.
  var areGiven: Bool { areNamed || !Self.namedPaths.isEmpty }

  /// Whether the command line has any, apart from the environment.
  var areNamed: Bool {
    !keys.isEmpty || !ltk.isEmpty || !irk.isEmpty || !linkKey.isEmpty || !accessoryKey.isEmpty
      || !passkey.isEmpty
  }

  /// The named key files.
  var paths: [String] { Self.namedPaths + keys }

  /// Reads all key files and keys. All their errors are reported at once.
  func ring() throws -> KeyRing {
    var opener = KeyFileOpener(passphraseFile)
    return try ring(&opener)
  }

  /// - Parameter opener: Asks for passphrases, and remembers them.
  func ring(_ opener: inout KeyFileOpener) throws -> KeyRing {
    var (ring, isSound) = Self.ring(of: areGiven ? paths : nil, &opener)
    let areKeys = add(to: &ring)
    guard isSound, areKeys else {
      let what = isSound ? "the key" : "the key file"
      Console.complain("nothing was read: correct \(what), or omit it")
      throw isSound ? ExitCode.validationFailure : .failure
    }
    return ring
  }

  /// The keys of files, and whether all files could be read; nil if no key is given.
  static func ring(
    of paths: [String]?, _ passphraseFile: String?
  ) -> (ring: KeyRing, isSound: Bool) {
    var opener = KeyFileOpener(passphraseFile)
    return ring(of: paths, &opener)
  }

  private static func ring(
    of paths: [String]?, _ opener: inout KeyFileOpener
  ) -> (ring: KeyRing, isSound: Bool) {
    guard let paths else { return (KeyRing(), true) }
    holdKeys()
    var files: [KeyFile] = []
    var isSound = true
    for path in paths {
      if let file = try? opener.open(path).file {
        for warning in file.warnings { Console.complain(warning) }
        files.append(file)
      } else {
        isSound = false
      }
    }
    let count = files.reduce(0) { $0 + $1.count }
    if count > KeyRing.mostOfFiles {
      Console.complain(
        "the key files have \(count) keys in total; hark accepts at most \(KeyRing.mostOfFiles)")
      isSound = false
    }
    return (KeyRing(files), isSound)
  }

  /// Call it before keys are in memory.
  static func holdKeys() {
    ProcessMemory.holdsKeys()
    memory_clear_freed()
  }

  /// Adds the single keys, and returns whether all of them are valid. Errors never repeat a key.
  private func add(to ring: inout KeyRing) -> Bool {
    let bonding: [(BondingKey.Kind, String, [String])] = [
      (.longTermKey, "--ltk", ltk), (.identityResolvingKey, "--irk", irk),
      (.linkKey, "--link-key", linkKey),
    ]
    var isSound = true
    for (kind, option, texts) in bonding {
      for text in texts where !Self.add(kind, text, option, to: &ring) { isSound = false }
    }
    for text in passkey where !Self.add(passkey: text, to: &ring) { isSound = false }
    for text in accessoryKey where !Self.add(accessory: text, to: &ring) { isSound = false }
    return isSound
  }

  private static func add(
    _ kind: BondingKey.Kind, _ text: String, _ option: String, to ring: inout KeyRing
  ) -> Bool {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let address = parts.count == 2 ? BluetoothAddress(parts[1]) : nil
    guard var octets = KeyText.bytes(Array(parts[0].utf8), of: .ltk), octets.count == 16,
      (parts.count == 2) == (address != nil)
    else {
      Console.complain(
        "\(option) takes 16 bytes as hexadecimal digits or base64; @ and an address such as C0:DE:00:00:00:01 may follow"
      )
      return false
    }
    // Users write a key with the most significant byte first; it is stored in SMP's order.
    octets.reverse()
    guard let key = try? BondingKey(kind, &octets, address: address, origin: .file(option)) else {
      return false
    }
    ring.add(key)
    return true
  }

  private static func add(passkey text: String, to ring: inout KeyRing) -> Bool {
    // Vol 3, Part H, 2.3.5.3
    guard text.utf8.count == 6, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = UInt32(text)
    else {
      Console.complain("--passkey takes six digits")
      return false
    }
    var octets = (0..<16).map { $0 < 4 ? UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) : 0 }
    let key = try? BondingKey(.temporaryKey, &octets, address: nil, origin: .file("--passkey"))
    if let key { ring.add(key) }
    return key != nil
  }

  private static func add(accessory text: String, to ring: inout KeyRing) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1)
    let suite = parts.count == 2 ? CipherSuite(spelling: parts[0]) : nil
    let digits = suite == nil ? text[...] : parts[1]
    let usage =
      "--accessory-key takes 32 bytes as hexadecimal digits or base64; p256: or xWing: may precede them"
    guard var found = KeyText.bytes(Array(digits.utf8), of: .accessory) else {
      Console.complain(usage)
      return false
    }
    defer { for index in found.indices { found[index] = 0 } }
    guard [32, 64].contains(found.count) else {
      let error = KeyError.size(suite, of: found)
      if case .size(_, _, .some) = error {
        Console.complain("--accessory-key: \(error)")
      } else {
        Console.complain(usage)
      }
      return false
    }
    var (isKey, failure): (Bool, KeyError?) = (false, nil)
    for candidate in suite.map({ [$0] }) ?? CipherSuite.allCases {
      var octets = found
      do throws(KeyError) {
        ring.add(
          try AccessoryKey(candidate, privateKey: &octets, origin: .file("--accessory-key")))
        isKey = true
      } catch {
        failure = error
      }
    }
    if !isKey, let failure { Console.complain("--accessory-key: \(failure)") }
    return isKey
  }
}
