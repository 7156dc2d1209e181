import HarkCore
import HarkCrypto
import NIOHTTP1

/// Keys pasted on the page. They arrive in a header field of a POST request without a body.
enum PastedKeys {
  static let path = "keys"
  private static let field = "hark-key"
  /// The source named for pasted keys.
  private static let origin = "the page"

  /// Reads the keys of a request and passes them to the page.
  static func answer(_ head: HTTPRequestHead, _ request: PageRequest, _ page: CapturePage)
    -> PageAnswer
  {
    let fields = head.headers[field]
    guard fields.count == 1, let field = fields.first, !field.isEmpty else {
      return .refusal(.badRequest, "the request contains no key")
    }
    let text = Array(PageRequest.decoded(field[...]).utf8)
    do throws(Refusal) {
      let keys = try read(text, hint(request))
      page.paste(keys)
      var out = TextBuffer()
      out.text("{\"keys\":[")
      for (index, key) in keys.enumerated() {
        out.text(index > 0 ? ",{\"kind\":" : "{\"kind\":")
        out.json(key.kind.rawValue)
        out.text(",\"fingerprint\":")
        out.json("\(key.fingerprint)")
        out.text("}")
      }
      out.text("]}")
      return PageAnswer(json: out.bytes)
    } catch {
      return .refusal(.badRequest, error.text)
    }
  }

  private struct Refusal: Error { let text: String }

  private static func hint(_ request: PageRequest) -> KeyImport.Hint {
    var hint = KeyImport.Hint()
    hint.kind = request.text("kind").flatMap(StoredKey.Kind.init)
    hint.suite = request.text("suite").flatMap { CipherSuite(spelling: $0) }
    hint.address = request.text("address").flatMap { BluetoothAddress($0) }
    return hint
  }

  /// A key file, any input of `hark keys import`, or bare digits. Errors never repeat any of it.
  private static func read(
    _ text: [UInt8], _ hint: KeyImport.Hint
  ) throws(Refusal) -> [StoredKey] {
    var file = KeyFile()
    if let own = try? KeyFile(text, name: origin) {
      file = own
    } else {
      do throws(KeyImport.Failure) {
        file.merge(try KeyImport.read(text, path: origin, hint: hint).keys)
      } catch {
        throw Refusal(text: "hark cannot use this text: \(error)")
      }
    }
    guard !file.keys.isEmpty else { throw Refusal(text: "this text contains no keys") }
    // Read back, as a key's origin is the file that it was read from.
    let named = try? unsafe file.withJSON { try KeyFile(unsafe [UInt8]($0), name: origin) }
    return named?.keys ?? file.keys
  }
}
