/**
 * A command's output under `--json`, and its output on standard error, as JSON Schema. `scripts/outputs.mjs` extracts
 * it from the program.
 */
import { type OutputSchemas, readOutputSchemas } from "../command/index.ts"
import { FreightError } from "../base/errors.ts"
import { jsonText } from "../output/index.ts"

/**
 * The schema of a command's output, as text; without words, of all commands.
 * @param words `["pickup", "book"]`
 */
export function outputSchemaText(words: readonly string[]): string {
  const all = readOutputSchemas()
  if (words.length === 0) return `${jsonText(all, 2)}\n`
  const name = words.join(" ")
  const schema = all.properties[name]
  if (!schema)
    throw new FreightError("usage", `freight ${name} prints no JSON`, {
      hint: "freight --json-schema has the schemas of all commands that do.",
    })
  const $defs = collectDefs([schema, { $ref: "#/$defs/MessageJson" }], all.$defs)
  const shown = {
    $schema: all.$schema,
    title: `freight ${name} --json`,
    ...schema,
    $defs,
  }
  return `${jsonText(shown, 2)}\n`
}

/** The definitions that a schema refers to, and those that these refer to. */
function collectDefs(schema: object, defs: OutputSchemas["$defs"]): Record<string, object> {
  const found: Record<string, object> = {}
  const add = (part: object) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
      const def = defs[name]
      if (!def || found[name]) continue
      found[name] = def
      add(def)
    }
  }
  add(schema)
  return found
}
