import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkPresentation
import HarkSeal

struct SealCommand: ParsableCommand, FileWriting {
  static let configuration = CommandConfiguration(
    commandName: "seal", _superCommandName: Hark.name,
    abstract: "Create encrypted test messages for firmware.",
    usage: "hark seal <notifications> --public-key <key> [<options>]",
    discussion: """
      Encapsulates a key for an accessory's public key and encrypts notifications with the keys derived \
      from it, as an iPhone does. Use the result to test firmware without a phone: hark open, or firmware \
      with the private key, decrypts it.

      NOTIFICATIONS is JSON: an object, or an array of them, with the members kind (add, update, remove, \
      removeAll), title, subtitle, body, sourceName, sourceIdentifier, notificationIdentifier, \
      threadIdentifier, shouldAlert, and actions: identifier, title, type (background, textInput, \
      dismiss).

      With --seed, the same input always gives the same bytes. Use such keys for tests only.

      Profiles:
        pebble        P-256, fragments with flags
        notifbridge   X-Wing, JSON between sentinels
        none          either suite, only the encrypted bytes

      Formats:
        text      hexadecimal digits
        json      what hark open reads
        c         C arrays
        files     a folder with one file per part, and sealed.json
        capture   a btsnoop file, as if a phone had recorded it

      Faults, and the rule of hark findings that detects each one in a capture:
      \(SealFault.allCases.map(Self.line).joined(separator: "\n"))

      Examples:
        hark seal texts.json --keys acme.harkkeys
        hark seal texts.json -k acme.harkkeys --seed 7 -f json -o sealed.json
        hark seal texts.json -k acme.harkkeys -f capture -o sealed.btsnoop
        hark seal texts.json -k acme.harkkeys --fault old-key -f capture -o a.btsnoop
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, c, files, capture
  }

  @Argument(help: "The notifications, or - for standard input.", completion: .file())
  var notifications: String

  @Option(
    help: ArgumentHelp(
      "The accessory's public key, in hexadecimal digits or base64, or a file with it: in a form that 'hark keys "
        + "show' prints.",
      valueName: "key"))
  var publicKey: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A key file; its first private key of the chosen suite is the accessory's.",
      valueName: "file"),
    completion: .file())
  var keys: String?

  @Option(help: PassphraseFile.help, completion: .file()) var passphraseFile: String?

  @Option(
    help: ArgumentHelp(
      "xWing or p256. Default: the suite of the key.", valueName: "suite"),
    transform: CipherSuite.option)
  var suite: CipherSuite?

  @Option(
    help: ArgumentHelp("The phone's identifier for the accessory: a UUID.", valueName: "uuid"))
  var identifier = "F47AC10B-58CC-4372-A567-0E02B2C3D479"

  @Option(help: ArgumentHelp("The session: a UUID.", valueName: "uuid"))
  var session = "ABCDEF12-3456-7890-ABCD-EF0123456789"

  @Option(help: ArgumentHelp("Any text; the same seed gives the same bytes.", valueName: "text"))
  var seed: String?

  @Option(help: "The framing. Default: the usual one for the suite.")
  var profile: SealFraming?

  @Option(help: "A mistake to include, to test hark findings.")
  var fault: SealFault?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output format. Default: selected by the output's extension: .btsnoop (capture), .json, .c or .h; otherwise text."
    ))
  var format: Format?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The output file, or - for standard output; for files, a folder.", valueName: "out"),
    completion: .file())
  var output = "-"

  private static func line(_ fault: SealFault) -> String {
    let gap = String(repeating: " ", count: 18 - fault.rawValue.count)
    return "  \(fault.rawValue)\(gap)\(fault.rule)"
  }

  /// The format that was chosen, or the one that the output's name promises.
  private var form: Format {
    if let format { return format }
    let name = output.lowercased()
    if name.hasSuffix(".btsnoop") { return .capture }
    if name.hasSuffix(".json") { return .json }
    return name.hasSuffix(".c") || name.hasSuffix(".h") ? .c : .text
  }

  /// Longer input is refused.
  static let longest = 4 << 20

  var writtenPaths: [String] { [output] }

  func validate() throws {
    guard (publicKey == nil) != (keys == nil) else {
      throw ValidationError("name the accessory's key: --public-key, or --keys with a key file")
    }
    guard keys != nil || passphraseFile == nil else {
      throw ValidationError("--passphrase-file needs --keys")
    }
    if form == .files, output == "-" {
      throw ValidationError("--format files needs a folder: name it with --output")
    }
    for (option, text) in [("--identifier", identifier), ("--session", session)]
    where text.utf8.count != 36 || BluetoothUUID(text) == nil {
      throw ValidationError("\(option) takes a UUID of 36 characters")
    }
    guard fault != .reversedAddress || form == .capture else {
      throw ValidationError(
        "the accessory, not the phone, sends the fault reversed-address: it needs "
          + "--format capture")
    }
  }

  func run() throws {
    let found = try NotificationFile.read(notifications)
    let key = try accessory()
    let conversation: SealedConversation
    let made: [UInt8]
    let framing = profile ?? (key.suite == .xWing ? .notifbridge : .pebble)
    let losses: [String]
    do throws(SealError) {
      losses = fault == .reversedAddress ? [] : try framing.losses(of: found)
      conversation = try SealedConversation(
        SealRequest(
          key.suite, publicKey: key.publicKey, identifier: identifier.uppercased(),
          session: session.uppercased(), seed: seed,
          framing: framing, fault: fault,
          notifications: found))
      made = form == .files ? [] : try bytes(of: conversation)
    } catch {
      throw NotificationFile.failure(error.description)
    }
    if !losses.isEmpty {
      Console.complain(
        "\(framing.rawValue) does not carry everything, so the result omits: "
          + losses.joined(separator: ", "))
    }
    if form == .files { return try writeFiles(conversation) }
    try Self.write(made, to: output)
  }

  private static let longestPublicKey = 8_192

  /// The public key that is sealed for.
  private func accessory() throws -> (suite: CipherSuite, publicKey: [UInt8]) {
    if let keys {
      let (ring, isSound) = KeyOptions.ring(of: [keys], passphraseFile)
      guard isSound else { throw ExitCode.failure }
      guard let key = ring.accessoryKeys.first(where: { suite == nil || $0.suite == suite }) else {
        let name = suite?.name
        throw NotificationFile.failure(
          "\(keys): no accessory's private key\(name.map { " for \($0)" } ?? ""); "
            + "'hark keys generate' makes one")
      }
      return (key.suite, key.publicKey)
    }
    let text = publicKey ?? ""
    let file = try? WholeFile.read(text, most: Self.longestPublicKey)
    let bytes = file ?? Array(text.utf8)
    // A file may hold the bytes themselves.
    let readings = [
      Hex.bytes(String(decoding: bytes, as: UTF8.self)),
      Base64.decode(bytes.filter { $0 > 0x20 }), bytes,
    ]
    for case let reading? in readings {
      guard let found = AccessoryKey.publicKey(reading), suite == nil || suite == found.suite
      else { continue }
      return (found.suite, found.key)
    }
    let name = Columns.cut(text, to: 60)
    if String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----") {
      throw NotificationFile.failure(
        "--public-key: the file \(name) has a private key; 'openssl pkey -in FILE -pubout' writes its public key"
      )
    }
    let spelled = (readings[0] ?? readings[1])?.count ?? 0
    let count = readings.lazy.compactMap(\.self).first?.count ?? 0
    let found =
      file == nil
      ? "there is no file \(name), and as digits or base64 it has \(spelled)"
      : "the file \(name) has \(count)"
    throw NotificationFile.failure(
      "--public-key takes 1216 bytes for X-Wing; for P-256 64, 65 or 33 bytes, DER or PEM; or a file with them: "
        + found)
  }

  private func bytes(of conversation: SealedConversation) throws(SealError) -> [UInt8] {
    var out = TextBuffer()
    switch form {
    case .text: conversation.writeText(to: &out)
    case .json: conversation.write(to: &out)
    case .c: conversation.writeC(to: &out)
    case .files: break
    case .capture:
      if fault == .reversedAddress { return ReversedAddress.capture }
      guard let capture = conversation.capture else {
        throw SealError("a capture needs the framing of a profile")
      }
      return capture
    }
    return out.bytes
  }

  private func writeFiles(_ conversation: SealedConversation) throws {
    unsafe mkdir(output, 0o700)
    var out = TextBuffer()
    conversation.write(to: &out)
    for (name, bytes) in conversation.files + [("sealed.json", out.bytes)] {
      try Self.write(bytes, to: "\(output)/\(name)")
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    if path == "-" {
      var out = Output(isImmediate: false)
      out.text.append(bytes)
      return try out.flush()
    }
    let file = try OutputBytes(path, besides: [])
    file.bytes = bytes
    try file.finish()
  }
}

extension SealFraming: ExpressibleByArgument {}
extension SealFault: ExpressibleByArgument {}

/// The input of `hark seal` and `hark open`.
enum NotificationFile {
  static func read(_ path: String) throws -> [ForwardedNotification] {
    let bytes = try bytes(path)
    do throws(SealError) {
      return try NotificationReader.read(bytes)
    } catch {
      throw failure("\(InputFile.name(path)): \(error)")
    }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    try InputFile.bytes(path, most: SealCommand.longest)
  }

  /// Reports what is wrong.
  static func failure(_ text: String) -> ExitCode {
    Console.complain(text)
    return .failure
  }
}
