import ArgumentParser
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkSeal

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: Hark.name,
    abstract: "Decrypt messages of 'hark seal' and APNs payloads.",
    usage: "hark open <sealed> --keys <file> [<options>]",
    discussion: """
      Reads the output of hark seal, except captures: JSON, text, C arrays or the folder of files. Decrypts every message \
      with the private key, as an accessory would, and writes the notifications as JSON, in the form that hark seal \
      accepts. A message that cannot be decrypted becomes null; the reason is printed on standard error, as are \
      warnings about keys.

      It also reads payloads that a server sends to APNs for an accessory (aps with encryptedData, keyID and \
      messageIndex): one, an array, or one per line, in any order. The key file has the root key of the \
      internet transport, or a later chain key with its index. hark writes the plaintext of each payload.

      To decrypt the messages of a capture, use hark timeline.

      Examples:
        hark open sealed.json --keys acme.harkkeys
        hark open payloads.ndjson --keys acme.harkkeys

      Exit codes:
        0   every message was decrypted
        1   the input or a key file cannot be read
        2   a message cannot be decrypted
        64  the command line is wrong
      """)

  @Argument(
    help: "Output of 'hark seal' except captures, or APNs payloads; - for standard input.",
    completion: .file())
  var sealed: String

  @OptionGroup(title: "Keys") var keys: KeyOptions

  func validate() throws {
    guard keys.areGiven else {
      throw ValidationError("name a key file with the accessory's private key: --keys FILE")
    }
  }

  func run() throws {
    let ring = try keys.ring()
    let bytes = try self.bytes()
    if APNsPayload.isMeant(bytes) {
      return try open(payloads: bytes, InternetRatchets(ring.internetKeys))
    }
    var opened: [SealedConversation.OpenedMessage] = []
    do throws(SealError) {
      if case .capture? = FileContents(bytes) {
        throw SealError("a capture; 'hark timeline' decrypts its messages")
      }
      if let text = try SealedConversation(text: bytes) {
        opened = text.open(with: ring)
      } else {
        opened = try SealedConversation(json: bytes).open(with: ring)
      }
    } catch {
      throw NotificationFile.failure("\(InputFile.name(sealed)): \(error)")
    }
    var out = Output(isImmediate: false)
    var code = ExitCode.success
    out.text.string("[")
    for (index, message) in opened.enumerated() {
      out.text.string(index == 0 ? "\n  " : ",\n  ")
      if let notification = message.notification {
        notification.write(to: &out.text)
      } else {
        out.text.string("null")
        code = ExitCode(2)
      }
      for remark in message.remarks { Console.complain("message \(index + 1): \(remark)") }
    }
    out.text.string(opened.isEmpty ? "]\n" : "\n]\n")
    try out.flush()
    throw code
  }

  private func bytes() throws -> [UInt8] {
    try NotificationFile.bytes(Self.isFolder(sealed) ? "\(sealed)/sealed.json" : sealed)
  }

  /// Writes what payloads say, as JSON.
  private func open(payloads bytes: [UInt8], _ ratchets: InternetRatchets) throws {
    let payloads: [APNsPayload]
    do throws(APNsPayload.Failure) {
      payloads = try APNsPayload.read(bytes)
    } catch {
      throw NotificationFile.failure("\(InputFile.name(sealed)): \(error)")
    }
    guard !ratchets.isEmpty else {
      throw NotificationFile.failure(
        "the key file has no key of the internet transport: 'hark keys add --kind internet' adds one"
      )
    }
    var ratchets = ratchets
    var out = Output(isImmediate: false)
    var code = ExitCode.success
    out.text.string("[")
    for (index, payload) in payloads.enumerated() {
      out.text.string(index == 0 ? "\n  " : ",\n  ")
      do throws(InternetRatchets.Failure) {
        let (plaintext, key) = try ratchets.open(payload)
        Self.write(payload, plaintext, key, to: &out.text)
        if key.direction != .accessoryToHost {
          Console.complain(
            "payload \(index + 1), message \(payload.messageIndex): encrypted with the key of the direction "
              + "\(key.direction.rawValue): payloads go to the phone, which cannot decrypt it")
        }
      } catch {
        out.text.string("null")
        Console.complain("payload \(index + 1), message \(payload.messageIndex): \(error)")
        code = ExitCode(2)
      }
    }
    out.text.string(payloads.isEmpty ? "]\n" : "\n]\n")
    try out.flush()
    throw code
  }

  private static func write(
    _ payload: APNsPayload, _ plaintext: [UInt8], _ key: InternetKey, to out: inout TextBuffer
  ) {
    out.text("{\"messageIndex\":")
    out.decimal(UInt64(payload.messageIndex))
    if let session = payload.sessionIdentifier {
      out.text(",\"sessionIdentifier\":")
      out.json(session)
    }
    out.text(",\"direction\":")
    out.json(key.direction.rawValue)
    out.text(",\"fingerprint\":")
    out.json("\(key.fingerprint)")
    out.text(",\"plaintext\":")
    out.json(Hex.text(plaintext))
    if let text = String(validating: plaintext, as: UTF8.self) {
      out.text(",\"text\":")
      out.json(text)
    }
    out.text("}")
  }
}

extension OpenCommand {
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
