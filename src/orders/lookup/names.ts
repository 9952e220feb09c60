/** Finds the shipments that a command is about, or asks for one. */
import { quoted } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Asking, Ledgers, Session } from "../../session/index.ts"
import { type Naming, namesFrom } from "./given.ts"
import { keyText } from "../../ledger/index.ts"
import { fromEntry } from "./shipment-or-pickup.ts"
import { type Choice, withoutBack } from "../../output/index.ts"

/** A shipment by any of its names, for help. */
export const SHIPMENT =
  "id, consignment number, order number, reference or key of a shipment, or at least its first 6 characters"

/** For commands that take several of them, for help. */
export const SHIPMENT_NAMES = `${SHIPMENT}; or - for standard input, one a line`

/** Maximum number that is found without typing more: older ones by any of their names. */
const NEWEST = 200

/** The names given to a command, or one that is asked for. */
export async function namesOrAsk(
  deps: Asking & Ledgers & Session,
  given: readonly string[],
  naming: Naming,
  question: string,
): Promise<string[]> {
  return namesFrom(deps.terminal, given.length > 0 ? given : [await askShipment(deps, question)], naming)
}

export async function askShipment(deps: Asking & Ledgers & Session, question: string): Promise<string> {
  const { store, scopes } = await deps.readLedger()
  const entries = await store.history({
    kind: "shipment",
    state: "done",
    scopes,
    detail: "brief",
    page: { after: undefined, size: NEWEST },
  })
  const booked = entries.flatMap((entry): Choice<string>[] => {
    const shipment = fromEntry(entry)
    if (!shipment) return []
    const own = entry.facts.reference ?? keyText(entry)
    const names = [...new Set([...(own ? [own] : []), ...shipment.names])].slice(0, 2)
    return [{ name: safeText([...names, shipment.about].join(", "), 200), value: shipment.id }]
  })
  const { pick } = withoutBack(await deps.converse({ keepsAnswers: false }))
  return pick(question, (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const found = booked.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    return typed === "" ? found : [...found, { name: `Look for ${quoted(typed)}`, value: typed }]
  })
}
