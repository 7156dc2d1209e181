import Crypto

/// Derives session keys from one shared secret, and keeps what candidates have in common.
struct SecretDeriver {
  private let schedule: KeySchedule
  private let rawSchedule: KeySchedule?
  private let secret: KeyGeneration.SharedSecret
  private var exporters: [ExporterID: KeySchedule.Exporter] = [:]

  private struct ExporterID: Hashable {
    let info: DerivationText
    let form: PublicKeyForm
  }

  init(_ suite: CipherSuite, _ secret: KeyGeneration.SharedSecret) {
    self.secret = secret
    schedule = KeySchedule(suite, sharedSecret: secret.secret.key)
    rawSchedule = secret.rawSecret.map { KeySchedule(suite, sharedSecret: $0.key) }
  }

  /// The AES-256 key; nil if the suite knows no such form of the public key, or no such secret.
  mutating func key(_ derivation: Derivation) -> SymmetricKey? {
    let info = derivation.infoText
    guard let schedule = derivation.publicKeyForm == .raw ? rawSchedule : schedule else {
      return nil
    }
    switch derivation.source {
    case .agreement: return secret.agreement?.key
    case .sharedSecret: return secret.secret.key
    case .encryptionKey: return schedule.key(info: info.bytes)
    case .exporterSecret: return schedule.exporter(info: info.bytes).secret
    case .exported, .exportedReversed: break
    }
    let id = ExporterID(info: info, form: derivation.publicKeyForm)
    let exporter = exporters[id] ?? schedule.exporter(info: info.bytes)
    exporters[id] = exporter
    let key = exporter.export(context: derivation.contextText.bytes)
    guard derivation.source == .exportedReversed, var octets = key?.bytes else { return key }
    defer { Sodium.wipe(&octets) }
    octets.reverse()
    return SymmetricKey(data: octets)
  }
}
