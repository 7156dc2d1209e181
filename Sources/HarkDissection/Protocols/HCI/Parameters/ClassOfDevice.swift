/// The Class of Device: what a BR/EDR device is, and which services it has. Assigned Numbers, 2.8.
public enum ClassOfDevice {
  // 2.8.1
  static let services: [UInt64: StaticString] = [
    0: "Limited Discoverable Mode", 1: "LE audio", 3: "Positioning", 4: "Networking",
    5: "Rendering", 6: "Capturing", 7: "Object Transfer", 8: "Audio", 9: "Telephony",
    10: "Information",
  ]
  // 2.8.2
  static let majorClasses: [UInt64: StaticString] = [
    0: "Miscellaneous", 1: "Computer", 2: "Phone", 3: "LAN/Network Access point",
    4: "Audio/Video", 5: "Peripheral", 6: "Imaging", 7: "Wearable", 8: "Toy", 9: "Health",
    31: "Uncategorized",
  ]
  // 2.8.2.1 to 2.8.2.9; of those not listed here the bits mean something each.
  private static let minorClasses: [UInt64: [UInt64: StaticString]] = [
    1: [
      0: "Uncategorized", 1: "Desktop Workstation", 2: "Server-class Computer", 3: "Laptop",
      4: "Handheld PC/PDA (clamshell)", 5: "Palm-size PC/PDA",
      6: "Wearable computer (watch size)", 7: "Tablet",
    ],
    2: [
      0: "Uncategorized", 1: "Cellular", 2: "Cordless", 3: "Smartphone",
      4: "Wired modem or voice gateway", 5: "Common ISDN access",
    ],
    4: [
      0: "Uncategorized", 1: "Wearable Headset Device", 2: "Hands-free Device", 4: "Microphone",
      5: "Loudspeaker", 6: "Headphones", 7: "Portable Audio", 8: "Car audio", 9: "Set-top box",
      10: "HiFi Audio Device", 11: "VCR", 12: "Video Camera", 13: "Camcorder",
      14: "Video Monitor", 15: "Video Display and Loudspeaker", 16: "Video Conferencing",
      18: "Gaming/Toy",
    ],
    7: [1: "Wristwatch", 2: "Pager", 3: "Jacket", 4: "Helmet", 5: "Glasses", 6: "Pin"],
    8: [1: "Robot", 2: "Vehicle", 3: "Doll/Action Figure", 4: "Controller", 5: "Game"],
    9: [
      0: "Undefined", 1: "Blood Pressure Monitor", 2: "Thermometer", 3: "Weighing Scale",
      4: "Glucose Meter", 5: "Pulse Oximeter", 6: "Heart/Pulse Rate Monitor",
      7: "Health Data Display", 8: "Step Counter", 9: "Body Composition Analyzer",
      10: "Peak Flow Monitor", 11: "Medication Monitor", 12: "Knee Prosthesis",
      13: "Ankle Prosthesis", 14: "Generic Health Manager", 15: "Personal Mobility Device",
    ],
  ]
  // 2.8.2.3: how much of a network access point is in use.
  private static let loads: [UInt64: StaticString] = [
    0: "Fully available", 1: "1% to 17% utilized", 2: "17% to 33% utilized",
    3: "33% to 50% utilized", 4: "50% to 67% utilized", 5: "67% to 83% utilized",
    6: "83% to 99% utilized", 7: "No service available",
  ]
  // 2.8.2.5: two bits, and four beside them.
  private static let input: [UInt64: StaticString] = [
    1: "Keyboard", 2: "Pointing Device", 3: "Combo Keyboard/Pointing Device",
  ]
  private static let peripherals: [UInt64: StaticString] = [
    1: "Joystick", 2: "Gamepad", 3: "Remote control", 4: "Sensing Device", 5: "Digitizer Tablet",
    6: "Card Reader", 7: "Digital Pen", 8: "Handheld scanner", 9: "Handheld gestural input device",
  ]
  // 2.8.2.6: a bit each.
  private static let imaging: [(bit: UInt64, name: StaticString)] = [
    (2, "Display"), (3, "Camera"), (4, "Scanner"), (5, "Printer"),
  ]

