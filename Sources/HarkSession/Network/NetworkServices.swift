import HarkCore
import HarkDissection

/// A service that a host on the local network announces. RFC 6763, 4.1.
public struct NetworkService: Equatable, Sendable {
  /// What people see: `Acme Watch`.
  public let instance: String
  /// `_acme._tcp`
  public let type: String
  public let port: UInt16
  /// `acme-watch.local`
  public let host: String
}

/// The services of the local network, as far as Multicast DNS shows them. RFC 6762, 6763.
struct NetworkServices {
  private var services: [Name: NetworkService] = [:]
  /// The addresses of hosts, by their names in lower case.
  private var hosts: [String: [IPAddress]] = [:]

  private struct Name: Hashable {
    let instance: String
    let type: String
  }

  /// A local network has fewer, but captures may contain any number.
  private static let most = 1_024
  private static let mostAddresses = 16

  /// Takes a message, and returns the services that it names for the first time, or with a new address.
  mutating func take(
    _ message: DNSMessage, _ bytes: RawSpan, from sender: IPAddress
  ) -> [NetworkService] {
    guard message.isResponse else { return [] }
    var new: [NetworkService] = []
    for record in message.records {
      switch record.kind {
      case .address, .addressIPv6: note(record, bytes)
      case .service:
        guard let service = service(record, bytes) else { continue }
        let name = Name(instance: service.instance, type: service.type)
        if record.isGoodbye {
          services[name] = nil
          continue
        }
        guard services[name] != service else { continue }
        guard services.count < Self.most || services[name] != nil else { continue }
        services[name] = service
        new.append(service)
        // The announcer of a service is its host, if no record has the address.
        add(sender, to: service.host)
      case nil: break
      }
    }
    return new
  }

  /// The service at one end of a connection.
  func find(_ endpoint: NetworkEndpoint) -> NetworkService? {
    services.values.filter { service in
      service.port == endpoint.port
        && hosts[service.host.lowercased()]?.contains(endpoint.address) == true
    }.min { ($0.type, $0.instance) < ($1.type, $1.instance) }
  }

  private func service(_ record: DNSMessage.Record, _ bytes: RawSpan) -> NetworkService? {
    guard let port = record.port, let target = record.target else { return nil }
    let labels = Self.labels(bytes, record.name)
    guard labels.count >= 3, labels[1].hasPrefix("_"), labels[2].lowercased() == "_tcp" else {
      return nil
    }
    return NetworkService(
      instance: labels[0], type: "\(labels[1]).\(labels[2])".lowercased(), port: port,
      host: Self.labels(bytes, target).joined(separator: "."))
  }

  private mutating func note(_ record: DNSMessage.Record, _ bytes: RawSpan) {
    guard let address = record.address, !record.isGoodbye else { return }
    add(address, to: Self.labels(bytes, record.name).joined(separator: "."))
  }

  private mutating func add(_ address: IPAddress, to host: String) {
    let host = host.lowercased()
    guard hosts.count < Self.most || hosts[host] != nil,
      hosts[host]?.contains(address) != true,
      hosts[host, default: []].count < Self.mostAddresses
    else { return }
    hosts[host, default: []].append(address)
  }

  private static func labels(_ bytes: RawSpan, _ place: Int) -> [String] {
    DNSMessage.labels(of: bytes, at: place).map { bytes.utf8($0) }
  }
}
