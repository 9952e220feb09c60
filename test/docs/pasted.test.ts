/** Each example of the README and of every help page means the same when it is pasted into bash, PowerShell and cmd. */
import { Buffer } from "node:buffer"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { desk, ROOT } from "../acceptance/freight.ts"
import { startedBy } from "./shell-words.ts"

/** Without those of npm: its set-up is one line, which Windows PowerShell 5 alone does not take. */
const README = Array.from(
  readFileSync(path.join(ROOT, "README.md"), "utf8").matchAll(/^```(?:bash)?\n([\s\S]*?)^```$/gm),
  ([, block = ""]) => block.trim().split("\n"),
)
  .flat()
  .filter((line) => !line.startsWith("npm "))

interface Described {
  examples: string[]
  commands: Described[]
}

function listExamples({ examples, commands }: Described): string[] {
  return [...examples, ...commands.flatMap(listExamples)]
}

let examples: string[] = []
beforeAll(async () => {
  const { freight } = await desk()
  const { stdout } = await freight(["help", "--json"])
  const { commands } = JSON.parse(stdout) as { commands: Described[] }
  examples = commands.flatMap(listExamples)
})

describe("what is pasted is taken alike by bash, PowerShell and cmd", () => {
  it.each(README)("README: %s", (line) => expectAlike(line))

  it("every example of a help page", () => {
    expect(examples.length).toBeGreaterThan(80)
    for (const line of examples) expectAlike(line)
  })
})

function expectAlike(line: string): void {
  const started = startedBy("bash", line)
  for (const shell of ["PowerShell", "cmd"] as const) expect(startedBy(shell, line), shell).toEqual(started)
  // Windows PowerShell writes UTF-16 into a file, and text with other line ends into a pipe: a PDF would be spoilt.
  for (const { words } of started.slice(0, -1))
    expect(words.join(" "), "a pipe of bytes").not.toMatch(/-o -|label\b/)
}

it("a booking that Windows PowerShell wrote with > is read", async () => {
  const { freight, folder } = await desk()
  const example = await freight(["book", "--example"])
  await writeFile(path.join(folder, "booking.json"), Buffer.from(`\ufeff${example.stdout}`, "utf16le"))
  const { code, stderr } = await freight(["book", "--sandbox", "--file", "booking.json", "--dry-run"])
  expect(code, stderr).toBe(0)
})

describe("the rules of each shell", () => {
  const rows: [
    line: string,
    bash: string[] | "refused",
    powershell: string[] | "refused",
    cmd: string[] | "refused",
  ][] = [
    [
      `freight a "b c" d=e`,
      ["freight", "a", "b c", "d=e"],
      ["freight", "a", "b c", "d=e"],
      ["freight", "a", "b c", "d=e"],
    ],
    [`freight 'a b'`, ["freight", "a b"], ["freight", "a b"], "refused"],
    [`freight a,b`, ["freight", "a,b"], "refused", ["freight", "a,b"]],
    [`freight < a`, "refused", "refused", "refused"],
    [`freight a # why`, "refused", "refused", "refused"],
    [`freight $HOME`, "refused", "refused", ["freight", "$HOME"]],
    [`freight %PATH%`, ["freight", "%PATH%"], "refused", "refused"],
    [`freight 5%`, ["freight", "5%"], ["freight", "5%"], ["freight", "5%"]],
    [`freight a && b`, "refused", "refused", "refused"],
    [`freight @a`, ["freight", "@a"], "refused", ["freight", "@a"]],
    [`freight a\\b`, "refused", ["freight", "a\\b"], ["freight", "a\\b"]],
    [`freight "100%"`, ["freight", "100%"], ["freight", "100%"], ["freight", "100%"]],
  ]
  it.each(rows)("%s", (line, ...meant) => {
    for (const [at, shell] of (["bash", "PowerShell", "cmd"] as const).entries()) {
      const read = () => startedBy(shell, line).flatMap(({ words }) => words)
      if (meant[at] === "refused") expect(read, shell).toThrow(shell)
      else expect(read(), shell).toEqual(meant[at])
    }
  })
})
