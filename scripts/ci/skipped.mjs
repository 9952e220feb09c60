// Prints the test files that have skipped tests, a line each: those of a report, or, where there is none yet, all that say
// of a test what it needs.
import { existsSync, readFileSync } from "node:fs"
import { globSync } from "tinyglobby"

const report = process.argv[2]
const files = existsSync(report)
  ? JSON.parse(readFileSync(report, "utf8"))
      .testResults.filter(({ assertionResults }) => assertionResults.some(isSkipped))
      // In the newcomer's clone they have another folder.
      .map(({ name }) => name.replace(/^.*?\/(?=test\/)/, ""))
  : globSync("test/**/!(*.long).test.ts").filter((file) =>
      /\b(?:runIf|skipIf)\(/.test(readFileSync(file, "utf8")),
    )
console.log(files.sort().join("\n"))

function isSkipped({ status }) {
  return status === "skipped" || status === "pending"
}
