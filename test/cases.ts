/**
 * Tables that are text files: below each line that is tried stands what came of it, so that wording is kept in one
 * place and read beside its cause. A line with # is a comment. To add a case, write its line, and run its test with -u.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { expect } from "vitest"

/** What stands before each line of an outcome. */
const OUTCOME = "    "

/**
 * Tries each line of a file, and compares what comes of them with what the file says.
 *
 * @param folder of the test, as `import.meta.dirname`
 */
export async function expectCases(
  folder: string,
  name: string,
  outcomeOf: (line: string) => string | readonly string[] | Promise<string | readonly string[]>,
): Promise<void> {
  const file = path.join(folder, name)
  const lines = readFileSync(file, "utf8").split("\n")
  const written: string[] = []
  for (const line of lines) {
    if (line.startsWith(OUTCOME)) continue
    written.push(line)
    if (line === "" || line.startsWith("#")) continue
    const outcome = [await outcomeOf(line)].flat().flatMap((each) => each.split("\n"))
    written.push(...(outcome.length > 0 ? outcome : ["nothing"]).map((each) => OUTCOME + each))
  }
  await expect(written.join("\n")).toMatchFileSnapshot(file)
}
