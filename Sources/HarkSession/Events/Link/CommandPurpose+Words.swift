import HarkCore

extension CommandPurpose {
  func describe(to sink: inout some EventSink) {
    sink.word("purpose", kind.rawValue)
    sink.advertisingSets(sets)
    sink.address("peer", peer, .parameter)
    sink.number("number", number)
  }

  /// `advertising of set 0x01 not stopped`
  var notDone: EventSentence {
    let sets = DiscoveryEvent.ofSets(sets)
    let number = number.map { " \($0)" } ?? ""
    let handle = self.number.map { " \(Names.hex($0))" } ?? ""
    let peer: EventSentence = self.peer.map { "\(personal: $0)" } ?? "a device"
    let to: EventSentence = self.peer.map { " to \(personal: $0)" } ?? ""
    return switch kind {
    case .reset: "controller not reset"
    case .scanStart: "scanning not started"
    case .scanStop: "scanning not stopped"
    case .inquiryStart: "inquiry not started"
    case .inquiryStop: "inquiry not stopped"
    case .periodicInquiryStart: "periodic inquiry not started"
    case .periodicInquiryStop: "periodic inquiry not stopped"
    case .discoverability: "page and inquiry scan not changed"
    case .advertisingStart: "advertising\(sets) not started"
    case .advertisingStop: "advertising\(sets) not stopped"
    case .advertisingParameters: "parameters of advertising\(sets) not set"
    case .advertisingData: "data of advertising\(sets) not set"
    case .scanResponseData: "scan response data of advertising\(sets) not set"
    case .advertisingRemoval: "\(removedSets) not removed"
    case .periodicAdvertisingStart: "periodic advertising\(sets) not started"
    case .periodicAdvertisingStop: "periodic advertising\(sets) not stopped"
    case .periodicAdvertisingParameters: "parameters of periodic advertising\(sets) not set"
    case .periodicAdvertisingData: "data of periodic advertising\(sets) not set"
    case .periodicHandOver: "periodic advertising not transferred to the peer"
    case .syncStart: "synchronization with periodic advertising not started"
    case .syncCancel: "synchronization with periodic advertising not cancelled"
    case .syncEnd: "sync\(handle) not terminated"
    case .connection: "connection\(to) not started"
    case .connectionCancel: "connection attempt\(to) not cancelled"
    case .connectionAcceptance: "connection request of \(peer) not accepted"
    case .connectionRefusal: "connection request of \(peer) not rejected"
    case .synchronousConnection: "synchronous connection not set up"
    case .disconnection: "link not disconnected"
    case .connectionParameters: "connection parameters not changed"
    case .connectionParametersRefusal: "connection parameter request not rejected"
    case .dataLength: "length of Link Layer packets not changed"
    case .phy: "PHY not changed"
    case .mode: "mode not changed"
    case .role: "role not changed"
    case .authentication: "authentication not started"
    case .encryption: "link encryption not changed"
    case .pairingRefusal: "Secure Simple Pairing not refused"
    case .acceptListAddition: "\(peer) not added to the Filter Accept List"
    case .acceptListRemoval: "\(peer) not removed from the Filter Accept List"
    case .acceptListClearing: "Filter Accept List not cleared"
    case .resolvingListAddition: "\(peer) not added to the resolving list"
    case .resolvingListRemoval: "\(peer) not removed from the resolving list"
    case .resolvingListClearing: "resolving list not cleared"
    case .addressResolution: "address resolution not switched on or off"
    case .advertiserListAddition: "\(peer) not added to the Periodic Advertiser List"
    case .advertiserListRemoval: "\(peer) not removed from the Periodic Advertiser List"
    case .advertiserListClearing: "Periodic Advertiser List not cleared"
    case .isochronousGroup: "CIG\(number) not configured"
    case .isochronousGroupRemoval: "CIG\(number) not removed"
    case .isochronousStreams: "isochronous streams not requested"
    case .isochronousAcceptance: "isochronous stream\(handle) not accepted"
    case .isochronousRefusal: "isochronous stream\(handle) not refused"
    case .broadcastGroup: "broadcast group\(number) not created"
    case .broadcastGroupEnd: "broadcast group\(number) not ended"
    case .broadcastGroupSync: "broadcast group\(number) not synchronized"
    case .broadcastGroupSyncEnd: "sync with broadcast group\(number) not terminated"
    case .isochronousDataPath: "data path of isochronous stream\(handle) not set up"
    case .isochronousDataPathRemoval: "data path of isochronous stream\(handle) not removed"
    }
  }

  private var removedSets: String {
    sets.isEmpty
      ? "advertising sets"
      : "advertising set \(sets.map { Names.hex($0) }.joined(separator: ", "))"
  }
}
