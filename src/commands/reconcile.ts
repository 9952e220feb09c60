import { quoted } from "../base/parsed.ts"
import { command, type Flags } from "../command/index.ts"
import { FreightError } from "../base/errors.ts"
import { sentText, type Settled } from "../ledger/index.ts"
import { nameSettled, settleUnknown, tellUnsettled, toSettledJson } from "../orders/index.ts"
import { BRIEF, type Column, print } from "../output/index.ts"

const flags = {
  untilKnown: {
    formerly: ["--wait"],
    about: "look again until it is known, or only the carrier can say: a few minutes",
    conflicts: ["release", "settle", "duplicate"],
  },
  release: {
    takes: "<key>",
    about: "you confirm that nothing was created, so it may be sent again (repeatable)",
    isRepeatable: true,
    conflicts: ["settle", "duplicate"],
  },
  settle: {
    takes: "<key=shipment>",
    about:
      "you confirm that this shipment is what was created; of a pickup, KEY=REFERENCE as the carrier knows it, or KEY alone; of a print, KEY alone (repeatable)",
    isRepeatable: true,
    conflicts: "duplicate",
    read: parseSettlement,
  },
  dryRun: { about: "with --release: show what would be released, and change nothing", needs: "release" },
  duplicate: {
    takes: "<name>",
    about: "you confirm that an order that was made twice is settled with the carrier",
  },
} as const satisfies Flags

const columns: Column<Settled>[] = [
  { key: "outcome", title: "OUTCOME", rank: 1, isState: true },
  { key: "kind", title: "KIND", rank: 6 },
  { key: "key", title: "KEY", rank: 2, show: nameSettled },
  { key: "about", title: "ABOUT", rank: 3 },
  { key: "sentAt", title: "SENT", rank: 5, show: sentText, brief: BRIEF.time, gives: "nothing" },
  { key: "matches", title: "SHIPMENTS", rank: 7, value: ({ matches }) => matches.join(" "), gives: "words" },
  { key: "note", title: "NOTE", rank: 4, gives: "words" },
  { key: "warning", title: "WARNING", hidden: true },
  { key: "error", title: "ENDED WITH", hidden: true },
  { key: "id", title: "ID", hidden: true },
  { key: "reference", title: "REFERENCE", hidden: true },
  { key: "lookAgainAt", title: "LOOK AGAIN", hidden: true },
  { key: "ask", title: "ASK", hidden: true },
  { key: "needsKey", title: "NEEDS KEY", hidden: true },
]

export default command({
  about:
    "Looks in the API for requests whose outcome is unknown, and settles them. It creates nothing. " +
    "Exactly one match settles an entry; anything else leaves it open.",
  flags,
  columns,
  examples: ["freight reconcile --sandbox", "freight reconcile --sandbox --json"],
  /** Fails while something stays open, so that a script does not go on as if all were known. */
  async run(deps, options) {
    const done = await settleUnknown(deps, options)
    const { settled, warnings, error } = done
    if (!error || settled.length > 0)
      await print(deps, {
        rows: settled,
        items: settled.map(toSettledJson),
        warnings,
        columns,
        empty: "Every outcome is known: there is nothing to settle.",
      })
    await tellUnsettled(deps, done)
  },
})

/** A key may contain an equals sign where a name follows, which never does. */
function parseSettlement(text: string, flag: string): { key: string; name: string | undefined } {
  const [, key = text, name] = /^(.+)=([^=]+)$/s.exec(text) ?? []
  if (key === "" || (name === undefined && text.includes("=")))
    throw new FreightError(
      "usage",
      `${flag} takes a key and a shipment, as in PO-1001=SHIPMENT, not ${quoted(text)}`,
    )
  return { key, name: name?.trim() }
}
