import CJobPool
import CProcessStart
import System
import Terminal

let stack = process_start()
do throws(Failure) {
  try ResourceRequirements.check(stack: stack)
  try ResourceRequirements.least.check()
} catch {
  Program.exit(Program.fail(error))
}

// For short work; longer work has its own threads (`WorkerThreads`).
job_pool_install(Int32(max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
MainLoop.install()

// The program is a single call that returns the exit status; it has reported any failure in one
// line on standard error.
let status = await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
Program.exit(status)
