/** The names given to a command, and their shipments. */
import { quoted } from "../../base/parsed.ts"
import { several } from "../../api/index.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { decodeJsonBytes, fromRedirection } from "../../input/index.ts"
import type { Terminal } from "../../output/index.ts"
import { createFinder, type FinderDeps } from "./find.ts"

export interface Naming {
  /** `consignment number` */
  what: string
  /** First lines that are not names: the column's heading in freight's own CSV. */
  headings: readonly string[]
  /** Why a text cannot be such a name, with advice. */
  fault?: (name: string) => string | undefined
}

/** Names of shipments, as commands take them, with the headings of freight's own CSV. */
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
 * The names given to a command: its arguments, where `-` stands for standard input with one name per line. There, blank
 * lines and those that begin with # are skipped. A repeated name counts once.
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

/** Why a text cannot be a name; undefined if it can. */
export function findNameError(name: string, { what, fault }: Naming): string | undefined {
  if (name === "") return `a ${what} is empty`
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) return `${quoted(name)} is not a ${what}`
  return fault?.(name)
}

interface ReadShipment {
  shipment: ShipmentDetail
  /** Account of its entry, if the ledger knows the name. */
  scope: string | undefined
  /** By the API, or by its carrier on the phone. */
  isCancelled: boolean
}

/**
 * Reads each shipment once, whatever names it has.
 * @throws FreightError for the first that cannot be read: the result must not lack one silently
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
