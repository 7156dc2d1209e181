/// Codes of the Audio/Video Remote Control Profile and of the AV/C commands it uses. AVRCP 1.6.
enum AVRCPCodes {
  // AV/C Digital Interface Command Set General Specification, tables 7.1 and 7.2
  static let types: [UInt64: StaticString] = [
    0x0: "CONTROL", 0x1: "STATUS", 0x2: "SPECIFIC INQUIRY", 0x3: "NOTIFY",
    0x4: "GENERAL INQUIRY", 0x8: "NOT IMPLEMENTED", 0x9: "ACCEPTED", 0xA: "REJECTED",
    0xB: "IN TRANSITION", 0xC: "STABLE", 0xD: "CHANGED", 0xF: "INTERIM",
  ]
  // The same, table 7.4
  static let subunits: [UInt64: StaticString] = [
    0x00: "Monitor", 0x01: "Audio", 0x02: "Printer", 0x03: "Disc",
    0x04: "Tape recorder/player", 0x05: "Tuner", 0x06: "CA", 0x07: "Camera", 0x09: "PANEL",
    0x0A: "Bulletin board", 0x0B: "Camera storage", 0x1C: "Vendor unique", 0x1E: "Extended",
    0x1F: "Unit",
  ]
  // 4.3 and 4.4
  static let opcodes: [UInt64: StaticString] = [
    0x00: "VENDOR DEPENDENT", 0x30: "UNIT INFO", 0x31: "SUBUNIT INFO", 0x7C: "PASS THROUGH",
  ]
  // 4.4.1 with the AV/C Panel Subunit Specification, table 9.21
  static let operations: [UInt64: StaticString] = [
    0x00: "select", 0x01: "up", 0x02: "down", 0x03: "left", 0x04: "right", 0x05: "right-up",
    0x06: "right-down", 0x07: "left-up", 0x08: "left-down", 0x09: "root menu",
    0x0A: "setup menu", 0x0B: "contents menu", 0x0C: "favorite menu", 0x0D: "exit", 0x20: "0",
    0x21: "1", 0x22: "2", 0x23: "3", 0x24: "4", 0x25: "5", 0x26: "6", 0x27: "7", 0x28: "8",
    0x29: "9", 0x2A: "dot", 0x2B: "enter", 0x2C: "clear", 0x30: "channel up",
    0x31: "channel down", 0x32: "previous channel", 0x33: "sound select", 0x34: "input select",
    0x35: "display information", 0x36: "help", 0x37: "page up", 0x38: "page down", 0x40: "power",
    0x41: "volume up", 0x42: "volume down", 0x43: "mute", 0x44: "play", 0x45: "stop",
    0x46: "pause", 0x47: "record", 0x48: "rewind", 0x49: "fast forward", 0x4A: "eject",
    0x4B: "forward", 0x4C: "backward", 0x50: "angle", 0x51: "subpicture", 0x71: "F1",
    0x72: "F2", 0x73: "F3", 0x74: "F4", 0x75: "F5", 0x7E: "vendor unique",
  ]
  static let states: [UInt64: StaticString] = [0: "pressed", 1: "released"]
  // 4.5, table 4.5; 0xA0: 6.15.1
  static let pdus: [UInt64: StaticString] = [
    0x10: "GetCapabilities", 0x11: "ListPlayerApplicationSettingAttributes",
    0x12: "ListPlayerApplicationSettingValues", 0x13: "GetCurrentPlayerApplicationSettingValue",
    0x14: "SetPlayerApplicationSettingValue", 0x15: "GetPlayerApplicationSettingAttributeText",
    0x16: "GetPlayerApplicationSettingValueText", 0x17: "InformDisplayableCharacterSet",
    0x18: "InformBatteryStatusOfCT", 0x20: "GetElementAttributes", 0x30: "GetPlayStatus",
    0x31: "RegisterNotification", 0x40: "RequestContinuingResponse",
    0x41: "AbortContinuingResponse", 0x50: "SetAbsoluteVolume", 0x60: "SetAddressedPlayer",
    0x70: "SetBrowsedPlayer", 0x71: "GetFolderItems", 0x72: "ChangePath",
    0x73: "GetItemAttributes", 0x74: "PlayItem", 0x75: "GetTotalNumberOfItems", 0x80: "Search",
    0x90: "AddToNowPlaying", 0xA0: "GeneralReject",
  ]
  // 6.3.1
  static let packetTypes: [UInt64: StaticString] = [
    0: "Single", 1: "Start", 2: "Continue", 3: "End",
  ]
  // 6.15.3
  static let statuses: [UInt64: StaticString] = [
    0x00: "Invalid command", 0x01: "Invalid parameter", 0x02: "Parameter content error",
    0x03: "Internal error", 0x04: "Operation completed without error", 0x05: "UID Changed",
    0x07: "Invalid Direction", 0x08: "Not a Directory", 0x09: "Does Not Exist",
    0x0A: "Invalid Scope", 0x0B: "Range Out of Bounds", 0x0C: "Folder Item is not playable",
    0x0D: "Media in Use", 0x0E: "Now Playing List full", 0x0F: "Search Not Supported",
    0x10: "Search in Progress", 0x11: "Invalid Player Id", 0x12: "Player Not Browsable",
    0x13: "Player Not Addressed", 0x14: "No valid Search Results", 0x15: "No available players",
    0x16: "Addressed Player Changed",
  ]
  // 6.4.1
  static let capabilities: [UInt64: StaticString] = [2: "COMPANY_ID", 3: "EVENTS_SUPPORTED"]
  // Appendix H
  static let events: [UInt64: StaticString] = [
    0x01: "EVENT_PLAYBACK_STATUS_CHANGED", 0x02: "EVENT_TRACK_CHANGED",
    0x03: "EVENT_TRACK_REACHED_END", 0x04: "EVENT_TRACK_REACHED_START",
    0x05: "EVENT_PLAYBACK_POS_CHANGED", 0x06: "EVENT_BATT_STATUS_CHANGED",
    0x07: "EVENT_SYSTEM_STATUS_CHANGED", 0x08: "EVENT_PLAYER_APPLICATION_SETTING_CHANGED",
    0x09: "EVENT_NOW_PLAYING_CONTENT_CHANGED", 0x0A: "EVENT_AVAILABLE_PLAYERS_CHANGED",
    0x0B: "EVENT_ADDRESSED_PLAYER_CHANGED", 0x0C: "EVENT_UIDS_CHANGED",
    0x0D: "EVENT_VOLUME_CHANGED",
  ]
  // Appendix E
  static let mediaAttributes: [UInt64: StaticString] = [
    1: "Title", 2: "Artist Name", 3: "Album Name", 4: "Track Number",
    5: "Total Number of Tracks", 6: "Genre", 7: "Playing Time", 8: "Default Cover Art",
  ]
  // Appendix F
  static let settings: [UInt64: StaticString] = [
    1: "Equalizer ON/OFF status", 2: "Repeat Mode status", 3: "Shuffle ON/OFF status",
    4: "Scan ON/OFF status",
  ]
  static let equalizer: [UInt64: StaticString] = [1: "OFF", 2: "ON"]
  static let repeatMode: [UInt64: StaticString] = [
    1: "OFF", 2: "Single track repeat", 3: "All track repeat", 4: "Group repeat",
  ]
  static let shuffle: [UInt64: StaticString] = [
    1: "OFF", 2: "All tracks shuffle", 3: "Group shuffle",
  ]
  static let scan: [UInt64: StaticString] = [1: "OFF", 2: "All tracks scan", 3: "Group scan"]
  // IANA, Character Sets
  static let characterSets: [UInt64: StaticString] = [
    3: "US-ASCII", 4: "ISO-8859-1", 17: "Shift_JIS", 18: "EUC-JP", 106: "UTF-8",
    1013: "UTF-16BE", 1014: "UTF-16LE", 1015: "UTF-16", 2025: "GB2312", 2026: "Big5",
  ]
  // 6.7.1
  static let playStatuses: [UInt64: StaticString] = [
    0x00: "STOPPED", 0x01: "PLAYING", 0x02: "PAUSED", 0x03: "FWD_SEEK", 0x04: "REV_SEEK",
    0xFF: "ERROR",
  ]
  // 6.5.8
  static let batteries: [UInt64: StaticString] = [
    0: "NORMAL", 1: "WARNING", 2: "CRITICAL", 3: "EXTERNAL", 4: "FULL_CHARGE",
  ]
  // 6.7.2, table 6.37
  static let systemStatuses: [UInt64: StaticString] = [
    0: "POWER_ON", 1: "POWER_OFF", 2: "UNPLUGGED",
  ]
  // 6.10.1
  static let scopes: [UInt64: StaticString] = [
    0: "Media Player List", 1: "Media Player Virtual Filesystem", 2: "Search", 3: "Now Playing",
  ]
  // 6.10.4.1
  static let directions: [UInt64: StaticString] = [0: "Folder Up", 1: "Folder Down"]
  // 6.10.2
  static let itemTypes: [UInt64: StaticString] = [
    1: "Media Player Item", 2: "Folder Item", 3: "Media Element Item",
  ]
  static let majorPlayerTypes: [UInt64: StaticString] = [
    0: "Audio", 1: "Video", 2: "Broadcasting Audio", 3: "Broadcasting Video",
  ]
  static let playerSubTypes: [UInt64: StaticString] = [0: "Audio Book", 1: "Podcast"]
  static let folderTypes: [UInt64: StaticString] = [
    0: "Mixed", 1: "Titles", 2: "Albums", 3: "Artists", 4: "Genres", 5: "Playlists", 6: "Years",
  ]
  static let mediaTypes: [UInt64: StaticString] = [0: "Audio", 1: "Video"]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]
  // 6.10.2.1, table 6.41: octets 0 to 7
  static let features: [UInt64: StaticString] = [
    0: "Select", 1: "Up", 2: "Down", 3: "Left", 4: "Right", 5: "right-up", 6: "right-down",
    7: "left-up", 8: "left-down", 9: "root menu", 10: "setup menu", 11: "contents menu",
    12: "favorite menu", 13: "Exit", 14: "0", 15: "1", 16: "2", 17: "3", 18: "4", 19: "5",
    20: "6", 21: "7", 22: "8", 23: "9", 24: "Dot", 25: "Enter", 26: "Clear", 27: "Channel up",
    28: "Channel down", 29: "previous channel", 30: "Sound select", 31: "Input select",
    32: "Display information", 33: "Help", 34: "Page up", 35: "Page down", 36: "Power",
    37: "Volume up", 38: "Volume down", 39: "Mute", 40: "Play", 41: "Stop", 42: "Pause",
    43: "Record", 44: "Rewind", 45: "fast forward", 46: "Eject", 47: "Forward", 48: "Backward",
    49: "Angle", 50: "Subpicture", 51: "F1", 52: "F2", 53: "F3", 54: "F4", 55: "F5",
    56: "Vendor unique", 57: "Basic Group Navigation", 58: "Advanced Control Player",
    59: "Browsing", 60: "Searching", 61: "AddToNowPlaying",
    62: "UIDs unique in player browse tree", 63: "OnlyBrowsableWhenAddressed",
  ]
  // The same, from octet 8 on
  static let moreFeatures: [UInt64: StaticString] = [
    0: "OnlySearchableWhenAddressed", 1: "NowPlaying", 2: "UIDPersistency", 3: "NumberOfItems",
    4: "Cover Art",
  ]
}
