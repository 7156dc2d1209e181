import HarkCore

/// Codec IDs, and the LTV structures of codec specific capabilities, codec specific configurations
/// and metadata, which several services of LE Audio and its announcements share.
/// Assigned Numbers, 6.12.4 to 6.12.6; Basic Audio Profile 1.0.1, 4.3.
struct LEAudioParameters: Sendable {
  enum Kind {
    case capabilities, configuration, metadata
  }

  let codec = Field("Codec_ID", .group)
  let codingFormat = Field("Coding_Format", .hex, names: HCICodes.codingFormats, inLine: true)
  let companyID = Field("Company_ID", .hex)
  let vendor = Vendor()
  let vendorCodecID = Field("Vendor_Specific_Codec_ID", .hex)

  let capabilitiesLength = Field("Codec_Specific_Capabilities_Length")
  let capabilities = Field("Codec_Specific_Capabilities", .group)
  let configurationLength = Field("Codec_Specific_Configuration_Length")
  let configuration = Field("Codec_Specific_Configuration", .group)
  let metadataLength = Field("Metadata_Length")
  let metadata = Field("Metadata", .group)
  let codecData = Field("Vendor Codec Data", .bytes)

  let ltv = Field("LTV", .list)
  let ltvLength = Field("Length")
  let ltvValue = Field("Value", .bytes)
  let capability = Typed(LEAudioNames.capabilities)
  let setting = Typed(LEAudioNames.configurations)
  let information = Typed(LEAudioNames.metadata)

  let supportedSamplingFrequencies = Field(
    "Supported_Sampling_Frequencies", .hex, flags: LEAudioNames.samplingFrequencyBits,
    inLine: true)
  let supportedFrameDurations = Field(
    "Supported_Frame_Durations", .hex, flags: LEAudioNames.frameDurationBits)
  let supportedChannelCounts = Field(
    "Supported_Audio_Channel_Counts", .hex, flags: LEAudioNames.channelCounts)
  let minimumOctets = Field("Minimum Octets_Per_Codec_Frame")
  let maximumOctets = Field("Maximum Octets_Per_Codec_Frame")
  let maximumFrames = Field("Supported_Max_Codec_Frames_Per_SDU")

  let samplingFrequency = Field(
    "Sampling_Frequency", names: LEAudioNames.samplingFrequencies, inLine: true)
  let frameDuration = Field("Frame_Duration", names: LEAudioNames.frameDurations, inLine: true)
  let channelAllocation = Field(
    "Audio_Channel_Allocation", .hex, flags: LEAudioNames.locations,
    special: LEAudioNames.noLocation)
  let octetsPerFrame = Field("Octets_Per_Codec_Frame", inLine: true)
  let frameBlocks = Field("Codec_Frame_Blocks_Per_SDU")

  let preferredContexts = Field(
    "Preferred_Audio_Contexts", .hex, flags: LEAudioNames.contexts,
    special: LEAudioNames.noContext)
  let streamingContexts = Field(
    "Streaming_Audio_Contexts", .hex, flags: LEAudioNames.contexts,
    special: LEAudioNames.noContext, inLine: true)
  let programInfo = Field("Program_Info", .text, personal: .media)
  let language = Field("Language", .text, role: .description)
  let ccid = Field("CCID")
  let parentalRating = Field("Parental_Rating", names: LEAudioNames.ratings)
  let programInfoURI = Field("Program_Info_URI", .text, personal: .media)
  let activeState = Field("Audio_Active_State", names: LEAudioNames.activeStates)
  let listeningStream = Field(
    "Assisted_Listening_Stream", names: LEAudioNames.listeningStreams)
  let broadcastName = Field("Broadcast_Name", .text, inLine: true, personal: .name)
  let extendedType = Field("Extended_Metadata_Type", .hex)

  /// What a Type means depends on which list it is in: one path for all.
  struct Typed: Sendable {
    let ltvType: Field

    init(_ names: [UInt64: StaticString]) { ltvType = Field("Type", .hex, names: names) }
  }

