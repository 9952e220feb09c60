// The common parts of freight's executables: dist/ in one file with what it reads, and the papers beside the program.
import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { build } from "rolldown"

const root = path.resolve(import.meta.dirname, "..")

/**
 * Makes room for an executable: an empty scratch folder, and `executable/` without earlier ones of this system.
 * @param system such as `linux-x64`
 * @returns the name of what is packed, the folder that is, and the folder around it
 */
export function prepareFolders(scratch, system) {
  const out = path.join(root, "executable")
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
  const name = `freight-${version}-${system}`
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const each of readdirSync(out).filter((entry) => entry.includes(system)))
    rmSync(path.join(out, each), { recursive: true })
  const folder = path.join(out, name)
  for (const each of [scratch, folder]) mkdirSync(each, { recursive: true })
  return { name, folder, out }
}

/**
 * Bundles the last build into `main.cjs`, and what it loads besides, in a scratch folder.
 * @returns the modules that are in it, and the assets by name, as the settings of a single executable application have them
 */
export async function bundleProgram(scratch) {
  // bin/freight.js would turn on the compile cache, which does not know code that is in no file.
  const entry = path.join(scratch, "entry.cjs")
  const start = `require(${JSON.stringify(path.join(root, "dist/main.cjs"))})`
  writeFileSync(
    entry,
    // The process that reads a PDF is this file again, with another program.
    `if (process.argv[2] === "dist/pdf-reader.cjs")
  new Function("require", "__filename", require("node:sea").getAsset(process.argv[2], "utf8"))(require, __filename)
else ${start}.main(process.argv.slice(2)).then((code) => { process.exitCode = code })\n`,
  )
  const modules = [
    ...(await bundle(scratch, entry, "main.cjs")),
    ...(await bundle(scratch, "dist/invoice-worker.cjs", "invoice-worker.cjs")),
    ...(await bundle(scratch, "dist/pdf-reader.cjs", "pdf-reader.cjs")),
  ]
  const inFolder = (folder) =>
    readdirSync(path.join(root, folder)).map((each) => [`${folder}/${each}`, path.join(root, folder, each)])
  const assets = {
    "dist/commands.json": path.join(root, "dist/commands.json"),
    ...Object.fromEntries(inFolder("dist/fonts")),
    "dist/invoice-worker.cjs": path.join(scratch, "invoice-worker.cjs"),
    "dist/pdf-reader.cjs": path.join(scratch, "pdf-reader.cjs"),
    ...Object.fromEntries(inFolder("completions")),
    ...Object.fromEntries(inFolder("schemas/openapi")),
    "schemas/output.schema.json": path.join(root, "schemas/output.schema.json"),
  }
  return { modules, assets }
}

/** Pages that link to one another: a link from one of them must not leave them. */
const PAPERS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "docs"]

/** Puts the licences of all that is inside beside the program, and what people read. */
export function addPapers(folder, { scratch, modules, licence }) {
  for (const each of PAPERS) cpSync(path.join(root, each), path.join(folder, each), { recursive: true })
  copyFileSync(licence, path.join(folder, "LICENSE-node"))
  const chunks = path.join(scratch, "chunks.json")
  writeFileSync(chunks, JSON.stringify({ main: modules }))
  const notices = path.join(folder, "THIRD-PARTY-NOTICES.md")
  run(process.execPath, [path.join(root, "scripts/notices.mjs"), chunks, notices])
}

/** Copies the manual pages to where `man -M` finds them. */
export function addManuals(folder) {
  cpSync(path.join(root, "man"), path.join(folder, "man/man1"), { recursive: true })
}

/** Puts a program of dist/ and all that it loads into one file. @returns the modules that are in it */
async function bundle(scratch, input, file) {
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

export function run(command, args, cwd = root) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) stop(`${[command, ...args].join(" ")} ended with ${status ?? error?.message}`)
}

/** Ends the script with what is wrong. */
export function stop(why) {
  console.error(`executable: ${why}`)
  process.exit(1)
}
