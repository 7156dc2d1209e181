import HarkCapture
import HarkPlatform
import HarkSystem
import Synchronization

/// The captures that arguments name: files, folders with their contents, patterns that the shell did not
/// expand, and lists of these in files (`@FILE`).
struct CaptureList {
  struct Item: Sendable {
    let path: String
    /// Whether it was found in a folder, where other files may be, too.
    let isFound: Bool
  }

  /// Why a list cannot be made, in one sentence.
  struct Problem: Error { let text: String }

  private(set) var items: [Item] = []
  /// Whether the only argument is a file, which is read without a separate process; a pattern or a list is no file, even
  /// if it leads to only one.
  private(set) var isOne = false
  /// Each file once, however often arguments name it.
  private var named: Set<String> = []

  private static let deepest = 64
  private static let most = 10_000_000
  private static let longestList = 256 << 20

  /// - Throws: If a list cannot be read, or a pattern matches nothing.
  init(_ arguments: [String]) throws(Problem) {
    for argument in arguments { try add(argument, mayBeList: true) }
    isOne = items.count == 1 && !items[0].isFound && arguments == [items[0].path]
  }

  private mutating func append(_ path: String, isFound: Bool) {
    if named.insert(path).inserted { items.append(Item(path: path, isFound: isFound)) }
  }

  private mutating func add(_ argument: String, mayBeList: Bool) throws(Problem) {
    if mayBeList, argument.hasPrefix("@"), argument.count > 1 {
      return try addList(String(argument.dropFirst()))
    }
    if Directory.isFolder(argument), !Capture.isSysdiagnose(argument) {
      return add(folder: argument, depth: 0, of: argument)
    }
    guard Self.isPattern(argument), unsafe access(argument, F_OK) != 0 else {
      return append(argument, isFound: false)
    }
    let paths = Self.matches(argument)
    guard !paths.isEmpty else { throw Problem(text: "\(argument): no file matches") }
    for path in paths {
      if Directory.isFolder(path) {
        add(folder: path, depth: 0, of: path)
      } else {
        append(path, isFound: false)
      }
    }
  }

  private mutating func addList(_ path: String) throws(Problem) {
    switch Self.names(inList: path) {
    case .success(let names): for name in names { try add(name, mayBeList: false) }
    case .failure(let problem):
      throw Problem(text: "\(path): \(problem.words(most: Self.longestList))")
    }
  }

  private static let lists = Mutex<[String: Result<[String], WholeFile.Problem>]>([:])

  /// The captures that a list names. It is read once, before hark gives up access to files that were not named.
  private static func names(inList path: String) -> Result<[String], WholeFile.Problem> {
    if let known = lists.withLock({ $0[path] }) { return known }
    let file = path == "-" ? "/dev/stdin" : path
    let names = Result { () throws(WholeFile.Problem) in
      try WholeFile.read(file, most: longestList).split(separator: 0x0A).map { line in
        String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      }.filter { !$0.isEmpty }
    }
    lists.withLock { $0[path] = names }
    return names
  }

  /// What may be read for an argument: of a pattern and of a list the folders of the files.
  static func places(of argument: String) -> [String] {
    if argument.hasPrefix("@"), argument.count > 1 {
      let names = (try? names(inList: String(argument.dropFirst())).get()) ?? []
      let folders = Set(names.map { isPattern($0) ? folder(of: $0) : FileTarget.folder(of: $0) })
      return [argument] + folders.sorted().prefix(mostFolders)
    }
    return isPattern(argument) ? [argument, folder(of: argument)] : [argument]
  }

  private static let mostFolders = 10_000

  /// All files below a folder, in the order of their names, without hidden ones. What cannot be looked at is reported
  /// when it is opened.
  /// - Parameter top: The folder that was named.
  private mutating func add(folder: String, depth: Int, of top: String) {
    guard items.count < Self.most else { return }
    guard depth < Self.deepest, let all = Directory.names(in: folder) else {
      return append(folder, isFound: true)
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    for name in all.filter({ !$0.hasPrefix(".") }).sorted() {
      var status = stat()
      guard unsafe lstat(base + name, &status) == 0 else {
        append(base + name, isFound: true)
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: add(folder: base + name, depth: depth + 1, of: top)
      case S_IFREG: append(base + name, isFound: true)
      case S_IFLNK where isCapture(link: base + name, in: top):
        append(base + name, isFound: true)
      default: break
      }
    }
  }

  /// Whether a link in a folder is read like a file. A link that leads nowhere or out of the folder is reported when it
  /// is opened; a folder in the folder is read in its place, and could lead back here.
  private func isCapture(link: String, in top: String) -> Bool {
    var status = stat()
    guard unsafe stat(link, &status) == 0 else { return true }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return true
    case S_IFDIR:
      guard let target = Platform.realPath(link), let top = Platform.realPath(top) else {
        return true
      }
      return !(target + "/").hasPrefix(top.hasSuffix("/") ? top : top + "/")
    default: return false
    }
  }

  // MARK: Patterns

  static func isPattern(_ argument: String) -> Bool {
    argument.contains { "*?[".contains($0) }
  }

  /// The folder that the paths which fit a pattern are below.
  static func folder(of pattern: String) -> String {
    let plain = pattern.prefix { !"*?[".contains($0) }
    guard let slash = plain.lastIndex(of: "/") else { return "." }
    return slash == plain.startIndex ? "/" : String(plain[..<slash])
  }

  /// The paths that fit a pattern, in which the part `**` means any folders, also none.
  private static func matches(_ pattern: String) -> [String] {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
    guard let deep = parts.firstIndex(of: "**") else { return paths(pattern) }
    let rest = parts[deep...].drop { $0 == "**" || $0.isEmpty }.joined(separator: "/")
    let top = parts[..<deep].joined(separator: "/")
    let tops = deep == 0 ? [""] : top.isEmpty ? ["/"] : paths(top + "/")
    guard !rest.isEmpty else { return tops.isEmpty ? [] : tops.map { $0.isEmpty ? "." : $0 } }
    var found: Set<String> = []
    for folder in tops.flatMap({ folders(below: $0, depth: 0) }) {
      found.formUnion(matches(escaped(folder) + rest))
    }
    return found.sorted()
  }

  /// A folder and those below it, without hidden ones and links, each with a slash at its end; the empty text is the
  /// folder in which hark runs.
  private static func folders(below folder: String, depth: Int) -> [String] {
    let base = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    guard depth < deepest, let names = Directory.names(in: base.isEmpty ? "." : base) else {
      return [base]
    }
    return [base]
      + names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
        var status = stat()
        guard unsafe lstat(base + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
          return []
        }
        return folders(below: base + name, depth: depth + 1)
      }
  }

  /// A path as a pattern that only it fits.
  private static func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if "*?[\\".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  private static func paths(_ pattern: String) -> [String] {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(unsafe found.gl_pathc)).compactMap { index in
      unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
    }
  }
}
