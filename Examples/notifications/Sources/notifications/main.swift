// Lists the notifications that an accessory got: notifications CAPTURE [KEY-FILE...]
import HarkKit

let arguments = CommandLine.arguments.dropFirst()
do {
  let capture = CaptureFile(
    arguments.first ?? "-", keys: try KeySet(files: Array(arguments.dropFirst())))
  let events = try capture.events(matching: "lane == notification")
  for event in events {
    let milliseconds = event.timeSinceStart / 1_000_000
    print("\(milliseconds) ms, \(event.device ?? "unknown"): \(event.text)")
  }
  if let problem = events.problem { print("incomplete capture: \(problem)") }
} catch {
  print(error)
}
