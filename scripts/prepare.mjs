// npm runs this after an installation, before packing, and when somebody installs freight from git. From git, npm 11
// leaves out what the build needs where `--global` is given, which the pre-commit framework does: it is installed here.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")

/** Flags of the npm outside, which it hands on in the environment: the one below installs into this folder. */
const OUTER_FLAGS =
  /^npm_config_(global|location|prefix|local_prefix|install_links|allow_git|omit|include|production|dry_run)$/i
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER_FLAGS.test(name)))

if (!existsSync(path.join(root, "node_modules/rolldown")))
  run("npm ci --include=dev --ignore-scripts --no-audit --no-fund")
// npm ci, and npm cit. Before packing all is built anew.
const isInCheckout = /^(ci|install-ci-test)$/.test(process.env.npm_command ?? "")
run(isInCheckout ? "node scripts/build-if-stale.mjs" : "npm run build")
run("npm run sbom")

function run(command) {
  const { status, error } = spawnSync(command, { cwd: root, env, stdio: "inherit", shell: true })
  if (status === 0) return
  console.error(`prepare: ${command} ended with ${status ?? error?.message}`)
  process.exit(1)
}