  /// What a Minor Device Class means beside its Major Device Class; nil if it has no name.
  static func minor(_ minor: UInt64, of major: UInt64) -> String? {
    switch major {
    case 3: return loads[minor >> 3]?.description
    case 5:
      let names = [input[minor >> 4], peripherals[minor & 0x0F]].compactMap(\.?.description)
      if minor & 0x0F != 0, peripherals[minor & 0x0F] == nil { return nil }
      return names.isEmpty ? "Uncategorized" : names.joined(separator: ", ")
    case 6:
      let names = imaging.filter { minor >> $0.bit & 1 == 1 }.map(\.name.description)
      return names.isEmpty ? "Uncategorized" : names.joined(separator: ", ")
    default: return minorClasses[major]?[minor]?.description
    }
  }

  /// `Audio/Video: Headphones; Rendering, Audio`
  public static func description(_ value: UInt64) -> String {
    // The two low bits are the format type. Only one was ever defined, and devices have others.
    let (major, minor) = (value >> 8 & 0x1F, value >> 2 & 0x3F)
    let majorName = majorClasses[major]?.description ?? "reserved Major Device Class \(major)"
    let minorName =
      self.minor(minor, of: major) ?? (minor == 0 ? nil : "Minor Device Class \(minor)")
    let names = services.keys.sorted().filter { value >> (13 + $0) & 1 == 1 }
      .compactMap { services[$0]?.description }
    return majorName + (minorName.map { ": \($0)" } ?? "")
      + (names.isEmpty ? "" : "; " + names.joined(separator: ", "))
  }

  /// The parts of the number, for the dissectors that have one.
  struct Parts: Sendable {
    let serviceClasses = Field("Service Classes", .hex, flags: ClassOfDevice.services)
    let majorClass = Field("Major Device Class", names: ClassOfDevice.majorClasses)
    let ofComputer = Minor(1)
    let ofPhone = Minor(2)
    let ofNetwork = Minor(3)
    let ofAudio = Minor(4)
    let ofPeripheral = Minor(5)
    let ofImaging = Minor(6)
    let ofWearable = Minor(7)
    let ofToy = Minor(8)
    let ofHealth = Minor(9)
    let ofOthers = Minor(31)

    struct Minor: Sendable {
      let minorClass: Field

      init(_ major: UInt64) {
        minorClass = Field(
          "Minor Device Class", lookup: { ClassOfDevice.minor($0, of: major) })
      }
    }

    func minor(of major: UInt64) -> Field {
      switch major {
      case 1: ofComputer.minorClass
      case 2: ofPhone.minorClass
      case 3: ofNetwork.minorClass
      case 4: ofAudio.minorClass
      case 5: ofPeripheral.minorClass
      case 6: ofImaging.minorClass
      case 7: ofWearable.minorClass
      case 8: ofToy.minorClass
      case 9: ofHealth.minorClass
      default: ofOthers.minorClass
      }
    }
  }

  /// A field for the whole number.
  static func field(_ name: StaticString, inLine: Bool = false) -> Field {
    Field(name, .hex, lookup: { description($0) }, inLine: inLine)
  }
}

extension PDU {
  /// A Class of Device: the number, and what its bits mean.
  mutating func classOfDevice(
    _ field: Field, _ parts: ClassOfDevice.Parts
  ) throws(Malformed) {
    let word = try word(3, of: field)
    part(field, word, of: 3)
    part(parts.serviceClasses, word >> 13, of: 3)
    part(parts.majorClass, word >> 8 & 0x1F, of: 3)
    part(parts.minor(of: word >> 8 & 0x1F), word >> 2 & 0x3F, of: 3)
  }
}
