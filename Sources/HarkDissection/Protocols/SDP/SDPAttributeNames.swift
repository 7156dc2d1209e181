import HarkCore

/// Names of attributes, and the forms of their numbers, by service class.
/// Core Specification, Vol 3, Part B, 5; Assigned Numbers, 5.
struct SDPAttributeNames: Sendable {
  // Assigned Numbers, 5.1.1
  static let universal: [UInt64: StaticString] = [
    0x0000: "ServiceRecordHandle", 0x0001: "ServiceClassIDList", 0x0002: "ServiceRecordState",
    0x0003: "ServiceID", 0x0004: "ProtocolDescriptorList", 0x0005: "BrowseGroupList",
    0x0006: "LanguageBaseAttributeIDList", 0x0007: "ServiceInfoTimeToLive",
    0x0008: "ServiceAvailability", 0x0009: "BluetoothProfileDescriptorList",
    0x000A: "DocumentationURL", 0x000B: "ClientExecutableURL", 0x000C: "IconURL",
    0x000D: "AdditionalProtocolDescriptorLists",
    // At the base of the first language, which is 0x0100 by rule. 5.1.8
    0x0100: "ServiceName", 0x0101: "ServiceDescription", 0x0102: "ProviderName",
  ]
  static let serviceDiscoveryServer: [UInt64: StaticString] = [
    0x0200: "VersionNumberList", 0x0201: "ServiceDatabaseState",
  ]
  static let browseGroup: [UInt64: StaticString] = [0x0200: "GroupID"]
  static let deviceIdentification: [UInt64: StaticString] = [
    0x0200: "SpecificationID", 0x0201: "VendorID", 0x0202: "ProductID", 0x0203: "Version",
    0x0204: "PrimaryRecord", 0x0205: "VendorIDSource",
  ]
  static let hid: [UInt64: StaticString] = [
    0x0200: "HIDDeviceReleaseNumber", 0x0201: "HIDParserVersion", 0x0202: "HIDDeviceSubclass",
    0x0203: "HIDCountryCode", 0x0204: "HIDVirtualCable", 0x0205: "HIDReconnectInitiate",
    0x0206: "HIDDescriptorList", 0x0207: "HIDLANGIDBaseList", 0x0208: "HIDSDPDisable",
    0x0209: "HIDBatteryPower", 0x020A: "HIDRemoteWake", 0x020B: "HIDProfileVersion",
    0x020C: "HIDSupervisionTimeout", 0x020D: "HIDNormallyConnectable", 0x020E: "HIDBootDevice",
    0x020F: "HIDSSRHostMaxLatency", 0x0210: "HIDSSRHostMinTimeout",
  ]
  static let handsFree: [UInt64: StaticString] = [
    0x0301: "Network", 0x0302: "Remote Audio Volume Control", 0x0311: "SupportedFeatures",
  ]
  static let audioVideo: [UInt64: StaticString] = [0x0311: "SupportedFeatures"]
  static let objectPush: [UInt64: StaticString] = [
    0x0200: "GoepL2capPsm", 0x0300: "ServiceVersion", 0x0303: "Supported Formats List",
  ]
  static let phonebook: [UInt64: StaticString] = [
    0x0200: "GoepL2capPsm", 0x0314: "SupportedRepositories", 0x0317: "PbapSupportedFeatures",
  ]
  static let messages: [UInt64: StaticString] = [
    0x0200: "GoepL2capPsm", 0x0315: "MASInstanceID", 0x0316: "SupportedMessageTypes",
    0x0317: "MapSupportedFeatures",
  ]
  static let network: [UInt64: StaticString] = [
    0x030A: "SecurityDescription", 0x030B: "NetAccessType", 0x030C: "MaxNetAccessrate",
    0x030D: "IPv4Subnet", 0x030E: "IPv6Subnet",
  ]
  // Device Identification Profile 1.3, 5.6
  static let sources: [UInt64: StaticString] = [1: "Bluetooth SIG", 2: "USB Implementer's Forum"]
  // Hands-Free Profile 1.9, 5.3
  static let handsFreeFeatures: [UInt64: StaticString] = [
    0: "EC and/or NR function", 1: "Call waiting or three-way calling",
    2: "CLI presentation capability", 3: "Voice recognition activation",
    4: "Remote volume control", 5: "Wide band speech", 6: "Enhanced Voice Recognition Status",
    7: "Voice Recognition Text", 8: "Super Wide Band Speech",
  ]
  static let gatewayFeatures: [UInt64: StaticString] = [
    0: "Three-way calling", 1: "EC and/or NR function", 2: "Voice recognition function",
    3: "In-band ring tone capability", 4: "Attach a phone number to a voice tag",
    5: "Wide band speech", 6: "Enhanced Voice Recognition Status", 7: "Voice Recognition Text",
    8: "Super Wide Band Speech",
  ]
  // Advanced Audio Distribution Profile 1.4, 5.3
  static let sourceFeatures: [UInt64: StaticString] = [
    0: "Player", 1: "Microphone", 2: "Tuner", 3: "Mixer",
  ]
  static let sinkFeatures: [UInt64: StaticString] = [
    0: "Headphone", 1: "Speaker", 2: "Recorder", 3: "Amplifier",
  ]
  // Audio/Video Remote Control Profile 1.6, 8
  static let controllerFeatures: [UInt64: StaticString] = [
    0: "Category 1: Player/Recorder", 1: "Category 2: Monitor/Amplifier", 2: "Category 3: Tuner",
    3: "Category 4: Menu", 6: "Supports browsing",
    7: "Supports Cover Art GetImageProperties feature", 8: "Supports Cover Art GetImage feature",
    9: "Supports Cover Art GetLinkedThumbnail feature",
  ]
  static let targetFeatures: [UInt64: StaticString] = [
    0: "Category 1: Player/Recorder", 1: "Category 2: Monitor/Amplifier", 2: "Category 3: Tuner",
    3: "Category 4: Menu", 4: "Player Application Settings", 5: "Group Navigation",
    6: "Supports browsing", 7: "Supports multiple media player applications",
    8: "Supports Cover Art",
  ]

