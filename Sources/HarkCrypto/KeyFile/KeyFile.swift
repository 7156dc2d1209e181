/// The keys a user gives, in JSON. The file's form is described in docs/key-file.md.
public struct KeyFile: Sendable {
  public let note: String?
  /// Whether the file says that its keys protect nothing.
  public let isTest: Bool
  public let accessoryKeys: [AccessoryKey]
  public let sessionKeys: [SessionKey]
  /// Of proximity pairing: Identity Resolving Keys, and those of the advertising.
  public let proximityKeys: [BondingKey]
  /// LE Long Term Keys, which open connections heard on the air.
  public let longTermKeys: [BondingKey]
  /// How many keys there are.
  public var count: Int {
    accessoryKeys.count + sessionKeys.count + proximityKeys.count + longTermKeys.count
  }
  /// What the user should know, in whole sentences: others may read the file.
  public internal(set) var warnings: [String] = []

  /// Longer files are refused unread.
  public static let longest = 4 << 20

  /// Reads the text of a key file.
  /// - Parameter name: The file's name, for messages and as the origin of its keys.
  /// - Throws: `KeyFileError` with all errors at once.
  public init(_ bytes: [UInt8], name: String) throws(KeyFileError) {
    var parser = KeyFileParser(bytes: bytes, name: name)
    (note, isTest, accessoryKeys, sessionKeys, proximityKeys, longTermKeys) = try parser.parse()
  }
}
