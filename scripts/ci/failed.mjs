// Prints the test files of a report that failed, a line each. Exit code 1 if they may not run once more.
import { readFileSync } from "node:fs"
import path from "node:path"

const MOST_FILES = 3
/** Tests of processes, terminals and moments, with nothing random. */
const MAY_AGAIN =
  /^test\/(acceptance|docs|faulty|shells|output\/terminal\/conversation|orders\/booking\/carrier-rates)\b/
/** Where a failure may be an order that was booked twice, or lost: no second try. */
const ONCE = /\/(batch-kill|batch-runs|concurrency|kill|spellings|team)\b/

const { testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const failed = testResults
  .filter(({ status }) => status === "failed")
  .map(({ name }) => path.relative(".", name))
const mayAgain = (file) => MAY_AGAIN.test(file) && !ONCE.test(file)
if (failed.length === 0 || failed.length > MOST_FILES || !failed.every(mayAgain)) process.exit(1)
console.log(failed.join("\n"))
