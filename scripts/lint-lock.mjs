// Checks that package-lock.json has for each package a hash, so that npm ci verifies it, and no address, so that any registry
// will do. `node scripts/lint-lock.mjs [FILE]`
import { readFileSync } from "node:fs"

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? "package-lock.json", "utf8"))
const installed = Object.entries(packages).filter(([place]) => place !== "")
const problems = installed.flatMap(([place, { integrity = "", resolved }]) => [
  ...(integrity.startsWith("sha512-")
    ? []
    : [`${place}: no sha512- hash. Delete the entry, and run npm install --package-lock-only`]),
  ...(resolved === undefined ? [] : [`${place}: names the address ${resolved}. Delete "resolved"`]),
])

if (installed.length === 0) problems.push("no packages found")
for (const problem of problems) console.error(problem)
console.log(`lock file: ${installed.length} packages, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
