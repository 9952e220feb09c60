/** The schema of what each command prints. What acceptance tests print under --json is held against it: output-schema.ts. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { beforeAll, describe, expect, it } from "vitest"
import { type Entry, HELP, TREE } from "../../src/app/tree.ts"
import { EXIT } from "../../src/base/errors.ts"
import { desk, ensureBuilt, type Ran } from "./freight.ts"

const namesOf = (entries: readonly Entry[], above: readonly string[] = []): string[] =>
  entries.flatMap(({ name, load, children = [] }) => [
    ...(load ? [[...above, name].join(" ")] : []),
    ...namesOf(children, [...above, name]),
  ])
const COMMANDS = namesOf([...TREE.flatMap(({ entries }) => entries), HELP])

/** They print nothing for programs, or what is not JSON. */
const WITHOUT_JSON = ["ledger export", "mcp", "sandbox start"]

let freight: (args: readonly string[]) => Promise<Ran>
beforeAll(async () => {
  ensureBuilt()
  freight = (await desk()).freight
})

describe("--json-schema", () => {
  it("says what each command prints with --json, and names those that print none", async () => {
    const { code, json } = await freight(["--json-schema"])
    expect(code).toBe(EXIT.done)
    const { properties } = json<{ properties: Record<string, object> }>()
    expect(Object.keys(properties).sort()).toEqual(
      COMMANDS.filter((name) => !WITHOUT_JSON.includes(name)).sort(),
    )
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false })
    ajv.addSchema(json(), "all")
    for (const name of Object.keys(properties))
      expect(ajv.getSchema(`all#/properties/${encodeURIComponent(name)}`), name).toBeDefined()
  })

  it.each([
    ["a command", ["track"]],
    ["one that lacks what it needs, and has flags", ["book", "--file", "not-there.json", "--wait"]],
    ["one below another", ["batch", "plan", "show"]],
    ["an alias", ["rates"]],
    ["what lists by itself", ["shipments"]],
    ["the tree", ["help"]],
  ])("prints the schema of %s alone, whole, and does nothing", async (_, words) => {
    const { code, json, stderr } = await freight([...words, "--json-schema"])
    expect([code, stderr]).toEqual([EXIT.done, ""])
    expect(new Ajv2020({ validateFormats: false }).compile(json())).toBeTypeOf("function")
  })

  it.each(WITHOUT_JSON)("says that %s prints no JSON", async (name) => {
    const { code, stdout, stderr } = await freight([...name.split(" "), "--json-schema"])
    expect([code, stdout]).toEqual([EXIT.wrongInput, ""])
    expect(stderr).toContain(`freight ${name} prints no JSON`)
  })

  it("asks for a command where a group is named", async () => {
    const { code, stdout, stderr } = await freight(["batch", "--json-schema"])
    expect([code, stdout]).toEqual([EXIT.wrongInput, ""])
    expect(stderr).toContain("needs one of its commands")
  })

  it("leaves pages to --help", async () => {
    expect((await freight(["track", "--help", "--json-schema"])).stdout).toContain("Usage: freight track")
  })
})
