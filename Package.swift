// swift-tools-version:6.2
import PackageDescription

let safe: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
]

// What tries keys, and what searches for secrets: without the optimizer, both take a fifth of the time of all tests. What
// reads captures and writes text is used by all tests, and compiles quickly.
// Not where another package depends on this one: it may not, with flags like that.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let fast: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

// What runs once, and not for every packet or event. Not `hark`, into whose loops the linker inlines the session.
let small: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// Released, hark is one file that runs on every distribution, and starts without relocations.
let release: BuildSettingCondition = .when(platforms: [.linux], configuration: .release)
let oneFile: [LinkerSetting] = [
  .unsafeFlags(["-static-executable", "-Xlinker", "--wrap=free"], release)
]

// CORE_ONLY leaves out everything that needs a package, so that sanitizer and fuzzing builds of the
// readers and dissectors take seconds.
let coreOnly = Context.environment["CORE_ONLY"] != nil

// What uses interfaces of Linux's kernel.
let linux: Target.Dependency = .target(name: "CLinux", condition: .when(platforms: [.linux]))

var dependencies: [Package.Dependency] = []
var targets: [Target] = [
  .systemLibrary(name: "CPlatform"),
  .target(name: "HarkPlatform", dependencies: ["CPlatform", linux], swiftSettings: safe),
  .target(name: "HarkCore", swiftSettings: safe + fast),
  .target(name: "HarkDissection", dependencies: ["HarkCore"], swiftSettings: safe),
  .systemLibrary(
    name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .target(
    name: "HarkCapture", dependencies: ["HarkCore", "HarkPlatform", "CZlib"],
    swiftSettings: safe + fast),
  .target(name: "HarkFilter", dependencies: ["HarkDissection"], swiftSettings: safe),
  // Of the program alone: it takes the place of the C library's free(3).
  .target(name: "CMemory", cSettings: [.define("HARK_STATIC", release)]),
  .target(name: "HarkSystem", dependencies: ["HarkPlatform", linux], swiftSettings: safe),
  .testTarget(name: "HarkCoreTests", dependencies: ["HarkCore"]),
  .target(name: "HarkTestSupport", path: "Tests/HarkTestSupport"),
  .target(
    name: "HarkLaws", dependencies: ["HarkDissection", "HarkTestSupport"], path: "Tests/HarkLaws"),
  .testTarget(
    name: "HarkDissectionTests", dependencies: ["HarkDissection", "HarkLaws", "HarkTestSupport"],
    exclude: ["Vectors"]),
  .testTarget(name: "HarkFilterTests", dependencies: ["HarkFilter", "HarkTestSupport"]),
  .testTarget(
    name: "HarkCaptureTests",
    dependencies: ["HarkCapture", "HarkLaws", "HarkPlatform", "HarkTestSupport"]),
  .testTarget(name: "HarkPlatformTests", dependencies: ["HarkPlatform", "HarkTestSupport"]),
]

#if os(Linux)
  targets += [
    .systemLibrary(name: "CLinux"),
    // Headers alone: the library that they come with is under the GPL.
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
    .target(
      name: "HarkRecord",
      dependencies: ["HarkCapture", "HarkSystem", "CBluetooth", "CLinux", "CPcap"],
      swiftSettings: safe),
    .executableTarget(name: "hark-record", dependencies: ["HarkRecord"], swiftSettings: safe),
    .testTarget(
      name: "HarkSystemTests", dependencies: ["HarkSystem", "HarkTestSupport", "CLinux"]),
    .testTarget(
      name: "HarkRecordTests",
      dependencies: ["HarkRecord", "HarkLaws", "HarkTestSupport", "hark-record"]),
  ]
#endif

if !coreOnly {
  dependencies = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ]
  targets += [
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CYaml", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(
      name: "HarkCrypto",
      dependencies: [
        "HarkCore", "HarkPlatform", "CSodium",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], swiftSettings: safe + fast),
    .target(
      name: "HarkLayout",
      dependencies: ["HarkDissection", "HarkPlatform", "CYaml", "CZlib"], swiftSettings: safe,
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(
      name: "HarkSession", dependencies: ["HarkDissection", "HarkCapture", "HarkCrypto"],
      swiftSettings: safe),
    .target(
      name: "HarkProfile", dependencies: ["HarkLayout", "HarkSession"], swiftSettings: safe),
    .target(
      name: "HarkAppLog", dependencies: ["HarkCapture", "HarkProfile", "HarkSession"],
      swiftSettings: safe + small),
    .target(
      name: "HarkSelection", dependencies: ["HarkFilter", "HarkSession"], swiftSettings: safe),
    .target(
      name: "HarkPresentation", dependencies: ["HarkFilter", "HarkSelection", "HarkSession"],
      swiftSettings: safe),
    .target(
      name: "HarkFindings",
      dependencies: ["HarkFilter", "HarkPresentation", "HarkSelection", "HarkSession"],
      swiftSettings: safe),
    .target(
      name: "HarkCompare", dependencies: ["HarkFindings", "HarkPresentation", "HarkSession"],
      swiftSettings: safe + small),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "HarkExport",
      dependencies: [
        "HarkCapture", "HarkFindings", "HarkPlatform", "HarkPresentation", "HarkSelection",
        "HarkSession", "HarkSystem", "CSQLite",
      ], swiftSettings: safe),
    .target(
      name: "HarkReport",
      dependencies: [
        "HarkCompare", "HarkExport", "HarkFindings", "HarkPresentation", "HarkSession",
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: safe + small),
    .target(
      name: "HarkRedact",
      dependencies: [
        "HarkAppLog", "HarkCapture", "HarkCrypto", "HarkFindings", "HarkPlatform",
        "HarkPresentation", "HarkSelection", "HarkSession",
      ], swiftSettings: safe + fast),
    .target(
      name: "HarkKit",
      dependencies: [
        "HarkFindings", "HarkLayout", "HarkPresentation", "HarkProfile", "HarkSelection",
      ],
      swiftSettings: safe),
    .target(
      name: "HarkSeal",
      dependencies: [
        "HarkCapture", "HarkCrypto", "HarkLayout",
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: safe + small),
    .target(
      name: "HarkWeb",
      dependencies: [
        "HarkFindings", "HarkPresentation", "HarkSelection", "CZlib",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: safe + small),
    .executableTarget(
      name: "hark",
      dependencies: [
        "HarkAppLog", "HarkExport", "HarkReport", "HarkCompare", "HarkFilter", "HarkFindings",
        "HarkLayout", "HarkProfile", "HarkRedact", "HarkPresentation", "HarkSeal",
        "HarkSelection", "HarkSystem", "HarkWeb", "CMemory",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: safe, linkerSettings: oneFile),
    .testTarget(
      name: "HarkCryptoTests",
      dependencies: [
        "CSodium", "HarkCrypto", "HarkTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Vectors"]),
    .testTarget(
      name: "HarkSealTests", dependencies: ["HarkSeal", "HarkFindings", "HarkSamples", "hark"]),
    .testTarget(
      name: "HarkLayoutTests", dependencies: ["HarkLayout", "HarkLaws", "HarkTestSupport"],
      exclude: ["Expected"]),
    .testTarget(
      name: "HarkProfileTests", dependencies: ["HarkProfile", "HarkSession", "HarkTestSupport"]),
    // The file for apps is no part of the program; it is built so that the tests can read what it writes.
    .target(name: "HarkJournal", path: "AppJournal"),
    .testTarget(
      name: "HarkAppLogTests", dependencies: ["HarkAppLog", "HarkJournal", "HarkTestSupport"]),
    .testTarget(
      name: "HarkSessionTests",
      dependencies: [
        "HarkLayout", "HarkProfile", "HarkSamples", "HarkSession", "HarkLaws", "HarkTestSupport",
      ],
      exclude: ["Expected"]),
    // The sample captures and conversations made by hand, for the tests of everything that writes events.
    .target(
      name: "HarkSamples",
      dependencies: ["HarkFindings", "HarkPresentation", "HarkProfile", "HarkTestSupport"],
      path: "Tests/HarkSamples"),
    .testTarget(
      name: "HarkSelectionTests",
      dependencies: ["HarkProfile", "HarkSelection", "HarkTestSupport"]),
    .testTarget(
      name: "HarkPresentationTests", dependencies: ["HarkPresentation", "HarkSamples", "hark"]),
    .testTarget(name: "HarkFindingsTests", dependencies: ["HarkFindings", "HarkSamples", "hark"]),
    .testTarget(name: "HarkCompareTests", dependencies: ["HarkCompare", "HarkSamples", "hark"]),
    .executableTarget(
      name: "harkkit-lines", dependencies: ["HarkKit"], path: "Tests/HarkKitLines"),
    .testTarget(
      name: "HarkKitTests", dependencies: ["HarkKit", "HarkTestSupport", "hark", "harkkit-lines"]),
    .testTarget(name: "HarkExportTests", dependencies: ["HarkExport", "HarkSamples", "hark"]),
    .testTarget(name: "HarkReportTests", dependencies: ["HarkReport", "HarkSamples"]),
    .testTarget(
      name: "HarkTests",
      dependencies: ["HarkFilter", "HarkFindings", "HarkPlatform", "HarkSamples", "hark", linux]),
    .testTarget(
      name: "HarkRedactTests",
      dependencies: [
        "HarkCapture", "HarkDissection", "HarkLayout", "HarkProfile", "HarkRedact",
        "HarkSamples", "HarkTestSupport",
      ]),
    .testTarget(
      name: "HarkWebTests",
      dependencies: ["HarkPlatform", "HarkProfile", "HarkWeb", "HarkTestSupport", "hark"],
      exclude: ["browser.py"]),
  ]
}

// What makes the documentation of HarkKit: see `make docs`.
if Context.environment["DOCS"] != nil {
  dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// What `make bench` measures besides the program itself.
if Context.environment["BENCH"] != nil {
  targets.append(
    .executableTarget(
      name: "passes", dependencies: ["HarkProfile", "HarkSession"], path: "Benchmarks/passes",
      swiftSettings: safe))
}

#if os(Linux)
  let recorder: [Product] = [.executable(name: "hark-record", targets: ["hark-record"])]
#else
  let recorder: [Product] = []
#endif

// For programs: everything else is hark's own, and changes as it needs to.
let products: [Product] =
  coreOnly
  ? []
  : [
    .executable(name: "hark", targets: ["hark"]),
    .library(name: "HarkKit", targets: ["HarkKit"]),
  ] + recorder

let package = Package(
  // X-Wing in CryptoKit, and arrays of a fixed size, came with macOS 26.
  name: "hark", platforms: [.macOS(.v26)], products: products, dependencies: dependencies,
  targets: targets,
  swiftLanguageModes: [.v6])
