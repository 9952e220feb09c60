/** What `--set FIELD=VALUE` takes, read from the schema of a request: every field, and the values of those that have few. */
import schema from "../../schemas/freight.schema.json" with { type: "json" }
import type { Word } from "./value.ts"

interface Node {
  $ref?: string
  title?: string
  type?: string | string[]
  enum?: readonly unknown[]
  properties?: Record<string, Node>
  items?: Node
}

const DEFINITIONS: Readonly<Record<string, Node>> = schema.$defs as Record<string, Node>

/** @param name of a request in the schema: `ConsignmentBookingRequest` */
export function fieldWords(name: string): Word[] {
  return below(resolved({ $ref: name }), "")
}

/** The values of an enumeration of the schema: `BookingFields`, `packagingCode`. */
export function enumWords(name: string, property?: string): string[] {
  const node = resolved({ $ref: name })
  const of = property === undefined ? node : resolved(node.properties?.[property] ?? {})
  if (!of.enum) throw new TypeError(`${name}.${property} is no enumeration`)
  return of.enum.map(String)
}

/** Of a list its first entry, which shows how the others are written. */
function below(node: Node, path: string): Word[] {
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`)
  if (node.properties)
    return Object.entries(node.properties).flatMap(([name, each]) => below(resolved(each), inside(name)))
  const item = node.items && resolved(node.items)
  if (item) return below(item, inside("0"))
  const values = node.type === "boolean" ? ["true", "false"] : (node.enum ?? []).map(String)
  const about = node.title === undefined ? {} : { about: node.title }
  return [{ value: `${path}=`, ...about }, ...values.map((value) => ({ value: `${path}=${value}` }))]
}

function resolved({ $ref, ...node }: Node): Node {
  if ($ref === undefined) return node
  return { ...resolved(DEFINITIONS[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}), ...node }
}
