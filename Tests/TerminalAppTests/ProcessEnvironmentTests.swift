import FoundationEssentials
import System
import Testing

@Suite struct ProcessEnvironmentTests {
  @Test func variablesAreThoseOfTheProcess() {
    let all = ProcessInfo.processInfo.environment
    for name in ["PATH", "HOME", "PWD"] { #expect(ProcessEnvironment.variables[name] == all[name]) }
    #expect(!ProcessEnvironment.variables.isEmpty)
  }
}
