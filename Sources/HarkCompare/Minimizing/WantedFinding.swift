import HarkCore
import HarkFindings
import HarkSession

/// A finding that a slice of a capture must still show: that of the same rule, about the same device,
/// for which the same was observed.
public struct WantedFinding: Sendable {
  public let rule: String
  private let words: String
  /// Of the device; if that is unknown, the link is named by its handle.
  private let addresses: Set<BluetoothAddress>
  private let handle: UInt16?
  /// The last packet that proves it, and the one that opened its link, where it has one that the capture
  /// shows: else a slice could join the beginning of one link to the end of another.
  private let proof: PacketID?
  private let opened: PacketID?

  /// - Parameter session: After the end of the capture.
  public init(_ finding: Finding, _ session: borrowing Session) {
    rule = finding.rule.id
    words = Self.words(finding.observed)
    (addresses, handle) = Self.owner(finding.place, session)
    (proof, opened) = (finding.place.frames.last, Self.opened(finding.place, session))
  }

  /// - Parameter original: Gives the packet that a packet of the slice was; nil if that is not known.
  func isShown(
    in findings: [Finding], _ session: borrowing Session, original: ((PacketID) -> PacketID)?
  ) -> Bool {
    for finding in findings where finding.rule.id == rule {
      guard Self.words(finding.observed) == words else { continue }
      let (addresses, handle) = Self.owner(finding.place, session)
      let isSame =
        self.addresses.isEmpty
        ? addresses.isEmpty && self.handle == handle : !self.addresses.isDisjoint(with: addresses)
      guard isSame else { continue }
      guard let original else { return true }
      let (proof, opened) = (finding.place.frames.last, Self.opened(finding.place, session))
      if proof.map(original) == self.proof, opened.map(original) == self.opened { return true }
    }
    return false
  }

  private static func opened(_ place: Place, _ session: borrowing Session) -> PacketID? {
    guard let link = place.link.map({ session.links[Int($0.index)] }), link.certainty == .seen
    else { return nil }
    return link.opened
  }

  private static func owner(
    _ place: Place, _ session: borrowing Session
  ) -> (Set<BluetoothAddress>, UInt16?) {
    if var device = place.device {
      while let kept = session.devices[Int(device.index)].mergedInto { device = kept }
      return (Set(session.devices[Int(device.index)].addresses), nil)
    }
    guard let link = place.link.map({ session.links[Int($0.index)] }) else { return ([], nil) }
    return (Set([link.peer].compactMap { $0 }), link.handle)
  }

  /// What was observed without numbers and the units of times: packets have other numbers in a slice,
  /// and what is counted is less.
  static func words(_ observed: String) -> String {
    var result: [String] = []
    var isBehindNumber = false
    for word in observed.split(separator: " ") {
      let core = word.drop { !isDigit($0) }
      if isBehindNumber, units.contains(String(word.prefix { $0.isLetter })) { continue }
      isBehindNumber = !core.isEmpty
      guard isBehindNumber else {
        result.append(String(word))
        continue
      }
      var text = ""
      for character in word {
        let goesOn = text.last == "0" && (isDigit(character) || character == ".")
        if !goesOn { text.append(isDigit(character) ? "0" : character) }
      }
      result.append(text)
    }
    return result.joined(separator: " ")
  }

  private static let units: Set<String> = ["µs", "ms", "s", "min", "h", "d"]

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
