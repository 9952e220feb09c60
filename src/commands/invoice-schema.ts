import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import { command } from "../command/index.ts"
import { FreightError } from "../base/errors.ts"
import { EDITOR_SCHEMA } from "../invoice/index.ts"
import { JSON_FORMATS, jsonText } from "../output/index.ts"

const NAMED_SCHEMA = {
  title: "Schema",
  description: "Where an editor finds this schema. Remove it before you send the invoice.",
  type: "string",
}

export default command({
  about:
    "Prints the JSON Schema (2020-12) of an invoice, for editors and other tools. What the service fills in is marked readOnly.",
  flags: {
    draft: {
      about: "the schema of a draft, which may lack what the service fills in, and name its schema",
    },
  },
  formats: JSON_FORMATS,
  examples: [
    "freight invoice schema > invoice.schema.json",
    "freight invoice schema --draft > draft.schema.json",
  ],
  async run({ terminal, output }, { draft }) {
    if (output.fields) throw new FreightError("usage", "a schema is JSON")
    const shown = draft ? createDraftSchema() : { ...schema, description: CANONICAL }
    const indent = output.format === "ndjson" ? undefined : 2
    // Standard keywords only, so that any validator takes it.
    await terminal.stdout.write(`${jsonText(JSON.parse(JSON.stringify(shown), toStandard), indent)}\n`)
  },
})

const CANONICAL = "The canonical invoice document, contract 1.0.7."

function createDraftSchema(): object {
  const { required, properties } = schema
  const managed = Object.entries(properties).flatMap(([name, field]) =>
    "x-managed" in field && field["x-managed"] ? [name] : [],
  )
  return {
    ...schema,
    $id: schema.$id.replace("invoice.schema", "invoice-draft.schema"),
    title: "Invoice draft",
    description: "An invoice as its sender holds it: what the service fills in may be absent.",
    properties: { [EDITOR_SCHEMA]: NAMED_SCHEMA, ...properties },
    required: required.filter((name) => !managed.includes(name)),
  }
}

/** A reviver that replaces this tool's own keywords with standard ones. */
function toStandard(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  if ("x-managed" in value) {
    const { "x-managed": managed, ...rest } = value
    return { ...rest, ...(managed === true && { readOnly: true }) }
  }
  if ("format" in value && value.format === "email-or-empty") {
    const { format: _, ...rest } = value
    return { ...rest, anyOf: [{ const: "" }, { format: "email" }] }
  }
  return value
}
