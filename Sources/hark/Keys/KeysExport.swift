import ArgumentParser
import HarkCore
import HarkCrypto

extension KeysCommand {
  struct Export: ParsableCommand, FileWriting {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write keys with their secrets to a file.",
      usage: "hark keys export <file> [<key> ...] --output <out> [<options>]",
      discussion: """
        Formats:
          keys   a plain key file
          pem    P-256 private keys, PKCS #8
          log    session keys, one per line, for --key-log

        Examples:
          hark keys export lab.harkkeys "prototype 3" --format pem -o lab.pem
          hark keys export lab.harkkeys session --format log -o keys.log
        """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case keys, pem, log
    }

    @OptionGroup var file: File

    @Argument(help: "The keys. Default: all.")
    var key: [String] = []

    @Option(name: .shortAndLong, help: "Output format.")
    var format = Format.keys

    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp(
        "The file to write, which only its owner can read; - for standard output.",
        valueName: "file"),
      completion: .file())
    var output: String

    var writtenPaths: [String] { [output] }

    func validate() throws {
      guard output != file.file else {
        throw ValidationError("the key file and the output are the same file: name two files")
      }
    }

    func run() throws {
      let store = try file.store()
      var chosen = KeyFile()
      chosen.isTest = store.file.isTest
      chosen.keys = try store.places(of: key).map { store.file.keys[$0] }
      let out = try OutputBytes(output, besides: [file.file])
      switch format {
      case .keys: unsafe chosen.withJSON { unsafe out.bytes += $0 }
      case .pem:
        out.bytes += try texts(chosen, "P-256 private key") {
          if case .accessory(let key) = $0 { key.privatePEM } else { nil }
        }
      case .log:
        out.bytes += try texts(chosen, "session key") {
          if case .session(let key) = $0 { key.logLine } else { nil }
        }
      }
      try out.finish()
    }

    /// A text of each key that has one, in lines.
    private func texts(
      _ keys: KeyFile, _ what: String, _ text: (StoredKey) -> String?
    ) throws -> [UInt8] {
      let texts = keys.keys.compactMap(text)
      guard !texts.isEmpty else {
        Console.complain("\(file.file): the keys include no \(what); nothing was written")
        throw ExitCode.failure
      }
      return texts.flatMap { Array($0.utf8) + ($0.hasSuffix("\n") ? [] : [0x0A]) }
    }
  }
}
