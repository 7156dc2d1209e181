import ArgumentParser
import HarkCrypto

extension KeysCommand {
  struct Remove: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove keys from a file.",
      discussion: """
        A KEY is a fingerprint, a name, an address or a kind. hark removes and lists each key that matches.

        Examples:
          hark keys remove lab.harkkeys 3f2a9c41
          hark keys remove lab.harkkeys C0:DE:00:00:00:01
        """)

    @OptionGroup var file: File

    @Argument(help: "The keys to remove.")
    var key: [String]

    var writtenPaths: [String] { [file.file] }

    func run() throws {
      var store = try file.store(writes: true)
      let places = try store.places(of: key, orAll: false)
      let removed = places.map { store.file.keys[$0] }
      for place in places.reversed() { store.file.keys.remove(at: place) }
      try store.save()
      var out = Output(isImmediate: false)
      KeyList.write(removed, to: &out.text)
      try out.flush()
    }
  }

  struct Rekey: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "rekey",
      abstract: "Set, change or remove a file's passphrase.",
      usage: "hark keys rekey <file> [<options>]",
      discussion: """
        Asks for the new passphrase twice. hark encrypts the file again, with a new salt.

        Examples:
          hark keys rekey lab.harkkeys
          hark keys rekey lab.harkkeys --passphrase-file old --new-passphrase-file new
          hark keys rekey lab.harkkeys --decrypt
        """)

    @OptionGroup var file: File

    @Option(
      help: ArgumentHelp("Read the new passphrase from this file.", valueName: "file"),
      completion: .file())
    var newPassphraseFile: String?

    @Flag(help: "Write plain JSON.")
    var decrypt = false

    var writtenPaths: [String] { [file.file] }

    func validate() throws {
      if decrypt, newPassphraseFile != nil {
        throw ValidationError("--decrypt removes the passphrase; omit --new-passphrase-file")
      }
    }

    func run() throws {
      var store = try file.store(writes: true)
      store.passphrase =
        decrypt
        ? nil : try KeyFileOpener.new(newPassphraseFile, "--new-passphrase-file", for: file.file)
      try store.save()
      Console.complain("\(file.file): \(decrypt ? "now plain" : "new passphrase set")")
    }
  }
}
