// Prints the failed tests of all reports, and the counts. A file's results in NAME-again.json replace those in NAME.json.
import { existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"

/** @returns the results of a report by file; none if it was not written */
function read(report) {
  if (!existsSync(report)) return new Map()
  return new Map(JSON.parse(readFileSync(report, "utf8")).testResults.map((file) => [file.name, file]))
}

const counts = { passed: 0, failed: 0 }
for (const report of process.argv.slice(2).filter((name) => !name.endsWith("-again.json"))) {
  const again = read(report.replace(/\.json$/, "-again.json"))
  for (const [name, first] of read(report)) {
    const { status, message, assertionResults } = again.get(name) ?? first
    const failed = assertionResults.filter((each) => each.status === "failed").map(({ fullName }) => fullName)
    counts.passed += assertionResults.filter((each) => each.status === "passed").length
    counts.failed += failed.length
    // Without one the file itself failed, as where it cannot be loaded.
    if (status === "failed" && failed.length === 0) failed.push(message)
    for (const test of failed) console.log(`failed: ${relative(".", name)}: ${test}`)
    if (status !== "failed" && first.status === "failed")
      console.log(`passed alone only: ${relative(".", name)}`)
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed`)
