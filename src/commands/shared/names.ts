import { FreightError } from "../../errors.ts"
import { decodeJsonBytes } from "../../json/bytes.ts"
import type { Terminal } from "../../terminal/terminal.ts"

/** What is named, for messages and for the heading of a list. */
interface Naming {
  /** `consignment number` */
  what: string
  /** First lines that are no name: what freight's own CSV calls the column. */
  headings: readonly string[]
  /** Why a text cannot be such a name, and what to do. */
  fault?: (name: string) => string | undefined
}

/** A shipment by any of its names, for help. */
export const SHIPMENT =
  "id, consignment number, order number, reference or key of a shipment, or at least its first 6 characters"

/** Shipments, as commands take them and freight's own CSV heads them. */
export const SHIPMENTS: Naming = {
  what: "shipment",
  headings: ["id", "shipmentId", "shipment", "consignmentNumber", "consignment", "orderNumber", "reference"],
}

const LONGEST = 200

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
    return fault === undefined ? [] : [{ message: fault, ...(line !== undefined && { line, column: 1 }) }]
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
  const decoded = decodeJsonBytes(bytes)
  if ("error" in decoded) {
    const { message, hint } = decoded.error
    throw new FreightError("input", `standard input: ${message}`, hint === undefined ? {} : { hint })
  }
  return decoded.text
    .split(/\r\n?|\n/)
    .map((text, index) => ({ name: text.trim(), line: index + 1 }))
    .filter(
      ({ name, line }) => name !== "" && !name.startsWith("#") && !(line === 1 && headings.includes(name)),
    )
}

function findNameError(name: string, { what, fault }: Naming): string | undefined {
  if (name === "") return `a ${what} is empty`
  if (name.length > LONGEST || /\p{Cc}/u.test(name)) return `"${name.slice(0, 40)}" is not a ${what}`
  return fault?.(name)
}
