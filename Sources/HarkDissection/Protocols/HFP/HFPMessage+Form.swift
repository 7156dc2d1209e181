import HarkCore

// How data links without a service record are recognized, also in the middle of a connection. HFP 1.9, 4.34; HSP 1.2, 4.8
extension HFPMessage {
  /// Commands that only a Hands-Free unit or a headset sends; modems and others use AT, too, but not these.
  private static let ownCommands = [
    "AT+BRSF", "AT+BAC=", "AT+BCC", "AT+BCS=", "AT+BIA=", "AT+BIEV=", "AT+BIND", "AT+BINP=",
    "AT+BLDN", "AT+BTRH", "AT+BVRA", "AT+CKPD=200", "AT+NREC=", "AT+VGM=", "AT+VGS=", "AT+XAPL=",
    "AT+IPHONEACCEV=",
  ].map { Array($0.utf8) }
  /// Result codes that only an Audio Gateway sends: modems have indicators (+CIEV) and callers (+CLIP), too.
  private static let ownResults = [
    "+BRSF:", "+BCS:", "+BIND:", "+BINP:", "+BSIR:", "+BTRH:", "+BVRA:", "+VGM:", "+VGM=", "+VGS:",
    "+VGS=", "+XAPL=",
  ].map { Array($0.utf8) }

  /// Whether bytes of a stream contain a line of a Hands-Free or Headset Profile, at least its beginning. The first bytes
  /// may be the end of another line: a command begins after <cr>, a result code after <cr><lf>.
  package static func isInside(_ bytes: RawSpan) -> Bool {
    for start in 0..<bytes.byteCount {
      guard start == 0 || isBreak(bytes.byte(at: start - 1)) else { continue }
      if bytes.byte(at: start) == UInt8(ascii: "A") {
        if ownCommands.contains(where: { begins($0, bytes, start) }) { return true }
      } else if start > 0, bytes.byte(at: start) == UInt8(ascii: "+") {
        if ownResults.contains(where: { begins($0, bytes, start) }) { return true }
      }
    }
    return false
  }

  private static func begins(_ word: [UInt8], _ bytes: RawSpan, _ start: Int) -> Bool {
    bytes.byteCount - start >= word.count
      && word.indices.allSatisfy { word[$0] == bytes.byte(at: start + $0) }
  }
}
