/**
 * JUnit XML: a suite for each file, a test for each document. A suite is written when its last document is known, since
 * its counts come first; a file of very many documents is several suites of the same name, so that memory stays small.
 */
import { counted } from "../../contract/counted.ts"
import type { DocumentResult, Finding } from "../finding.ts"
import type { Reporter } from "./index.ts"

const MOST_TESTS = 1000

export function junitReporter(): Reporter {
  let open: { file: string; tests: string[]; failures: number } | undefined

  const close = (): string => {
    if (!open) return ""
    const { file, tests, failures } = open
    const counts = `tests="${tests.length}" failures="${failures}" errors="0"`
    return `  <testsuite name="${xml(file)}" ${counts}>\n${tests.join("")}  </testsuite>\n`
  }

  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="freight invoice validate">\n',
    document(result) {
      const goesOn = open?.file === result.file && open.tests.length < MOST_TESTS
      const before = goesOn ? "" : close()
      if (!open || !goesOn) open = { file: result.file, tests: [], failures: 0 }
      open.tests.push(testCase(result))
      if (!result.valid) open.failures++
      return [before]
    },
    end({ unreadable }) {
      const unread = unreadable.map(
        ({ file, reason }) =>
          `  <testsuite name="${xml(file)}" tests="1" failures="0" errors="1">\n` +
          `    <testcase classname="${xml(file)}" name="read">\n` +
          `      <error message="${xml(reason)}" type="not-read"/>\n    </testcase>\n  </testsuite>\n`,
      )
      return `${close()}${unread.join("")}</testsuites>\n`
    },
  }
}

function testCase({ file, index, valid, findings }: DocumentResult): string {
  const name = index === undefined ? "document" : `index ${index}`
  const opening = `    <testcase classname="${xml(file)}" name="${name}"`
  if (findings.length === 0) return `${opening}/>\n`
  const lines = xml(findings.map((finding) => inWords(file, finding)).join("\n"), "\n")
  if (valid) return `${opening}>\n      <system-out>${lines}</system-out>\n    </testcase>\n`
  const errors = findings.filter(({ severity }) => severity === "error")
  const about = `message="${counted(errors.length, "error")}" type="${xml(errors[0]?.rule ?? "")}"`
  return `${opening}>\n      <failure ${about}>${lines}</failure>\n    </testcase>\n`
}

function inWords(file: string, { line, column, severity, message, hint, rule }: Finding): string {
  const text = `${file}:${line}:${column}: ${severity}: ${message}${hint ? ` (${hint})` : ""} [${rule}]`
  return text.replaceAll(/\s+/g, " ")
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
}

/** What XML 1.0 cannot hold at all, not even escaped, and what a terminal would obey. */
const UNHEARD = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/gu

function xml(text: string, keep = ""): string {
  return text
    .replace(UNHEARD, (mark) => (mark === keep ? mark : "�"))
    .replace(/[&<>"']/g, (mark) => `&${ENTITIES[mark]};`)
}
