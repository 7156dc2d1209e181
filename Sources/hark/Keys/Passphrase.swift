import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkPlatform

/// The file with the passphrase of an encrypted key file. Never the command line, which others can see.
enum PassphraseFile {
  /// The variable of the environment that names it.
  static let variable = "HARK_PASSPHRASE_FILE"

  /// Of the option that names it.
  static var help: ArgumentHelp {
    ArgumentHelp(
      "Read the passphrase of encrypted key files from this file; \(variable) names one, too. "
        + "Without it, hark asks for it on the terminal.",
      valueName: "file")
  }

  /// Its path: that of the option, or else of the environment.
  static func path(_ option: String?) -> String? { option ?? Console.environment(variable) }
}

/// Opens key files, and asks for passphrases.
struct KeyFileOpener {
  private let path: String?
  /// Those that were given so far: several files may have the same.
  private var known: [Secret] = []

  private static let mostAttempts = 3

  /// - Parameter passphraseFile: What the option names.
  init(_ passphraseFile: String?) { path = PassphraseFile.path(passphraseFile) }

  /// The keys of a file and, if it is sealed, the passphrase that opens it.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  mutating func open(_ path: String) throws -> (file: KeyFile, passphrase: Secret?) {
    do {
      let contents = try KeyFileContents(path: path)
      guard contents.isSealed else { return try (contents.open(), nil) }
      return try unseal(contents)
    } catch let error as KeyFileError {
      for line in error.description.split(separator: "\n") { Console.complain(String(line)) }
      throw ExitCode.failure
    }
  }

  /// Opens a changed file with the known passphrases, without a prompt. Nil, after reporting why on standard
  /// error, where that is not possible.
  func reopen(_ path: String) -> KeyFile? {
    do {
      let contents = try KeyFileContents(path: path)
      guard contents.isSealed else { return try contents.open() }
      for passphrase in known {
        if let file = try Self.open(contents, passphrase) { return file }
      }
      Console.complain("\(path): the passphrase has changed: the keys are not read again")
    } catch let error as KeyFileError {
      for line in error.description.split(separator: "\n") { Console.complain(String(line)) }
    } catch {
      // Already reported.
    }
    return nil
  }

  private mutating func unseal(
    _ contents: KeyFileContents
  ) throws -> (file: KeyFile, passphrase: Secret?) {
    for passphrase in known {
      if let file = try Self.open(contents, passphrase) { return (file, passphrase) }
    }
    for _ in 0..<Self.mostAttempts {
      let passphrase = try self.passphrase("Passphrase of \(contents.path): ")
      if let file = try Self.open(contents, passphrase) {
        known.append(passphrase)
        return (file, passphrase)
      }
      Console.complain("\(contents.path): \(SealedKeyFileError.wrongPassphrase)")
      if path != nil { break }
    }
    throw ExitCode.failure
  }

  /// Nil if the passphrase is wrong.
  private static func open(
    _ contents: KeyFileContents, _ passphrase: Secret
  ) throws -> KeyFile? {
    do throws(KeyFileContents.Failure) {
      return try contents.open(passphrase)
    } catch {
      switch error {
      case .sealed(.wrongPassphrase): return nil
      case .sealed(let error):
        Console.complain("\(contents.path): \(error)")
        throw ExitCode.failure
      case .file(let error): throw error
      }
    }
  }

  private func passphrase(_ prompt: String) throws -> Secret {
    try path.map(Self.read) ?? Self.ask(prompt)
  }

  /// A new passphrase: from the file, or typed twice.
  /// - Parameter option: That names the file.
  static func new(_ path: String?, _ option: String, for file: String) throws -> Secret {
    let secret: Secret
    if let path {
      secret = try read(path)
    } else {
      secret = try ask("New passphrase of \(file): ", option)
      let again = try ask("Repeat the passphrase: ", option)
      guard secret.equals(again) else {
        Console.complain("the passphrases differ; nothing was written")
        throw ExitCode.failure
      }
    }
    guard secret.count > 0 else {
      Console.complain("the passphrase is empty; nothing was written")
      throw ExitCode.failure
    }
    return secret
  }

  /// - Parameter option: That names a file, where there is no terminal.
  static func ask(_ prompt: String, _ option: String = "--passphrase-file") throws -> Secret {
    do throws(SecretPrompt.Failure) {
      var text = try SecretPrompt.read(prompt)
      return Secret(taking: &text)
    } catch {
      switch error {
      case .interrupted: break
      case .noTerminal:
        Console.complain(
          "cannot ask for the passphrase without a terminal; name a file with it: \(option)")
      }
      throw ExitCode.failure
    }
  }

  /// The first line of a file.
  private static func read(_ path: String) throws -> Secret {
    var text: [UInt8]
    do throws(WholeFile.Problem) {
      text = try WholeFile.read(path, most: SecretPrompt.longest + 2)
    } catch {
      let problem =
        error == .tooLarge
        ? "more than \(SecretPrompt.longest) bytes, so this is not a passphrase file"
        : error.words(most: SecretPrompt.longest)
      Console.complain("\(path): \(problem)")
      throw ExitCode.failure
    }
    var end = text.firstIndex(of: 0x0A) ?? text.count
    if end > 0, text[end - 1] == 0x0D { end -= 1 }
    var line = Array(text[..<end])
    wipe(&text)
    guard !line.isEmpty else {
      Console.complain("\(path): its first line, the passphrase, is empty")
      throw ExitCode.failure
    }
    return Secret(taking: &line)
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    for index in bytes.indices { bytes[index] = 0 }
  }
}
