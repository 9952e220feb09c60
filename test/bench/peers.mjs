// What people check JSON with today, as installed from the registry by name into .build/peers.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { root } from "./measure.mjs"

const folder = path.join(root, ".build/peers")
const PACKAGES = ["ajv-cli@5", "ajv-formats@2", "@sourcemeta/jsonschema"]

/** The command line of each peer that could be had and takes the files; one that does not is left out and named. */
export function peerCommands(files, { env, work }) {
  if (!existsSync(path.join(folder, "node_modules"))) {
    mkdirSync(folder, { recursive: true })
    const flags = ["--prefix", folder, "--no-save", "--no-fund", "--no-audit"]
    spawnSync("npm", ["install", ...flags, ...PACKAGES], { stdio: "ignore", cwd: folder })
  }
  // The peers know no format called email-or-empty.
  const schema = path.join(work, "schema.json")
  const text = readFileSync(path.join(root, "schemas/invoice.schema.json"), "utf8")
  writeFileSync(schema, text.replaceAll('"email-or-empty"', '"email"'))
  const bin = (name) => path.join(folder, "node_modules/.bin", name)
  const ajv = ["validate", "--spec=draft2020", "--strict=false", "-c", "ajv-formats", "-s", schema, "-d"]
  const script = path.join(import.meta.dirname, "plain-ajv.mjs")
  const known = {
    "ajv-cli": [bin("ajv"), ...ajv, ...files],
    "sourcemeta jsonschema": [bin("jsonschema"), "validate", schema, ...files],
    "a script with ajv": [process.execPath, script, schema, ...files],
  }
  return Object.fromEntries(
    Object.entries(known).filter(([name, [command, ...args]]) => {
      const works = spawnSync(command, args, { env, stdio: "ignore" }).status === 0
      if (!works) console.log(`left out: ${name} could not be had, or does not accept the sample`)
      return works
    }),
  )
}

/** `ajv-cli 5.0.0`, of each peer that is there. */
export function peerVersions() {
  const places = { "ajv-cli": folder, "@sourcemeta/jsonschema": folder, ajv: root }
  return Object.entries(places).flatMap(([name, place]) => {
    const file = path.join(place, "node_modules", name, "package.json")
    return existsSync(file) ? [`${name} ${JSON.parse(readFileSync(file, "utf8")).version}`] : []
  })
}
