import ArgumentParser
import HarkAppLog
import HarkCrypto
import HarkSession

/// Messages that do not use the radio.
struct InternetOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "APNs payloads of the internet transport, as 'hark open' reads them; the root key is in the key file, "
        + "or hark computes it from the capture's key exchange with the accessory's private key. A time member "
        + "beside aps places a payload in the timeline. May be repeated.",
      valueName: "file"),
    completion: .file())
  var apns: [String] = []

  /// Reads all payloads, and opens them with the keys of the internet transport: given ones, and those that the
  /// capture's key exchanges yield, if it can be read twice.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func messages(
    _ keys: KeyRing, of capture: CaptureOptions? = nil
  ) throws -> [InternetPayloads.Message] {
    guard !apns.isEmpty else { return [] }
    var ratchets = InternetRatchets(keys.internetKeys + Self.exchanged(capture, keys))
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

  /// The root keys that the key exchanges of a capture yield: their times may not be those of the payloads.
  private static func exchanged(_ capture: CaptureOptions?, _ keys: KeyRing) -> [InternetKey] {
    guard let capture, capture.capture != "-", let opened = try? capture.open(),
      opened.info.size != nil
    else { return [] }
    var reading = Reading(opened, keys: keys)
    _ = try? reading.run { _, _ in }
    return reading.session.keys.exportedInternetKeys
  }
}
