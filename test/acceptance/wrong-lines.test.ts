/**
 * Command lines that are wrong, and what freight answers: each says what to type instead. The file has one a line; to
 * add one, write it there and run this test with -u.
 */
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { expectCases } from "../cases.ts"
import { EXIT, type ErrorJson } from "../../src/base/errors.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

/** The words of a line, as a shell reads them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, word = ""]) => inQuotes ?? word)
}

const TEXTS = path.join(import.meta.dirname, "texts")

it("answers each wrong line with what to type instead, and sends nothing", async () => {
  const { folder, freight } = await desk(sandbox)
  await writeFile(path.join(folder, "order.json"), (await freight(["book", "--example"])).stdout)
  await writeFile(path.join(folder, "orders.csv"), (await freight(["batch", "template"])).stdout)
  await expectCases(TEXTS, "wrong-lines.txt", async (line) => {
    const { code, stdout, stderr } = await freight(splitWords(line))
    const text = stderr.replaceAll(folder, "~").trimEnd()
    expect({ line, stdout, isAnswered: text !== "" }).toEqual({ line, stdout: "", isAnswered: true })
    return `${code} ${text}`
  })
  expect(await sandbox.control("books")).toMatchObject({ shipments: [], pickups: [], printJobs: [] })
})

it("an error tells programs what to run next only where that runs as it stands, and makes nothing", async () => {
  const { folder, freight } = await desk(sandbox)
  await writeFile(path.join(folder, "order.json"), (await freight(["book", "--example"])).stdout)
  await writeFile(path.join(folder, "orders.csv"), (await freight(["batch", "template"])).stdout)
  const lines = readFileSync(path.join(TEXTS, "wrong-lines.txt"), "utf8").split("\n")
  const advised = new Map<string, readonly string[]>()
  for (const line of lines.filter((each) => /^[^#\s]/.test(each))) {
    const { stderr } = await freight(["--json", ...splitWords(line)])
    const { error } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as ErrorJson
    for (const { nextArgs } of [error, ...(error.errors ?? [])])
      if (nextArgs) advised.set(nextArgs.join(" "), nextArgs)
  }
  expect(advised.size).toBeGreaterThan(10)
  for (const args of advised.values()) {
    const { code, stdout, stderr } = await freight(args)
    expect([EXIT.done, EXIT.no], `freight ${args.join(" ")}: ${stderr}`).toContain(code)
    expect(`${stdout}${stderr}`).not.toBe("")
  }
  expect(await sandbox.control("books")).toMatchObject({ shipments: [], pickups: [], printJobs: [] })
})
