/// What is read of a Mach-O executable: its load commands, and the libraries that they name. Apple
/// publishes the structures: mach-o/loader.h, mach-o/fat.h.
enum MachO {
  private static let mostArchitectures: UInt32 = 16
  private static let mostCommands: UInt32 = 4_096
  /// Apple's tools allow no longer names of files.
  private static let longestName = 1_024

  struct Command {
    let code: UInt32
    /// Where it begins in the file.
    let place: Int
    let size: Int
  }

  /// A library that the system loads with an executable.
  struct Library: Hashable {
    /// `/System/Library/Frameworks/ExternalAccessory.framework/ExternalAccessory`
    let path: String
    /// The executable also starts where the system lacks it.
    let isWeak: Bool
  }

  /// Where the Mach-O files in a universal binary begin; 0 if it is a file of one architecture.
  static func slices(of file: [UInt8]) -> [Int] {
    let isLong: Bool
    switch big(file, 0) {
    case 0xCAFE_BABE: isLong = false
    case 0xCAFE_BABF: isLong = true
    default: return [0]
    }
    guard let count = big(file, 4), count <= mostArchitectures else { return [] }
    return (0..<Int(count)).compactMap { index in
      let entry = 8 + index * (isLong ? 32 : 20)
      // An offset of 64 bits has its low half after the high one.
      return (isLong ? big(file, entry + 12) : big(file, entry + 8)).map { Int($0) }
    }
  }

  /// The load commands of the file that begins at a place; nil if none does, or they are cut.
  static func commands(of file: [UInt8], at start: Int) -> [Command]? {
    guard let magic = little(file, start), let count = little(file, start + 16),
      count <= mostCommands
    else { return nil }
    var place: Int
    switch magic {
    case 0xFEED_FACF: place = start + 32
    case 0xFEED_FACE: place = start + 28
    default: return nil
    }
    var commands: [Command] = []
    for _ in 0..<count {
      guard let code = little(file, place), let size = little(file, place + 4), size >= 8,
        place + Int(size) <= file.count
      else { return nil }
      commands.append(Command(code: code, place: place, size: Int(size)))
      place += Int(size)
    }
    return commands
  }

  /// The libraries that all slices name; nil if it is no Mach-O file.
  static func libraries(of file: [UInt8]) -> Set<Library>? {
    var found: Set<Library>?
    for start in slices(of: file) {
      guard let commands = commands(of: file, at: start) else { continue }
      found = found ?? []
      for command in commands {
        guard let isWeak = isWeakLibrary(command.code), let path = name(file, of: command) else {
          continue
        }
        found?.insert(Library(path: path, isWeak: isWeak))
      }
    }
    return found
  }

  /// Nil if the command loads no library.
  private static func isWeakLibrary(_ code: UInt32) -> Bool? {
    switch code {
    // LC_LOAD_DYLIB, LC_LAZY_LOAD_DYLIB, LC_REEXPORT_DYLIB, LC_LOAD_UPWARD_DYLIB
    case 0x0C, 0x20, 0x8000_001F, 0x8000_0023: false
    // LC_LOAD_WEAK_DYLIB
    case 0x8000_0018: true
    default: nil
    }
  }

  /// The text that a `dylib_command` ends with.
  private static func name(_ file: [UInt8], of command: Command) -> String? {
    guard let offset = little(file, command.place + 8), offset >= 24, offset < command.size else {
      return nil
    }
    let text = file[(command.place + Int(offset))..<(command.place + command.size)]
      .prefix { $0 != 0 }
    return text.count <= longestName ? String(decoding: text, as: UTF8.self) : nil
  }

  static func big(_ bytes: [UInt8], _ place: Int) -> UInt32? {
    number(bytes, place).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static func little(_ bytes: [UInt8], _ place: Int) -> UInt32? {
    number(bytes, place).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> ArraySlice<UInt8>? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return bytes[place..<(place + 4)]
  }
}
