import HarkPlatform

/// The files in a tar archive, packed with gzip or not, or in a folder: one after the other, in bounded memory.
package final class PackedFiles {
  package struct File: Sendable {
    /// As the archive or the folder has it: `sysdiagnose_…/logs/Bluetooth/bluetoothd-hci-latest.pklg`.
    package let name: String
    package let count: Int64
  }

  private enum Kind {
    case archive(TarReader)
    case folder(String)
  }

  private let kind: Kind
  /// What a folder holds, and where in it we are.
  private var files: [String] = []
  private var next = 0
  private var current: Source?
  private var opened: Int64 = 0
  private var fileProblem: CaptureDamage.Reason?
  /// What unpacks the file of an archive that was given last, if it is packed itself; the bytes read to find that out.
  private var inflater: Inflater?
  private var head: ArraySlice<UInt8> = []
  private var unpacked: Int64 = 0

  /// More than the folders of a sysdiagnose are deep, and more files than it has.
  package static let deepest = 24
  private static let most = 50_000

  /// Opens what is at `path`.
  /// - Parameter deepest: How many folders in a folder are looked into.
  /// - Returns: Nil if it is no folder and no tar archive, or cannot be opened.
  package init?(path: String, deepest: Int = deepest) {
    if Directory.isFolder(path) {
      kind = .folder(path)
      list("", deepest)
      return
    }
    guard let source = Self.archive(at: path) else { return nil }
    kind = .archive(TarReader(source))
  }

  init(archive source: Source) { kind = .archive(TarReader(source)) }

  /// A tar archive in a file; nil if the file is not one.
  static func archive(at path: String) -> Source? {
    // Opening a FIFO would take it from its reader.
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let source = try? Source(Endpoint(path)),
      source.size != nil, let look = Source(again: source)
    else { return nil }
    var head: [UInt8] = []
    while head.count < TarHeader.size {
      let piece = look.next(TarHeader.size - head.count)
      if piece.isEmpty { return nil }
      head += piece
    }
    return TarHeader.begins(head) ? source : nil
  }

  package var isCompressed: Bool {
    if case .archive(let reader) = kind { reader.isCompressed } else { false }
  }

  /// How many bytes were read on disk.
  var position: Int64 {
    switch kind {
    case .archive(let reader): reader.position
    case .folder: opened + (current?.position ?? 0)
    }
  }

  /// What is wrong with the archive, or keeps it from being read to its end.
  package var problem: CaptureDamage.Reason? {
    switch kind {
    case .archive(let reader): reader.problem ?? fileProblem
    case .folder: fileProblem
    }
  }

  /// Files with holes, which are passed over.
  package var sparse: [String] {
    if case .archive(let reader) = kind { reader.sparse } else { [] }
  }

  /// The next file, after what is left of the last one; nil after the last.
  /// - Parameter isWanted: Whether a file of this name is; others are not opened.
  package func nextFile(where isWanted: (String) -> Bool = { _ in true }) -> File? {
    switch kind {
    case .archive(let reader):
      (inflater, head) = (nil, [])
      while let member = reader.next() {
        if isWanted(member.name) { return File(name: member.name, count: member.count) }
      }
      return nil
    case .folder(let folder):
      while next < files.count {
        let name = files[next]
        next += 1
        guard isWanted(name) else { continue }
        opened += current?.position ?? 0
        current = nil
        // A file that cannot be opened is one of others; links were not listed.
        guard let source = try? Source(Endpoint("\(folder)/\(name)")),
          let size = source.size
        else { continue }
        current = source
        return File(name: name, count: size)
      }
      current = nil
      return nil
    }
  }

  /// The next bytes of the file that was given last, `most` at most; none after its end.
  package func read(_ most: Int) -> ArraySlice<UInt8> {
    switch kind {
    case .archive(let reader):
      if let inflater { return unpack(most, inflater, reader) }
      guard !head.isEmpty else { return reader.read(most) }
      let piece = head.prefix(most)
      head = head.dropFirst(piece.count)
      return piece
    case .folder:
      guard let current else { return [] }
      let bytes = current.next(most)
      if bytes.isEmpty, fileProblem == nil { fileProblem = current.problem }
      return bytes[...]
    }
  }

  /// Unpacks the file that was given last, if it is packed with gzip itself. Files in a folder always are unpacked.
  func unpackFile() {
    guard case .archive(let reader) = kind else { return }
    while head.count < Inflater.magic.count {
      let piece = reader.read(Inflater.magic.count - head.count)
      if piece.isEmpty { break }
      head += piece
    }
    if head.elementsEqual(Inflater.magic) { inflater = Inflater() }
  }

  private func unpack(
    _ most: Int, _ inflater: Inflater, _ reader: TarReader
  ) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: min(most, 1 << 16))
    let count = unsafe bytes.withUnsafeMutableBytes { output in
      unsafe inflater.read(into: output) { input in
        let piece = head.isEmpty ? reader.read(input.count) : head.prefix(input.count)
        head = head.dropFirst(piece.count)
        unsafe piece.withUnsafeBytes { unsafe input.copyMemory(from: $0) }
        return piece.count
      }
    }
    if fileProblem == nil { fileProblem = inflater.problem }
    unpacked += Int64(count)
    guard unpacked <= MemoryBudget.unpacked(from: reader.position) else {
      fileProblem = .unpacked(packed: reader.position)
      return []
    }
    return bytes[..<count]
  }

  /// Notes all files below a folder, without following links.
  private func list(_ below: String, _ deepest: Int) {
    guard case .folder(let folder) = kind, deepest >= 0 else { return }
    let path = below.isEmpty ? folder : "\(folder)/\(below)"
    for name in (Directory.names(in: path, most: Self.most) ?? []).sorted() {
      guard files.count < Self.most else { return }
      let inner = below.isEmpty ? name : "\(below)/\(name)"
      var status = stat()
      guard unsafe lstat("\(folder)/\(inner)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append(inner)
      case S_IFDIR: list(inner, deepest - 1)
      default: break
      }
    }
  }
}
