import HarkCapture

/// When a recording continues in a new file, and how those files are called.
struct Rotation: Equatable {
  /// In bytes.
  var size: Int?
  /// In seconds.
  var time: Int?
  /// How many files are kept.
  var count: Int?

  var isWanted: Bool { size != nil || time != nil }

  /// The path of one file: `trace.00001.btsnoop` for `trace.btsnoop`.
  static func path(_ path: String, number: Int) -> String {
    let (stem, suffix) = split(path)
    let digits = String(number)
    return stem + "." + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + suffix
  }

  private static func split(_ path: String) -> (stem: String, suffix: String) {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return (path, "") }
    return (String(path[..<dot]), String(path[dot...]))
  }

  /// The numbers of the files of this name that are there already, in order.
  static func numbers(_ path: String) -> [Int] {
    let (stem, suffix) = split(path)
    let slash = stem.lastIndex(of: "/")
    let folder = slash.map { $0 == stem.startIndex ? "/" : String(stem[..<$0]) } ?? "."
    let prefix = (slash.map { String(stem[stem.index(after: $0)...]) } ?? stem) + "."
    var numbers: [Int] = []
    for name in Directory.names(in: folder) ?? [] {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix),
        name.utf8.count >= prefix.utf8.count + suffix.utf8.count + 5
      else { continue }
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
        Self.path(path, number: number).hasSuffix(name)
      else { continue }
      numbers.append(number)
    }
    return numbers.sorted()
  }
}