  /// In place of the field of the same name, where it is one: with other codecs it is 0.
  struct Vendor: Sendable {
    let companyID = Field(
      "Company_ID", .hex, lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) },
      inLine: true)
  }

  static let shared = LEAudioParameters()

  /// What a protocol does not have whose lists are of these kinds only.
  func fields(besides kinds: Set<Kind>) -> Set<Field> {
    var others: Set<Field> = []
    if !kinds.contains(.capabilities) {
      others.formUnion([
        capabilitiesLength, capabilities, capability.ltvType, supportedSamplingFrequencies,
        supportedFrameDurations, supportedChannelCounts, minimumOctets, maximumOctets,
        maximumFrames,
      ])
    }
    if !kinds.contains(.configuration) {
      others.formUnion([
        configurationLength, configuration, setting.ltvType, samplingFrequency, frameDuration,
        channelAllocation, octetsPerFrame, frameBlocks,
      ])
    }
    if kinds == [.metadata] {
      others.formUnion([codec, codingFormat, companyID, vendorCodecID, codecData])
    }
    return others
  }

  /// What of the LTV structures somebody follows.
  struct Values {
    var codec: LEAudioCodec?
    var contexts: UInt16?
  }

  func codecID(_ pdu: inout PDU<some Sink>) throws(Malformed) -> LEAudioCodec {
    var (format, company, vendorCodec) = (UInt8(0), UInt16(0), UInt16(0))
    try pdu.group(codec) { pdu throws(Malformed) in
      format = try pdu.u8(codingFormat)
      company = try pdu.u16(
        format == LEAudioCodec.vendorSpecific ? vendor.companyID : companyID)
      vendorCodec = try pdu.u16(vendorCodecID)
    }
    return LEAudioCodec(format: format, company: company, vendorCodec: vendorCodec)
  }

  /// A length, and as many octets of LTV structures, whose values are not followed.
  func list(
    _ kind: Kind, isLTV: Bool = true, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    var values = Values()
    try list(kind, isLTV: isLTV, &pdu, &values)
  }

  /// A length, and as many octets of LTV structures. What was read before an error stays in `values`.
  func list(
    _ kind: Kind, isLTV: Bool = true, _ pdu: inout PDU<some Sink>, _ values: inout Values
  ) throws(Malformed) {
    let (counter, group) =
      switch kind {
      case .capabilities: (capabilitiesLength, capabilities)
      case .configuration: (configurationLength, configuration)
      case .metadata: (metadataLength, metadata)
      }
    let count = Int(try pdu.u8(counter))
    if count == 0 { return }
    try pdu.within(count, group) { pdu throws(Malformed) in
      guard isLTV else {
        try pdu.bytes(pdu.remaining, codecData)
        return
      }
      while pdu.remaining > 0 { try structure(kind, &pdu, &values) }
    }
  }

  private func structure(
    _ kind: Kind, _ pdu: inout PDU<some Sink>, _ values: inout Values
  ) throws(Malformed) {
    try pdu.group(ltv) { pdu throws(Malformed) in
      let length = Int(try pdu.u8(ltvLength))
      if length == 0 { return }
      try pdu.inside(length, by: ltvLength) { pdu throws(Malformed) in
        switch kind {
        case .capabilities: try capability(&pdu, &values.codec)
        case .configuration: try setting(&pdu, &values.codec)
        case .metadata: try information(&pdu, &values.contexts)
        }
      }
    }
  }

  private func capability(
    _ pdu: inout PDU<some Sink>, _ codec: inout LEAudioCodec?
  ) throws(Malformed) {
    switch try pdu.u8(capability.ltvType) {
    case 1:
      let bits = try pdu.u16(supportedSamplingFrequencies)
      codec?.supportedSamplingFrequencies = bits
    case 2:
      let bits = try pdu.u8(supportedFrameDurations)
      codec?.supportedFrameDurations = bits
    case 3: try pdu.u8(supportedChannelCounts)
    case 4:
      let minimum = try pdu.u16(minimumOctets)
      let maximum = try pdu.u16(maximumOctets)
      if minimum <= maximum { codec?.octets = minimum...maximum }
    case 5: try pdu.u8(maximumFrames)
    default: try AdvertisingData.all(ltvValue, &pdu)
    }
  }

  private func setting(
    _ pdu: inout PDU<some Sink>, _ codec: inout LEAudioCodec?
  ) throws(Malformed) {
    switch try pdu.u8(setting.ltvType) {
    case 1:
      let number = try pdu.u8(samplingFrequency)
      codec?.samplingFrequency = number
    case 2:
      let number = try pdu.u8(frameDuration)
      codec?.frameDuration = number
    case 3:
      let locations = try pdu.u32(channelAllocation)
      codec?.locations = locations
    case 4:
      let octets = try pdu.u16(octetsPerFrame)
      codec?.octets = octets...octets
    case 5: try pdu.u8(frameBlocks)
    default: try AdvertisingData.all(ltvValue, &pdu)
    }
  }

  private func information(
    _ pdu: inout PDU<some Sink>, _ contexts: inout UInt16?
  ) throws(Malformed) {
    switch try pdu.u8(information.ltvType) {
    case 0x01: try pdu.u16(preferredContexts)
    case 0x02: contexts = try pdu.u16(streamingContexts)
    case 0x03: try AdvertisingData.all(programInfo, &pdu)
    case 0x04: try AdvertisingData.all(language, &pdu)
    case 0x05: while pdu.remaining > 0 { try pdu.u8(ccid) }
    case 0x06: try pdu.u8(parentalRating)
    case 0x07: try AdvertisingData.all(programInfoURI, &pdu)
    case 0x08: try pdu.u8(activeState)
    case 0x0A: try pdu.u8(listeningStream)
    case 0x0B: try AdvertisingData.all(broadcastName, &pdu)
    case 0xFE:
      try pdu.u16(extendedType)
      try AdvertisingData.all(ltvValue, &pdu)
    case 0xFF:
      try pdu.u16(vendor.companyID)
      try AdvertisingData.all(ltvValue, &pdu)
    default: try AdvertisingData.all(ltvValue, &pdu)
    }
  }
}
