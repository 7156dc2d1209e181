// All events: the kinds by family, and the type that describes each.
extension Event {
  public enum Content: Sendable {
    case controller(ControllerEvent)

    case link(LinkEvent)
    /// For connections received over the air.
    case linkLayer(LinkLayerEvent)
    case security(SecurityEvent)

    /// Of the local network.
    case network(NetworkEvent)

    // L2CAP
    case channel(ChannelEvent)

    // What L2CAP channels carry
    case sdp(SDPEvent)
    case rfcomm(RFCOMMEvent)
    case handsFree(HandsFreeEvent)
    case audio(AudioEvent)
    case accessoryProtocol(AAPEvent)
    case fastPair(FastPairEvent)
    case hid(HIDEvent)
    case obex(OBEXEvent)
    case simAccess(SIMAccessEvent)
    case hcrp(HCRPEvent)
    case bnep(BNEPEvent)
    case mesh(MeshEvent)
    case leAudio(LEAudioEvent)
    case isochronous(IsochronousEvent)
    case periodic(PeriodicEvent)

    case iap2(IAP2Event)

    case homeKit(HomeKitEvent)

    case attribute(AttributeEvent)

    // Accessory
    /// By far the largest: otherwise, each event in the log would take as much space.
    indirect case accessory(AccessoryEvent)
    case audioSourceNotCleared(AudioSourceNotCleared)

    indirect case app(AppEvent)

    /// What a rule found; sessions do not emit it.
    indirect case finding(Remark)

    case capture(CaptureEvent)

    /// What describes the event.
    package var described: any Described {
      switch self {
      case .controller(let event): event.described
      case .capture(let event): event.described
      case .finding(let event): event
      case .link(let event): event.described
      case .linkLayer(let event): event.described
      case .security(let event): event.described
      case .network(let event): event.described
      case .channel(let event): event.described
      case .attribute(let event): event.described
      case .isochronous(let event): event.described
      case .periodic(let event): event.described
      case .sdp(let event): event.described
      case .rfcomm(let event): event.described
      case .hid(let event): event.described
      case .fastPair(let event): event.described
      case .obex(let event): event
      case .simAccess(let event): event.described
      case .hcrp(let event): event
      case .bnep(let event): event
      case .mesh(let event): event.described
      case .handsFree(let event): event.described
      case .leAudio(let event): event.described
      case .audio(let event): event.described
      case .audioSourceNotCleared(let event): event
      case .iap2(let event): event.described
      case .homeKit(let event): event
      case .accessoryProtocol(let event): event.described
      case .accessory(let event): event
      case .app(let event): event.described
      }
    }
  }

  /// The families, for code that wants the events of only some of them.
  public enum Family: Int, CaseIterable, Sendable {
    case controller, link, linkLayer, security, channel
    case sdp, rfcomm, handsFree, audio, accessoryProtocol, fastPair, hid, obex, simAccess
    case hcrp, mesh, bnep
    case leAudio, isochronous, periodic, iap2, homeKit
    case attribute, accessory, audioSourceNotCleared, network
    case app, finding, capture
  }

  public var family: Family {
    switch content {
    case .controller: .controller
    case .link: .link
    case .linkLayer: .linkLayer
    case .security: .security
    case .channel: .channel
    case .sdp: .sdp
    case .rfcomm: .rfcomm
    case .handsFree: .handsFree
    case .audio: .audio
    case .accessoryProtocol: .accessoryProtocol
    case .fastPair: .fastPair
    case .hid: .hid
    case .obex: .obex
    case .simAccess: .simAccess
    case .hcrp: .hcrp
    case .bnep: .bnep
    case .mesh: .mesh
    case .leAudio: .leAudio
    case .isochronous: .isochronous
    case .periodic: .periodic
    case .iap2: .iap2
    case .homeKit: .homeKit
    case .attribute: .attribute
    case .accessory: .accessory
    case .audioSourceNotCleared: .audioSourceNotCleared
    case .network: .network
    case .app: .app
    case .finding: .finding
    case .capture: .capture
    }
  }
}
