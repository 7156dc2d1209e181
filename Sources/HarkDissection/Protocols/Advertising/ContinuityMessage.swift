import HarkCore

/// What an accessory says about itself in Apple's advertising, outside of what is encrypted. What it is read by,
/// `Continuity` cites.
package struct ContinuityMessage: Message {
  package enum Content: Hashable, Sendable {
    case proximityPairing(Headphones)
    case findMy(FindMy)
    case homeKit(HomeKit)
    case beacon(Beacon)
  }

  /// Headphones with a case.
  package struct Headphones: Hashable, Sendable {
    package internal(set) var isPaired = false
    package internal(set) var model: UInt16 = 0
    package internal(set) var status = Status()
    /// In tens of percent; more than 10 is full, and 15 is unknown.
    package internal(set) var upperBattery: UInt8 = 0
    package internal(set) var lowerBattery: UInt8 = 0
    /// Of these two, one is the battery of the case and the other one says what is charging: sources disagree.
    package internal(set) var upperCase: UInt8 = 0
    package internal(set) var lowerCase: UInt8 = 0
    package internal(set) var isLidClosed = false
    package internal(set) var lidCounter: UInt8 = 0
    package internal(set) var color: UInt8 = 0
    package internal(set) var connection: UInt8 = 0

    package static let unknownBattery: UInt8 = 15

    /// The same state if the other bud advertises it: both sides are swapped.
    package var independentOfSide: Headphones {
      var swapped = self
      swapped.status.remove(.thisInCase)
      guard !status.contains(.primaryIsLeft) else { return swapped }
      (swapped.upperBattery, swapped.lowerBattery) = (lowerBattery, upperBattery)
      swapped.upperCase = upperCase & 0b1100 | upperCase >> 1 & 1 | (upperCase & 1) << 1
      swapped.status.subtract([.firstInEar, .secondInEar])
      if status.contains(.firstInEar) { swapped.status.insert(.secondInEar) }
      if status.contains(.secondInEar) { swapped.status.insert(.firstInEar) }
      swapped.status.insert(.primaryIsLeft)
      return swapped
    }
  }

  package struct Status: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let firstInEar = Status(rawValue: 1 << 1)
    package static let bothInCase = Status(rawValue: 1 << 2)
    package static let secondInEar = Status(rawValue: 1 << 3)
    package static let oneInCase = Status(rawValue: 1 << 4)
    package static let primaryIsLeft = Status(rawValue: 1 << 5)
    package static let thisInCase = Status(rawValue: 1 << 6)
  }

  package struct FindMy: Hashable, Sendable {
    package internal(set) var battery: UInt8 = 0
    /// Whether it advertises its whole public key, which it does away from its owner.
    package internal(set) var isSeparated = false
  }

  package struct HomeKit: Hashable, Sendable {
    package internal(set) var isPaired = false
    package internal(set) var category: UInt16 = 0
    package internal(set) var stateNumber: UInt16 = 0
    package internal(set) var configuration: UInt8 = 0
  }

  package struct Beacon: Hashable, Sendable {
    package internal(set) var uuid = BluetoothUUID(0 as UInt16)
    package internal(set) var major: UInt16 = 0
    package internal(set) var minor: UInt16 = 0
    /// In dBm, at one meter.
    package internal(set) var power: Int8 = 0
  }

  /// The first message of an accessory; nil if there are only others.
  package internal(set) var content: Content?

  package init() {}

  /// The types of what accessories advertise.
  private static func isOfAccessory(_ type: UInt8) -> Bool {
    type == 0x02 || type == 0x06 || type == 0x07 || type == 0x12
  }

  /// The message in advertising data. For data without one, which is most, it takes a few octets to see that.
  /// - Parameter data: Where in `bytes` the AD structures are.
  package static func find(_ bytes: RawSpan, _ data: Range<Int>) -> Content? {
    // By octets, not through `ADStructures`: this runs for each report.
    var start = data.lowerBound
    let end = min(data.upperBound, bytes.byteCount)
    while start &+ shortest <= end {
      let next = start &+ 1 &+ Int(bytes.byte(at: start))
      if isOfAccessory(bytes, start), next >= start &+ shortest, next <= end {
        let message = bytes.extracting(start + 4..<next)
        let (read, isWhole) = Continuity.message(message, isCut: false)
        return isWhole ? read.content : nil
      }
      guard next > start &+ 1 else { return nil }
      start = next
    }
    return nil
  }

  /// The size of an AD structure with a message that is empty.
  private static let shortest = 6

  /// Whether the AD structure at `start`, which has more than five octets, carries a message of an accessory.
  @inline(__always)
  private static func isOfAccessory(_ bytes: RawSpan, _ start: Int) -> Bool {
    bytes.byte(at: start &+ 1) == ADType.manufacturerSpecificData.rawValue
      && bytes.byte(at: start &+ 2) == 0x4C && bytes.byte(at: start &+ 3) == 0
      && isOfAccessory(bytes.byte(at: start &+ 4))
  }
}
