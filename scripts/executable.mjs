// npm run executable: freight as one file, for people without Node. It is the Node that runs this script with the last
// build within (a single executable application), beside licences and manual pages, as a folder and packed.
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { addManuals, addPapers, bundleProgram, prepareFolders, run, stop } from "./sea.mjs"

/** The first that makes such a file by itself, and is kept for years. */
const MIN_NODE = 26
const [major] = process.versions.node.split(".").map(Number)
if (major < MIN_NODE)
  stop(
    `Node ${process.versions.node} is too old to be made into an executable: run this with Node ${MIN_NODE} or newer, ` +
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
const { name, folder, out } = prepareFolders(scratch, `${process.platform}-${process.arch}`)
const program = path.join(folder, process.platform === "win32" ? "freight.exe" : "freight")

const { modules, assets } = await bundleProgram(scratch)
const settings = {
  executable: stripNode(),
  // Relative: the executable names it, and should not name folders of whoever made it.
  main: "main.cjs",
  output: program,
  disableExperimentalSEAWarning: true,
  // Without it V8 parses the whole program at each start, which takes twice as long as the rest.
  useCodeCache: true,
  assets,
}
writeFileSync(path.join(scratch, "sea.json"), JSON.stringify(settings))
run(process.execPath, ["--build-sea=sea.json"], scratch)
chmodSync(program, 0o755)
if (process.platform === "darwin") run("codesign", ["--sign", "-", "--force", program])

addPapers(folder, { scratch, modules, licence })
addManuals(folder)

/** This Node without its tables of symbols, which only debuggers read: a fifth of it. Elsewhere it is signed as it is. */
function stripNode() {
  if (process.platform !== "linux") return process.execPath
  const stripped = path.join(scratch, "node")
  run("strip", ["--strip-unneeded", "-o", stripped, process.execPath])
  return stripped
}

const packed = `${name}.tar.gz`
run("tar", ["-czf", packed, name], out)
console.log(`${program}: ${statSync(program).size} bytes, Node ${process.versions.node}`)
console.log(`${path.join(out, packed)}: ${statSync(path.join(out, packed)).size} bytes`)
