/// What the codes of LE Audio mean, in all its services.
enum LEAudioNames {
  // Assigned Numbers, 6.12.1
  static let locations: [UInt64: StaticString] = [
    0: "Front Left", 1: "Front Right", 2: "Front Center", 3: "Low Frequency Effects 1",
    4: "Back Left", 5: "Back Right", 6: "Front Left of Center", 7: "Front Right of Center",
    8: "Back Center", 9: "Low Frequency Effects 2", 10: "Side Left", 11: "Side Right",
    12: "Top Front Left", 13: "Top Front Right", 14: "Top Front Center", 15: "Top Center",
    16: "Top Back Left", 17: "Top Back Right", 18: "Top Side Left", 19: "Top Side Right",
    20: "Top Back Center", 21: "Bottom Front Center", 22: "Bottom Front Left",
    23: "Bottom Front Right", 24: "Front Left Wide", 25: "Front Right Wide",
    26: "Left Surround", 27: "Right Surround",
  ]
  static let noLocation: [UInt64: StaticString] = [0: "Mono Audio"]
  // Assigned Numbers, 6.12.2
  static let inputTypes: [UInt64: StaticString] = [
    0: "Unspecified", 1: "Bluetooth Audio Stream", 2: "Microphone", 3: "Analog Interface",
    4: "Digital Interface", 5: "AM/FM/XM/etc.", 6: "Streaming Audio Source",
    7: "Transparency/Pass-through",
  ]
  // Assigned Numbers, 6.12.3
  static let contexts: [UInt64: StaticString] = [
    0: "Unspecified", 1: "Conversational", 2: "Media", 3: "Game", 4: "Instructional",
    5: "Voice assistants", 6: "Live", 7: "Sound effects", 8: "Notifications", 9: "Ringtone",
    10: "Alerts", 11: "Emergency alarm",
  ]
  static let noContext: [UInt64: StaticString] = [0: "Prohibited"]
  // Assigned Numbers, 6.12.4.1; bit by bit, and as the numbers of 6.12.5.1 less 1
  static let samplingFrequencyBits: [UInt64: StaticString] = [
    0: "8 kHz", 1: "11.025 kHz", 2: "16 kHz", 3: "22.05 kHz", 4: "24 kHz", 5: "32 kHz",
    6: "44.1 kHz", 7: "48 kHz", 8: "88.2 kHz", 9: "96 kHz", 10: "176.4 kHz", 11: "192 kHz",
    12: "384 kHz",
  ]
  static let samplingFrequencies = Dictionary(
    uniqueKeysWithValues: samplingFrequencyBits.map { ($0.key + 1, $0.value) })
  // Assigned Numbers, 6.12.4.2, 6.12.5.2
  static let frameDurationBits: [UInt64: StaticString] = [
    0: "7.5 ms", 1: "10 ms", 4: "7.5 ms preferred", 5: "10 ms preferred",
  ]
  static let frameDurations: [UInt64: StaticString] = [0: "7.5 ms", 1: "10 ms"]
  // Assigned Numbers, 6.12.4.3
  static let channelCounts: [UInt64: StaticString] = [
    0: "1", 1: "2", 2: "3", 3: "4", 4: "5", 5: "6", 6: "7", 7: "8",
  ]
  // Assigned Numbers, 6.12.4, 6.12.5, 6.12.6
  static let capabilities: [UInt64: StaticString] = [
    1: "Supported_Sampling_Frequencies", 2: "Supported_Frame_Durations",
    3: "Supported_Audio_Channel_Counts", 4: "Supported_Octets_Per_Codec_Frame",
    5: "Supported_Max_Codec_Frames_Per_SDU",
  ]
  static let configurations: [UInt64: StaticString] = [
    1: "Sampling_Frequency", 2: "Frame_Duration", 3: "Audio_Channel_Allocation",
    4: "Octets_Per_Codec_Frame", 5: "Codec_Frame_Blocks_Per_SDU",
  ]
  static let metadata: [UInt64: StaticString] = [
    0x01: "Preferred_Audio_Contexts", 0x02: "Streaming_Audio_Contexts", 0x03: "Program_Info",
    0x04: "Language", 0x05: "CCID_List", 0x06: "Parental_Rating", 0x07: "Program_Info_URI",
    0x08: "Audio_Active_State", 0x09: "Broadcast_Audio_Immediate_Rendering_Flag",
    0x0A: "Assisted_Listening_Stream", 0x0B: "Broadcast_Name", 0xFE: "Extended_Metadata",
    0xFF: "Vendor_Specific",
  ]
  // Assigned Numbers, 6.12.6.6
  static let ratings: [UInt64: StaticString] = [
    0: "no rating", 1: "recommended for all", 2: "age 5 and over", 3: "age 6 and over",
    4: "age 7 and over", 5: "age 8 and over", 6: "age 9 and over", 7: "age 10 and over",
    8: "age 11 and over", 9: "age 12 and over", 10: "age 13 and over", 11: "age 14 and over",
    12: "age 15 and over", 13: "age 16 and over", 14: "age 17 and over", 15: "age 18 and over",
  ]
  // Assigned Numbers, 6.12.6.8, 6.12.6.10
  static let activeStates: [UInt64: StaticString] = [
    0: "No audio data is being transmitted", 1: "Audio data is being transmitted",
  ]
  static let listeningStreams: [UInt64: StaticString] = [0: "Unspecified audio enhancement"]
  // Audio Stream Control Service 1.0.1, 4.1, 5.1, 5.2
  static let framings: [UInt64: StaticString] = [0: "Unframed", 1: "Framed"]
  static let phyBits: [UInt64: StaticString] = [0: "LE 1M", 1: "LE 2M", 2: "LE Coded"]
  // Microphone Control Service 1.0, 3.1; Audio Input Control Service 1.0, 2.2.1.2
  static let mutes: [UInt64: StaticString] = [0: "Not Muted", 1: "Muted", 2: "Disabled"]
  // Core Specification, Vol 4, Part E, 7.8.12, as BASS and AD types use it
  static let addressTypes: [UInt64: StaticString] = [
    0: "Public Device Address or Public Identity Address",
    1: "Random Device Address or Random (static) Identity Address",
  ]
}
