import HarkCore
import HarkCrypto

/// The client of a vendor's message, if a server has several: each phone of an accessory starts its own conversation,
/// with its own counters, configuration and notifications.
public enum VendorClient: Hashable, Sendable {
  /// By the index of the device.
  case device(UInt32)
  /// A client whose device is unknown is known only on its link.
  case link(UInt32)
  /// A host on the local network, which may connect from several ports.
  case host(IPAddress)
}

/// What a channel remembers, separately for each client.
struct ClientMemories: Sendable {
  private static let most = 64

  /// A client names its sessions. A UUID names one of all clients: until a phone's addresses are known to be one
  /// device's, its links belong to two clients.
  private struct SessionKey: Hashable {
    let client: VendorClient?
    let id: String
  }

  /// Nil if the server has only one.
  private var client: VendorClient?
  /// The memory of that client.
  var current = AccessoryMemory()
  private var others: [VendorClient?: AccessoryMemory] = [:]
  /// The clients of `others`, the one that was used last at the end.
  private var order: [VendorClient?] = []
  /// What carried their last message.
  private var sessions = RecentValues<SessionKey, Link.Transport?>(capacity: 256)

  /// Makes the client's memory the current one.
  mutating func select(_ next: VendorClient?) {
    guard next != client else { return }
    var memory = others.removeValue(forKey: next) ?? AccessoryMemory()
    order.removeAll { $0 == next }
    swap(&memory, &current)
    others[client] = memory
    order.append(client)
    if order.count > Self.most { others[order.removeFirst()] = nil }
    client = next
  }

  /// Remembers what carries a session's message, and returns what this reveals about the session.
  /// - Parameter transport: Nil if a link of unknown kind carries it, or no link.
  mutating func note(
    session: String, over transport: Link.Transport?
  ) -> AccessoryEvent.Content? {
    let id = String(decoding: session.utf8.prefix(AccessoryMemory.longestID), as: UTF8.self)
      .uppercased()
    let key = SessionKey(client: TransportMessage.isUUID(id) ? nil : client, id: id)
    guard let before = sessions[key] else {
      sessions.set(key, transport)
      return .sessionSeen(SessionSeen(sessionID: session))
    }
    guard let transport, transport != before else { return nil }
    sessions.set(key, transport)
    guard let before else { return nil }
    return .sessionMoved(SessionMoved(sessionID: session, from: before, to: transport))
  }

  /// Two clients turned out to be one.
  mutating func merge(_ gone: VendorClient, into kept: VendorClient) {
    if client == gone {
      // The memory that is in use is the newer one.
      others[kept] = nil
      order.removeAll { $0 == kept }
      client = kept
    } else if let memory = others.removeValue(forKey: gone) {
      order.removeAll { $0 == gone }
      guard client != kept, others[kept] == nil else { return }
      others[kept] = memory
      order.append(kept)
    }
  }
}
