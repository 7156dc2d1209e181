import Foundation
import Testing

/// Expected text in a file: compared, or written again where HARK_GOLDEN is set.
package func expectGolden(
  _ text: String, _ path: String, _ location: SourceLocation = #_sourceLocation
) {
  if ProcessInfo.processInfo.environment["HARK_GOLDEN"] != nil {
    try? text.write(toFile: path, atomically: true, encoding: .utf8)
    return
  }
  let expected = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  let (found, wanted) = (text.split(separator: "\n"), expected.split(separator: "\n"))
  for (line, other) in zip(found, wanted) where line != other {
    Issue.record("found    \(line)\nexpected \(other)", sourceLocation: location)
    return
  }
  #expect(found.count == wanted.count, "lines in \(path)", sourceLocation: location)
}
