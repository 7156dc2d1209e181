import ArgumentParser
import HarkCore
import HarkCrypto

extension KeysCommand {
  struct Generate: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "generate",
      abstract: "Generate a test key pair for an accessory.",
      usage: "hark keys generate <file> --suite <suite> [<options>]",
      discussion: """
        Adds a private key to the file, and prints the public key in the forms that firmware needs: \
        hexadecimal digits, base64, a C array; for P-256 also compressed, uncompressed, and as SPKI in \
        PEM and DER. The private key is never printed; 'hark keys export' writes it to a file.

        Examples:
          hark keys generate lab.harkkeys --suite p256
          hark keys generate lab.harkkeys --suite xWing --name "prototype 4" --encrypt
        """)

    @OptionGroup var file: NewFile

    @Option(help: PassphraseFile.help, completion: .file()) var passphraseFile: String?

    @Option(
      help: ArgumentHelp("p256 or xWing.", valueName: "suite"),
      transform: CipherSuite.option)
    var suite: CipherSuite

    @Option(
      parsing: .singleValue,
      help: ArgumentHelp(
        "The phone's identifier for the accessory. May be repeated.",
        valueName: "uuid"))
    var identifier: [String] = []

    @OptionGroup var details: Details

    var writtenPaths: [String] { [file.file] }

    func run() throws {
      var store = try file.store(passphraseFile)
      guard var key = AccessoryKey.generate(suite, identifiers: identifier) else {
        throw store.failure("no key could be generated")
      }
      key.details = details.details
      store.file.keys.append(.accessory(key))
      try store.save()
      var out = Output(isImmediate: false)
      KeyList.row("fingerprint", key.fingerprint.description, to: &out.text)
      PublicKeyText.write(key, to: &out.text)
      try out.flush()
    }
  }
}

/// A public key in every form that firmware wants.
enum PublicKeyText {
  static func write(_ key: AccessoryKey, to text: inout TextBuffer) {
    for form in key.publicForms {
      text.text("\n")
      text.string("\(form.name), \(form.bytes.count) bytes, hexadecimal:\n")
      lines(Hex.text(form.bytes), to: &text)
      text.string("\(form.name), base64:\n")
      lines(base64(form.bytes), to: &text)
      text.string("\(form.name), C:\n")
      array(form, to: &text)
    }
    guard let pem = key.publicPEM else { return }
    text.text("\nSPKI PEM:\n")
    text.string(pem)
    if !pem.hasSuffix("\n") { text.byte(0x0A) }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let characters = Base64.characters(bytes, isURL: false)
    return String(decoding: characters, as: UTF8.self)
      + String(repeating: "=", count: (4 - characters.count % 4) % 4)
  }

  private static func lines(_ digits: String, to text: inout TextBuffer) {
    text.string(digits)
    text.byte(0x0A)
  }

  private static func array(_ form: AccessoryKey.PublicForm, to text: inout TextBuffer) {
    let name = form.name.lowercased().replacing(" ", with: "_")
    text.string("static const uint8_t public_key_\(name)[\(form.bytes.count)] = {")
    for (index, byte) in form.bytes.enumerated() {
      text.text(index % 12 == 0 ? "\n    0x" : " 0x")
      text.hex(byte)
      text.byte(UInt8(ascii: ","))
    }
    text.text("\n};\n")
  }
}
