// Bundles src/ into dist/: an entry, and a file for each part that is loaded when it is used. CommonJS, which Node 20
// starts 20 ms sooner than ECMAScript modules; the library, which others import, is an ES module.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { build } from "rolldown"
import { throughDoors } from "./doors.mjs"
import { fromSource } from "./from-source.mjs"
import { LIBRARIES } from "./library-types.mjs"

const root = path.resolve(import.meta.dirname, "..")
const out = path.join(root, "dist")
const scratch = path.join(root, ".build")
const fresh = path.join(scratch, `dist-${process.pid}`)
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))

/**
 * The one exception to plain bundling: Node takes 3 to 5 ms to load each of these, and most runs call few of their
 * functions. They are loaded at the first call. Importing a class or a constant of theirs fails the build.
 */
const LATE = ["node:child_process", "node:crypto"]
const loadLate = {
  name: "load-late",
  resolveId: (id, from = "", { kind }) =>
    LATE.includes(id) && kind !== "dynamic-import" && !/node_modules[\\/](?!commander)/.test(from)
      ? `\0${id}`
      : undefined,
  async load(id) {
    const name = id.slice(1)
    if (id[0] !== "\0" || !LATE.includes(name)) return undefined
    const functions = Object.keys(await import(name)).filter((key) => /^[a-z]/.test(key) && key !== "default")
    const lines = functions.map(
      (key) => `export const ${key} = (...args) => process.getBuiltinModule("${name}").${key}(...args)`,
    )
    return lines.join("\n")
  },
}

/** Where commands of each kind begin: those that load the least, and one that does not use the ledger. */
const KINDS = {
  version: ["src/app/main.ts"],
  completion: ["src/app/completion/complete.ts", "src/app/completion/data.ts"],
  help: ["program", "tree", "help/first-page", "help/page", "help/topics", "help/usage-error"].map(
    (name) => `src/app/${name}.ts`,
  ),
  invoice: ["src/commands/invoice-validate.ts", "src/session/deps.ts"],
}
/** To load one more file takes longer than to read what is in it, so what this many parts share is put together. */
const SHARED_BY = 36
const loadedByKind = new Map()
/** Finds what each kind loads, so that no kind loads what only others need: each combination of them has a file. */
const findShared = {
  name: "find-shared",
  buildEnd() {
    const add = (id, found) => {
      if (found.has(id)) return found
      found.add(id)
      for (const imported of this.getModuleInfo(id).importedIds) add(imported, found)
      return found
    }
    for (const [kind, files] of Object.entries(KINDS)) {
      const found = new Set()
      for (const file of files) add(path.join(root, file), found)
      loadedByKind.set(kind, found)
    }
  },
}
const nameShared = (id) =>
  Object.keys(KINDS)
    .filter((kind) => loadedByKind.get(kind).has(id))
    .join("-") || "other"

const common = {
  cwd: root,
  platform: "node",
  // Installed beside freight: `libsql` has a part for each platform, and `pg` finds its own parts when it runs.
  external: /^(libsql|pg|pgpass)(\/|$)/,
  resolve: {
    alias: {
      // Only fonts of the web are packed with it, and its tables are larger than the rest of what reads fonts.
      "brotli/decompress.js": false,
      // Borders of tables in colours: there are none.
      "@colors/colors/safe": false,
      // conf checks by a schema with these: it is given none.
      "ajv/dist/2020.js": false,
      "ajv-formats": false,
      "string-width": path.join(import.meta.dirname, "string-width.cjs"),
    },
  },
  transform: { target: "node20.19", define: { __VERSION__: JSON.stringify(version) } },
}
const written = { dir: fresh, minify: true, comments: false }

