/**
 * No test asserts nothing: one that only runs fails. `FREIGHT_TEST_NOT_AGAIN` names a report of Vitest: what passed in it is
 * skipped, so that CI runs with a database or a browser only what was skipped without.
 */
import { existsSync, readFileSync } from "node:fs"
import { beforeEach, expect } from "vitest"

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** The report may be of another clone. */
const inTests = (file: string) => file.replace(/^.*?\/(?=test\/)/, "")

const passed = new Set<string>()
const report = process.env.FREIGHT_TEST_NOT_AGAIN
if (report !== undefined && existsSync(report)) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report
  for (const { name, assertionResults } of testResults)
    for (const { fullName, status } of assertionResults)
      if (status === "passed") passed.add(`${inTests(name)} ${fullName}`)
}

beforeEach(({ task, skip }) => {
  const names = []
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name)
  const fullName = [...names, task.name].join(" ")
  if (passed.has(`${inTests(task.file.filepath)} ${fullName}`)) skip()
  expect.hasAssertions()
})
