import HarkPlatform
import HarkRecord

exit(Recorder.main(Array(CommandLine.arguments.dropFirst())))
