import HarkCore

/// What a value of a characteristic of AMS says. Apple, Apple Media Service Specification
package enum AMSMessage: Message {
  // Remote Command
  case command(UInt8)
  /// Where the RemoteCommandIDs are.
  case supportedCommands(Range<Int>)
  // Entity Update
  /// Where the AttributeIDs are that the accessory wants to know.
  case watch(entity: UInt8, attributes: Range<Int>)
  /// Where the value is.
  case update(entity: UInt8, attribute: UInt8, isTruncated: Bool, value: Range<Int>)
  // Entity Attribute
  case choose(entity: UInt8, attribute: UInt8)
  /// Where the value is, of the attribute that was chosen last.
  case chosenValue(Range<Int>)
  case other

  package init() { self = .other }

  package enum Characteristic: CaseIterable, Sendable {
    case remoteCommand, entityUpdate, entityAttribute

    /// Nil for any other type.
    package init?(_ type: BluetoothUUID) {
      guard let known = Self.allCases.first(where: { AMSMessage.type(of: $0) == type }) else {
        return nil
      }
      self = known
    }
  }

  /// What a text is the value of, of those that have a meaning of their own. Appendix
  package enum Attribute: Sendable {
    /// State, rate and time, with commas between.
    case playbackInfo
    case volume
    /// The index or the count of the queue.
    case queueNumber
    case shuffleMode, repeatMode
    case duration
    case other

    package init(_ attribute: UInt8, of entity: UInt8) {
      self =
        switch (EntityID(rawValue: entity), attribute) {
        case (.player, 1): .playbackInfo
        case (.player, 2): .volume
        case (.queue, 2): .shuffleMode
        case (.queue, 3): .repeatMode
        case (.queue, _): .queueNumber
        case (.track, 3): .duration
        default: .other
        }
    }
  }

  package enum EntityID: UInt8, Sendable {
    case player, queue, track
  }

  /// RemoteCommandID: 0 to 13.
  private static let mostCommands: UInt8 = 14
  private static let longestUpdate = 512
  /// An entity with all of its attributes.
  private static let longestRequest = 5

  /// A cheap check whether a value may be one of Entity Update, or, if it is not written, of Remote Command: both
  /// begin with two small numbers.
  package static func mayBe(_ value: RawSpan, isWritten: Bool) -> Bool {
    2...(isWritten ? longestRequest : longestUpdate) ~= value.byteCount
      && EntityID(rawValue: value.byte(at: 0)) != nil && value.byte(at: 1) < mostCommands
  }

  /// Whether it is a list of commands: at least play, pause and another one, without repetitions.
  package static func isCommandList(_ value: [UInt8]) -> Bool {
    3...Int(mostCommands) ~= value.count && Set(value).count == value.count
      && value.allSatisfy { $0 < mostCommands } && value.contains(0) && value.contains(1)
  }

  package static let service = BluetoothUUID(
    high: 0x89D3_502B_0F36_433A, low: 0x8EF4_C502_AD55_F8DC)

  package static func type(of characteristic: Characteristic) -> BluetoothUUID {
    switch characteristic {
    case .remoteCommand: AMSRemoteCommand.type
    case .entityUpdate: AMSEntityUpdate.type
    case .entityAttribute: AMSEntityAttribute.type
    }
  }

  /// The field that a value ends in front of or in, where it is too short to say anything, and how many octets
  /// there are to be.
  package static func least(
    of characteristic: Characteristic, isWritten: Bool
  ) -> (field: String, octets: Int) {
    switch (characteristic, isWritten) {
    case (.remoteCommand, true): ("RemoteCommandID", 1)
    case (.entityUpdate, true): ("EntityID", 1)
    case (.entityUpdate, false): ("EntityUpdateFlags", 3)
    case (.entityAttribute, true): ("AttributeID", 2)
    case (.remoteCommand, false), (.entityAttribute, false): ("value", 0)
    }
  }

  /// - Parameter isWritten: Whether the accessory, which is the client, wrote it.
  package init(_ value: RawSpan, of characteristic: Characteristic, isWritten: Bool) {
    let opcode: ATTOpcode = isWritten ? .writeRequest : .handleValueNotification
    self =
      switch characteristic {
      case .remoteCommand: AMSRemoteCommand.message(value, of: nil, in: opcode)
      case .entityUpdate: AMSEntityUpdate.message(value, of: nil, in: opcode)
      case .entityAttribute:
        AMSEntityAttribute.message(value, of: nil, in: isWritten ? opcode : .readResponse)
      }
  }
}
