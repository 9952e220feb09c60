/** The names that a command was given, and the shipments that they stand for. */
import { several } from "../../api/index.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { decodeJsonBytes, fromRedirection } from "../../input/index.ts"
import type { Terminal } from "../../output/index.ts"
import { createFinder, type FinderDeps } from "./find.ts"

/** What is named, for messages and for the heading of a list. */
export interface Naming {
  /** `consignment number` */
  what: string
  /** First lines that are no name: what freight's own CSV calls the column. */
  headings: readonly string[]
  /** Why a text cannot be such a name, and what to do. */
  fault?: (name: string) => string | undefined
}

/** Shipments, as commands take them and freight's own CSV heads them. */
export const SHIPMENTS: Naming = {
  what: "shipment",
  headings: ["id", "shipmentId", "shipment", "consignmentNumber", "consignment", "orderNumber", "reference"],
}

export const MAX_NAME_LENGTH = 200

interface Named {
  name: string
  /** Counted from 1; undefined for an argument. */
  line?: number
}

/**
 * The names that a command was given: its arguments, where `-` stands for standard input with a name a line. There,
 * blank lines and those that begin with # are skipped. A name that comes again counts once.
 * @throws FreightError `input` with every faulty name, `usage` when there is none
 */
export async function namesFrom(
  { stdin }: Terminal,
  args: readonly string[],
  naming: Naming,
): Promise<string[]> {
  const named: Named[] = []
  for (const arg of args) {
    if (arg === "-") named.push(...readNameLines(await stdin.readAll(), naming))
    else named.push({ name: arg.trim() })
  }
  const errors = named.flatMap(({ name, line }) => {
    const fault = findNameError(name, naming)
    return fault === undefined ? [] : [{ message: fault, line, column: line && 1 }]
  })
  const [first] = errors
  if (first && named.length === 1) throw new FreightError("input", first.message)
  if (first) {
    const found = `${errors.length} of ${named.length} are not ${naming.what}s`
    throw new FreightError("input", `${found}; nothing was sent`, { errors })
  }
  if (named.length === 0) throw new FreightError("usage", `standard input contains no ${naming.what}`)
  return [...new Set(named.map(({ name }) => name))]
}

function readNameLines(bytes: Uint8Array, { headings }: Naming): Named[] {
  const decoded = decodeJsonBytes(fromRedirection(bytes))
  if ("error" in decoded) {
    const { message, hint } = decoded.error
    throw new FreightError("input", `standard input: ${message}`, { hint })
  }
  return decoded.text
    .split(/\r\n?|\n/)
    .map((text, index) => ({ name: text.trim(), line: index + 1 }))
    .filter(
      ({ name, line }) => name !== "" && !name.startsWith("#") && !(line === 1 && headings.includes(name)),
    )
}

/** Why a text cannot be a name; undefined where it can. */
export function findNameError(name: string, { what, fault }: Naming): string | undefined {
  if (name === "") return `a ${what} is empty`
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) return `"${name.slice(0, 40)}" is not a ${what}`
  return fault?.(name)
}

interface ReadShipment {
  shipment: ShipmentDetail
  /** Of its entry in the ledger, where that knows the name. */
  scope: string | undefined
  /** As the API says, or its carrier on the phone. */
  isCancelled: boolean
}

/**
 * Reads each shipment once, whatever it is called.
 * @throws FreightError for the first that cannot be read: what is made of them must not lack one without a word
 */
export async function readShipments(deps: FinderDeps, names: readonly string[]): Promise<ReadShipment[]> {
  const finder = createFinder(deps, "shipment")
  await finder.checkNames(names)
  const api = await deps.freight()
  const found = new Map<string, ReadShipment>()
  for (const attempt of await several(names, (name) => finder.find(name, (id) => api.getShipment(id)))) {
    if (!attempt.ok) throw attempt.error
    const { shipment } = attempt.result
    const { scope, isCancelled = false } = finder.foundAs(attempt.item) ?? {}
    found.set(shipment.id, {
      ...{ shipment, scope },
      isCancelled: isCancelled || shipment.status === "CANCELLED",
    })
  }
  return [...found.values()]
}
