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

// A few more threads than cores, since one that waits for a file keeps the others waiting.
job_pool_install(Int32(max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
MainLoop.install()

// The whole program is one call whose result is the exit status; whatever can fail has said so in
// one line on standard error before it returns.
let status = await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
Program.exit(status)
