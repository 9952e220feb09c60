// Compiles src/invoice/proof/ (AssemblyScript) to WebAssembly, as text in a module: src/invoice/proof/wasm.js.
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import asc from "assemblyscript/asc"
import { proofTables } from "./proof-tables.mjs"

const folder = path.resolve(import.meta.dirname, "../src/invoice/proof")
const TABLES = "tables.ts"
let wasm

const { error, stderr } = await asc.main(
  [
    "index.ts",
    "--outFile",
    "proof.wasm",
    "-O3",
    "--converge",
    "--noAssert",
    "--runtime",
    "stub",
    "--enable",
    "simd",
  ],
  {
    readFile(name) {
      if (path.basename(name) === TABLES) return proofTables()
      try {
        return readFileSync(path.join(folder, name), "utf8")
      } catch {
        return null
      }
    },
    writeFile(_name, contents) {
      wasm = contents
    },
    listFiles: () => [],
  },
)
if (error) throw new Error(`src/invoice/proof does not compile:\n${stderr}`)
const text = Buffer.from(wasm).toString("base64")
writeFileSync(path.join(folder, "wasm.js"), `export const wasm = "${text}"\n`)
