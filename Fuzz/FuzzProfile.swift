import HarkCore
import HarkLayout
import HarkProfile
import HarkSession

/// Reads any text as a profile beside the layouts that come with hark, and any values with it:
/// nothing may trap, hang or exhaust memory, and what comes out refers to what went in.
///
/// The text has its length in front; the rest are values as `FuzzAccessory` has them, or, with one
/// that begins with 255, a plaintext.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let text = String(decoding: input.bytes(), as: UTF8.self)
  var files = Files()
  files.texts["profile.yaml"] = text
  do {
    let profile = try Profile.load("profile.yaml", from: files)
    let framing = profile.framing
    let rest = input
    feed(&input, framing, framing.channels)
    input = rest
    if input.byte() == 0xFF {
      checkPlaintext(input.all(), framing, profile)
    }
  } catch {
    precondition(!error.diagnostics.isEmpty, "what fails has a reason")
  }
  return 0
}
