import FoundationEssentials
import TestSupport
import Testing

/// Checks the code against Documentation/Architecture.md.
@Suite struct ArchitectureTests {
  let root = PackageFiles.root
  let table: ModuleTable
  let files: [SourceFile]

  init() throws {
    let page = try PackageFiles.bytes(at: root + "/Documentation/Architecture.md")
    table = ModuleTable(markdown: String(decoding: page, as: UTF8.self))
    files = try SourceFile.inPackage.get()
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
    let packages: Set = ["ArgumentParser", "Logging"]
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

  @Test func theTableListsAllModules() throws {
    let expected = try folders("/Sources").subtracting(["CLibraries"]).union(["DemoContent"])
    #expect(Set(table.modules.map(\.module)) == expected)
    #expect(table.modules.count == expected.count)
  }

  /// They would slow down every start of the program.
  @Test func noModuleImportsFoundation() {
    let heavy: Set = [
      "Foundation", "FoundationNetworking", "FoundationXML", "FoundationInternationalization",
    ]
    for name in heavy { #expect(table.system[name] == nil, "the table allows \(name)") }
    for file in files {
      let imported = heavy.intersection(file.imports)
      #expect(imported.isEmpty, "\(file.path) imports \(imported)")
    }
  }

  @Test func noCodeSkipsChecks() {
    for file in files {
      #expect(file.unchecked.isEmpty, "\(file.path): \(file.unchecked.joined(separator: "; "))")
    }
  }

  @Test func uncheckedCodeIsFound() {
    let text = """
      weak var a: Item?
      // unowned(unsafe) var b: Item?
        private unowned(unsafe) var c: Item?
      let d = list.first as! Item
      let e = try! read()
      let f = try? read()
      """
    #expect(SourceFile.unchecked(in: text).count == 3)
  }

  /// Long work has threads of its own, bounded in number; libdispatch's global queues wake an idle
  /// program once a second.
  @Test func noWorkIsOnGlobalQueuesOrThePoolOfTasks() {
    for file in files {
      #expect(file.unbounded.isEmpty, "\(file.path): \(file.unbounded.joined(separator: "; "))")
    }
  }

  @Test func workOnGlobalQueuesIsFound() {
    let text = """
      let a = DispatchQueue(label: "a", qos: .utility, attributes: .concurrent)
      let b = DispatchQueue(label: "b", attributes: [.concurrent])
      DispatchQueue.global(qos: .utility).async { read() }
      Task.detached { read() }
      Task.detached(priority: .utility) { read() }
      // Task.detached { read() }
      Task.detached(executorPreference: threads) { read() }
      Task { await next() }
      let c = DispatchQueue(label: "c")
      """
    #expect(SourceFile.unbounded(in: text).count == 5)
  }

  /// The generated `Bundle.module` of a Swift target with resources imports Foundation, and a
  /// linked libcurl is loaded whether or not anything is fetched.
  @Test func theManifestAddsNoFoundationOrLibcurl() throws {
    let manifest = String(
      decoding: try PackageFiles.bytes(at: root + "/Package.swift"), as: UTF8.self)
    let withResources = manifest.components(separatedBy: ".target(").filter {
      $0.contains("resources:")
    }
    #expect(withResources.count == 1)
    #expect(withResources.first?.contains("name: \"DemoFiles\"") == true)
    #expect(try folders("/Resources/Files") == ["files.c", "include"])
    for folder in try folders("/Sources/CLibraries") where folder.hasPrefix("CCurl") {
      let contents = try folders("/Sources/CLibraries/" + folder)
      #expect(!contents.contains("module.modulemap"), "\(contents) may link a library")
    }
    // The C library's math functions, which every program loads anyway.
    #expect(!manifest.replacing("linkedLibrary(\"m\")", with: "").contains("linkedLibrary"))
  }

  /// Libraries that the first frame does not need are not loaded before it.
  @Test func librariesOpenedAtRunTimeAreNotLinked() throws {
    func text(_ path: String) throws -> String {
      String(
        decoding: try PackageFiles.bytes(at: root + "/Sources/CLibraries/" + path), as: UTF8.self)
    }
    for library in ["CXML2", "CSQLite", "CTurboJPEG"] {
      #expect(try text(library + "/shim.h").contains("LIBRARY("), "\(library) has no table")
      #expect(try !text(library + "/module.modulemap").contains("link"), "\(library) is linked")
    }
    for codec in ["jpeg.c", "png.c", "webp.c", "gif.c"] {
      #expect(try text("CPictureDecoding/" + codec).contains("LIBRARY("), "\(codec) has no table")
    }
  }

  @Test func eachCLibraryHasOneOwner() throws {
    for library in try folders("/Sources/CLibraries") {
      let importers = Set(files.filter { $0.imports.contains(library) }.map(\.module))
      // Pictures are packed with zlib, and files unpacked.
      let most = library == "CZlib" ? 2 : 1
      #expect(importers.count <= most, "\(library) is imported by \(importers)")
    }
  }

  /// A type that needs more files should be several types.
  @Test func noTypeIsExtendedInMoreThanFiveFiles() {
    let paths = files.reduce(into: [String: [String]]()) { paths, file in
      for name in file.extended { paths[name, default: []].append(file.path) }
    }
    #expect(paths["Basis"]?.count == 5)
    for (name, paths) in paths where paths.count > 5 {
      Issue.record("\(name) is extended in \(paths.joined(separator: ", "))")
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
