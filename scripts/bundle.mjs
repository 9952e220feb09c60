// Bundles src/ into dist/: one small entry, and a chunk for each part that is loaded only when it is used. CommonJS,
// since Node starts it sooner than it starts ECMAScript modules; the library, which others import, is an ES module.
import { createHash } from "node:crypto"
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { rolldown } from "rolldown"
import { fromSource } from "./from-source.mjs"

const root = path.resolve(import.meta.dirname, "..")
const out = path.join(root, "dist")
const scratch = path.join(root, ".build")
const fresh = path.join(scratch, `dist-${process.pid}`)
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))

/**
 * What packages bring for things that are not done here, with what is imported of it. Our PDFs have no drawings from
 * SVG, no colours by name, no forms to fill in and two fonts; our requests are texts, by HTTP/1.1.
 */
const LEFT_OUT = [
  { by: "@cantoo/pdf-lib", what: /^culori$/, instead: "export const converter = () => undefined" },
  {
    by: "@cantoo/pdf-lib",
    what: /^node-html-better-parser$/,
    instead: "export const parse = undefined, NodeType = {}",
  },
  { by: "@cantoo/pdf-lib", what: /^html-entities$/, instead: "export const encode = undefined" },
  {
    by: "@cantoo/pdf-lib",
    what: /^\.\/(?!Helvetica(-Bold)?\.|all-).*\.compressed\.json$/,
    instead: "export default undefined",
  },
  { by: "undici", what: /\/client-h2\.js$/, instead: "export default undefined" },
  { by: "undici", what: /\/web\/fetch\/body\.js$/, instead: "export const extractBody = undefined" },
]
const leftOut = {
  name: "left-out",
  resolveId(source, importer = "") {
    const from = importer.replaceAll("\\", "/")
    const at = LEFT_OUT.findIndex(
      ({ by, what }) => what.test(source) && from.includes(`/node_modules/${by}/`),
    )
    return at < 0 ? undefined : `\0left-out:${at}`
  },
  load: (id) => LEFT_OUT[/^\0left-out:(\d+)$/.exec(id)?.[1]]?.instead,
}

/**
 * Node's own modules that take a millisecond or two to load, and of which a run seldom needs more than a function or
 * none: they are loaded when a function of theirs is first called. Their classes cannot be had this way.
 */
const LAZY = ["child_process", "crypto", "fs/promises", "net", "os", "stream", "timers/promises", "zlib"]
const lazyBuiltins = {
  name: "lazy-builtins",
  transform: (code, id) =>
    id.startsWith(path.join(root, "src"))
      ? code
          .replace(/import\("(node:[\w/]+)"\)/g, 'Promise.resolve(process.getBuiltinModule("$1"))')
          // What is kept compiled (see bin/compile-cache.js) cannot import, and can require.
          .replace(/import\("(libsql|pg|pgpass)"\)/g, 'Promise.resolve({ default: require("$1") })')
      : null,
  resolveId(source, importer = "") {
    const name = source.replace(/^node:/, "")
    const ours = importer.startsWith(path.join(root, "src")) || /[\\/]commander[\\/]/.test(importer)
    return LAZY.includes(name) && ours && !takesClass(importer, source) ? `\0lazy:${name}` : undefined
  },
  load(id) {
    if (!id.startsWith("\0lazy:")) return undefined
    const name = `node:${id.slice("\0lazy:".length)}`
    const known = Object.entries(createRequire(import.meta.url)(name))
    const functions = known.flatMap(([key, value]) =>
      typeof value === "function" && /^[a-z]/.test(key) ? [key] : [],
    )
    return [
      `const load = () => process.getBuiltinModule("${name}")`,
      ...functions.map((key) => `export const ${key} = (...args) => load().${key}(...args)`),
    ].join("\n")
  },
}

/** Whether a file imports a class of a module: it can only be had at once. */
function takesClass(file, source) {
  const imports = readFileSync(file, "utf8").matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)
  return Array.from(imports).some(([, names, from]) => from === source && /(^|[\s,])[A-Z]/.test(names))
}

/** One character beyond Latin-1 makes the whole of a file twice as large in memory, and slower to read. */
const ascii = {
  name: "ascii",
  renderChunk: (code) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what begins with them
    code.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
}

/**
 * Modules that one is certain to load with others, and small ones that most commands need, stand in one file: fewer files
 * start sooner. A module goes with the first that needs it: what others need without the rest stands before that.
 */