  let server = Named(serviceDiscoveryServer)
  let group = Named(browseGroup)
  let device = Named(deviceIdentification)
  let input = Named(hid)
  let call = Named(handsFree)
  let audio = Named(audioVideo)
  let push = Named(objectPush)
  let contacts = Named(phonebook)
  let message = Named(messages)
  let access = Named(network)

  let vendorID = Field("Vendor ID", .hex)
  let productID = Field("Product ID", .hex)
  let vendorSource = Field("Vendor ID Source", .hex, names: sources)
  let release = Field("Device Version", .hex)
  let handsFreeUnit = Features(handsFreeFeatures)
  let gateway = Features(gatewayFeatures)
  let source = Features(sourceFeatures)
  let sink = Features(sinkFeatures)
  let controller = Features(controllerFeatures)
  let target = Features(targetFeatures)

  /// In place of the field of the same name, for the attributes of some service classes.
  struct Named: Sendable {
    let attributeID: Field

    init(_ names: [UInt64: StaticString]) {
      attributeID = Field(
        "Attribute ID", .hex, names: universal.merging(names, uniquingKeysWith: { $1 }))
    }
  }

  struct Features: Sendable {
    let supportedFeatures: Field

    init(_ flags: [UInt64: StaticString]) {
      supportedFeatures = Field("SupportedFeatures", .hex, flags: flags)
    }
  }

  /// The field for the ID of an attribute of `service`; nil if its name is the same for all.
  func name(of attribute: UInt16, _ service: UInt16) -> Field? {
    guard attribute >= 0x0200 else { return nil }
    switch service {
    case 0x1000: return server.attributeID
    case 0x1001: return group.attributeID
    case 0x1105, 0x1106: return push.attributeID
    case 0x1108, 0x1112, 0x111E, 0x111F, 0x1131: return call.attributeID
    case 0x110A...0x110F: return audio.attributeID
    case 0x1115...0x1117: return access.attributeID
    case 0x1124: return input.attributeID
    case 0x112F: return contacts.attributeID
    case 0x1132, 0x1133: return message.attributeID
    case 0x1200: return device.attributeID
    default: return nil
    }
  }

  /// The field for the number that is the value of an attribute; nil if nothing is known about it.
  func number(_ attribute: UInt16, _ service: UInt16) -> Field? {
    switch (attribute, service) {
    case (0x0201, 0x1200): vendorID
    case (0x0202, 0x1200): productID
    case (0x0203, 0x1200): release
    case (0x0205, 0x1200): vendorSource
    case (0x0311, 0x111E): handsFreeUnit.supportedFeatures
    case (0x0311, 0x111F): gateway.supportedFeatures
    case (0x0311, 0x110A): source.supportedFeatures
    case (0x0311, 0x110B): sink.supportedFeatures
    case (0x0311, 0x110E), (0x0311, 0x110F): controller.supportedFeatures
    case (0x0311, 0x110C): target.supportedFeatures
    default: nil
    }
  }
}
