import HarkCore
import HarkCrypto

/// The audio sources that an accessory names to one phone, if the accessory is the recorded host: only its captures show whether
/// they are connected.
struct AudioSources: Sendable {
  let controller: UInt16
  var named: Set<BluetoothAddress> = []
  /// The source whose link closed last, and when.
  var lost: (source: BluetoothAddress, packet: PacketID, time: Timestamp)?
}

extension AccessoryFollower {
  /// Compares the audio sources that an accessory names with the devices in the capture.
  mutating func follow(
    _ event: inout AccessoryEvent, _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch event.content {
    case .plain(var message) where message.contents.contains(where: \.isConfiguration):
      followContents(&message.contents, moment, &tables)
      event.content = .plain(message)
    case .message(var message):
      guard case .opened(var opened) = message.outcome,
        opened.decoded.contents.contains(where: \.isConfiguration)
      else { return }
      followContents(&opened.decoded.contents, moment, &tables)
      message.outcome = .opened(opened)
      event.content = .message(message)
    default: break
    }
  }

  private mutating func followContents(
    _ contents: inout [AccessoryContent], _ moment: PacketContext, _ tables: inout Tables
  ) {
    for index in contents.indices {
      guard case .configuration(var report) = contents[index] else { continue }
      report.remarks += reversals(in: report.change, tables)
      if report.sender == .accessoryToHost { noteSources(report.change) }
      contents[index] = .configuration(report)
      remember(report, moment)
    }
  }

  /// Among the audio sources that are not devices of the capture, those whose reversed octets are.
  /// - Parameter isOfApp: Whether the app names them: it should name those that accessories report.
  func reversals(
    in change: AccessoryControlDevice.Change, isOfApp: Bool = false, _ tables: borrowing Tables
  ) -> [AccessoryControlDevice.Remark] {
    change.sources.compactMap { member, octets in
      guard octets.count == 6 else { return nil }
      let address = BluetoothAddress(octets: octets)
      let reversed = BluetoothAddress(octets: octets.reversed())
      let reported = isOfApp ? reportedSources : []
      return !isKnown(address, tables) && !reported.contains(address)
        && (isKnown(reversed, tables) || reported.contains(reversed))
        ? .reversed(member, reversed) : nil
    }
  }

  private static let mostReported = 64

  private mutating func noteSources(_ change: AccessoryControlDevice.Change) {
    for (_, octets) in change.sources where octets.count == 6 {
      guard reportedSources.count < Self.mostReported else { return }
      reportedSources.insert(BluetoothAddress(octets: octets))
    }
  }

  /// Whether a device of the capture, including this host, has the address.
  private func isKnown(_ address: BluetoothAddress, _ tables: borrowing Tables) -> Bool {
    tables.devices.find(address) != nil
      || tables.controllers.values.contains { $0.address?.value == address.value }
      || tables.links.formerControllers.contains { $0.controller.address?.value == address.value }
  }

  // MARK: Sources that are not cleared

  private static let mostLinks = 256

  private mutating func remember(
    _ report: AccessoryControlDevice.Report, _ moment: PacketContext
  ) {
    guard let configuration = report.configuration, report.sender == .accessoryToHost,
      moment.direction == .hostToController, let link = moment.link,
      audioSources[link] != nil || audioSources.count < Self.mostLinks
    else { return }
    let sources = [
      configuration.primaryAudioSourceDeviceIdentifier,
      configuration.secondaryAudioSourceDeviceIdentifier,
    ].compactMap { $0 }.filter { $0.count == 6 }
    var state = audioSources[link] ?? AudioSources(controller: moment.controller)
    state.named = Set(sources.map { BluetoothAddress(octets: $0) })
    if let lost = state.lost, !state.named.contains(lost.source) { state.lost = nil }
    audioSources[link] = state
  }

  mutating func audioSourceLost(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    audioSources[link] = nil
    guard !audioSources.isEmpty, let peer = tables.links[link].peer else { return }
    for (link, state) in audioSources
    where state.controller == moment.controller && state.named.contains(peer) {
      audioSources[link]?.lost = (peer, moment.packet, moment.time)
    }
  }

  /// An audio source that is not connected must be cleared soon, as with AAP.
  mutating func checkAudioSources(_ moment: PacketContext, _ tables: inout Tables) {
    guard audioSources.values.contains(where: { $0.lost != nil }) else { return }
    for link in audioSources.keys.sorted(by: { $0.index < $1.index }) {
      guard let state = audioSources[link], let lost = state.lost else { continue }
      guard let waited = tables.counts.elapsed(since: lost.time, in: lost.packet, moment) else {
        // The clock was set: the wait starts anew.
        audioSources[link]?.lost = (lost.source, moment.packet, moment.time)
        continue
      }
      guard waited >= AAPState.waitLimit else { continue }
      audioSources[link]?.lost = nil
      guard tables.links.brEDR(to: lost.source, on: state.controller) == nil else { continue }
      var moment = moment
      (moment.controller, moment.link) = (state.controller, link)
      tables.emit(
        .audioSourceNotCleared(.init(source: lost.source)), moment,
        frames: Event.Frames(lost.packet, moment.packet, count: 2), severity: .warning)
    }
  }
}
