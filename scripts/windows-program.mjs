// node scripts/windows-program.mjs: freight.exe for people on Windows without Node, beside its papers and packed as a .zip,
// made on Linux. It is Node 22 for Windows with the last build within, as postject puts it there. Newer Nodes make such a
// file by themselves, and cannot be tried in Wine: what is shipped has been run.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import postject from "postject"
import { addPapers, bundleProgram, prepareFolders, run, stop } from "./sea.mjs"

const NODE = 22
/** The mark that Node looks for in its own file, as its documentation gives it: https://nodejs.org/api/single-executable-applications.html */
const SEGMENT = "NODE_SEA_BLOB"
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"

const root = path.resolve(import.meta.dirname, "..")
const scratch = path.join(root, ".build/windows")
const cache = process.env.FREIGHT_TEST_WINDOWS_CACHE ?? path.join(root, ".build/windows-node")
if (process.platform !== "linux") stop("freight.exe is made on Linux")
const { name, folder, out } = prepareFolders(scratch, "win32-x64")
const program = path.join(folder, "freight.exe")
const packed = path.join(out, `${name}.zip`)

const windows = installNode("win", NODE)
const linux = installNode("linux", readVersion(windows))
const { modules, assets } = await bundleProgram(scratch)
const settings = { main: "main.cjs", output: "program.blob", disableExperimentalSEAWarning: true, assets }
writeFileSync(path.join(scratch, "sea.json"), JSON.stringify(settings))
// By the same Node: the form of the blob is its own.
run(path.join(linux, "bin/node"), ["--experimental-sea-config", "sea.json"], scratch)

writeFileSync(program, withoutSignature(readFileSync(path.join(windows, "bin/node.exe"))))
await postject.inject(program, SEGMENT, readFileSync(path.join(scratch, "program.blob")), {
  sentinelFuse: FUSE,
})
addPapers(folder, { scratch, modules, licence: path.join(linux, "LICENSE") })
run("zip", ["-q", "-r", packed, name], out)
console.log(`${program}: ${statSync(program).size} bytes, Node ${readVersion(windows)}`)
console.log(`${packed}: ${statSync(packed).size} bytes`)

/** Gets a Node from npm. @returns its folder */
function installNode(system, wanted) {
  const prefix = path.join(cache, system === "win" ? "" : system)
  const found = path.join(prefix, `node_modules/node-${system}-x64`)
  if (existsSync(found) && readVersion(found).startsWith(String(wanted))) return found
  mkdirSync(prefix, { recursive: true })
  const flags = [
    "--silent",
    "--no-save",
    "--no-fund",
    "--no-audit",
    "--force",
    "--ignore-scripts",
    "--prefix",
    prefix,
  ]
  run("npm", ["install", ...flags, `node-${system}-x64@${wanted}`])
  return found
}

function readVersion(installed) {
  return JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")).version
}

/**
 * Takes the signature of Node's publisher off a program for Windows: it would not fit what is put in. The last part of the
 * file, which entry 4 of the directories in the header names.
 */
function withoutSignature(bytes) {
  const header = bytes.readUInt32LE(0x3c)
  if (bytes.toString("latin1", header, header + 4) !== "PE\0\0") stop("node.exe is not a program for Windows")
  const optional = header + 24
  if (bytes.readUInt16LE(optional) !== 0x20b) stop("node.exe is not a program of 64 bits")
  const entry = optional + 112 + 4 * 8
  const [start, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)]
  if (size === 0) return bytes
  if (start + size !== bytes.length) stop("the signature of node.exe is not its last part")
  bytes.fill(0, entry, entry + 8)
  return bytes.subarray(0, start)
}
