// node scripts/release.mjs: what must hold before a version is published, and a dry run. `--publish` publishes, with a
// statement of provenance: that works where the registry trusts the workflow that runs this.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    publish: { type: "boolean", default: false },
    // Only in tests: another folder to release.
    root: { type: "string", default: path.resolve(import.meta.dirname, "..") },
  },
})
const { root } = values
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
const changelog = readFileSync(path.join(root, "CHANGELOG.md"), "utf8")

const [, newest, date] = /^## \[([^\]]+)\] - (\S+)$/m.exec(changelog) ?? []
if (newest !== version)
  stop(`package.json says ${version}, and the newest entry of CHANGELOG.md is ${newest ?? "none"}`)
if (values.publish && !/^\d{4}-\d{2}-\d{2}$/.test(date))
  stop(`the entry of ${version} in CHANGELOG.md has no date yet: ${date}`)

// A heading alone is empty.
const [, unreleased = ""] = /^## \[Unreleased\]([\s\S]*?)(?=^## \[|$(?![\s\S]))/m.exec(changelog) ?? []
const entries = unreleased.split("\n").filter((line) => line.startsWith("- ")).length
if (/^(?!#)\S/m.test(unreleased))
  stop(
    `CHANGELOG.md has ${entries} unreleased entries: give them a version in CHANGELOG.md and package.json, then release that`,
  )

const changed = run("git", ["status", "--porcelain"], "pipe").stdout.trim()
if (changed !== "") stop(`the tree is not clean:\n${changed}`)

run(path.join(root, ".ci/run"), [])
// What .ci/run has made and tried, for those who have no Node.
const packed = readdirSync(path.join(root, "executable")).filter((name) => /\.(tar\.gz|zip)$/.test(name))
console.log(`attach to the release, from executable/: ${packed.join(", ")}`)
run("npm", ["publish", "--provenance", "--access", "public", ...(values.publish ? [] : ["--dry-run"])])
console.log(values.publish ? `published ${version}` : `${version} could be published: --publish does it`)

function run(command, args, stdout = "inherit") {
  const ran = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", stdout, "inherit"],
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  if (ran.status !== 0) stop(`${[command, ...args].join(" ")} ended with ${ran.status ?? ran.error?.message}`)
  return ran
}

function stop(why) {
  console.error(`release: ${why}`)
  process.exit(1)
}
