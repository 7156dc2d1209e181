import ArgumentParser
import HarkCore
import HarkCrypto

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Manage key files.",
    discussion: """
      A key file contains the keys to decrypt a capture: private keys of accessories, session keys, and keys of \
      bonds. It is JSON, or encrypted with a passphrase; every --keys accepts both. See docs/key-file.md.

      hark never reads secrets from the command line, and never prints them: lists show fingerprints. Name a KEY \
      by its fingerprint, its name, its device's address, or its kind (accessory, session, \
      internet, ltk, irk, csrk, link-key, temporary, proximity).

      Examples:
        hark keys generate lab.harkkeys --suite p256 --name "prototype 3"
        hark keys import lab.harkkeys /var/lib/bluetooth
        hark keys add lab.harkkeys --kind ltk --address C0:DE:00:00:00:01
        hark keys list lab.harkkeys
        hark keys rekey lab.harkkeys        encrypt it, or change its passphrase
      """,
    subcommands: [
      List.self, Show.self, Add.self, Import.self, Export.self, Remove.self, Rekey.self,
      Generate.self,
    ])

  /// The key file of every command.
  struct File: ParsableArguments {
    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(help: PassphraseFile.help, completion: .file()) var passphraseFile: String?

    func store(writes: Bool = false) throws -> KeyStore {
      try KeyStore(file, passphraseFile: passphraseFile, writes: writes)
    }
  }

  /// How a file that is not there yet is made.
  struct NewFile: ParsableArguments {
    @Argument(help: "The key file; hark creates it if it does not exist.", completion: .file())
    var file: String

    @Flag(help: "Encrypt a new file with a passphrase.")
    var encrypt = false

    func store(_ passphraseFile: String?) throws -> KeyStore {
      try KeyStore(file, passphraseFile: passphraseFile, makesNew: true, encrypts: encrypt)
    }
  }

  /// What is noted of a new key.
  struct Details: ParsableArguments {
    @Option(help: ArgumentHelp("A name for the key.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("A note about the key.", valueName: "text"))
    var note: String?

    @Option(
      help: ArgumentHelp("The device's address.", valueName: "address"),
      transform: { text in
        guard let address = BluetoothAddress(text) else {
          throw OptionMistake(
            "--address takes six octets such as C0:DE:00:00:00:01, not '\(text)'")
        }
        return address
      })
    var address: BluetoothAddress?

    @Option(
      help: ArgumentHelp("When the key came into use (UTC).", valueName: "date"),
      transform: { try Details.date($0, "--since") })
    var since: Timestamp?

    @Option(
      help: ArgumentHelp("When the key went out of use (UTC).", valueName: "date"),
      transform: { try Details.date($0, "--until") })
    var until: Timestamp?

    private static func date(_ text: String, _ option: String) throws -> Timestamp {
      guard let time = KeyDate.time(text) else {
        throw OptionMistake(
          "\(option) takes a time such as 2026-11-20 or 2026-11-20T16:41:00Z, not '\(text)'")
      }
      return time
    }

    var details: KeyDetails {
      KeyDetails(name: name, note: note, address: address, since: since, until: until)
    }
  }
}

extension StoredKey.Kind: ExpressibleByArgument {}

extension CipherSuite {
  /// The value of `--suite`.
  static func option(_ text: String) throws -> CipherSuite {
    guard let suite = CipherSuite(spelling: text) else {
      throw OptionMistake("--suite takes p256 or xWing, not '\(text)'")
    }
    return suite
  }
}
