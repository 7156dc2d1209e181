/// What the controls of a report are called. HID Usage Tables 1.5.
struct HIDReportFields: Sendable {
  static let types: [UInt64: StaticString] = [
    1: "Input Report", 2: "Output Report", 3: "Feature Report",
  ]

  let reportType = Field("Report Type", names: types)
  let reportID = Field("Report ID")
  let data = Field("Report Data", .bytes, inLine: true, personal: .input)
  /// Controls that are on, or selected by an array: each by its page.
  let key = Field("Key", .hex, lookup: HIDUsages.key, inLine: true, personal: .input)
  let button = Field("Button", inLine: true, personal: .input)
  let consumer = Field(
    "Consumer", .hex, names: HIDUsages.consumer, inLine: true, personal: .input)
  let desktop = Field("Desktop", .hex, names: HIDUsages.desktop, inLine: true, personal: .input)
  let led = Field("LED", .hex, names: HIDUsages.lights, inLine: true, personal: .input)
  let digitizer = Field(
    "Digitizer", .hex, names: HIDUsages.digitizers, inLine: true, personal: .input)
  /// Of any other page, which is in the upper 16 bits.
  let control = Field("Control", .hex, lookup: HIDUsages.whole, inLine: true, personal: .input)
  let none = Field("Nothing On", .bytes, personal: .input)
  let padding = Field("Padding", .bytes)
  /// Said or not by what else is on.
  let usage = Field("Usage", .hex, lookup: HIDUsages.whole, personal: .input)
  let relative = Values(.signed)
  let absolute = Values(.decimal)

  /// Controls with more values than on and off, by the sign of the least.
  struct Values: Sendable {
    let x, y, z, rx, ry, rz, slider, dial, wheel, pan: Field
    let hatSwitch, tipPressure, contactIdentifier, contactCount, scanTime: Field
    let xTilt, yTilt, batteryStrength, accelerator, brake, steering, volume, value: Field

    init(_ form: Field.Form) {
      func value(_ name: StaticString) -> Field {
        Field(name, form, inLine: true, personal: .input)
      }
      (x, y, z) = (value("X"), value("Y"), value("Z"))
      (rx, ry, rz) = (value("Rx"), value("Ry"), value("Rz"))
      (slider, dial, wheel) = (value("Slider"), value("Dial"), value("Wheel"))
      (pan, hatSwitch) = (value("AC Pan"), value("Hat Switch"))
      (tipPressure, scanTime) = (value("Tip Pressure"), value("Scan Time"))
      contactIdentifier = value("Contact Identifier")
      contactCount = value("Contact Count")
      (xTilt, yTilt) = (value("X Tilt"), value("Y Tilt"))
      batteryStrength = value("Battery Strength")
      (accelerator, brake, steering) = (value("Accelerator"), value("Brake"), value("Steering"))
      (volume, self.value) = (value("Volume"), value("Value"))
    }

    /// Nil for usages without a field of their own.
    func field(_ usage: UInt32) -> Field? {
      switch usage {
      case 0x0001_0030: x
      case 0x0001_0031: y
      case 0x0001_0032: z
      case 0x0001_0033: rx
      case 0x0001_0034: ry
      case 0x0001_0035: rz
      case 0x0001_0036: slider
      case 0x0001_0037: dial
      case 0x0001_0038: wheel
      case 0x0001_0039: hatSwitch
      case 0x0002_00C4: accelerator
      case 0x0002_00C5: brake
      case 0x0002_00C8: steering
      case 0x0006_0020: batteryStrength
      case 0x000C_00E0: volume
      case 0x000C_0238: pan
      case 0x000D_0030: tipPressure
      case 0x000D_003D: xTilt
      case 0x000D_003E: yTilt
      case 0x000D_0051: contactIdentifier
      case 0x000D_0054: contactCount
      case 0x000D_0056: scanTime
      default: nil
      }
    }
  }

  /// The field of controls that are on or off, and what it calls the one with the usage `usage`.
  func named(_ usage: UInt32) -> (Field, UInt64) {
    let id = UInt64(usage & 0xFFFF)
    switch usage >> 16 {
    case 0x01: return (desktop, id)
    case 0x07: return (key, id)
    case 0x08: return (led, id)
    case 0x09: return (button, id)
    case 0x0C: return (consumer, id)
    case 0x0D: return (digitizer, id)
    default: return (control, UInt64(usage))
    }
  }
}
