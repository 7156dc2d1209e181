import Crypto

/// Derives session keys from one shared secret, and keeps what candidates have in common.
struct SecretDeriver {
  private let schedule: KeySchedule
  private let rawSchedule: KeySchedule?
  private var exporters: [ExporterID: KeySchedule.Exporter] = [:]

  private struct ExporterID: Hashable {
    let info: String
    let form: PublicKeyForm
  }

  init(_ suite: CipherSuite, _ secret: KeyGeneration.SharedSecret) {
    schedule = KeySchedule(suite, sharedSecret: secret.secret.key)
    rawSchedule = secret.rawSecret.map { KeySchedule(suite, sharedSecret: $0.key) }
  }

  /// The AES-256 key; nil if the suite knows no such form of the public key.
  mutating func key(_ derivation: Derivation) -> SymmetricKey? {
    let id = ExporterID(info: derivation.info, form: derivation.publicKeyForm)
    let context = Array(derivation.context.utf8)
    if let exporter = exporters[id] { return exporter.export(context: context) }
    guard let schedule = id.form == .raw ? rawSchedule : schedule else { return nil }
    let exporter = schedule.exporter(info: Array(id.info.utf8))
    exporters[id] = exporter
    return exporter.export(context: context)
  }
}
