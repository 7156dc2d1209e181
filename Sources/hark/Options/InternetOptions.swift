import ArgumentParser
import HarkAppLog
import HarkCrypto

/// Messages that do not use the radio.
struct InternetOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "APNs payloads of the internet transport, as 'hark open' reads them; the key file has the root key. A time "
        + "member beside aps places a payload in the timeline. May be repeated.",
      valueName: "file"),
    completion: .file())
  var apns: [String] = []

  /// Reads all payloads, and opens them with the keys of the internet transport.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func messages(_ keys: KeyRing) throws -> [InternetPayloads.Message] {
    var ratchets = InternetRatchets(keys.internetKeys)
    var messages: [InternetPayloads.Message] = []
    for path in apns {
      let bytes = try NotificationFile.bytes(path)
      do throws(APNsPayload.Failure) {
        messages += try InternetPayloads.messages(bytes, name: path, &ratchets)
      } catch {
        throw NotificationFile.failure("\(path): \(error)")
      }
    }
    return messages
  }
}
