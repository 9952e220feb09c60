/** A fourth carrier in the contract: the compiler asks for each decision about it, and for nothing else. */
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { CARRIERS } from "../../src/carriers/names.ts"
import { copyTree, run } from "../docs/tree-copy.ts"

/** In freight, the carrier's facts from the contract; in the sandbox, its ABN, delays, prices, clauses and triggers. */
const DECISIONS = [
  "src/carriers/facts.ts: Record<Carrier, CarrierFacts>",
  "src/sandbox/bills/documents.ts: Record<Carrier, string>",
  "src/sandbox/carriers.ts: Record<Carrier, Delays>",
  "src/sandbox/carriers.ts: Record<Carrier, Tariff>",
  "src/sandbox/clauses.ts: Record<Carrier, Clauses>",
  "src/sandbox/triggers.ts: Record<Carrier, Trigger>",
]

it("a carrier that the contract adds is red exactly where a decision is due", {
  timeout: 900_000,
}, async () => {
  const { folder, remove } = await copyTree()
  onTestFinished(remove)
  const schema = path.join(folder, "schemas/freight.schema.json")
  const text = readFileSync(schema, "utf8")
  const listed = CARRIERS.map((carrier) => `"${carrier}"`).join(", ")
  expect(text.split(`[${listed}]`)).toHaveLength(2)
  writeFileSync(schema, text.replace(`[${listed}]`, `[${listed}, "CARRIER_D_AU"]`))
  expect(await run("node", ["scripts/generate.mjs"], folder)).toMatchObject({ code: 0 })

  const { code, output } = await run("npx", ["tsc", "--noEmit", "--pretty", "false"], folder)
  expect(code).not.toBe(0)
  const errors = output.split("\n").filter((line) => /^\S/.test(line))
  const red = errors.map((line) => {
    const [, file, type] =
      /^(\S+)\(\d+,\d+\): .*'CARRIER_D_AU' is missing .* required in type '(.+)'\.$/.exec(line) ?? []
    const name = type?.replace(/^Readonly<(.*)>$/, "$1").replace(/"sandbox:.*(?=>)/, "Trigger")
    return file === undefined ? line : `${file}: ${name}`
  })
  expect(red.sort()).toEqual(DECISIONS)
})