const TOGETHER = [
  ["start", ["src/main.ts"]],
  ["program", ["src/program.ts", "src/commands/shared/examples.ts"]],
  ["root-page", ["src/help/root-page.ts"]],
  ["help", ["src/help/help.ts"]],
  ["deps", ["src/deps.ts"]],
  [
    "common",
    [
      "src/terminal/table.ts",
      "src/terminal/details.ts",
      "src/commands/shared/names.ts",
      "src/commands/shared/duration.ts",
      "src/contract/command-line.ts",
      "src/contract/carrier-fields.ts",
      "src/json/bytes.ts",
      "src/json/problem.ts",
      "src/api/several.ts",
    ],
  ],
  ["api", ["src/api/freight.ts", "src/api/transport.ts", "src/completion/remember.ts"]],
  ["validate", ["src/commands/invoice-validate.ts", "src/invoice/reporters/table.ts"]],
  ["wall-clock", ["src/contract/wall-clock.ts", "src/contract/zones.ts"]],
]

const common = {
  cwd: root,
  platform: "node",
  // Installed beside freight: `libsql` has a part for each platform, and `pg` finds its own parts when it runs.
  external: ["libsql", "pg", "pgpass"],
  transform: { target: "node20.19", define: { __VERSION__: JSON.stringify(version) } },
}
const written = { dir: fresh, minify: true, comments: false }

rmSync(fresh, { recursive: true, force: true })
mkdirSync(fresh, { recursive: true })
const program = await rolldown({
  ...common,
  input: { main: "src/main.ts", "invoice-worker": "src/invoice/worker.ts" },
  plugins: [leftOut, lazyBuiltins, ascii],
  preserveEntrySignatures: "allow-extension",
})
const { output } = await program.write({
  ...written,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: groups(), debugName: "loaded together" }],
  },
})
// Most files load the bundler's own helpers without using them.
for (const { type, fileName, code } of output) {
  const file = path.join(fresh, fileName)
  if (type !== "chunk") continue
  writeFileSync(
    file,
    code.replace(/(^|,)require\("\.\/rolldown-runtime-[\w-]+\.cjs"\);/, (_, before) => (before ? ";" : "")),
  )
}
const library = await rolldown({
  ...common,
  input: { invoice: "src/invoice/library.ts" },
  plugins: [leftOut],
})
const { output: shared } = await library.write({
  ...written,
  format: "esm",
  entryFileNames: "[name].js",
  codeSplitting: false,
})
/** In one file, since each file that is loaded costs half a millisecond. */
const completion = await rolldown({
  ...common,
  input: { "completion-data": "src/completion-data.ts" },
  external: ["libsql", "pg", "pgpass"],
  plugins: [lazyBuiltins, ascii],
})
const completions = await completion.write({
  ...written,
  format: "cjs",
  entryFileNames: "[name].cjs",
  codeSplitting: false,
})
copyFileSync(path.join(root, "src/invoice/library-types.d.ts"), path.join(fresh, "invoice.d.ts"))

// The page that is asked for most is laid out by the build.
const blocks = await fromSource("src/root-blocks.ts", ({ rootBlocks }) => rootBlocks())
writeFileSync(path.join(fresh, "root-page.json"), JSON.stringify(blocks))

// Names the build, for whoever keeps it compiled: see bin/compile-cache.js.
const hash = createHash("sha256")
for (const file of readdirSync(fresh).sort())
  hash.update(`${file}\n`).update(readFileSync(path.join(fresh, file)))
writeFileSync(path.join(fresh, "build"), hash.digest("hex").slice(0, 16))

// Only a build that succeeded takes the place of the last one.
rmSync(out, { recursive: true, force: true })
renameSync(fresh, out)
// What is in which file: the test of what start-up loads reads it, and the notices of whose work is carried.
const inputs = [...output, ...shared, ...completions.output].flatMap(({ type, fileName, moduleIds }) =>
  type === "chunk" ? [[fileName, moduleIds.map((id) => path.relative(root, id))]] : [],
)
writeFileSync(path.join(scratch, "chunks.json"), JSON.stringify(Object.fromEntries(inputs)))

/** Gives a module the first group that it is certain to be loaded with. */
function groups() {
  let named
  return (id, context) => {
    named ??= new Map()
    for (const [name, roots] of TOGETHER)
      for (const file of roots) reach(path.join(root, file), name, context)
    return named.get(id) ?? null
  }

  function reach(id, name, context) {
    if (named.has(id)) return
    named.set(id, name)
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) reach(next, name, context)
  }
}
