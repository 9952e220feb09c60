/**
 * Command lines that are wrong, and what freight answers: each says what to type instead. The file has one a line; to
 * add one, write it there and run this test with -u.
 */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { expectCases } from "../cases.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

/** The words of a line, as a shell reads them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, word = ""]) => inQuotes ?? word)
}

it("answers each wrong line with what to type instead, and sends nothing", async () => {
  const { folder, freight } = await desk(sandbox)
  await writeFile(path.join(folder, "order.json"), (await freight(["book", "--example"])).stdout)
  await writeFile(path.join(folder, "orders.csv"), (await freight(["batch", "template"])).stdout)
  await expectCases(path.join(import.meta.dirname, "texts"), "wrong-lines.txt", async (line) => {
    const { code, stdout, stderr } = await freight(splitWords(line))
    const text = stderr.replaceAll(folder, "~").trimEnd()
    expect({ line, stdout, isAnswered: text !== "" }).toEqual({ line, stdout: "", isAnswered: true })
    return `${code} ${text}`
  })
  expect(await sandbox.control("books")).toMatchObject({ shipments: [], pickups: [], printJobs: [] })
})
