import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkSession

extension KeysCommand {
  struct Import: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import keys from other programs' files.",
      usage: "hark keys import <file> <source> ... [<options>]",
      discussion: """
        hark detects each file's kind from its content: BlueZ's info files and folders of them \
        (/var/lib/bluetooth), Bumble's key store, Android's bt_config.conf, logs of Zephyr, NimBLE and \
        ESP-IDF, P-256 keys in PEM and DER, key logs, other key files, captures that contain keys, and bare \
        digits with --kind.

        Over the air, keys are in encrypted packets: --ltk and similar options decrypt them. With an accessory's private \
        key, hark also exports the root keys of the internet transport from the key exchanges in a capture.

        Keys that the file already has are skipped. Each new key records its source.

        Examples:
          hark keys import lab.harkkeys /var/lib/bluetooth
          hark keys import lab.harkkeys btsnoop_hci.log
          hark keys import lab.harkkeys sniffed.pcap --keys acme.harkkeys
          hark keys import lab.harkkeys ltk.txt --kind ltk --least-significant-first
        """)

    @OptionGroup var file: NewFile

    @Argument(help: "Files and folders with keys.", completion: .file())
    var source: [String]

    @Option(help: ArgumentHelp("The kind of key, for bare digits.", valueName: "kind"))
    var kind: StoredKey.Kind?

    @Option(
      help: ArgumentHelp("The suite, for bare digits: p256 or xWing.", valueName: "suite"),
      transform: CipherSuite.option)
    var suite: CipherSuite?

    @Flag(help: "Bare digits are in the order of SMP and HCI, as Wireshark copies them.")
    var leastSignificantFirst = false

    @OptionGroup var details: Details

    @OptionGroup(title: "Keys that decrypt captures") var keys: KeyOptions

    var writtenPaths: [String] { [file.file] }

    func run() throws {
      var store = try file.store(keys.passphraseFile)
      var hint = KeyImport.Hint()
      (hint.kind, hint.suite, hint.address) = (kind, suite, details.address)
      hint.isLeastSignificantFirst = leastSignificantFirst
      var opener = KeyFileOpener(keys.passphraseFile)
      let ring = try keys.ring(&opener)
      var code: ExitCode?
      var sources: [String] = []
      let files = source.map { (name: $0, files: KeySources.files($0)) }
      for folder in files where folder.files.isEmpty {
        Console.complain(
          "\(folder.name): no BlueZ info file in this folder; name the files themselves")
        code = .failure
      }
      for path in files.flatMap({ $0.files }) {
        do {
          let found = try KeySources.keys(path, hint, &opener, ring)
          let added = store.file.merge(found.keys.map(complete))
          let known = found.keys.count - added
          sources.append(
            "\(path): \(found.what): \(added) added"
              + (known > 0 ? ", \(known) already known" : "")
              + (found.unreadable > 0 ? ", \(found.unreadable) unreadable" : ""))
        } catch {
          // Of a folder, files without keys are passed over.
          if source.contains(path) { code = .failure }
        }
      }
      if let code {
        Console.complain("\(file.file): nothing was written")
        throw code
      }
      try store.save()
      for line in sources { Console.complain(line) }
    }

    /// With what the command line says about the keys.
    private func complete(_ key: StoredKey) -> StoredKey {
      var key = key
      key.details.name = details.name ?? key.details.name
      key.details.note = details.note ?? key.details.note
      key.details.since = details.since ?? key.details.since
      key.details.until = details.until ?? key.details.until
      return key
    }
  }
}

/// Where keys are imported from.
enum KeySources {
  struct Found {
    let what: String
    let keys: [StoredKey]
    var unreadable = 0
  }

  private static let mostFiles = 65_536
  private static let mostLevels = 8

  /// The file itself, or the `info` files below a folder.
  static func files(_ path: String) -> [String] {
    guard isFolder(path) else { return [path] }
    var files: [String] = []
    collect(path, 0, &files)
    return files
  }

  private static func collect(_ folder: String, _ level: Int, _ files: inout [String]) {
    guard level < mostLevels, let names = Directory.names(in: folder) else { return }
    for name in names.sorted() where files.count < mostFiles {
      let path = "\(folder)/\(name)"
      if isFolder(path) {
        collect(path, level + 1, &files)
      } else if name == "info", !Directory.isSpecial(path) {
        files.append(path)
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func keys(
    _ path: String, _ hint: KeyImport.Hint, _ opener: inout KeyFileOpener, _ ring: KeyRing
  ) throws -> Found {
    if let capture = try? Capture(path: path) { return try keys(of: capture, path, ring) }
    let bytes: [UInt8]
    do throws(WholeFile.Problem) {
      bytes = try WholeFile.read(path, most: KeyImport.longest)
    } catch {
      Console.complain("\(path): \(error.words(most: KeyImport.longest))")
      throw ExitCode.failure
    }
    if isKeyFile(bytes) {
      let file = try opener.open(path).file
      let keys = file.keys.map { key in
        var key = key
        key.details.source = key.details.source ?? path
        return key
      }
      return Found(what: "key file", keys: keys)
    }
    do throws(KeyImport.Failure) {
      let found = try KeyImport.read(bytes, path: path, hint: hint)
      return Found(what: found.format.rawValue, keys: found.keys, unreadable: found.unreadable)
    } catch {
      Console.complain("\(path): \(error)")
      throw ExitCode.failure
    }
  }

  private static func isKeyFile(_ bytes: [UInt8]) -> Bool {
    if SealedKeyFile.isSealed(bytes) { return true }
    let limits = JSONParser.Limits(levels: 32, values: .max, takesDuplicates: true)
    guard let root = try? JSONParser.read(bytes, in: bytes.indices, limits),
      case .object(let members) = root.value
    else { return false }
    return members.contains { $0.name == "format" }
  }

  /// What the capture itself gives away, also in packets that a given key decrypts, and what its key exchanges yield.
  private static func keys(
    of capture: Capture, _ path: String, _ given: KeyRing
  ) throws -> Found {
    var reading = Reading(capture, keys: given)
    _ = try reading.run { _, _ in }
    let ring = reading.session.keys
    let keys =
      ring.accessoryKeys.filter(\.origin.isExposed).map { StoredKey.accessory($0) }
      + ring.bondingKeys.filter(\.origin.isExposed).map { StoredKey.bonding($0) }
      + ring.exportedInternetKeys.map { StoredKey.internet($0) }
    return Found(
      what: "capture",
      keys: keys.map { key in
        var key = key
        key.details.source = "\(path), \(origin(key))"
        return key
      })
  }

  private static func origin(_ key: StoredKey) -> String {
    switch key {
    case .accessory(let key): key.origin.description
    case .bonding(let key): key.origin.description
    case .session(let key): key.origin.description
    case .internet(let key): key.origin.description
    }
  }
}
