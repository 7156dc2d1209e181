import ArgumentParser
import HarkCapture
import HarkCore
import HarkDissection
import HarkPlatform
import HarkPresentation
import HarkSession
import Synchronization

/// The files of `--gatt`: what is known about devices from elsewhere.
enum GATTFiles {
  static let option = "--gatt"

  /// An argument, and the library's entries from it.
  typealias Source = (path: String, entries: Range<Int>)

  private static let loaded = Mutex<(library: GATTLibrary, sources: [Source])>(
    (GATTLibrary(), []))

  /// What the files know; nothing before `load`.
  static var library: GATTLibrary { loaded.withLock { $0.library } }
  static var sources: [Source] { loaded.withLock { $0.sources } }

  private static let longest = 64 << 20
  private static let mostFiles = 1_000
  private static let mostNames = 20_000
  private static let mostLevels = 8

  /// Reads the names that files give to UUIDs, before anything else asks for a name. Redaction ignores them, as it ignores
  /// the rest of a library: what has a name of its own would count as known, and stay.
  static func loadNames(for arguments: [String]) {
    let paths = paths(in: arguments)
    guard !paths.isEmpty, arguments.dropFirst().first != RedactCommand.configuration.commandName,
      !arguments.contains(where: { isRedaction($0) })
    else { return }
    for path in paths {
      for file in Directory.isFolder(path) ? files(in: path) : [path] {
        guard !Directory.isSpecial(file), isObject(file),
          let bytes = try? WholeFile.read(file, most: longest),
          let names = try? GATTLibrary.readNames(bytes)
        else { continue }
        AssignedNumbers.give(names)
      }
    }
  }

  private static func isRedaction(_ argument: String) -> Bool {
    ["--redact", "--bundle"].contains { argument == $0 || argument.hasPrefix($0 + "=") }
  }

  /// Whether a file begins as JSON: captures may be large.
  private static func isObject(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 64)
    let count = unsafe HarkPlatform.read(descriptor, &start, start.count)
    return start.prefix(max(0, count)).first { !isSpace($0) } == UInt8(ascii: "{")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  /// Reads all files before the command begins, as `--dissectors` does.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func load(for arguments: [String]) throws {
    var library = GATTLibrary()
    var sources: [Source] = []
    for path in paths(in: arguments) {
      let first = library.entries.count
      defer { sources.append((path, first..<library.entries.count)) }
      guard Directory.isFolder(path) else {
        do {
          try add(path, to: &library)
        } catch {
          Console.complain("\(path): \(error)")
          throw ExitCode.failure
        }
        continue
      }
      var isUseful = false
      let files = files(in: path)
      if files.count == mostFiles {
        Console.complain("\(path): hark reads the first \(mostFiles) files of this folder")
      }
      for file in files {
        if (try? add(file, to: &library)) != nil { isUseful = true }
      }
      guard isUseful else {
        Console.complain("\(path): no file in this folder describes a GATT database")
        throw ExitCode.failure
      }
    }
    let all = (library, sources)
    loaded.withLock { $0 = all }
  }

  private static func paths(in arguments: [String]) -> [String] {
    var found: [String] = []
    for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
      if argument == option { found.append(next) }
      if argument.hasPrefix(option + "=") {
        found.append(String(argument.dropFirst(option.count + 1)))
      }
    }
    return found
  }

  /// The files of a folder and of the folders in it, of which BlueZ has several levels: `ADAPTER/cache/DEVICE`.
  private static func files(in folder: String) -> [String] {
    var found: [String] = []
    var names = 0
    collect(folder, levels: mostLevels, &names, into: &found)
    return found
  }

  private static func collect(
    _ folder: String, levels: Int, _ count: inout Int, into found: inout [String]
  ) {
    guard levels > 0, count < mostNames else { return }
    let names = (Directory.names(in: folder, most: mostNames) ?? []).filter { !$0.hasPrefix(".") }
    count += names.count
    for path in names.sorted().map({ folder + "/" + $0 }) where found.count < mostFiles {
      if Directory.isFolder(path) {
        collect(path, levels: levels - 1, &count, into: &found)
      } else if !Directory.isSpecial(path) {
        found.append(path)
      }
    }
  }

  /// - Throws: What is wrong with the file, in words.
  private static func add(_ path: String, to library: inout GATTLibrary) throws {
    guard let entries = try entries(of: path) else { return }
    var count = 0
    for entry in entries where library.add(entry) { count += 1 }
    if count == 0 { throw GATTFileProblem(description: "it contains no GATT database of a device") }
  }

  /// Nil for a file with nothing but names of UUIDs.
  private static func entries(of path: String) throws -> [GATTLibrary.Entry]? {
    let name = path.fileName
    if let capture = try? Capture(path: path) { return entries(of: capture, name) }
    let bytes: [UInt8]
    do throws(WholeFile.Problem) {
      bytes = try WholeFile.read(path, most: longest)
    } catch {
      throw GATTFileProblem(description: error.words(most: longest))
    }
    if bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      let entries = try GATTLibrary.readJSON(bytes, source: name)
      return try entries.isEmpty && !GATTLibrary.readNames(bytes).isEmpty ? nil : entries
    }
    if let entry = GATTLibrary.readBlueZ(bytes, path: path, source: name) { return [entry] }
    throw GATTFileProblem(
      description: "not a capture, not JSON of hark gatt --save, and not a BlueZ cache")
  }

  /// What discovery shows in an earlier capture.
  private static func entries(of capture: Capture, _ name: String) -> [GATTLibrary.Entry] {
    var session = Session(framings: Dissectors.framings)
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      return true
    }
    session.finish()
    return GATTLibrary.entries(of: session, source: name)
  }
}

private struct GATTFileProblem: Error, CustomStringConvertible {
  let description: String
}