rmSync(fresh, { recursive: true, force: true })
mkdirSync(fresh, { recursive: true })
const program = await build({
  ...common,
  input: {
    main: "src/app/main.ts",
    "invoice-worker": "src/invoice/run/worker.ts",
    "pdf-reader": "src/input/pdf/program.ts",
  },
  preserveEntrySignatures: "allow-extension",
  plugins: [throughDoors, loadLate, findShared],
  output: {
    ...written,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    dynamicImportInCjs: false,
    codeSplitting: {
      groups: [
        {
          name: nameShared,
          debugName: "shared",
          minShareCount: SHARED_BY,
          includeDependenciesRecursively: false,
        },
      ],
    },
  },
})

/**
 * Modules that the libraries take from the bundled program, so that the package has nothing twice. The start of the
 * program does not change. A later part is loaded when it is used.
 */
const OF_PROGRAM = mapValues(
  {
    "src/app/main.ts": "{ loadCommand, runWithin } = program",
    "src/base/errors.ts": "{ FreightError } = program",
    "src/machine/host.ts": "{ programHost, systemClock } = program",
    "src/bills/audit/given.ts":
      "auditBill = async (...given) => (await program.loadAudit()).auditBill(...given)",
    "src/sandbox/server.ts":
      "startSandbox = async (options) => (await program.loadSandbox()).startSandbox(options)",
  },
  (part) => `import program from "./main.cjs"\nexport const ${part}\n`,
)
/** The check of invoices stands alone but for the list of places, which not every program wants. */
const OF_PLACES = {
  "src/invoice/places.ts": `export const loadAddressJudge = async () =>
    (await (await import("./main.cjs")).default.loadPlaces()).loadAddressJudge()`,
}
const takeOf = (parts) => ({
  name: "of-program",
  resolveId(id, from = "") {
    if (id === "./main.cjs") return { id, external: true }
    const file = path.relative(root, path.resolve(path.dirname(from), id)).replaceAll("\\", "/")
    return file in parts ? `\0${file}` : undefined
  },
  load: (id) => (id[0] === "\0" ? parts[id.slice(1)] : undefined),
})
const libraries = []
for (const [name, source] of Object.entries(LIBRARIES)) {
  const built = await build({
    ...common,
    input: { [name]: source },
    plugins: [throughDoors, takeOf(name === "invoice" ? OF_PLACES : OF_PROGRAM)],
    output: { ...written, format: "esm", entryFileNames: "[name].js", codeSplitting: false },
  })
  libraries.push(...built.output)
  copyFileSync(path.join(scratch, `types/${name}.d.ts`), path.join(fresh, `${name}.d.ts`))
}
copyFileSync(path.join(root, "src/contract/generated/types.ts"), path.join(fresh, "contract.d.ts"))

// Fonts for letters that PDF's own fonts lack.
const FONTS = ["400Regular/OpenSans_400Regular.ttf", "700Bold/OpenSans_700Bold.ttf"].map(
  (font) => `node_modules/@expo-google-fonts/open-sans/${font}`,
)
mkdirSync(path.join(fresh, "fonts"))
for (const font of FONTS) copyFileSync(path.join(root, font), path.join(fresh, "fonts", path.basename(font)))

// Data that completions look up.
const commands = await fromSource("src/app/help/command-data.ts", ({ describeTree }) => describeTree())
writeFileSync(path.join(fresh, "commands.json"), JSON.stringify(commands))

// Only a build that succeeded takes the place of the last one.
rmSync(out, { recursive: true, force: true })
renameSync(fresh, out)
const isFile = (id) => !/^\0(rolldown\/empty|src\/)/.test(id)
// The modules of each file, for the test of what a start loads and for the notices.
const inputs = [...program.output, ...libraries].flatMap(({ type, fileName, moduleIds }) =>
  type === "chunk" ? [[fileName, moduleIds.filter(isFile).map((id) => path.relative(root, id))]] : [],
)
inputs.push(...FONTS.map((font) => [`fonts/${path.basename(font)}`, [font]]))
writeFileSync(path.join(scratch, "chunks.json"), JSON.stringify(Object.fromEntries(inputs)))

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}
