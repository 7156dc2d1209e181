import HarkCore
import Testing

@testable import HarkDissection

@Suite struct ANCSTests {
  static let source = BluetoothUUID("9FBF120D-6301-42D9-8C58-25E699A21DBD")!
  static let control = BluetoothUUID("69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9")!
  static let data = BluetoothUUID("22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB")!

  static var continuing: Context {
    var context = Context()
    context.continuesMessage = true
    return context
  }

  static let vectors = [
    Vector(
      "ANCS Specification, 2", .attribute(source), "00 1a 06 03 05 00 00 00",
      [
        "ANCS", "  EventID: Notification Added (0)",
        "  EventFlags: 0x1a: Important, PositiveAction, NegativeAction",
        "  CategoryID: Email (6)", "  CategoryCount: 3", "  NotificationUID: 5",
      ]),
    Vector(
      "ANCS Specification, 2, with a flag that iPhones set for pictures and sounds",
      .attribute(source), "01 20 04 01 07 00 00 00",
      [
        "ANCS", "  EventID: Notification Modified (1)",
        "  EventFlags: 0x20: Multimedia, as observed", "  CategoryID: Social (4)",
        "  CategoryCount: 1", "  NotificationUID: 7",
      ]),
    Vector(
      "ANCS Specification, 3: Get Notification Attributes", .attribute(control),
      "00 05 00 00 00 00 01 40 00 03 00 01 05",
      [
        "ANCS", "  CommandID: Get Notification Attributes (0)", "  NotificationUID: 5",
        "  Attribute", "    AttributeID: AppIdentifier (0)", "  Attribute",
        "    AttributeID: Title (1)", "    Maximum Length: 64", "  Attribute",
        "    AttributeID: Message (3)", "    Maximum Length: 256", "  Attribute",
        "    AttributeID: Date (5)",
      ]),
    Vector(
      "ANCS Specification, 3: Get App Attributes", .attribute(control), "01 61 2e 62 00 00",
      [
        "ANCS", "  CommandID: Get App Attributes (1)", "  AppIdentifier: \"a.b\"",
        "  AppAttributeID: DisplayName (0)",
      ]),
    Vector(
      "ANCS Specification, 3: Perform Notification Action", .attribute(control),
      "02 05 00 00 00 01",
      [
        "ANCS", "  CommandID: Perform Notification Action (2)", "  NotificationUID: 5",
        "  ActionID: Negative (1)",
      ]),
    Vector(
      "ANCS Specification, 4: Get Notification Attributes", .attribute(data),
      "00 05 00 00 00 01 02 00 48 69 02 00 00 03 20 00 79 6f",
      [
        "ANCS", "  CommandID: Get Notification Attributes (0)", "  NotificationUID: 5",
        "  Attribute", "    AttributeID: Title (1)", "    Attribute Length: 2",
        "    Attribute Value: \"Hi\"", "  Attribute", "    AttributeID: Subtitle (2)",
        "    Attribute Length: 0", "  Attribute", "    AttributeID: Message (3)",
        "    Attribute Length: 32", "    Attribute Value: \"yo\"",
      ]),
    Vector(
      "ANCS Specification, 4: Get App Attributes", .attribute(data), "01 61 2e 62 00 00 01 00 42",
      [
        "ANCS", "  CommandID: Get App Attributes (1)", "  AppIdentifier: \"a.b\"", "  Attribute",
        "    AppAttributeID: DisplayName (0)", "    Attribute Length: 1",
        "    Attribute Value: \"B\"",
      ]),
    Vector(
      "ANCS Specification, 4: the next value", .attribute(data), "00 05 6f", context: continuing,
      ["ANCS", "  Continuation: 00056f"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  static let command = BluetoothUUID("9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2")!
  static let update = BluetoothUUID("2F7CABCE-808D-411F-9A0C-BB92BA96C102")!
  static let attribute = BluetoothUUID("C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7")!

  static func about(_ type: BluetoothUUID) -> Context {
    var context = Context()
    context.attributeType = type
    return context
  }

  static func decoded(_ type: BluetoothUUID, _ title: String, _ lines: [String]) -> [String] {
    let name = AssignedNumbers.name(of: type) ?? ""
    return ["ATT", "  Attribute Opcode: \(title)"]
      + (title.hasPrefix("ATT_READ_RSP") ? [] : ["  Attribute Handle: 0x0030"])
      + ["  Attribute: \(type) (\(name)) [inferred]", "  Attribute Value", "    AMS"]
      + lines.map { "      " + $0 }
  }

  static let media = [
    Vector(
      "AMS Specification, 2: a command", .channel(4), "12 30 00 03", context: about(command),
      decoded(command, "ATT_WRITE_REQ (0x12)", ["RemoteCommandID: NextTrack (3)"])),
    Vector(
      "AMS Specification, 2: what the phone supports", .channel(4), "1b 30 00 00 01",
      context: about(command),
      decoded(
        command, "ATT_HANDLE_VALUE_NTF (0x1b)",
        ["RemoteCommandID: Play (0)", "RemoteCommandID: Pause (1)"])),
    Vector(
      "AMS Specification, 3: what the accessory wants", .channel(4), "12 30 00 02 00 02",
      context: about(update),
      decoded(
        update, "ATT_WRITE_REQ (0x12)",
        ["EntityID: Track (2)", "AttributeID: Artist (0)", "AttributeID: Title (2)"])),
    Vector(
      "AMS Specification, 3: what is told", .channel(4),
      "1b 30 00 00 01 00 31 2c 31 2e 30 2c 32", context: about(update),
      decoded(
        update, "ATT_HANDLE_VALUE_NTF (0x1b)",
        [
          "EntityID: Player (0)", "AttributeID: PlaybackInfo (1)", "EntityUpdateFlags: 0x00",
          "Value: \"1,1.0,2\"",
        ])),
    Vector(
      "AMS Specification, 4: which attribute", .channel(4), "12 30 00 01 02",
      context: about(attribute),
      decoded(
        attribute, "ATT_WRITE_REQ (0x12)", ["EntityID: Queue (1)", "AttributeID: ShuffleMode (2)"])),
    Vector(
      "AMS Specification, 4: all of it", .channel(4), "0b 48 69", context: about(attribute),
      decoded(attribute, "ATT_READ_RSP (0x0b)", ["Value: \"Hi\""])),
  ]

  @Test(arguments: media) func mediaVector(_ vector: Vector) { vector.check() }
}
