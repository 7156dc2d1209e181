import HarkCrypto
import HarkLayout
import HarkSession

extension Profile {
  /// How a message is read, and what it may be.
  struct Contents: Sendable {
    var encoding: Encoding
    /// What the cases of the rules are values of.
    var selector: Formula?
    /// The first that holds counts.
    var rules: [Rule]
    var head = Head()
  }

  /// What messages say about themselves, whatever else they say.
  struct Head: Sendable {
    var members: [Member: Formula] = [:]
    /// Those the profile knows; empty for any.
    var versions: [Int] = []
  }
}

/// `when` something holds, a message `is` something. A class, as it is looked at with each message.
final class Rule: Sendable {
  /// Different for each rule of a profile.
  let number: Int
  /// What the selector is then.
  let selected: ProfileValue?
  let when: Formula?
  let kind: Kind
  /// The part of the message that the members are looked for in.
  let scope: Formula?
  /// What must be there besides the members that the kind needs.
  let needs: [Formula]
  let suite: CipherSuite?
  /// Whether a key of another size than its suite's makes the message unreadable.
  let needsExactSize: Bool
  /// Whether it also says what a message is that was not read to its end.
  let takesPart: Bool
  let members: [Member: Formula]
  /// When a member of a configuration is said to be no more.
  let cleared: [Member: Formula]
  /// Of the addresses in a configuration.
  let addressOrder: AccessoryControlDevice.AddressOrder?
  let lists: [ItemList: Items]
  /// Of what is inside.
  let contents: Profile.Contents?
  /// Where it is in the profile's file, and where its expressions are.
  let location: SourceLocation?
  let locations: [Member: SourceLocation]

  init(
    number: Int, selected: ProfileValue?, when: Formula?, kind: Kind, scope: Formula?,
    needs: [Formula], suite: CipherSuite?, needsExactSize: Bool, takesPart: Bool,
    members: [Member: Formula], cleared: [Member: Formula],
    addressOrder: AccessoryControlDevice.AddressOrder?, lists: [ItemList: Items],
    contents: Profile.Contents?, location: SourceLocation?,
    locations: [Member: SourceLocation]
  ) {
    (self.number, self.selected, self.when, self.kind) = (number, selected, when, kind)
    (self.scope, self.needs) = (scope, needs)
    (self.suite, self.needsExactSize, self.takesPart) = (suite, needsExactSize, takesPart)
    (self.location, self.locations) = (location, locations)
    (self.members, self.cleared, self.addressOrder) = (members, cleared, addressOrder)
    (self.lists, self.contents) = (lists, contents)
  }

  struct Items: Sendable {
    var each: Formula
    var when: Formula?
    var members: [Member: Formula]
    /// Where the list and its expressions are in the profile's file.
    var location: SourceLocation?
    var locations: [Member: SourceLocation] = [:]
  }
}
