// npm run release: joins changes/ into CHANGELOG.md under the next version, and sets that version.
// npm run release -- --check: what must hold before that version is published, CI, and a dry run.
// npm run release -- --publish: the same, and publishes with a statement of provenance; that works where the registry
// trusts the workflow that runs this.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { countUnreleased, joinChangelog, readChange } from "./changelog.mjs"

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    publish: { type: "boolean", default: false },
    // Only in tests: another folder to release.
    root: { type: "string", default: path.resolve(import.meta.dirname, "..") },
  },
})
const { root } = values
const fileOf = (name) => path.join(root, name)
const read = (name) => readFileSync(fileOf(name), "utf8")
const manifest = JSON.parse(read("package.json"))
const changes = listChanges()

if (values.check || values.publish) check()
else join()

function join() {
  stopIfDirty()
  const today = new Date().toISOString().slice(0, 10)
  const { version, changelog } = attempt(() =>
    joinChangelog(
      read("CHANGELOG.md"),
      changes.map((name) => readChange(name, read(`changes/${name}`))),
      manifest.version,
      today,
    ),
  )
  writeFileSync(fileOf("CHANGELOG.md"), changelog)
  for (const name of changes) rmSync(fileOf(`changes/${name}`))
  // package.json, package-lock.json, and no tag.
  run("npm", ["version", version, "--no-git-tag-version", "--ignore-scripts", "--silent"], "ignore")
  const server = read("server.json").replaceAll(`"version": "${manifest.version}"`, `"version": "${version}"`)
  writeFileSync(fileOf("server.json"), server)
  console.log(`CHANGELOG.md, package.json, package-lock.json and server.json say ${version}, and changes/ is empty. Then:
  npm run build
  npm run files-fixture
  git commit -am "Release ${version}"
  git tag v${version}
  npm run release -- --check`)
}

function check() {
  const { version } = manifest
  const changelog = read("CHANGELOG.md")
  const [, newest, date] = /^## \[([^\]]+)\] - (\S+)$/m.exec(changelog) ?? []
  if (newest !== version)
    stop(`package.json says ${version}, and the newest entry of CHANGELOG.md is ${newest ?? "none"}`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) stop(`the entry of ${version} in CHANGELOG.md has no date: ${date}`)
  const { entries, isEmpty } = countUnreleased(changelog)
  if (!isEmpty) stop(`CHANGELOG.md has ${entries} unreleased entries: npm run release gives them a version`)
  if (changes.length > 0)
    stop(`changes/ has ${changes.length} unreleased changes: npm run release gives them a version`)
  if (values.publish && !manifest.repository)
    stop("package.json has no repository: without it the registry refuses a statement of provenance")
  stopIfDirty()
  const tags = run("git", ["tag", "--points-at", "HEAD"], "pipe").stdout.split("\n")
  if (!tags.includes(`v${version}`)) stop(`this commit has no tag of its version: git tag v${version}`)

  run(fileOf(".ci/run"), ["--all"])
  // Files that .ci/run has made and tried, for people without Node.
  const packed = readdirSync(fileOf("executable")).filter((name) => /\.(tar\.gz|zip)$/.test(name))
  console.log(`attach to the release, from executable/: ${packed.join(", ")}`)
  run("npm", ["publish", "--provenance", "--access", "public", ...(values.publish ? [] : ["--dry-run"])])
  console.log(values.publish ? `published ${version}` : `${version} could be published: --publish does it`)
}

function listChanges() {
  const names = attempt(() => readdirSync(fileOf("changes")))
  return names.filter((name) => name.endsWith(".md") && name !== "README.md").sort()
}

function stopIfDirty() {
  const changed = run("git", ["status", "--porcelain"], "pipe").stdout.trim()
  if (changed !== "") stop(`the tree is not clean:\n${changed}`)
}

function attempt(action) {
  try {
    return action()
  } catch (error) {
    return stop(error.message)
  }
}

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
