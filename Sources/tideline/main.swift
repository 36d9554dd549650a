import ArgumentParser
import Dispatch
import Timeline

// The whole program is one call whose result is the exit status; whatever can fail has said so in one
// line on standard error before it returns.
let status = await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
Program.exit(status)
