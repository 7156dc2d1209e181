import ArgumentParser
import Glibc
import HarkCore
import HarkCrypto
import HarkSeal

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: Hark.name,
    abstract: "Decrypt messages made by 'hark seal'.",
    usage: "hark open <sealed> --keys <file> [<options>]",
    discussion: """
      Reads the output of hark seal --format json, or the folder of --format files, decrypts every message \
      with the private key, as an accessory would, and writes the notifications as JSON, in the form hark seal \
      accepts. A message that cannot be decrypted becomes null; the reason is printed on standard error, as are \
      warnings about keys.

      To decrypt the messages of a capture, use hark timeline.

      Examples:
        hark open sealed.json --keys acme.harkkeys

      Exit codes:
        0   every message was decrypted
        1   the input or a key file cannot be read
        2   a message cannot be decrypted
        64  the command line is wrong
      """)

  @Argument(
    help: "JSON from 'hark seal', a folder of its files, or - for standard input.",
    completion: .file())
  var sealed: String

  @OptionGroup(title: "Keys") var keys: KeyOptions

  func validate() throws {
    guard keys.areGiven else { throw ValidationError("Name the accessory's private key: --keys.") }
  }

  func run() throws {
    let ring = try keys.ring()
    var opened: [SealedConversation.OpenedMessage] = []
    do throws(SealError) {
      opened = try conversation().open(with: ring)
    } catch {
      throw NotificationFile.failure("\(sealed): \(error)")
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

  private func conversation() throws(SealError) -> SealedConversation {
    let path = Self.isFolder(sealed) ? "\(sealed)/sealed.json" : sealed
    let bytes: [UInt8]
    do {
      bytes = try NotificationFile.bytes(path)
    } catch {
      throw SealError("no message was decrypted")
    }
    return try SealedConversation(json: bytes)
  }
}
extension OpenCommand {
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
