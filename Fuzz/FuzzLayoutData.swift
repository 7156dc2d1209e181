import HarkCore
import HarkDissection
import HarkLayout
import HarkProfile

/// Reads any bytes with a layout that is sound, as a protocol of the catalog: the laws that the tests
/// check hold. The first byte picks the layout.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLayoutData(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let entry = entries[Int(input.byte()) % entries.count]
  let bytes = input.all()
  #if FAST
    _ = catalog.describe(bytes.raw, entry, Context(), into: &tree)
    return 0
  #endif
  let broken = Laws.violations(bytes.raw, entry, Context(), &tree, catalog: catalog)
  precondition(broken.isEmpty, "\(entry.name): \(broken.joined(separator: "; "))")
  precondition(catalog.lines(tree, of: bytes.raw).count == tree.nodes.count)
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private var tree = Tree()

/// `seeds.py` counts in this order: that of the paths, and the one below.
private let entries: [Entry] =
  (BundledFiles.paths.filter { $0.hasSuffix(".ksy") }.map { load($0, BundledFiles()) })
  + [load("a.ksy", Files(texts: ["a.ksy": everything]))]

private let catalog = Catalog.shared.adding(entries)

private func load(_ path: String, _ files: any LayoutFiles) -> Entry {
  do {
    return Entry(try Layout.load(path, from: files))
  } catch {
    preconditionFailure("\(path): \(error.diagnostics)")
  }
}

/// What those that come with hark do not use.
private let everything = """
  meta:
    id: everything
    bit-endian: be
    endian: le
  seq:
    - id: kind
      type: u1
      enum: kind
    - id: high
      type: b3
    - id: low
      type: b5
    - id: name
      type: strz
      encoding: UTF-8
    - id: len_body
      type: u2
    - id: body
      size: len_body
      type:
        switch-on: kind
        cases:
          kind::list: list
          _: leaf
    - id: packed
      size: 8
      process: xor(kind.to_i)
    - id: squeezed
      size: 20
      process: zlib
    - id: items
      type: leaf
      repeat: until
      repeat-until: _.number == 0 or _io.eof
    - id: sum
      type: u1
      -hark-checksum:
        algorithm: sum8
        over: head
  instances:
    head:
      pos: 0
      size: 4
    ratio:
      value: len_body / (low + 1)
  types:
    list:
      seq:
        - id: count
          type: u1
        - id: nested
          type: list
          repeat: expr
          repeat-expr: count
    leaf:
      seq:
        - id: number
          type: s2be
          valid:
            max: 1000
        - id: rest
          size: 2
          if: number % 2 == 1
  enums:
    kind:
      1: list
      2: leaf
  """
