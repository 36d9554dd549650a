import CJobPool
import CProcessStart
import System
import Terminal

let stack = process_start()
do throws(Failure) {
  try SystemNeeds.check(stack: stack)
  try SystemNeeds.least.check()
} catch {
  Program.exit(Program.fail(error))
}

// For what takes a moment: all that takes longer has threads of its own (`WorkerThreads`).
job_pool_install(Int32(max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
MainLoop.install()

// The whole program is one call whose result is the exit status; whatever can fail has said so in
// one line on standard error before it returns.
let status = await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
Program.exit(status)
