import HarkCore

/// Commands and result codes by their spelling without `AT`, and what they are for.
/// Hands-Free Profile 1.9, 4.34; Headset Profile 1.2, 4.8; 3GPP TS 27.007; Accessory Design
/// Guidelines for Apple Devices, Bluetooth.
enum HFPNames {
  static let all: [(spelling: StaticString, meaning: StaticString)] = [
    ("", "attention"),
    ("A", "Standard Call Answer"),
    ("D", "Standard Dial"),
    ("+BAC", "Bluetooth Available Codecs"),
    ("+BCC", "Bluetooth Codec Connection"),
    ("+BCS", "Bluetooth Codec Selection"),
    ("+BIA", "Bluetooth Indicators Activation"),
    ("+BIEV", "Bluetooth HF Indicator Value"),
    ("+BIND", "Bluetooth HF Indicators Feature"),
    ("+BINP", "Bluetooth Input"),
    ("+BLDN", "Bluetooth Last Dialed Number"),
    ("+BRSF", "Bluetooth Retrieve Supported Features"),
    ("+BSIR", "Bluetooth Setting of In-band Ring tone"),
    ("+BTRH", "Bluetooth Response and Hold"),
    ("+BVRA", "Bluetooth Voice Recognition Activation"),
    ("+CCWA", "Call Waiting notification"),
    ("+CHLD", "Call Hold and Multiparty Handling"),
    ("+CHUP", "Hang-up"),
    ("+CIEV", "indicator event"),
    ("+CIND", "indicators"),
    ("+CKPD", "keypad control"),
    ("+CLCC", "List of Current Calls"),
    ("+CLIP", "Calling Line Identification"),
    ("+CMEE", "Extended Audio Gateway Error Result Codes"),
    ("+CME ERROR", "Extended Audio Gateway Error Result Code"),
    ("+CMER", "indicator events reporting"),
    ("+CNUM", "Subscriber Number Information"),
    ("+COPS", "network operator"),
    ("+NREC", "Noise Reduction and Echo Canceling"),
    ("+VGM", "Gain of Microphone"),
    ("+VGS", "Gain of Speaker"),
    ("+VTS", "DTMF generation"),
    ("+XAPL", "Apple accessory information"),
    ("+IPHONEACCEV", "Apple accessory event"),
    ("+APLSIRI", "Siri availability"),
    ("+APLEFM", "Siri Eyes Free Mode"),
    ("+APLNRSTAT", "noise reduction and echo canceling status"),
    ("+CGMI", "manufacturer identification"),
    ("+CGMM", "model identification"),
    ("+CGMR", "revision identification"),
    ("+CSCS", "character set"),
    ("+CSQ", "signal quality"),
    ("+CREG", "network registration"),
    ("+CPBS", "phonebook storage"),
    ("+CPBR", "phonebook entries"),
    ("+CBC", "battery charge"),
    ("+CRING", "cellular result codes"),
    ("+ANDROID", "Android features"),
    ("OK", "acknowledgement"),
    ("ERROR", "error"),
    ("RING", "incoming call"),
    ("NO CARRIER", "no carrier"),
    ("BUSY", "busy"),
    ("NO ANSWER", "no answer"),
    ("DELAYED", "delayed"),
    ("BLACKLISTED", "blacklisted"),
  ]

  static let unknown = UInt64(all.count)
  static let dial = code("D")

  /// The number of a command or result code: its place in the list.
  static func code(_ spelling: String) -> UInt64 {
    UInt64(all.firstIndex { $0.spelling.description == spelling } ?? all.count)
  }

  /// The number of the one spelled in `range`, in either case; `unknown` if there is none.
  static func code(_ bytes: RawSpan, _ range: Range<Int>) -> UInt64 {
    for (index, entry) in all.enumerated() where entry.spelling.utf8CodeUnitCount == range.count {
      var isEqual = true
      for offset in 0..<range.count where isEqual {
        let letter = unsafe entry.spelling.utf8Start[offset]
        isEqual = letter == upperCase(bytes.byte(at: range.lowerBound + offset))
      }
      if isEqual { return UInt64(index) }
    }
    return unknown
  }

  private static func upperCase(_ octet: UInt8) -> UInt8 {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet ? octet & 0xDF : octet
  }

  @Sendable static func meaning(_ code: UInt64) -> String? {
    code < unknown ? all[Int(code)].meaning.description : nil
  }
}
