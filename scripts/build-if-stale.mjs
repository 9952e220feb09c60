// Builds what `npm ci` has not built, or what was changed since: before npm start and npm test.
import { spawnSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const built = statSync(path.join(root, "dist/main.cjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0
const sources = ["src", "schemas", "scripts", "completions"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(root, folder, file)),
)
const isStale = ["CHANGELOG.md", "package.json", "package-lock.json", ...sources].some(
  (file) => statSync(path.resolve(root, file)).mtimeMs > built,
)
if (isStale) {
  const { status } = spawnSync("npm run --silent build", { cwd: root, stdio: "inherit", shell: true })
  process.exitCode = status ?? 1
}
