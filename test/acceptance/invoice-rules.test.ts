import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { RULES } from "../../src/invoice/accounting/rules.ts"
import { desk, ROOT } from "./freight.ts"

type Row = Record<"rule" | "severity" | "title" | "about" | "basis", string>

const { freight } = await desk()

/** Keywords of JSON Schema that can be broken, out of those that the invoice's schema uses. */
function keywords(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return []
  const judged = ["type", "const", "enum", "required", "additionalProperties", "minItems", "maxLength"]
  const own = Object.keys(schema).filter((name) => [...judged, "multipleOf", "format"].includes(name))
  return [...own, ...Object.values(schema).flatMap(keywords)]
}

describe("freight invoice rules", () => {
  it("lists every accounting rule as a warning, with its words", async () => {
    const rows = (await freight(["invoice", "rules", "--json"])).items<Row>()
    const warnings = rows.filter(({ severity }) => severity === "warning")
    expect(warnings).toEqual(RULES.map(({ id, ...words }) => ({ severity: "warning", rule: id, ...words })))
  })

  it("lists every keyword of the schema as an error", async () => {
    const rows = (await freight(["invoice", "rules", "--json"])).items<Row>()
    const errors = rows.filter(({ severity }) => severity === "error").map(({ rule }) => rule)
    const schema: unknown = JSON.parse(readFileSync(path.join(ROOT, "schemas/invoice.schema.json"), "utf8"))
    const used = new Set(keywords(schema).map((keyword) => `contract/${keyword}`))
    expect(errors.filter((id) => id.startsWith("contract/")).sort()).toEqual([...used].sort())
  })

  it("has what each rule rests on in the CSV", async () => {
    const { stdout } = await freight(["invoice", "rules", "--format", "csv"])
    expect(stdout.split("\n")[0]).toBe("id,severity,title,about,basis")
  })

  it("is a table of ids, severities and titles for people", async () => {
    const { stdout, code } = await freight(["invoice", "rules"])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^accounting\/abn +warning +the ABN is valid$/m),
    ])
  })
})
