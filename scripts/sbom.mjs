// Writes sbom.cdx.json: what npm's SBOM (CycloneDX) says of the packages that the last build bundles, and of those that
// are installed beside freight. Fails when the version of a bundled package is not the lock file's.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), "utf8"))

const chunks = readJson(".build/chunks.json")
const folders = new Set(
  Object.values(chunks)
    .flat()
    .flatMap((id) => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []),
)
const bundled = new Set(
  [...folders].map((folder) => {
    const { name, version } = readJson(path.join(folder, "package.json"))
    return `${name}@${version}`
  }),
)

const command = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]
const ran = spawnSync("npm", command, { cwd: root, encoding: "utf8", shell: process.platform === "win32" })
if (ran.status !== 0) throw new Error(`npm ${command.join(" ")} failed: ${ran.stderr}`)
const { metadata, components, dependencies, ...header } = JSON.parse(ran.stdout)

const locked = new Set(components.map((component) => component["bom-ref"]))
const differing = [...bundled].filter((ref) => !locked.has(ref))
if (differing.length > 0)
  throw new Error(`bundled, but not what package-lock.json says: ${differing.join(", ")}. Run npm ci.`)

const isDevelopment = ({ properties }) =>
  properties.some(({ name }) => name === "cdx:npm:package:development")
const kept = components.filter((each) => bundled.has(each["bom-ref"]) || !isDevelopment(each))
const refs = new Set([metadata.component["bom-ref"], ...kept.map((each) => each["bom-ref"])])
// The same lock file gives the same file: no serial number, time or npm version.
const { serialNumber: _, ...same } = header
const { name, version } = readJson("package.json")
const sbom = {
  ...same,
  metadata: { component: { ...metadata.component, name, version } },
  // Bundled packages are needed at run time, though npm knows them as development dependencies.
  components: kept.map(({ scope, properties, ...component }) =>
    bundled.has(component["bom-ref"])
      ? { ...component, scope: "required" }
      : { ...component, scope, properties },
  ),
  dependencies: dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
}
writeFileSync(path.join(root, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`)
