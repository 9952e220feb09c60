/**
 * The fields of a booking as questions, read from the schema: its title is the question, its type the kind of answer,
 * its enum the choices. A field that the schema marks with `x-carrier` is asked for those carriers.
 */
import {
  fieldsOf,
  findKind,
  formatPhone,
  LINK_FIELDS,
  PACKAGING,
  parsePhone,
  parsePlace,
  resolve,
  type SchemaNode,
} from "../../contract/index.ts"
import type { Carrier } from "../../contract/generated/types.ts"
import { grouped } from "../../base/counted.ts"
import { type Parsed, parsed } from "../../base/parsed.ts"
import type { Answer, Field, Parts } from "./field.ts"
import type { JsonObject } from "../../base/json.ts"

const SCHEMA = fieldsOf("ConsignmentBookingRequest")

/** @throws TypeError for a path that the booking does not have */
export function getField(path: string): Field {
  const found = SCHEMA.find(path.split("."))
  if (!("node" in found)) throw new TypeError(`no field ${path}`)
  return toField(path, found.node)
}

function toField(path: string, node: SchemaNode): Field {
  const answer = toAnswer(node)
  const hint = node["x-hint"] ?? describeLimits(node) ?? HINTS[answer.kind]
  return {
    path,
    words: node.title ?? path,
    answer,
    ...(hint !== undefined && { hint }),
    ...(node["x-carrier"] && { carriers: node["x-carrier"] }),
  }
}

/** `1 to 5`; `at most 10,000` */
function describeLimits({ minimum, maximum }: SchemaNode): string | undefined {
  if (maximum === undefined) return undefined
  const most = grouped(maximum)
  return minimum ? `${minimum} to ${most}` : `at most ${most}`
}

const HINTS: Readonly<Partial<Record<Answer["kind"], string>>> = {
  words: "separated by commas",
  day: "such as 25 Nov 2026",
  clock: "such as 9am",
  zonedMoment: "such as 25 Nov 2026 9:30am",
}

function toAnswer(node: SchemaNode): Answer {
  if (node["x-kind"] === "packaging") return { kind: "one", of: PACKAGING }
  if (node.enum)
    return {
      kind: "one",
      of: node.enum.map((value, at) => [String(value), node["x-names"]?.[at] ?? String(value)]),
    }
  if (node.properties) return toParts(node)
  if (node.items) {
    const item = resolve(node.items)
    return item.properties ? { ...toParts(item), many: true } : { kind: "words" }
  }
  const kind = findKind(node)
  return { kind: kind === "yesNo" ? "yes" : kind === "choice" ? "text" : kind }
}

function toParts({ properties = {}, required = [] }: SchemaNode): Parts {
  const parts = Object.entries(properties).map(([name, part]) => {
    const field = toField(name, resolve(part))
    return required.includes(name) ? field : ({ ...field, optional: true } as const)
  })
  return { kind: "parts", parts }
}

function spread(read: Parsed<object>): Parsed<JsonObject> {
  return read.ok ? parsed({ ...read.value }) : read
}

/** Suburb, state and postcode in one line. */
const PLACE: Field = {
  path: "place",
  words: "Suburb, state and postcode",
  hint: "such as Alexandria NSW 2015",
  split: {
    fields: ["suburb", "state", "postcode"],
    read: (typed) => spread(parsePlace(typed)),
    write: ({ suburb, state, postcode }) => [suburb, state, postcode].filter(Boolean).join(" "),
  },
}

const PHONE: Field = {
  path: "phone",
  words: "Phone",
  optional: true,
  hint: "such as 02 5550 1234 or 0412 345 678",
  split: {
    fields: ["phoneAreaCode", "phoneNumber"],
    read: (typed) => spread(parsePhone(typed)),
    write: (address) => formatPhone(address),
  },
}

/** A party, in the order in which it is asked. */
export const PARTY: Parts = {
  kind: "parts",
  parts: [
    ...getParts("sender", "companyName", "address1", "address2"),
    PLACE,
    ...getParts("sender", "contactName"),
    PHONE,
    ...getParts("sender", "email"),
  ],
}

function getParts(path: string, ...names: string[]): Field[] {
  const { answer } = getField(path)
  const parts = answer?.kind === "parts" ? answer.parts : []
  return names.flatMap((name) => parts.find((part) => part.path === name) ?? [])
}

const DETAILS = getField("dangerousGoodsDetails")
export const DANGEROUS_GOODS: Parts =
  DETAILS.answer?.kind === "parts" ? DETAILS.answer : { kind: "parts", parts: [] }

/** Each field that only some carriers read; for a field with several objects, each of their fields. */
export const CARRIER_FIELDS: readonly Field[] = [...listCarrierFields(SCHEMA.root, "", undefined)]

function* listCarrierFields(
  node: SchemaNode,
  above: string,
  owners: readonly Carrier[] | undefined,
): Generator<Field & { carriers: readonly Carrier[] }> {
  for (const [name, each] of Object.entries(node.properties ?? {})) {
    if (LINK_FIELDS.some((field) => field === name)) continue
    const [path, part] = [above === "" ? name : `${above}.${name}`, resolve(each)]
    const carriers = part["x-carrier"] ?? owners
    const below = Object.values(part.properties ?? {}).map((each) => resolve(each))
    const isHolder = below.length > 0 && (!carriers || below.every(({ properties }) => properties))
    if (isHolder) yield* listCarrierFields(part, path, carriers)
    else if (carriers) yield { ...toField(path, part), carriers }
  }
}

/** Lists the optional fields; without a carrier, those that all carriers take. */
export function listExtras(carrier: Carrier | undefined): readonly Field[] {
  return [getField("specialInstructions"), ...CARRIER_FIELDS.filter((field) => isReadBy(field, carrier))]
}

/** @param carrier undefined: whether all carriers read it */
export function isReadBy({ carriers }: Field, carrier: Carrier | undefined): boolean {
  return !carriers || (carrier !== undefined && carriers.includes(carrier))
}
