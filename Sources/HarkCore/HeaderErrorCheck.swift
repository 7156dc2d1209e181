/// The header error check (HEC) of BR/EDR packets: 8 bits over the 10 bits of a packet header, of
/// D^8 + D^7 + D^5 + D^2 + D + 1. Core Specification, Vol 2, Part B, 7.1.1.
public enum HeaderErrorCheck {
  /// The polynomial with its bits reversed: the bit that is sent first is the lowest one.
  private static let polynomial: UInt8 = 0xE5

  /// - Parameters:
  ///   - header: LT_ADDR, TYPE, FLOW, ARQN and SEQN in the lowest 10 bits, the first one sent lowest.
  ///   - upper: The UAP, with which the register begins.
  /// - Returns: The HEC, the first bit sent lowest.
  public static func compute(_ header: UInt64, upper: UInt8) -> UInt8 {
    var register: UInt8 = 0
    for index: UInt8 in 0..<8 where upper >> index & 1 == 1 { register |= 0x80 >> index }
    for index: UInt64 in 0..<10 {
      let isSet = (UInt64(register) ^ header >> index) & 1 == 1
      register >>= 1
      if isSet { register ^= polynomial }
    }
    return register
  }
}
