import HarkCapture
import HarkCore
import HarkPlatform
import HarkProfile

/// A file that holds XPC objects or a property list: as they are, as a text that spells them, in lines of
/// a log, or as messages between other bytes.
public struct ObjectFile: Sendable {
  public let nodes: [ObjectNode]
  /// Why the rest could not be read.
  public let problem: ObjectProblem?
  /// What the ranges count: of a text, the bytes that it spells. Those of lines count from the beginning
  /// of each object.
  public let count: Int
  /// How the text spells them; nil if the file holds them as they are.
  public let spelling: String?

  /// The largest file that is read.
  static let largest = 1 << 26

  /// - Throws: `AppLogError` where it cannot be opened or is larger than 64 MiB.
  public init(path: String) throws(AppLogError) {
    self.init(try WholeFile.contents(path, most: Self.largest))
  }

  init(_ contents: [UInt8]) {
    var (bytes, spelling): ([UInt8], String?) = (contents, nil)
    if !Self.isObject(contents) {
      if let (spelled, how) = Spelled.bytes(String(decoding: contents, as: UTF8.self)) {
        (bytes, spelling) = (spelled, how)
      }
    }
    count = bytes.count
    self.spelling = spelling
    let inside = spelling == nil && !Self.isObject(contents) ? Self.inside(contents) : []
    if !inside.isEmpty {
      (nodes, problem) = (inside, nil)
    } else if let list = PropertyListTree.read(bytes, at: 0) {
      (nodes, problem) = ([list], nil)
    } else if bytes.isEmpty {
      (nodes, problem) = ([], ObjectProblem(0, "expected an object, found nothing"))
    } else if let (call, problem) = NSXPCReader.read(bytes, at: 0) {
      (nodes, self.problem) = ([call], problem)
    } else if let body = Self.bodyOfNSXPC(bytes) {
      nodes = [body]
      problem = ObjectProblem(0, "hark does not read this NSXPC encoding: it starts")
    } else if Self.isList(bytes) {
      (nodes, problem) = (
        [], ObjectProblem(0, "a truncated or damaged property list starts")
      )
    } else {
      (nodes, problem) = XPCReader.messages(bytes)
    }
  }

  /// The form of calls of NSXPC before those that `NSXPCReader` reads, `bplist15`, and those that may come.
  static func bodyOfNSXPC(_ bytes: [UInt8]) -> ObjectNode? {
    guard bytes.starts(with: "bplist1".utf8), bytes.count >= 8 else { return nil }
    let name = String(decoding: bytes.prefix(8), as: UTF8.self)
    return ObjectNode(
      name, "data", "\(name), \(bytes.count) bytes of NSXPC", 0..<bytes.count)
  }

  /// Objects that a file holds beside other things.
  private static func inside(_ contents: [UInt8]) -> [ObjectNode] {
    let messages = XPCReader.embedded(in: contents)
    guard messages.isEmpty else { return messages }
    var nodes: [ObjectNode] = []
    for (number, line) in contents.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    where nodes.count < most {
      for var node in Bodies.objects(in: String(decoding: line, as: UTF8.self)) {
        node.name = "line \(number + 1), \(node.name)"
        nodes.append(node)
      }
    }
    return nodes
  }

  private static let most = 1_000

  /// Whether bytes begin as one of the forms does.
  static func isObject(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x92, 0x0B, 0xB0, 0x29]) || bytes.starts(with: [0x42, 0x37, 0x13, 0x42])
      || isList(bytes)
  }

  private static func isList(_ bytes: [UInt8]) -> Bool {
    ["bplist", "<?xml", "<plist"].contains { bytes.starts(with: $0.utf8) }
  }
}

/// Bytes that a text spells.
enum Spelled {
  /// Hexadecimal digits or Base64 of something that is an object; nil for anything else.
  static func bytes(_ text: String) -> (bytes: [UInt8], spelling: String)? {
    let letters = text.utf8.filter { $0 > 0x20 }
    guard letters.count >= 16 else { return nil }
    let trimmed = String(decoding: letters, as: UTF8.self)
    if let bytes = Hex.bytes(trimmed), ObjectFile.isObject(bytes) { return (bytes, "hexadecimal") }
    if let bytes = DataReading.base64(trimmed), ObjectFile.isObject(bytes) {
      return (bytes, "Base64")
    }
    return nil
  }
}

extension WholeFile {
  static func contents(_ path: String, most: Int) throws(AppLogError) -> [UInt8] {
    do {
      return try read(path, most: most)
    } catch {
      switch error {
      case .cannotOpen(let code):
        throw AppLogError("\(path): cannot open: \(systemMessage(code))")
      case .cannotRead(let code):
        throw AppLogError("\(path): cannot read: \(systemMessage(code))")
      case .tooLarge:
        throw AppLogError("\(path): larger than \(most >> 20) MiB")
      }
    }
  }
}
