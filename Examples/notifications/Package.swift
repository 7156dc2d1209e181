// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "notifications",
  dependencies: [.package(name: "hark", path: "../..")],
  targets: [
    .executableTarget(
      name: "notifications", dependencies: [.product(name: "HarkKit", package: "hark")])
  ])
