/** Changes a reply in one place: what a later version of the service, or a fault of it, may send. */
import { CARRIERS } from "../../src/carriers/names.ts"

export interface Mutation {
  /** `drop shipments[0].status` */
  name: string
  /** The field that is not as it was: `shipments[0].status`. */
  path: string
  body: unknown
}

type Fields = Record<string, unknown>

/** Words of sets that the contract lists. */
const LISTED: readonly string[] = [
  ...CARRIERS,
  ...["CONSIGNED", "CANCELLED", "NOT_BOOKED", "BOOKED", "FAILED", "API", "PORTAL", "DELIVERED"],
  ...["shown", "hidden", "Sender", "Receiver", "ThirdParty", "AUD"],
]

/** Ways to change a field of an object, which is a copy. */
const CHANGES: Readonly<Record<string, (holder: Fields, name: string) => boolean>> = {
  drop: (holder, name) => delete holder[name],
  null: (holder, name) => {
    const isNull = holder[name] === null
    holder[name] = null
    return !isNull
  },
  "other type": (holder, name) => {
    holder[name] =
      typeof holder[name] === "string" ? 7 : typeof holder[name] === "object" ? "text" : String(holder[name])
    return true
  },
  "unknown value": (holder, name) => {
    const isListed = LISTED.includes(String(holder[name]))
    holder[name] = "SOMETHING_NEW"
    return isListed
  },
  "lower case": (holder, name) => {
    const isListed = LISTED.includes(String(holder[name]))
    holder[name] = String(holder[name]).toLowerCase()
    return isListed
  },
  "name in another case": (holder, name) => {
    const other = name.charAt(0).toUpperCase() + name.slice(1)
    if (other === name) return false
    holder[other] = holder[name]
    return delete holder[name]
  },
}

/**
 * All changes of one field of a reply, a field more in each object, and each list without what it holds or with null among
 * it. Of a list, the first row is changed.
 */
export function* mutate(body: unknown): Generator<Mutation> {
  for (const [path, steps] of places(body, "", [])) {
    const at = (copy: unknown) => steps.reduce((value, step) => (value as Fields)[step], copy) as Fields
    const here = at(body)
    if (Array.isArray(here)) {
      const copy = structuredClone(body)
      ;(at(copy) as unknown as unknown[]).unshift(null)
      yield { name: `null in ${path}`, path, body: copy }
      continue
    }
    const more = structuredClone(body)
    at(more).addedLater = { since: "0.2.0", list: [1] }
    yield { name: `extra in ${path || "the reply"}`, path, body: more }
    for (const name of Object.keys(here))
      for (const [kind, change] of Object.entries(CHANGES)) {
        const copy = structuredClone(body)
        const field = path === "" ? name : `${path}.${name}`
        if (change(at(copy), name)) yield { name: `${kind} ${field}`, path: field, body: copy }
      }
  }
}

/** Each object and list within a value, with the way to it. */
function* places(value: unknown, path: string, steps: string[]): Generator<[path: string, steps: string[]]> {
  if (typeof value !== "object" || value === null) return
  yield [path, steps]
  if (Array.isArray(value)) {
    if (value.length > 0) yield* places(value[0], `${path}[0]`, [...steps, "0"])
    return
  }
  for (const [name, child] of Object.entries(value))
    yield* places(child, path === "" ? name : `${path}.${name}`, [...steps, name])
}
