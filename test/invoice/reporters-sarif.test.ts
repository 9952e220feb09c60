import Ajv from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { NOTHING, SUMMARY, written, writtenOf } from "./reported.ts"

interface Log {
  runs: {
    results: {
      ruleId: string
      ruleIndex: number
      level: string
      locations: { physicalLocation: { artifactLocation: { uri: string } } }[]
    }[]
    tool: { driver: { rules: { id: string; help: { text: string } }[] } }
    invocations: { executionSuccessful: boolean; toolExecutionNotifications: unknown[] }[]
  }[]
}

const text = { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } }
const location = {
  type: "object",
  additionalProperties: false,
  required: ["physicalLocation"],
  properties: {
    physicalLocation: {
      type: "object",
      additionalProperties: false,
      required: ["artifactLocation"],
      properties: {
        artifactLocation: { type: "object", required: ["uri"], properties: { uri: URI() } },
        region: {
          type: "object",
          additionalProperties: false,
          properties: {
            startLine: { type: "integer", minimum: 1 },
            startColumn: { type: "integer", minimum: 1 },
          },
        },
      },
    },
  },
}
const level = { enum: ["none", "note", "warning", "error"] }

/** Rules of SARIF 2.1.0 for the parts of a log that are used here. */
const LOG = {
  type: "object",
  additionalProperties: false,
  required: ["version", "runs"],
  properties: {
    $schema: { type: "string" },
    version: { const: "2.1.0" },
    runs: { type: "array", items: run() },
  },
}

function URI() {
  return { type: "string", pattern: "^(?:[\\w\\-.~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$" }
}

function run() {
  const rule = {
    type: "object",
    additionalProperties: false,
    required: ["id"],
    properties: { id: { type: "string" }, shortDescription: text, fullDescription: text, help: text },
  }
  const result = {
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: {
      ruleId: { type: "string" },
      ruleIndex: { type: "integer", minimum: 0 },
      level,
      message: text,
      locations: { type: "array", items: location },
      properties: { type: "object" },
    },
  }
  const notification = {
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: { level, message: text, locations: { type: "array", items: location } },
  }
  const invocation = {
    type: "object",
    additionalProperties: false,
    required: ["executionSuccessful"],
    properties: {
      executionSuccessful: { type: "boolean" },
      toolExecutionNotifications: { type: "array", items: notification },
    },
  }
  const driver = {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name: { type: "string" }, rules: { type: "array", uniqueItems: true, items: rule } },
  }
  return {
    type: "object",
    additionalProperties: false,
    required: ["tool"],
    properties: {
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: { type: "array", items: result },
      tool: { type: "object", required: ["driver"], properties: { driver } },
      invocations: { type: "array", items: invocation },
    },
  }
}

const keeps = new Ajv.default({ strict: false }).compile(LOG)

async function logOf(made: Promise<string>): Promise<Log> {
  const log: Log = JSON.parse(await made)
  keeps(log)
  expect(keeps.errors ?? []).toEqual([])
  return log
}

async function uriFor(file: string): Promise<string | undefined> {
  const log = await logOf(writtenOf("sarif", {}, file))
  return log.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri
}

describe("sarif", () => {
  it("keeps the format's rules for a run of several files", async () => {
    const log = await logOf(written("sarif"))
    expect(log.runs[0]?.results).toHaveLength(5)
  })

  it("keeps them for a run without documents", async () => {
    const log = await logOf(written("sarif", [], NOTHING))
    expect(log.runs[0]?.results).toEqual([])
  })

  it("describes each rule that was broken, once, at the index that results name", async () => {
    const [run] = (await logOf(written("sarif"))).runs
    const rules = run?.tool.driver.rules ?? []
    expect(rules.map(({ id }) => id)).toEqual(Object.keys(SUMMARY.byRule))
    for (const { ruleId, ruleIndex } of run?.results ?? []) expect(rules[ruleIndex]?.id).toBe(ruleId)
    for (const { id, help } of rules) expect(help.text, id).toMatch(/^[A-Z].{20,}\.$/)
  })

  it("describes a rule that it does not know by its name", async () => {
    const [run] = (await logOf(writtenOf("sarif", { rule: "contract/new" }))).runs
    expect(run?.tool.driver.rules[0]?.id).toBe("contract/new")
  })

  it("says when an input could not be read", async () => {
    const [invocation] = (await logOf(written("sarif"))).runs[0]?.invocations ?? []
    expect(invocation?.executionSuccessful).toBe(false)
    expect(invocation?.toolExecutionNotifications).toHaveLength(1)
  })

  it.each([
    ["outbox/INV-1.json", "outbox/INV-1.json"],
    ["./INV-1.json", "INV-1.json"],
    ["../in/INV-1.json", "../in/INV-1.json"],
    ["a b/100%#1?.json", "a%20b/100%25%231%3F.json"],
    ["über.json", "%C3%BCber.json"],
    ["c:d.json", "c%3Ad.json"],
    ["in\\INV-1.json", "in/INV-1.json"],
    ["half \ud800.json", "half%20%EF%BF%BD.json"],
    ["/in/a b.json", "file:///in/a%20b.json"],
  ])("names the file %j as the URI %s", async (file, uri) => {
    expect(await uriFor(file)).toBe(uri)
  })
})
