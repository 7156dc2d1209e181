import ArgumentParser
import HarkCore
import HarkCrypto
import HarkPlatform

extension KeysCommand {
  struct Add: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a key from the terminal or standard input.",
      usage: "hark keys add <file> --kind <kind> [<options>]",
      discussion: """
        Asks for the secret on the terminal, or reads it from standard input: hexadecimal digits or \
        base64, most significant byte first, as the specification prints it.

        Examples:
          hark keys add lab.harkkeys --kind ltk --address C0:DE:00:00:00:01
          hark keys add lab.harkkeys --kind accessory --suite p256 --name lab < key.txt
          hark keys add lab.harkkeys --kind irk --least-significant-first < irk.txt
        """)

    @OptionGroup var file: NewFile

    @Option(help: PassphraseFile.help, completion: .file()) var passphraseFile: String?

    @Option(help: ArgumentHelp("The kind of key.", valueName: "kind"))
    var kind: StoredKey.Kind

    @OptionGroup var details: Details

    @Option(
      help: ArgumentHelp("The suite of an accessory's key: p256 or xWing.", valueName: "suite"),
      transform: CipherSuite.option)
    var suite: CipherSuite?

    @Option(
      parsing: .singleValue,
      help: ArgumentHelp("The phone's identifier for the accessory.", valueName: "uuid"))
    var identifier: [String] = []

    @Option(help: ArgumentHelp("The session of a session key: a UUID.", valueName: "uuid"))
    var session: String?

    @Option(
      help: ArgumentHelp("HostToAccessory or AccessoryToHost.", valueName: "direction"))
    var direction: MessageDirection?

    @Option(
      help: ArgumentHelp(
        "The first message that an internet chain key decrypts. Default: 0.", valueName: "number"))
    var index: UInt32?

    @Flag(help: "The bytes are in the order of SMP and HCI, least significant first.")
    var leastSignificantFirst = false

    var writtenPaths: [String] { [file.file] }

    func validate() throws {
      if let session, session.utf8.count != 36 || BluetoothUUID(session) == nil {
        throw ValidationError("--session takes a UUID of 36 characters")
      }
      let others: [(option: String, isGiven: Bool, kinds: [StoredKey.Kind])] = [
        ("--suite", suite != nil, [.accessory]),
        ("--identifier", !identifier.isEmpty, [.accessory]),
        ("--session", session != nil, [.session]),
        ("--direction", direction != nil, [.session, .internet]),
        ("--index", index != nil, [.internet]),
      ]
      if let other = others.first(where: { $0.isGiven && !$0.kinds.contains(kind) }) {
        let kinds = other.kinds.map { "--kind \($0.rawValue)" }.joined(separator: " or ")
        throw ValidationError("\(other.option) needs \(kinds)")
      }
    }

    func run() throws {
      var store = try file.store(passphraseFile)
      var bytes = try Self.secret(kind)
      if leastSignificantFirst { bytes.reverse() }
      var scope = StoredKey.Scope()
      scope.direction = direction
      scope.session = session
      scope.identifiers = identifier
      scope.index = index ?? 0
      let key: StoredKey
      do throws(KeyMakingError) {
        key = try StoredKey(kind, &bytes, suite, details.details, scope)
      } catch {
        throw store.failure("the key was not added: \(error)")
      }
      let isNew = store.file.merge([key]) == 1
      try store.save()
      Console.complain(
        "\(file.file): \(isNew ? "added" : "already had") \(kind.rawValue) \(key.fingerprint)")
    }

    private static func secret(_ kind: StoredKey.Kind) throws -> [UInt8] {
      var text = isatty(0) == 1 ? try ask(kind) : try read()
      defer { for index in text.indices { text[index] = 0 } }
      while let last = text.last, last <= 0x20 { text.removeLast() }
      guard !text.isEmpty else {
        Console.complain("no key on standard input: it takes hexadecimal digits or base64")
        throw ExitCode.failure
      }
      if let mistake = KeyText.mistake(text, of: kind) {
        Console.complain("the key was not added: \(mistake)")
        throw ExitCode.failure
      }
      guard let bytes = KeyText.bytes(text, of: kind) else {
        Console.complain("the input is neither hexadecimal digits nor base64")
        throw ExitCode.failure
      }
      return bytes
    }

    private static func ask(_ kind: StoredKey.Kind) throws -> [UInt8] {
      do throws(SecretPrompt.Failure) {
        return try SecretPrompt.read("Key (\(kind.rawValue)): ")
      } catch {
        throw ExitCode.failure
      }
    }

    private static func read() throws -> [UInt8] {
      var text = [UInt8](repeating: 0, count: 4_096)
      var count = 0
      while count < text.count {
        let got = unsafe text.withUnsafeMutableBytes { room in
          unsafe HarkPlatform.read(0, room.baseAddress?.advanced(by: count), room.count - count)
        }
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
      text.removeLast(text.count - count)
      return text
    }
  }
}

extension MessageDirection: ExpressibleByArgument {}
