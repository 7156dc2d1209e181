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

  /// Vol 4, Part E, 7.3.1, 7.3.69, 7.8.1. HCI_Command_Complete, HCI_Command_Status and
  /// HCI_Number_Of_Completed_Packets have no bit.
  @Test func eventMasks() {
    let first = HCIEventMasks.page1
    let bits = [0...12, 15...17, 19...29, 31...34, 43...53, 55...56, 58...61].flatMap { $0 }
    #expect(Set(first.keys) == Set(bits.map { UInt64($0) }))
    #expect(first[0]?.description == "HCI_Inquiry_Complete")
    #expect(first[19]?.description == "HCI_Mode_Change")
    #expect(first[24]?.description == "HCI_Loopback_Command")
    #expect(first[61]?.description == "HCI_LE_Meta")
    let second = HCIEventMasks.page2
    #expect(Set(second.keys) == Set(0...25))
    #expect(second[14]?.description == "HCI_Triggered_Clock_Capture")
    #expect(second[25]?.description == "HCI_Encryption_Change [v2]")
    let le = HCIEventMasks.le
    #expect(Set(le.keys) == Set(0...55))
    #expect(le[0]?.description == "HCI_LE_Connection_Complete")
    #expect(le[19]?.description == "HCI_LE_Channel_Selection_Algorithm")
    #expect(le[34]?.description == "HCI_LE_Subrate_Change")
    #expect(le[41]?.description == "HCI_LE_CIS_Established [v2]")
  }

  /// The events that show an open link name it first, after the Status. 7.7
  @Test func eventsThatShowLinks() {
    func shown(_ sections: [[Row]], _ transport: HCIEventSign.Transport) -> Set<UInt16> {
      Set(sections.joined().filter { $0.shows == transport }.map(\.code))
    }
    #expect(
      shown(Self.events, .brEDR) == [
        0x06, 0x09, 0x0A, 0x0B, 0x0D, 0x14, 0x1B, 0x1C, 0x1D, 0x1E, 0x21, 0x23, 0x2E, 0x38, 0x39,
      ])
    #expect(shown(Self.events, .esco) == [0x2D])
    #expect(shown(Self.events, .any) == [0x05, 0x08, 0x0C, 0x30, 0x57, 0x59])
    #expect(
      shown(Self.subevents, .le) == [
        0x03, 0x04, 0x05, 0x06, 0x07, 0x0C, 0x14, 0x16, 0x17, 0x1A, 0x1F, 0x20, 0x21, 0x23,
        0x35, 0x37,
      ])
    let (status, handle) = (HCIParameters.shared.status, HCIParameters.shared.handle)
    for row in (Self.events + Self.subevents).joined() where row.shows != nil {
      let fields = row.parameters?.map(\.field) ?? []
      #expect(
        fields.starts(with: [handle]) || fields.starts(with: [status, handle]), "\(row.name)")
    }
    let mode = HCIEventSign(hex("14 06 00 2a00 02 2003").raw)
    #expect(mode?.transport == .brEDR && mode?.hasFailed == false)
    #expect(HCIEventSign(hex("14 06 02 2a00 00 0000").raw)?.hasFailed == true)
    let slots = HCIEventSign(hex("1b 03 2a00 05").raw)
    #expect(slots?.transport == .brEDR && slots?.hasFailed == false)
    let update = HCIEventSign(hex("3e 0a 03 00 4000 1800 0000 4800").raw)
    #expect(update?.transport == .le && update?.hasFailed == false)
    #expect(HCIEventSign(hex("3e 0a 03 1a 4000 1800 0000 4800").raw)?.hasFailed == true)
    #expect(HCIEventSign(hex("3e 13 01 00 4000 00 00 665544332211 1800 0000 4800 00").raw) == nil)
    #expect(HCIEventSign(hex("11 02 2a00").raw) == nil)
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
        if parameter.isPart {
          let fields = HCIParameters.shared.advertising
          used.formUnion([fields.dataFragment, fields.secret.dataFragment])
        }
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
