import HarkCore
import HarkLayout
import HarkProfile
import HarkSession

/// Guesses what any values are: what is written of it has to load, as a layout and as a profile.
///
/// The first byte picks the kind of channel. Each value has a byte of flags, its length, and its
/// bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGuess(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  var traffic = Traffic(channels[Int(input.byte()) % channels.count])
  while !input.isEmpty, traffic.values.count < 512 {
    let flags = input.byte()
    let bytes = input.bytes()
    guard !bytes.isEmpty else { continue }
    traffic.values.append(
      TrafficValue(
        bytes, frame: UInt32(traffic.values.count + 1), toServer: flags & 1 == 0,
        isStep: flags & 2 == 0))
  }
  guard !traffic.values.isEmpty else { return 0 }
  let guess = ChannelGuess(traffic, id: "acme")
  precondition(!guess.summary.isEmpty)
  _ = guess.details
  let profile = ProfileWriter.text(of: [guess], id: "acme")
  #if FAST
    return 0
  #endif
  let files = Files(texts: ["acme.ksy": guess.layout, "profile.yaml": profile])
  do {
    _ = try Layout.load("acme.ksy", from: files)
  } catch {
    preconditionFailure("\(error.diagnostics)\n\(guess.layout)")
  }
  do {
    _ = try Profile.load("profile.yaml", from: files)
  } catch {
    preconditionFailure("\(error.diagnostics)\n\(profile)\n\(guess.layout)")
  }
  return 0
}

private let channels: [VendorChannel] = [
  .characteristic(BluetoothUUID(high: 0x1234, low: 0x5678)), .psm(0x81),
  .externalAccessory("com.example: \"\n#"),
]
