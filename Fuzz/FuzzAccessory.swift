import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession

/// Gives any values to a framing of accessories, and any plaintext: nothing may trap, and what comes
/// out refers to what went in.
///
/// The first byte picks the framing and its keys. Each value has its characteristic, what is known
/// of it, its length, and its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAccessory(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let choice = input.byte()
  let all = VendorFramings.known.all
  let framing = all[Int(choice & 0x7F) % all.count]
  if choice & 0x80 != 0 {
    checkPlaintext(input.all(), framing, profiles[framing.name])
    return 0
  }
  feed(&input, framing, characteristics.map { .characteristic($0) })
  return 0
}

private let profiles = Dictionary(uniqueKeysWithValues: Profile.bundled.map { ($0.name, $0) })

/// Pebble's two, NotifBridge's six, and one of no vendor, in the order of `seeds.py`; then those
/// of ANCS and AMS.
private let characteristics: [BluetoothUUID] =
  (1...2).map { BluetoothUUID(high: 0x5000_0000_328E_0FBB | $0 << 32, low: 0xC642_1AA6_699B_DADA) }
  + (0x46...0x4B).map {
    BluetoothUUID(high: 0xD5E1_2B7A_7D8E_4F12, low: 0x9B5C_3F0A_1E6D_8C00 | $0)
  }
  + [BluetoothUUID(0x2A00 as UInt16)]
  + [
    BluetoothUUID(high: 0x9FBF_120D_6301_42D9, low: 0x8C58_25E6_99A2_1DBD),
    BluetoothUUID(high: 0x69D1_D8F3_45E1_49A8, low: 0x9821_9BBD_FDAA_D9D9),
    BluetoothUUID(high: 0x22EA_C6E9_24D6_4BB5, low: 0xBE44_B36A_CE7C_7BFB),
    BluetoothUUID(high: 0x9B3C_81D8_57B1_4A8A, low: 0xB8DF_0E56_F7CA_51C2),
    BluetoothUUID(high: 0x2F7C_ABCE_808D_411F, low: 0x9A0C_BB92_BA96_C102),
    BluetoothUUID(high: 0xC6B2_F38C_23AB_46D8, low: 0xA6AB_A3A8_70BB_D5D7),
  ]
