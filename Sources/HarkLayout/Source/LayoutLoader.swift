/// Where the text of layout files comes from. This module opens none itself.
public protocol LayoutFiles {
  /// The text of the file at `path`, or nil if there is none.
  func text(at path: String) -> String?

  /// The same as bytes, of files that are not text.
  func bytes(at path: String) -> [UInt8]?

  /// Why there is no text.
  func problem(at path: String) -> String
}

extension LayoutFiles {
  public func bytes(at path: String) -> [UInt8]? { text(at: path).map { Array($0.utf8) } }

  public func problem(at path: String) -> String { "no such file" }
}

extension Layout {
  /// Loads the `.ksy` file at `path` and all it imports. Imports that begin with a slash are
  /// looked for in `importPaths`. KSY reference, "Meta section", `imports`.
  ///
  /// Throws everything that is wrong, in all files; see `LayoutErrors`.
  public static func load(
    _ path: String, importPaths: [String] = [], from files: any LayoutFiles
  ) throws(LayoutErrors) -> Layout {
    try load(path, importPaths: importPaths, probes: [], from: files)
  }

  /// As above; `probes` are expressions in the context of the layout's own type.
  static func load(
    _ path: String, importPaths: [String], probes: [SourceNode], from files: any LayoutFiles
  ) throws(LayoutErrors) -> Layout {
    let loader = LayoutLoader(importPaths: importPaths, files: files)
    guard let layout = loader.load(path, probes: probes) else {
      throw LayoutErrors(diagnostics: loader.diagnostics.inOrder)
    }
    return layout
  }
}

/// Everything that is wrong with a layout or a profile, and the files it reads, warnings included.
public struct LayoutErrors: Error, Sendable {
  public let diagnostics: [Diagnostic]

  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

/// Reads a file and those it imports, each once.
final class LayoutLoader {
  static let mostFiles = 64

  let diagnostics = Diagnostics()
  private let importPaths: [String]
  private let files: any LayoutFiles
  private var byPath: [String: TypeSpecification] = [:]
  private var all: [TypeSpecification] = []
  private var tops: [String: TypeSpecification] = [:]

  init(importPaths: [String], files: any LayoutFiles) {
    (self.importPaths, self.files) = (importPaths, files)
  }

  func load(_ path: String, probes: [SourceNode]) -> Layout? {
    defer { for type in all { type.letGo() } }
    let path = Self.normal(path)
    guard let text = files.text(at: path) else {
      diagnostics.add(
        Diagnostic(
          .error, file: path, SourceLocation(line: 1, column: 1), path: "/",
          files.problem(at: path)))
      return nil
    }
    guard let root = read(text, path) else { return nil }
    importAll(from: 0)
    let compiler = Compiler(tops: tops, diagnostics)
    return compiler.compile(root, all: all, probes: probes)
  }

  private func read(_ text: String, _ path: String) -> TypeSpecification? {
    guard let node = Document.read(text, file: path, diagnostics),
      let type = SchemaReader(diagnostics: diagnostics).read(node)
    else { return nil }
    byPath[path] = type
    all.append(type)
    if tops[type.name] == nil { tops[type.name] = type }
    return type
  }

  /// Reads what the files from `index` on import, and what those import.
  private func importAll(from index: Int) {
    var index = index
    while index < all.count {
      let type = all[index]
      index += 1
      for node in type.meta.imports { read(import: node) }
      if type.meta.allowsOpaqueTypes { readOpaqueTypes(of: type) }
    }
  }

  private func read(import node: SourceNode) {
    guard let name = node.text else {
      return diagnostics.error(node, "expected string, got \(node.kindName)")
    }
    guard find(name, besides: node.file) == nil else { return }
    diagnostics.error(
      node,
      name.hasPrefix("/")
        ? "unable to find '\(name.dropFirst()).ksy' in import search paths, using: \(importPaths)"
        : "\(name).ksy (No such file or directory)")
  }

  /// The type of the file an import means.
  private func find(_ name: String, besides path: String) -> TypeSpecification? {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let places =
      name.hasPrefix("/")
      ? importPaths.map { $0 + name } : [folder.isEmpty ? name : folder + "/" + name]
    for place in places {
      let path = Self.normal(place + ".ksy")
      if let known = byPath[path] { return known }
      guard all.count < Self.mostFiles, let text = files.text(at: path) else { continue }
      if let type = read(text, path) { return type }
      // It is there, and what is wrong with it is reported.
      return TypeSpecification(
        name: "",
        node: SourceNode(
          .sequence([]), file: path, location: SourceLocation(line: 1, column: 1), path: ""),
        outer: nil)
    }
    return nil
  }

  /// Opaque types are layouts of their own that need no import. KSY reference, "Meta section",
  /// `ks-opaque-types`.
  private func readOpaqueTypes(of type: TypeSpecification) {
    var places = [type]
    while let place = places.popLast() {
      places += place.types
      for reference in (place.sequence + place.instances).flatMap(\.references) {
        guard case .user(let path) = reference.kind, let name = path.names.first,
          !declares(name, from: place), tops[name] == nil
        else { continue }
        _ = find(name, besides: reference.node.file)
      }
    }
  }

  private func declares(_ name: String, from type: TypeSpecification) -> Bool {
    var place: TypeSpecification? = type
    while let here = place {
      if here.name == name || here.types.contains(where: { $0.name == name }) { return true }
      place = here.outer
    }
    return false
  }

  /// Without `.` and `..` where they can be resolved.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      if part == "..", let last = parts.last, !last.isEmpty, last != ".." {
        parts.removeLast()
      } else if part != "." {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}
