import HarkCore
import HarkDissection
import HarkFilter

// libFuzzer calls from one thread.
nonisolated(unsafe) private var tree = Tree()

/// Reads any bytes as the text of a filter, and tries it on what follows a NUL as a packet: nothing
/// may trap or take long, and each error has a place in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFilter(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let parts = input.all().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: parts[0], as: UTF8.self)
  let bytes = parts.count > 1 ? Array(parts[1]) : []
  do {
    let filter = try Filter(text)
    var run = FilterRun(filter)
    #if FAST
      run.add(.frame, bytes: bytes.raw)
      Catalog.shared.describe(bytes.raw, .record(.acl), Context(), into: &tree)
      run.scan(tree, bytes.raw)
      _ = run.result()
      return 0
    #endif
    for kind in [PacketKind.acl, .event, .command] {
      run.begin()
      run.add(.kind, UInt64(kind.rawValue))
      run.add(.frame, bytes: bytes.raw)
      run.add(.device, text: text)
      let early = run.decide()
      Catalog.shared.describe(bytes.raw, .record(kind), Context(), into: &tree)
      run.scan(tree, bytes.raw)
      let fits = run.result()
      precondition(early == nil || early == fits, "what is decided stays so")
      precondition(!fits || filter.mayMatch(kind), "a kind that is left out does not match")
    }
  } catch {
    #if FAST
      return 0
    #endif
    let place = error.range
    precondition(place.lowerBound >= 0 && place.upperBound <= text.utf8.count, "it has a place")
    // To find what was meant takes longer than everything else.
    guard count % 64 == 0 else { return 0 }
    precondition(error.description.utf8.count < 2_000, "short")
  }
  return 0
}
