import HarkPlatform

/// What a recording is written as: what the ending of its file says. Who starts the recorder finds a
/// mistake as it does, before anything is opened.
public struct RecordingFormat: Sendable, Equatable {
  /// As `CaptureOutput.choose` takes it; nil if no ending says one.
  public let name: String?

  /// What is written where no ending says another.
  public static let usual = RecordingFormat(name: nil)

  private init(name: String?) { self.name = name }

  /// The kind of capture that is written of what a source sends: btsnoop, and of packets from the air pcapng, where no
  /// ending says another.
  /// - Returns: Nil if it has no place for them.
  public func output(for source: CaptureInfo) -> CaptureOutput? {
    let name = name ?? (source.contentOtherThanHCI == nil ? "btsnoop" : "pcapng")
    guard let output = CaptureOutput.choose(name, for: [source]) else { return nil }
    return source.contentOtherThanHCI.map { output.holds($0) } ?? true ? output : nil
  }

  /// What to do where the format has no place for packets from the air.
  public static let adviceForAir = "name a .pcapng or .pcap file after -w"

  /// What is wrong with an ending, in words.
  public struct Mistake: Error, Equatable {
    public let text: String
  }

  /// The format of a file. Standard output (`-`), names without an ending or with a number for one, and
  /// pipes and devices get the usual one, where their ending is that of no format.
  public init(ofFile path: String) throws(Mistake) {
    let ending = CaptureOutput.ending(of: path)
    let isNamed = path != "-" && ending.first?.isLetter == true
    if let found = isNamed ? CaptureOutput.format(ofFile: path) : nil {
      self.init(name: found)
      return
    }
    guard !isNamed || Self.isPipe(path) else {
      throw Mistake(
        text: "'\(path)': hark cannot record as .\(ending): use one of the extensions "
          + Self.endings)
    }
    self = .usual
  }

  /// Those of all formats that recordings are written in.
  public static var endings: String {
    CaptureOutput.endings.map { "." + $0.ending }.joined(separator: ", ")
  }

  /// Whether it is there, and no file.
  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }
}
