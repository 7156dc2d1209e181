import HarkPlatform

/// A capture that cannot be opened, or bytes that cannot be read back from one.
public struct CaptureError: Error, Equatable {
  /// The name of the capture as messages show it.
  public var name: String
  /// Where in the capture, in bytes from its beginning, where that says anything.
  public var offset: Int64?
  /// Whether that counts unpacked bytes, because the file is packed with gzip.
  public var isUnpacked = false
  /// What should have been there, where that says anything.
  public var expected: String?
  /// What is there, or what the system said.
  public var found: String
  /// What the user can do about it, if there is something.
  public var advice: String?
  /// Whether the file never was a capture of Bluetooth, as its content shows.
  public var isOtherFile: Bool

  public init(
    _ name: String, _ found: String, offset: Int64? = nil, expected: String? = nil,
    advice: String? = nil, isOtherFile: Bool = false
  ) {
    self.name = name
    self.found = found
    self.offset = offset
    self.expected = expected
    self.advice = advice
    self.isOtherFile = isOtherFile
  }

  public init(_ name: String, errno code: Int32, _ action: String, advice: String? = nil) {
    self.init(name, "\(action): \(systemMessage(code))", advice: advice)
  }
}

extension CaptureError {
  /// What `found` says of a file without bytes.
  static let nothing = "the file is empty"

  /// The error, if it consists of neither names nor contents of files; otherwise nil.
  public var withoutContents: String? {
    // Of `errno`.
    if found.hasPrefix("cannot ") { return found }
    return found == Self.nothing ? found : nil
  }
}

extension CaptureError: CustomStringConvertible {
  /// `bugreport.log: expected a capture, found a ZIP archive at byte 0; unpack it first`.
  public var description: String {
    var text = name + ": "
    if let expected { text += "expected \(expected), found " }
    text += found
    if let offset {
      text += " at byte \(offset)"
      if isUnpacked { text += " of the decompressed capture" }
    }
    if let advice { text += "; \(advice)" }
    return text
  }
}

/// What an `errno` value means, in words.
public func systemMessage(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}
