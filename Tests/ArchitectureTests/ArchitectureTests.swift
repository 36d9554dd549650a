import FoundationEssentials
import TestSupport
import Testing

/// Holds the code against Documentation/Architecture.md.
@Suite struct ArchitectureTests {
  let root = SharedData.packageRoot
  let table: ModuleTable
  let files: [SourceFile]

  init() throws {
    let page = try SharedData.bytes(root + "/Documentation/Architecture.md")
    table = ModuleTable(markdown: String(decoding: page, as: UTF8.self))
    files = try SourceFile.all(root: root)
  }

  private func folders(_ path: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: root + path))
  }

  @Test func everyImportIsInTheTable() {
    #expect(files.count > 10)
    let allowed = Dictionary(
      uniqueKeysWithValues: table.modules.map { ($0.module, $0.imports) })
    for file in files {
      for name in file.imports {
        if let importers = table.system[name] {
          #expect(
            importers?.contains(file.module) ?? true,
            "\(file.path) imports \(name), which \(file.module) may not")
        } else {
          #expect(
            allowed[file.module]?.contains(name) == true,
            "\(file.path) imports \(name), which the table does not allow \(file.module)")
        }
      }
    }
  }

  @Test func importsGoOneWay() throws {
    let libraries = try folders("/Sources/CLibraries")
    let packages: Set = ["ArgumentParser", "FlyingFox", "Logging"]
    var lower = Set<String>()
    for row in table.modules {
      for name in row.imports {
        #expect(
          lower.contains(name) || libraries.contains(name) || packages.contains(name),
          "\(row.module) may import \(name), which does not stand above it")
      }
      lower.insert(row.module)
    }
  }

  @Test func theTableNamesTheModulesThereAre() throws {
    let expected = try folders("/Sources").subtracting(["CLibraries"]).union(["DemoContent"])
    #expect(Set(table.modules.map(\.module)) == expected)
    #expect(table.modules.count == expected.count)
  }

  @Test func theNetworkAndWholeFoundationStayInOneModule() {
    for name in ["Foundation", "FoundationNetworking"] {
      let importers = Set(files.filter { $0.imports.contains(name) }.map(\.module))
      #expect(importers.isSubset(of: ["HTTPTransport"]), "\(name) is imported by \(importers)")
    }
  }

  @Test func eachCLibraryHasOneOwner() throws {
    // These read pictures for the loader and write those that the demo server makes up.
    let shared: Set = ["CPNG", "CTurboJPEG"]
    for library in try folders("/Sources/CLibraries").subtracting(shared) {
      let importers = Set(files.filter { $0.imports.contains(library) }.map(\.module))
      #expect(importers.count <= 1, "\(library) is imported by \(importers)")
    }
  }

  @Test func importDeclarationsAreReadInAllTheirForms() {
    let text = """
      import Geometry
      @testable import HTTP
      @preconcurrency public import Feeds
      import struct Pixels.PixelSize
      // import Commented
      let important = "import Quoted"
        import Terminal; import_thing()
      """
    #expect(
      SourceFile.imports(in: text) == ["Geometry", "HTTP", "Feeds", "Pixels", "Terminal"])
  }
}
