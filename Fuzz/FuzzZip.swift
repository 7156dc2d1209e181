import HarkCapture
import HarkCore

/// Reads bug reports as ZIP archives: any bytes, or an archive that is sound but for some bytes. Nothing may trap
/// or loop, nothing unpacks to more than its bytes allow, and a sound archive gives back what was put in.
///
/// The first byte picks which. A sound archive has its number of members next; each has a byte for its name, its
/// length, and its bytes. What follows are bytes that are spoiled: how far from the end, and what is changed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZip(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  guard input.byte() & 1 == 1 else {
    read(input.all(), putIn: nil)
    return 0
  }
  var writer = ZipWriter()
  var members: [(name: String, content: [UInt8])] = []
  for _ in 0..<(input.byte() & 7) {
    let name = names[Int(input.byte()) % names.count]
    let content = input.bytes()
    guard (try? writer.add(name, content)) != nil else { return 0 }
    members.append((name, content))
  }
  var archive = writer.finished()
  let isSound = input.isEmpty
  while !input.isEmpty {
    let place = archive.count - 1 - (Int(input.byte()) | Int(input.byte()) << 8) % archive.count
    archive[place] ^= input.byte()
  }
  read(archive, putIn: isSound ? members : nil)
  return 0
}

/// The recorder's logs, a report, and others.
private let names = [
  "FS/data/misc/bluetooth/logs/btsnoop_hci.log", "FS/data/misc/bluetooth/logs/btsnoop_hci.log.last",
  "bugreport-2024.txt", "dumpstate.txt", "a/b", "",
]

private func read(_ bytes: [UInt8], putIn members: [(name: String, content: [UInt8])]?) {
  let capture = try? Capture(bytes: bytes, name: "fuzz")
  _ = capture?.forEachRecord { _, _ in true }
  #if !FAST
    guard let archive = ZipArchive(bytes: bytes) else {
      precondition(members == nil, "a sound archive is read")
      return
    }
    var unpacked = 0
    for member in archive.members {
      let content = archive.contents(of: member, atMost: 1 << 20) ?? []
      precondition(content.count <= 1 << 20, "no more than was asked for")
      unpacked += content.count
    }
    precondition(unpacked <= bytes.count * 1_032, "members that share bytes are not unpacked")
    guard let members else { return }
    precondition(archive.members.map(\.name) == members.map(\.name), "all members are found")
    for (member, (_, content)) in zip(archive.members, members) {
      precondition(archive.contents(of: member) ?? [] == content, "they hold what was put in")
    }
  #endif
}
