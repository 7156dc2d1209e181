import HarkCore

extension AssignedNumbers {
  /// Names of HomeKit's services and characteristics over GATT, by the short form of their UUIDs: the first 32 bits
  /// of `000000XX-0000-1000-8000-0026BB765291`. HomeKit Accessory Protocol Specification (Non-Commercial Version),
  /// R2, 6.6.1, 8, 9.
  static let homeKit = NameTable(homeKitText)

  /// The name of a type that Apple defines for HomeKit, or nil.
  static func homeKitName(of uuid: BluetoothUUID) -> String? {
    if uuid == characteristicInstanceID { return "HAP Characteristic Instance ID" }
    guard uuid.low == 0x8000_0026_BB76_5291, uuid.high & 0xFFFF_FFFF == 0x0000_1000,
      uuid.high >> 32 <= 0xFFFF
    else { return nil }
    return homeKit[UInt16(truncatingIfNeeded: uuid.high >> 32)].map { "HAP \($0)" }
  }

  /// The descriptor with the instance ID of a characteristic. 7.4.4.5.2
  private static let characteristicInstanceID = BluetoothUUID(
    high: 0xDC46_F0FE_81D2_4616, low: 0xB5D9_6ABD_D796_939A)

  private static let homeKitText: StaticString = #"""
    0008 Brightness
    000D Cooling Threshold Temperature
    000E Current Door State
    000F Current Heating Cooling State
    0010 Current Relative Humidity
    0011 Current Temperature
    0012 Heating Threshold Temperature
    0013 Hue
    0014 Identify
    0019 Lock Control Point
    001D Lock Current State
    001E Lock Target State
    001F Logs
    0020 Manufacturer
    0021 Model
    0022 Motion Detected
    0023 Name
    0024 Obstruction Detected
    0025 On
    0026 Outlet In Use
    0028 Rotation Direction
    0029 Rotation Speed
    002F Saturation
    0030 Serial Number
    0032 Target Door State
    0033 Target Heating Cooling State
    0034 Target Relative Humidity
    0035 Target Temperature
    0036 Temperature Display Units
    0037 Version
    003E Accessory Information
    0040 Fan
    0041 Garage Door Opener
    0043 Lightbulb
    0044 Lock Management
    0045 Lock Mechanism
    0047 Outlet
    0049 Switch
    004A Thermostat
    004C Pair Setup
    004E Pair Verify
    004F Pairing Features
    0050 Pairing Pairings
    0051 Service Instance ID
    0052 Firmware Revision
    0053 Hardware Revision
    0055 Pairing
    0068 Battery Level
    006A Contact Sensor State
    006B Current Ambient Light Level
    006D Current Position
    0070 Leak Detected
    0071 Occupancy Detected
    0072 Position State
    0073 Programmable Switch Event
    0075 Status Active
    0076 Smoke Detected
    0077 Status Fault
    0079 Status Low Battery
    007A Status Tampered
    007C Target Position
    007E Security System
    007F Carbon Monoxide Sensor
    0080 Contact Sensor
    0081 Door
    0082 Humidity Sensor
    0083 Leak Sensor
    0084 Light Sensor
    0085 Motion Sensor
    0086 Occupancy Sensor
    0087 Smoke Sensor
    0089 Stateless Programmable Switch
    008A Temperature Sensor
    008B Window
    008C Window Covering
    008D Air Quality Sensor
    008F Charging State
    0096 Battery Service
    0097 Carbon Dioxide Sensor
    00A2 Protocol Information
    00A5 Service Signature
    """#
}
