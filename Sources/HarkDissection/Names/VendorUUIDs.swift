import HarkCore

extension AssignedNumbers {
  /// Names of 128-bit UUIDs: documented by Apple, or published by the projects that use them.
  static let vendorUUIDs: [BluetoothUUID: StaticString] = {
    var result: [BluetoothUUID: StaticString] = [:]
    for (text, name) in vendorNames {
      if let uuid = BluetoothUUID(text.description) { result[uuid] = name }
    }
    return result
  }()

  /// By their first half; where two share it, the first one.
  static let vendorHighs: [UInt64: BluetoothUUID] = {
    var result: [UInt64: BluetoothUUID] = [:]
    for uuid in vendorList where result[uuid.high] == nil { result[uuid.high] = uuid }
    return result
  }()

  /// In the order of `vendorNames`, and then those to which the user gave names.
  static let vendorList =
    vendorNames.compactMap { BluetoothUUID($0.0.description) }
    + given.keys.filter { $0.short == nil && vendorUUIDs[$0] == nil }
    .sorted { ($0.high, $0.low) < ($1.high, $1.low) }

  /// The position of each in `vendorList`, from 1.
  static let vendorNumbers = Dictionary(
    zip(vendorList, 1...).map { ($0, UInt16($1)) }, uniquingKeysWith: { first, _ in first })

  static let vendorNames: [(StaticString, StaticString)] = [
    // Apple Notification Center Service (ANCS) Specification
    ("7905F431-B5CE-4E99-A40F-4B1E122D00D0", "Apple Notification Center Service"),
    ("9FBF120D-6301-42D9-8C58-25E699A21DBD", "ANCS Notification Source"),
    ("69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9", "ANCS Control Point"),
    ("22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB", "ANCS Data Source"),
    // Apple Media Service (AMS) Specification
    ("89D3502B-0F36-433A-8EF4-C502AD55F8DC", "Apple Media Service"),
    ("9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2", "AMS Remote Command"),
    ("2F7CABCE-808D-411F-9A0C-BB92BA96C102", "AMS Entity Update"),
    ("C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7", "AMS Entity Attribute"),
    // Seen on iPhones
    ("D0611E78-BBB4-4591-A5F8-487910AE4366", "Apple Continuity"),
    ("9FA480E0-4967-4542-9390-D343DC5D04AE", "Apple Nearby"),
    // What OBEX connects to: PBAP 1.2.3, 6.4; MAP 1.4.2, 6.4; FTP 1.3.1, 5; BIP 1.2.1, 6.2; AVRCP 1.6.2
    ("796135F0-F0C5-11D8-0966-0800200C9A66", "PBAP Phone Book Access"),
    ("BB582B40-420C-11DB-B0DE-0800200C9A66", "MAP Message Access"),
    ("BB582B41-420C-11DB-B0DE-0800200C9A66", "MAP Message Notification"),
    ("F9EC7BC4-953C-11D2-984E-525400DC9E09", "FTP Folder Browsing"),
    ("E33D9545-8374-4AD7-9EC5-C16BE31EDE8E", "BIP Image Push"),
    ("8EE9B3D0-4608-11D5-841A-0002A5325B4E", "BIP Image Pull"),
    ("7163DD54-4A7E-11E2-B47C-0050C2490048", "BIP Cover Art"),
    // iAP2 over RFCOMM, CarPlay, and the buds' accessory protocol
    ("00000000-DECA-FADE-DECA-DEAFDECACAFF", "Apple iAP2 Accessory"),
    ("00000000-DECA-FADE-DECA-DEAFDECACAFE", "Apple iAP2 Device"),
    ("EC884348-CD41-40A2-9727-575D50BF1FD3", "Apple CarPlay"),
    ("74EC2172-0BAD-4D01-8F77-997B2BE0722A", "Apple Accessory Protocol"),
    // Google, Fast Pair Service specification
    ("DF21FE2C-2515-4FDB-8886-F12C4D67927C", "Google Fast Pair Message Stream"),
    ("FE2C1233-8366-4814-8EB0-01DE32100BEA", "Fast Pair Model ID"),
    ("FE2C1234-8366-4814-8EB0-01DE32100BEA", "Fast Pair Key-based Pairing"),
    ("FE2C1235-8366-4814-8EB0-01DE32100BEA", "Fast Pair Passkey"),
    ("FE2C1236-8366-4814-8EB0-01DE32100BEA", "Fast Pair Account Key"),
    ("FE2C1237-8366-4814-8EB0-01DE32100BEA", "Fast Pair Additional Data"),
    ("FE2C1238-8366-4814-8EB0-01DE32100BEA", "Fast Pair Beacon Actions"),
    ("FE2C1239-8366-4814-8EB0-01DE32100BEA", "Fast Pair Message Stream PSM"),
    // Detecting Unwanted Location Trackers (IETF draft-ietf-dult-accessory-protocol), 3.12
    ("15190001-12F4-C226-88ED-2AC5579F2A85", "DULT Accessory Non-owner Service"),
    ("8E0C0001-1D68-FB92-BF61-48377421680E", "DULT Accessory Non-owner Characteristic"),
    // NotifBridge
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44", "NotifBridge Service"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C46", "NotifBridge Key Sharing"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C47", "NotifBridge Notification"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C48", "NotifBridge Key Sharing Indication"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C49", "NotifBridge Notification Indication"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4A", "NotifBridge Reverse Write"),
    ("D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4B", "NotifBridge Reverse Indication"),
    // PebbleOS
    ("50000000-328E-0FBB-C642-1AA6699BDADA", "Pebble Accessory Transport"),
    ("50000001-328E-0FBB-C642-1AA6699BDADA", "Pebble Accessory Transport TX"),
    ("50000002-328E-0FBB-C642-1AA6699BDADA", "Pebble Accessory Transport RX"),
  ]
}
