// Programs that people check JSON with today, installed from the registry by name into .build/peers.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { root } from "./measure.mjs"

const folder = path.join(root, ".build/peers")
const PACKAGES = ["ajv-cli@5", "ajv-formats@2", "@sourcemeta/jsonschema"]
/** The program that the package starts, which takes a tenth of a second to find it. */
const NATIVE = `@sourcemeta/jsonschema/build/github-releases/jsonschema-${process.platform}-${process.arch === "x64" ? "x86_64" : process.arch}`

/** The command line of each peer that could be had and takes the files; one that does not is left out and named. */
export function peerCommands(files, { env, work }) {
  const schema = peerSchema(work)
  const bin = (name) => path.join(folder, "node_modules/.bin", name)
  const ajv = ["validate", "--spec=draft2020", "--strict=false", "-c", "ajv-formats", "-s", schema, "-d"]
  const script = path.join(import.meta.dirname, "plain-ajv.mjs")
  const known = {
    "ajv-cli": [bin("ajv"), ...ajv, ...files],
    "sourcemeta jsonschema": [bin("jsonschema"), "validate", schema, ...files],
    "a script with ajv": [process.execPath, script, schema, ...files],
  }
  return working(known, env)
}

/**
 * The quickest way of each peer through a file of lines (its name ends in `.jsonl`): sourcemeta's native program with a
 * schema that was compiled for speed before, formats included, and jsonschema-rs where its program is installed.
 */
export function fastPeerCommands(file, { env, work }) {
  const schema = peerSchema(work)
  const native = path.join(folder, "node_modules", NATIVE)
  const template = path.join(work, "template.json")
  const compiled = spawnSync(native, ["compile", schema, "--fast", "--format-assertion"], {
    env,
    maxBuffer: 2 ** 26,
  })
  writeFileSync(template, compiled.stdout ?? "")
  return working(
    {
      "sourcemeta, native, --fast --template": [
        native,
        "validate",
        schema,
        file,
        "--fast",
        "--template",
        template,
      ],
      "jsonschema-rs": ["jsonschema-cli", schema, "-i", file],
    },
    env,
  )
}

/** The peers know no format called email-or-empty. */
function peerSchema(work) {
  if (!existsSync(path.join(folder, "node_modules"))) {
    mkdirSync(folder, { recursive: true })
    const flags = ["--prefix", folder, "--no-save", "--no-fund", "--no-audit"]
    spawnSync("npm", ["install", ...flags, ...PACKAGES], { stdio: "ignore", cwd: folder })
  }
  const schema = path.join(work, "schema.json")
  const text = readFileSync(path.join(root, "schemas/invoice.schema.json"), "utf8")
  writeFileSync(schema, text.replaceAll('"email-or-empty"', '"email"'))
  return schema
}

function working(known, env) {
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
