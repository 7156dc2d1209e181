// Prints the JSON of a capture's packets, as HarkKit gives it to a program of its own: harkkit-lines CAPTURE [KEY-FILE...]
import HarkKit

let arguments = Array(CommandLine.arguments.dropFirst())
let capture = CaptureFile(arguments[0], keys: try KeySet(files: Array(arguments.dropFirst())))
for packet in try capture.packets() { print(packet.json) }
