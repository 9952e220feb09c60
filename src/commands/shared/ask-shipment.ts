/** Which shipment a command is about, where it was not named. */
import type { Command } from "commander"
import { safeText } from "../../contract/safe-text.ts"
import type { Deps } from "../../deps.ts"
import { thingInLedger } from "../../lookup/things.ts"
import { type Choice, withoutBack } from "../../terminal/conversation/conversation.ts"

/** Found without typing more: older ones by any of their names. */
const NEWEST = 200

/**
 * The names as they were given; one that is asked for where there are none, and somebody to ask.
 * @throws commander's error for a missing argument where there is nobody
 */
export async function namesOrAsk(
  deps: Deps,
  given: readonly string[],
  command: Command,
  question: string,
): Promise<readonly string[]> {
  if (given.length > 0) return given
  if (!deps.interactive) command.error("missing argument", { code: "commander.missingArgument" })
  return [await askShipment(deps, question)]
}

/** A shipment's id out of the ledger's newest, or any name that is typed. */
export async function askShipment(deps: Deps, question: string): Promise<string> {
  const { store, scopes } = await deps.readLedger()
  const entries = await store.history({
    kind: "shipment",
    state: "done",
    ...(scopes && { scopes }),
    isBrief: true,
    page: { after: undefined, size: NEWEST },
  })
  const booked = entries.flatMap((entry): Choice<string>[] => {
    const thing = thingInLedger(entry)
    if (!thing) return []
    const names = [...new Set(thing.names)].slice(0, 2)
    return [{ name: safeText([...names, thing.about].join(", "), 200), value: thing.id }]
  })
  const { pick } = withoutBack(await deps.converse({ keepsAnswers: false }))
  return pick(question, (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const found = booked.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    return typed === "" ? found : [...found, { name: `Look for "${typed}"`, value: typed }]
  })
}
