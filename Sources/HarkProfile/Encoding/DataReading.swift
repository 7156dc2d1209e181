import HarkCore

/// Reads whole texts that no profile describes: logs and property lists of the app's side.
package enum DataReading {
  /// JSON; nil if the text is not one object or array.
  package static func json(_ bytes: [UInt8]) -> ProfileValue? { whole(JSONReader.read(bytes)) }

  /// A property list, binary or XML; nil if the bytes are not one.
  package static func propertyList(_ bytes: [UInt8]) -> ProfileValue? {
    whole(PropertyListReader.read(bytes))
  }

  /// A binary property list, and where its objects lie: each before those in it, keys before their
  /// values.
  package static func placedPropertyList(
    _ bytes: [UInt8]
  ) -> (value: ProfileValue, places: [Range<Int>])? {
    BinaryPropertyList.readWithPlaces(bytes)
  }

  /// Base64, RFC 4648, sections 4 and 5; the padding may be left out.
  package static func base64(_ text: String) -> [UInt8]? { Base64.decode(text.utf8) }

  private static func whole(_ message: DecodedMessage) -> ProfileValue? {
    message.problem == nil && message.faults.isEmpty ? message.value : nil
  }
}
