/** Every outbox of up to two files that may be there at a start; and what a power cut leaves of it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Entry } from "../../src/ledger/entry.ts"
import { openFolder, openOutbox } from "../../src/ledger/outbox.ts"
import type { ApiKey } from "../simulation/services.ts"
import { type Check, combine } from "./cases.ts"
import { type Desk, tokenOf } from "./desk.ts"
import { toEntry } from "./ledgers.ts"

/** A file of the outbox: the outcome that it states, its ledger, and how much of it is there. */
interface Kept {
  says: "it was made" | "it was refused" | "it was never sent"
  ledger: "this one" | "as it was spelled before" | "another" | "not said"
  part: "whole" | "half" | "nothing" | "a draft"
}
type State = Entry["state"]

const KEPT: readonly Kept[] = [
  ...combine<Kept>({
    says: ["it was made", "it was refused", "it was never sent"],
    ledger: ["this one", "as it was spelled before", "another", "not said"],
    part: ["whole"],
  }),
  ...combine<Kept>({
    says: ["it was made", "it was never sent"],
    ledger: ["this one"],
    part: ["half", "nothing", "a draft"],
  }),
]

/** Whether a command takes a file in: it is whole, and for its ledger, however that is spelled. */
const isTaken = ({ ledger, part }: Kept) => part === "whole" && ledger !== "another"

/** An entry's state after a file is taken in. Success settles any but a refused one, refusal only an unknown one. */
function settle(state: State, { says }: Kept): State {
  if (says === "it was made") return state === "refused" ? state : "done"
  return state === "unknown" ? "refused" : state
}

export function* listOutboxes(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  const states: State[] = ["unknown", "released", "done", "refused"]
  for (const state of states)
    for (const first of KEPT)
      for (const second of [undefined, ...KEPT]) {
        const files = second ? [first, second] : [first]
        yield [
          `${state}, and the outbox has ${JSON.stringify(files)}`,
          () => checkOutbox(desk, key, state, files),
        ]
      }
  yield ["the power fails when an outcome is kept", () => cutPower(desk, key)]
}

function toSample(key: ApiKey, state: State): Entry {
  const standing = state === "unknown" ? "open, without a lease" : state
  const past = {
    kind: "shipment",
    standing,
    sent: 60_000,
    settled: 60_000,
    name: "PO-7",
    likeness: "equal",
  } as const
  const asked = {
    kind: "shipment",
    door: "api",
    name: "PO-7",
    again: false,
    hasReference: false,
    collects: [],
  } as const
  return toEntry({ ...past, account: "own", collects: [] }, 0, asked, key)
}

async function checkOutbox(
  desk: Desk,
  key: ApiKey,
  state: State,
  kept: readonly Kept[],
): Promise<string | undefined> {
  const entry = toSample(key, state)
  await desk.fill({ entries: [entry] })
  for (const [n, each] of kept.entries())
    desk.files[`${n}.json${each.part === "a draft" ? ".draft" : ""}`] = write(entry, each)
  const left = kept.flatMap((each, n) =>
    isTaken(each) ? [] : [`${n}.json${each.part === "a draft" ? ".draft" : ""}`],
  )
  const expected = kept.filter(isTaken).reduce(settle, state)
  const taken = await desk.outbox.takeIn(desk.store)
  const [row] = await desk.database.all("select state, lease_until, shipment_id from sends")
  if (row?.state !== expected) return `it is ${row?.state}, and should be ${expected}`
  if (expected === "done" && state !== "done" && row.shipment_id !== "shp-kept")
    return `it is ${row.shipment_id}`
  if (Object.keys(desk.files).join() !== left.join())
    return `${Object.keys(desk.files).join()} is left, and should be ${left.join()}`
  const told = kept.filter((each) => isTaken(each) && each.says !== "it was never sent")
  if (taken.length !== told.length) return `${taken.length} outcomes are told`
  return undefined
}

function write(entry: Entry, { says, ledger, part }: Kept): string {
  if (part === "nothing") return ""
  // A file for another ledger has a token that this one does not know.
  const token = ledger === "another" ? "token of another" : tokenOf(entry)
  const place = {
    "this one": "this ledger",
    "as it was spelled before": "./this ledger",
    another: "another ledger",
  }
  const made = {
    state: "done",
    facts: { ...entry.facts, shipmentId: "shp-kept" },
    response: { shipmentId: "shp-kept" },
  }
  const outcome = says === "it was made" ? made : { state: "refused" }
  const text = JSON.stringify({
    ...(says === "it was never sent" ? { unsent: token } : { entry: { ...entry, ...outcome }, token }),
    ...(ledger !== "not said" && { ledger: place[ledger] }),
  })
  return part === "half" ? text.slice(0, text.length / 2) : text
}

/** After a power cut a disk has what was synced, and nothing else. */
async function cutPower(desk: Desk, key: ApiKey): Promise<string | undefined> {
  const entry = toSample(key, "unknown")
  await desk.fill({ entries: [entry] })
  const folder = mkdtempSync(path.join(tmpdir(), "freight-outbox-"))
  try {
    const synced: Record<string, string> = {}
    const files = openFolder(folder, (file, text, { isDurable = false } = {}) => {
      if (isDurable) synced[path.basename(file)] = String(text)
    })
    const outbox = openOutbox(folder, "this ledger", files)
    await outbox.keep({ ...entry, state: "done" }, tokenOf(entry))
    Object.assign(desk.files, synced)
    await desk.outbox.takeIn(desk.store)
    const [row] = await desk.database.all("select state from sends")
    return row?.state === "done" ? undefined : "the outcome is lost"
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
