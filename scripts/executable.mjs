// npm run executable: freight as one file, for people without Node. It is the Node that runs this script with the last
// build within (a single executable application), beside licences and manual pages, as a folder and packed.
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { build } from "rolldown"

/** The first that makes such a file by itself, and is kept for years. */
const LEAST_NODE = 26
const [major] = process.versions.node.split(".").map(Number)
if (major < LEAST_NODE)
  stop(
    `Node ${process.versions.node} is too old to be made into an executable: run this with Node ${LEAST_NODE} or newer, ` +
      "as in PATH=/folder/of/node/bin:$PATH npm run executable",
  )
const licence = ["../LICENSE", "LICENSE"]
  .map((name) => path.join(path.dirname(process.execPath), name))
  .find((file) => existsSync(file))
if (licence === undefined)
  stop(
    `${process.execPath} has no LICENSE beside it, and the executable needs a copy: use Node as nodejs.org packs it`,
  )

const root = path.resolve(import.meta.dirname, "..")
const scratch = path.join(root, ".build/executable")
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
const name = `freight-${version}-${process.platform}-${process.arch}`
const out = path.join(root, "executable")
const folder = path.join(out, name)
const program = path.join(folder, process.platform === "win32" ? "freight.exe" : "freight")

for (const each of [scratch, out]) {
  rmSync(each, { recursive: true, force: true })
  mkdirSync(each, { recursive: true })
}
mkdirSync(folder)

// bin/freight.js would turn on the compile cache, which does not know code that is in no file.
const entry = path.join(scratch, "entry.cjs")
const start = "main(process.argv.slice(2)).then((code) => { process.exitCode = code })"
writeFileSync(entry, `require("../../dist/main.cjs").${start}\n`)
const modules = [
  ...(await bundle(entry, "main.cjs")),
  ...(await bundle("dist/invoice-worker.cjs", "invoice-worker.cjs")),
]

const completions = readdirSync(path.join(root, "completions"))
const settings = {
  // Relative: the executable names it, and should not name folders of whoever made it.
  main: "main.cjs",
  output: program,
  disableExperimentalSEAWarning: true,
  // Without it V8 parses the whole program at each start, which takes twice as long as the rest.
  useCodeCache: true,
  assets: {
    "dist/commands.json": path.join(root, "dist/commands.json"),
    ...Object.fromEntries(
      readdirSync(path.join(root, "dist/fonts")).map((each) => [
        `dist/fonts/${each}`,
        path.join(root, "dist/fonts", each),
      ]),
    ),
    "dist/invoice-worker.cjs": path.join(scratch, "invoice-worker.cjs"),
    ...Object.fromEntries(
      completions.map((each) => [`completions/${each}`, path.join(root, "completions", each)]),
    ),
  },
}
writeFileSync(path.join(scratch, "sea.json"), JSON.stringify(settings))
run(process.execPath, ["--build-sea=sea.json"], scratch)
chmodSync(program, 0o755)
if (process.platform === "darwin") run("codesign", ["--sign", "-", "--force", program])

for (const each of ["README.md", "CHANGELOG.md", "LICENSE"])
  copyFileSync(path.join(root, each), path.join(folder, each))
copyFileSync(licence, path.join(folder, "LICENSE-node"))
cpSync(path.join(root, "man"), path.join(folder, "man/man1"), { recursive: true })
const chunks = path.join(scratch, "chunks.json")
writeFileSync(chunks, JSON.stringify({ main: modules }))
run(process.execPath, [
  path.join(root, "scripts/notices.mjs"),
  chunks,
  path.join(folder, "THIRD-PARTY-NOTICES.md"),
])

const packed = `${name}.tar.gz`
run("tar", ["-czf", packed, name], out)
console.log(`${program}: ${statSync(program).size} bytes, Node ${process.versions.node}`)
console.log(`${path.join(out, packed)}: ${statSync(path.join(out, packed)).size} bytes`)

/** Puts a program of dist/ and all that it loads into one file. @returns the modules that are in it */
async function bundle(input, file) {
  const { output } = await build({
    cwd: root,
    input,
    platform: "node",
    // This Node has SQLite, so that libsql is never loaded; pg tries pg-native only where it is asked for.
    external: ["libsql/promise", "pg-native"],
    output: {
      file: path.join(scratch, file),
      format: "cjs",
      codeSplitting: false,
      minify: true,
      comments: false,
    },
  })
  return output[0].moduleIds.map((id) => path.relative(root, id))
}

function run(command, args, cwd = root) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) stop(`${[command, ...args].join(" ")} ended with ${status ?? error?.message}`)
}

function stop(why) {
  console.error(`executable: ${why}`)
  process.exit(1)
}
