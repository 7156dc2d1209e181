import Foundation
import HarkTestSupport
import Testing

/// `hark check-app`, which needs no capture.
@Suite struct CheckAppTests {
  private struct Report: Decodable {
    struct Finding: Decodable { let rule: String }
    let findings: [Finding]
  }

  private static func rules(_ arguments: [String]) throws -> (rules: [String], code: String) {
    let output = try HarkProgram.transcript(["check-app"] + arguments + ["-f", "json"])
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") })
    let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    return (
      Set(report.findings.map(\.rule)).sorted(), String(output.split(separator: "\n").last ?? "")
    )
  }

  @Test func mistakes() throws {
    let (rules, code) = try Self.rules(["captures/mistakes/Lapse.app", "--fail-on", "error"])
    #expect(rules == ["app.binding-mismatch", "app.deployment-target"])
    #expect(code == "? 3")
  }

  @Test func entitlements() throws {
    let (rules, code) = try Self.rules([
      "captures/app-side/AcmeTransport-Info.plist", "--entitlements",
      "captures/app-side/AcmeTransport.entitlements",
    ])
    #expect(rules == ["app.entitlement-missing", "app.extension-point"])
    #expect(code == "? 0")
  }

  /// Real executables, linked by LLD and signed by ldid.
  @Test func signed() throws {
    let (rules, code) = try Self.rules(["captures/signed-app/Tandem.app", "--fail-on", "error"])
    #expect(
      rules == [
        "app.deployment-target", "app.ea-protocol-missing", "app.entitlement-missing",
        "app.framework-missing",
      ])
    #expect(code == "? 3")
  }

  @Test func nothingWrong() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = folder.appending(path: "Acme.xcarchive/Products/Applications/Acme.app")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let list = "<plist><dict><key>CFBundleIdentifier</key><string>com.acme</string></dict></plist>"
    try Data(list.utf8).write(to: bundle.appending(path: "Info.plist"))
    let (rules, code) = try Self.rules([folder.appending(path: "Acme.xcarchive").path()])
    #expect(rules == [] && code == "? 0")
  }

  /// An extension of ExtensionFoundation names its point in EXAppExtensionAttributes, and CoreBluetooth reads UUIDs without 0x.
  @Test func oldExtensionPoint() throws {
    let folder = try TestFolder()
    let path = folder.path("Info.plist")
    let list = """
      <plist><dict><key>CFBundleName</key><string>Sec</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.accessory-transport-security</string></dict>
      <key>NSAccessorySetupSupports</key><array><string>Bluetooth</string></array>
      <key>NSAccessorySetupBluetoothServices</key>
      <array><string>180F</string><string>0x180A</string><string>xyz</string></array>
      </dict></plist>
      """
    try Data(list.utf8).write(to: URL(filePath: path))
    let run = try HarkProgram.run("check-app", path)
    #expect(run.text.contains("Sec names com.apple.accessory-transport-security in NSExtension"))
    #expect(run.text.contains("NSAccessorySetupBluetoothServices has 0x180A, xyz"))
    #expect(run.stated.contains { $0.contains("entitlements not checked") })
  }

  /// No app has the bundle that entitlements are given for.
  @Test func entitlementsOfNothing() throws {
    let file = "captures/app-side/AcmeTransport.entitlements"
    let info = "captures/app-side/AcmeTransport-Info.plist"
    let (_, code) = try Self.rules([info, info, "--entitlements", "com.acme.typo=\(file)"])
    #expect(code == "? 1")
  }

  @Test func unreadable() throws {
    let output = try HarkProgram.transcript(["check-app", "captures/README.md"])
    #expect(output.contains("not a property list with a dictionary") && output.hasSuffix("? 1\n"))
  }
}
