// Prints the dearest test files, the tests that failed, and the counts over all reports of a folder. A stage that failed
// without a test counts as one failure: `node scripts/ci/count.mjs FOLDER [STAGE]`.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const MOST = 10
const [folder = "", stage = ""] = process.argv.slice(2)

const costs = new Map()
const file = path.join(folder, "costs")
if (existsSync(file))
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const { file, seconds, started } = JSON.parse(line)
    const before = costs.get(file) ?? { seconds: 0, started: 0 }
    costs.set(file, { seconds: before.seconds + seconds, started: before.started + started })
  }
if (costs.size > 0) console.log("\n== the dearest test files: processor time, processes started")
for (const [name, { seconds, started }] of [...costs]
  .sort(([, a], [, b]) => b.seconds - a.seconds)
  .slice(0, MOST))
  console.log(`${seconds.toFixed(1).padStart(7)} s ${String(started).padStart(5)}  ${name}`)

const counts = { passed: 0, failed: 0 }
for (const report of readdirSync(folder).filter((name) => name.endsWith(".json")))
  for (const { name, status, message, assertionResults } of readResults(path.join(folder, report))) {
    const failed = assertionResults.filter((each) => each.status === "failed").map(({ fullName }) => fullName)
    counts.passed += assertionResults.filter((each) => each.status === "passed").length
    // Without one the file itself failed, as where it cannot be loaded.
    if (status === "failed" && failed.length === 0) failed.push(message)
    counts.failed += failed.length
    for (const test of failed)
      console.log(
        `failed: ${path.basename(report, ".json")}: ${name.replace(/^.*?\/(?=test\/)/, "")}: ${test}`,
      )
  }
if (stage !== "" && counts.failed === 0) counts.failed++
console.log(`${counts.passed} passed, ${counts.failed} failed`)

/** A run that was killed may have left a part of its report. */
function readResults(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8")).testResults ?? []
  } catch {
    return [{ name: report, status: "failed", message: "the report cannot be read", assertionResults: [] }]
  }
}
