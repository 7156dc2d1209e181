/// Names of usages. HID Usage Tables 1.5.
enum HIDUsages {
  // 3
  static let pages: [UInt64: StaticString] = [
    0x01: "Generic Desktop", 0x02: "Simulation Controls", 0x03: "VR Controls",
    0x04: "Sport Controls", 0x05: "Game Controls", 0x06: "Generic Device Controls",
    0x07: "Keyboard/Keypad", 0x08: "LED", 0x09: "Button", 0x0A: "Ordinal",
    0x0B: "Telephony Device", 0x0C: "Consumer", 0x0D: "Digitizers", 0x0E: "Haptics",
    0x20: "Sensors", 0x40: "Medical Instrument", 0x59: "Lighting And Illumination",
  ]
  // 4
  static let desktop: [UInt64: StaticString] = [
    0x01: "Pointer", 0x02: "Mouse", 0x04: "Joystick", 0x05: "Gamepad", 0x06: "Keyboard",
    0x07: "Keypad", 0x08: "Multi-axis Controller", 0x30: "X", 0x31: "Y", 0x32: "Z", 0x33: "Rx",
    0x34: "Ry", 0x35: "Rz", 0x36: "Slider", 0x37: "Dial", 0x38: "Wheel", 0x39: "Hat Switch",
    0x3D: "Start", 0x3E: "Select", 0x48: "Resolution Multiplier", 0x80: "System Control",
    0x81: "System Power Down", 0x82: "System Sleep", 0x83: "System Wake Up",
    0x90: "D-pad Up", 0x91: "D-pad Down", 0x92: "D-pad Right", 0x93: "D-pad Left",
  ]
  // 11
  static let lights: [UInt64: StaticString] = [
    0x01: "Num Lock", 0x02: "Caps Lock", 0x03: "Scroll Lock", 0x04: "Compose", 0x05: "Kana",
    0x09: "Mute", 0x17: "Off-Hook", 0x18: "Ring",
  ]
  // 15
  static let consumer: [UInt64: StaticString] = [
    0x01: "Consumer Control", 0x30: "Power", 0x32: "Sleep", 0x40: "Menu", 0x41: "Menu Pick",
    0x42: "Menu Up", 0x43: "Menu Down", 0x44: "Menu Left", 0x45: "Menu Right",
    0x6F: "Display Brightness Increment", 0x70: "Display Brightness Decrement", 0xB0: "Play",
    0xB1: "Pause", 0xB2: "Record", 0xB3: "Fast Forward", 0xB4: "Rewind",
    0xB5: "Scan Next Track", 0xB6: "Scan Previous Track", 0xB7: "Stop", 0xB8: "Eject",
    0xCD: "Play/Pause", 0xCF: "Voice Command", 0xE0: "Volume", 0xE2: "Mute",
    0xE9: "Volume Increment", 0xEA: "Volume Decrement", 0x192: "AL Calculator",
    0x194: "AL Local Machine Browser", 0x18A: "AL Email Reader", 0x221: "AC Search",
    0x223: "AC Home", 0x224: "AC Back", 0x225: "AC Forward", 0x226: "AC Stop",
    0x227: "AC Refresh", 0x238: "AC Pan",
  ]
  // 16
  static let digitizers: [UInt64: StaticString] = [
    0x01: "Digitizer", 0x02: "Pen", 0x04: "Touch Screen", 0x05: "Touch Pad", 0x20: "Stylus",
    0x22: "Finger", 0x30: "Tip Pressure", 0x32: "In Range", 0x33: "Touch", 0x42: "Tip Switch",
    0x44: "Barrel Switch", 0x47: "Touch Valid", 0x51: "Contact Identifier",
    0x54: "Contact Count", 0x55: "Contact Count Maximum", 0x56: "Scan Time",
  ]
  // 10
  private static let keys: [UInt64: StaticString] = [
    0x00: "none", 0x01: "ErrorRollOver", 0x27: "0 and )", 0x28: "Return (ENTER)",
    0x29: "ESCAPE", 0x2A: "DELETE (Backspace)", 0x2B: "Tab", 0x2C: "Spacebar",
    0x2D: "- and (underscore)", 0x2E: "= and +", 0x2F: "[ and {", 0x30: "] and }",
    0x31: "\\ and |", 0x33: "; and :", 0x34: "' and \"", 0x35: "Grave Accent and Tilde",
    0x36: ", and <", 0x37: ". and >", 0x38: "/ and ?", 0x39: "Caps Lock",
    0x46: "PrintScreen", 0x47: "Scroll Lock", 0x48: "Pause", 0x49: "Insert", 0x4A: "Home",
    0x4B: "PageUp", 0x4C: "Delete Forward", 0x4D: "End", 0x4E: "PageDown",
    0x4F: "RightArrow", 0x50: "LeftArrow", 0x51: "DownArrow", 0x52: "UpArrow",
    0x53: "Keypad Num Lock and Clear", 0x65: "Application", 0xE0: "LeftControl",
    0xE1: "LeftShift", 0xE2: "LeftAlt", 0xE3: "Left GUI", 0xE4: "RightControl",
    0xE5: "RightShift", 0xE6: "RightAlt", 0xE7: "Right GUI",
  ]

  @Sendable static func key(_ code: UInt64) -> String? {
    switch code {
    case 0x04...0x1D: String(UnicodeScalar(UInt8(0x61 + code - 0x04)))
    case 0x1E...0x26: "\(code - 0x1D)"
    case 0x3A...0x45: "F\(code - 0x39)"
    default: keys[code]?.description
    }
  }

  // 12
  @Sendable static func button(_ code: UInt64) -> String? {
    code == 0 ? "No Button" : "Button \(code)"
  }

  /// `Volume Increment` for 0x000C00E9: the page is in the upper 16 bits.
  @Sendable static func whole(_ usage: UInt64) -> String? {
    let (page, id) = (usage >> 16, usage & 0xFFFF)
    let name: String? =
      switch page {
      case 0x01: desktop[id]?.description
      case 0x07: key(id)
      case 0x08: lights[id]?.description
      case 0x09: button(id)
      case 0x0C: consumer[id]?.description
      case 0x0D: digitizers[id]?.description
      default: nil
      }
    if let name { return name }
    return pages[page].map { "of page \($0)" } ?? (page >= 0xFF00 ? "of a vendor" : nil)
  }
}
