import HarkCore

// What was probably meant by a name that nothing has.
extension Compiler {
  /// Of shorter names, every other one is near.
  private static let shortestName = 3

  private static let builtIn =
    ["u", "s"].flatMap { kind in
      ["1", "2", "4", "8"].flatMap { size in ["", "le", "be"].map { kind + size + $0 } }
    } + ["f4", "f8", "f4le", "f4be", "f8le", "f8be", "str", "strz"]

  /// ` (did you mean 'header'?)`, of types.
  func hint(_ path: TypePath, from type: TypeSpecification) -> String {
    let names = scopes(of: path, from: type).flatMap { [$0.name] + $0.types.map(\.name) }
    return hint(path, among: names + tops.keys.sorted() + Self.builtIn)
  }

  /// The same, of enums.
  func hint(enum path: TypePath, from type: TypeSpecification) -> String {
    hint(path, among: scopes(of: path, from: type).flatMap { $0.enums.map(\.name) })
  }

  /// The same, of the members of an enum.
  func hint(_ name: String, of spec: EnumSpecification) -> String {
    name.hint(among: spec.members.map(\.name))
  }

  private func hint(_ path: TypePath, among names: [String]) -> String {
    guard let name = path.names.last, name.utf8.count >= Self.shortestName else { return "" }
    return name.hint(among: names)
  }

  /// Where the last name of a path is looked for: in the type that the names before it lead to, or in `type` and those
  /// around it.
  private func scopes(of path: TypePath, from type: TypeSpecification) -> [TypeSpecification] {
    var outer = path
    _ = outer.names.popLast()
    if !outer.names.isEmpty { return find(outer, from: type).map { [$0] } ?? [] }
    var scopes: [TypeSpecification] = []
    var place: TypeSpecification? = type
    while let here = place {
      scopes.append(here)
      place = here.outer
    }
    return scopes
  }
}
