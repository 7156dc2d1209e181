import Testing

@testable import HarkDissection

@Suite struct HCITableTests {
  static let commands: [[Row]] = HCICommand.sections
  static let events: [[Row]] = HCIEvent.sections
  static let subevents: [[Row]] = HCIEvent.leSections

  @Test(arguments: [commands, events, subevents])
  func codesAreUniqueAndNamesComplete(_ sections: [[Row]]) {
    let rows = sections.flatMap(\.self)
    #expect(Set(rows.map(\.code)).count == rows.count)
    #expect(Set(rows.map(\.name.description)).count == rows.count)
    for row in rows { #expect(row.name.description.hasPrefix("HCI_")) }
  }

  @Test func everyOpcodeIsInTheGroupOfItsSection() {
    let groups: [UInt16] = [1, 2, 3, 4, 5, 6] + Array(repeating: 8, count: 8)
    #expect(groups.count == Self.commands.count)
    for (rows, group) in zip(Self.commands, groups) {
      for row in rows { #expect(row.code >> 10 == group, "\(row.name)") }
    }
  }

  @Test func everyLESubeventHasARow() {
    let codes = Set(Self.subevents.joined().map(\.code))
    #expect(codes == Set(0x01...0x35))
  }

  @Test func pathsAreUnique() {
    // A secret field stands for one that is shown.
    let paths = Catalog.shared.paths.filter { !$0.field.definition.secret }.map(\.path)
      .filter { $0.hasPrefix("hci.") }
    let repeated = Dictionary(grouping: paths) { $0 }.filter { $1.count > 1 }.keys
    #expect(repeated.isEmpty)
  }

  @Test func returnParametersBeginWithTheStatus() {
    let status = HCIParameters.shared.status
    for row in Self.commands.joined() {
      if let first = row.returns?.first { #expect(first.field == status, "\(row.name)") }
    }
  }

  @Test func everyFieldIsInARow() {
    var used: Set<Field> = [HCIParameters.shared.padding]
    func use(_ parameters: [Parameter]) {
      for parameter in parameters {
        used.formUnion([parameter.field, parameter.counter])
        use(parameter.inner)
      }
    }
    for row in (Self.commands + Self.events + Self.subevents).joined() {
      use(row.parameters ?? [])
      use(row.returns ?? [])
    }
    var unused: [String] = []
    Catalog.fields(of: HCIParameters.shared) { label, field in
      if !used.contains(field) { unused.append(label) }
    }
    #expect(unused.isEmpty)
  }
}
