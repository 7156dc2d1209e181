import Testing

@testable import HarkDissection

@Suite struct HCITableTests {
  static let commands: [[Row]] = HCICommand.sections
  static let events: [[Row]] = HCIEvent.sections
  static let subevents: [[Row]] = HCIEvent.leSections

  static let vendors: [[Row]] = [
    HCICommand.android, HCICommand.androidFilters, HCICommand.broadcom, HCICommand.intel,
    HCICommand.realtek, HCICommand.zephyr, [HCICommand.microsoft(0xFC1E)],
    HCIEvent.android, HCIEvent.broadcom, HCIEvent.intel, HCIEvent.zephyr,
    [HCIEvent.microsoftOfIntel],
  ]

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
    #expect(codes == Set(0x01...0x38))
  }

  @Test func masksHaveTheNamesOfTheirEvents() {
    func names(_ rows: [Row], _ base: UInt16) -> [UInt64: String] {
      Dictionary(
        uniqueKeysWithValues: rows.filter { $0.code >= base }.map {
          (UInt64($0.code - base), $0.name.description)
        })
    }
    func texts(_ flags: [UInt64: StaticString]) -> [UInt64: String] {
      flags.mapValues(\.description)
    }
    // Vol 4, Part E, 7.3.1: these have no bit, as the host could not do without them.
    let always: Set = [
      "HCI_Command_Complete", "HCI_Command_Status", "HCI_Number_Of_Completed_Packets",
    ]
    let events = HCIEvent.sections.flatMap(\.self)
    // Page_Scan_Mode_Change is of an earlier edition.
    let first = names(events.filter { $0.code <= 0x3E && $0.code != 0x1F }, 1)
      .filter { !always.contains($0.value) }
    #expect(texts(HCIEventMasks.page1) == first)
    #expect(texts(HCIEventMasks.page2) == names(events, 0x40))
    #expect(texts(HCIEventMasks.le) == names(HCIEvent.leSections.flatMap(\.self), 1))
  }

  @Test func supportedCommandsAreThoseOfTheRows() {
    let words = [
      HCISupportedCommands.octets0, HCISupportedCommands.octets8, HCISupportedCommands.octets16,
      HCISupportedCommands.octets24, HCISupportedCommands.octets32,
      HCISupportedCommands.octets40, HCISupportedCommands.octets48,
    ]
    let listed = words.flatMap { $0.values.map(\.description) }
    #expect(Set(listed).count == listed.count)
    let rows = Self.commands.flatMap(\.self).map(\.name.description)
    #expect(Set(listed).isSubset(of: rows))
    // Vol 4, Part E, 6.27: octet 5 bit 7, octet 14 bit 3, octet 27 bit 7, octet 48 bit 1.
    #expect(words[0][5 * 8 + 7]?.description == "HCI_Reset")
    #expect(words[1][6 * 8 + 3]?.description == "HCI_Read_Local_Version_Information")
    #expect(words[3][3 * 8 + 7]?.description == "HCI_LE_Rand")
    #expect(words[6][1]?.description == "HCI_LE_Frame_Space_Update")
  }

  @Test func pathsAreUnique() {
    // A secret field stands for one that is shown.
    let paths = Catalog.shared.paths.filter { !$0.field.definition.secret }.map(\.path)
      .filter { $0.hasPrefix("hci.") }
      // The codes of each vendor have names of their own.
      .filter { !$0.hasSuffix(".opcode") && !$0.hasSuffix(".subevent") }
      // Each Major Device Class has minor ones of its own.
      .filter { !$0.hasSuffix(".minorClass") }
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
    for row in (Self.commands + Self.events + Self.subevents + Self.vendors).joined() {
      use(row.parameters ?? [])
      use(row.returns ?? [])
    }
    var unused: [String] = []
    Catalog.fields(of: HCIParameters.shared) { label, field in
      if !used.contains(field) { unused.append(label) }
    }
    // What `SpecialParameters` and the Class of Device read; vectors show them.
    let special = [
      "serviceClasses", "majorClass", "minorClass",
      "frequencyCompensation", "numAntennaPaths", "numSteps", "intelVersionItem",
      "intelVersionType", "intelVersionLength", "intelVersionData", "intelPlatform",
      "intelHardware", "intelHardwareRevision", "intelFirmware", "intelFirmwareRevision",
      "intelBuildNumber", "intelBuildWeek", "intelBuildYear", "intelPatch",
      "androidAddressGeneration", "androidA2DPMask", "androidQuality",
    ]
    unused.removeAll { $0.hasPrefix("step") || special.contains($0) }
    #expect(unused.isEmpty)
  }
}
