// Builds what `npm ci` has not built, or what was changed since: before npm start and npm test, and before a test that
// runs the built program.
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const lock = path.join(root, ".build/building")
const MAX_LOCK_MS = 120_000
const SOURCES = ["src", "schemas", "scripts", "completions", "data"]

const changedAt = (file) => statSync(path.resolve(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0

function isStale() {
  // The notices are what a build writes last: one that was stopped before is not taken for whole.
  const built = Math.min(changedAt("dist/main.cjs"), changedAt("THIRD-PARTY-NOTICES.md"))
  const files = SOURCES.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(folder, file)),
  )
  return ["CHANGELOG.md", "package.json", "package-lock.json", ...files].some(
    (file) => changedAt(file) > built,
  )
}

/** One at a time: several tests may need it at once. @returns the exit code */
function buildIfStale() {
  if (!isStale()) return 0
  mkdirSync(path.dirname(lock), { recursive: true })
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  try {
    if (!isStale()) return 0
    return spawnSync("npm run --silent build", { cwd: root, stdio: "inherit", shell: true }).status ?? 1
  } finally {
    removeLock()
  }
}

/** One whose process was killed is taken over. */
function takeLock() {
  try {
    mkdirSync(lock)
    return true
  } catch {
    if (changedAt(lock) > 0 && Date.now() - changedAt(lock) > MAX_LOCK_MS) removeLock()
    return false
  }
}

/** A build of more than two minutes loses its lock to another process, which removes it too. */
function removeLock() {
  rmSync(lock, { recursive: true, force: true })
}

process.exitCode = buildIfStale()
