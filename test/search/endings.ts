/** Every way in which the sending of an order may end, whatever happens to the ledger, the outbox and the entry meanwhile. */
import { isDeepStrictEqual } from "node:util"
import { FreightError } from "../../src/base/errors.ts"
import { createOnce, type Intent } from "../../src/ledger/create.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { ApiKey } from "../simulation/services.ts"
import { type Check, combine } from "./cases.ts"
import { type Desk, describeError, toEnd } from "./desk.ts"
import { toIntent } from "./ledgers.ts"
import type { Asked } from "./rules.ts"

interface Ending {
  name: "PO-7" | ""
  /** The state when its turn to be sent comes. All but "all is well" prevent that. */
  before: "all is well" | "the claim took longer than a lease" | "its time has passed" | "the person says no"
  /** The reply; "a fault" is an error of freight after the request left. */
  reply: "made" | "refused" | "lost" | "a fault"
  meanwhile: "nothing" | "released" | "released and made again" | "settled by others"
  canRecord: boolean
  canKeep: boolean
}

type State = "unknown" | "done" | "refused" | "released"
interface Left {
  /** How the command ends. */
  ends: "made" | "refused" | "unknown" | "made, not recorded" | "made twice" | "a fault" | "not sent"
  state: State | "none"
  isKept: boolean
  /** After the next command at the desk. */
  later: State | "none"
}

/** Known facts are never lost: it is in the ledger, in the outbox, or in what is told. The first rule that holds counts. */
const RULES: readonly [says: string, holds: (ending: Ending) => boolean, left: (ending: Ending) => Left][] = [
  [
    "A person's no leaves nothing behind.",
    ({ before }) => before === "the person says no",
    () => ({ ends: "not sent", state: "none", isKept: false, later: "none" }),
  ],
  [
    "What is not sent was certainly not made.",
    ({ before }) => before !== "all is well",
    (ending) => ({ ...leaveRefused({ ...ending, meanwhile: "nothing" }), ends: "not sent" }),
  ],
  [
    "Something else was made under its name: there are two.",
    ({ reply, meanwhile, canRecord }) =>
      reply === "made" && meanwhile === "released and made again" && canRecord,
    () => ({ ends: "made twice", state: "released", isKept: false, later: "released" }),
  ],
  [
    "What was made is recorded, whatever others took it for.",
    ({ reply, canRecord }) => reply === "made" && canRecord,
    () => ({ ends: "made", state: "done", isKept: false, later: "done" }),
  ],
  [
    "Or kept for the next command.",
    ({ reply }) => reply === "made",
    ({ meanwhile, canKeep }) => ({
      ends: "made, not recorded",
      state: stateAfter(meanwhile),
      isKept: canKeep,
      later: canKeep && meanwhile !== "released and made again" ? "done" : stateAfter(meanwhile),
    }),
  ],
  [
    "What was refused may be sent again.",
    ({ reply }) => reply === "refused",
    (ending) => ({ ...leaveRefused(ending), ends: "refused" }),
  ],
  [
    "A lost reply, or a fault, says nothing.",
    () => true,
    ({ reply, meanwhile }) => ({
      ends: reply === "lost" ? "unknown" : "a fault",
      state: stateAfter(meanwhile),
      isKept: false,
      later: stateAfter(meanwhile),
    }),
  ],
]

function leaveRefused({ meanwhile, canRecord, canKeep }: Ending): Omit<Left, "ends"> {
  const others = stateAfter(meanwhile)
  const refused = meanwhile === "nothing" ? "refused" : others
  return {
    state: canRecord ? refused : others,
    isKept: !canRecord && canKeep,
    later: canRecord || canKeep ? refused : others,
  }
}

function stateAfter(meanwhile: Ending["meanwhile"]): State {
  if (meanwhile === "nothing") return "unknown"
  return meanwhile === "settled by others" ? "done" : "released"
}

export function* listEndings(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  const endings = combine<Ending>({
    name: ["PO-7", ""],
    before: [
      "all is well",
      "the claim took longer than a lease",
      "its time has passed",
      "the person says no",
    ],
    reply: ["made", "refused", "lost", "a fault"],
    meanwhile: ["nothing", "released", "released and made again", "settled by others"],
    canRecord: [true, false],
    canKeep: [true, false],
  })
  for (const ending of endings) yield [JSON.stringify(ending), () => checkEnding(desk, key, ending)]
}

async function checkEnding(desk: Desk, key: ApiKey, ending: Ending): Promise<string | undefined> {
  const { database, fault, time } = desk
  await desk.fill({ entries: [] })
  const asked: Asked = {
    ...{ kind: "shipment", door: "by hand", again: false, hasReference: false, collects: [] },
    name: ending.name,
  }
  const deadline = time.now + 60_000
  const intent: Intent = {
    ...toIntent(asked, key),
    check() {
      if (time.now > deadline) throw new FreightError("input", "its time has passed")
    },
  }
  let sent = 0
  const noted: string[] = []
  const isSlow = ending.before === "the claim took longer than a lease"
  let areOthersAtIt = false
  fault.statement = (sql) => {
    if (areOthersAtIt) return
    if (isSlow && /^insert into sends/.test(sql)) time.now += 20_000
    if (!ending.canRecord && /^update sends/.test(sql))
      throw new FreightError("unavailable", "the ledger is locked")
  }
  const ended = await toEnd(
    createOnce<{ shipmentId: string }>(
      {
        ...desk,
        made: ({ id }) => noted.push(id),
        spending: {
          isOpen: true,
          async confirm() {
            if (ending.before === "the person says no") throw new FreightError("input", "Not booked.")
            if (ending.before === "its time has passed") time.now = deadline + 1
          },
        },
      },
      intent,
      async (lease) => {
        if (!lease.isHeld()) throw new FreightError("unavailable", "the lease ran out")
        sent++
        areOthersAtIt = true
        await happen(database, ending.meanwhile)
        areOthersAtIt = false
        fault.outbox = !ending.canKeep
        if (ending.reply === "refused") throw new FreightError("refused", "bad postcode", { status: 400 })
        if (ending.reply === "lost") throw new FreightError("outcomeUnknown", "the connection broke")
        if (ending.reply === "a fault") throw new TypeError("cannot read properties of undefined")
        return { shipmentId: "shp-mine" }
      },
      ({ shipmentId }) => ({ shipmentId }),
    ),
  )
  // Where nothing was sent, the outbox had no fault either.
  const expected = RULES.find(([, holds]) => holds(ending))?.[2](
    ending.before === "all is well" ? ending : { ...ending, canKeep: true },
  )
  const wrong = await compare(desk, ended, ending, { sent, noted, expected })
  return wrong && `${wrong} (${"error" in ended ? describeError(ended.error) : "no error"})`
}

async function compare(
  desk: Desk,
  ended: Awaited<ReturnType<typeof toEnd<unknown>>>,
  ending: Ending,
  { sent, noted, expected }: { sent: number; noted: readonly string[]; expected: Left | undefined },
): Promise<string | undefined> {
  const row = await readOwn(desk)
  const ends = "value" in ended ? "made" : kindOf(ended.error, sent)
  const isKept = Object.keys(desk.files).length > 0
  desk.fault.statement = undefined
  if (desk.timers.size > 0) return "its lease is renewed after it has ended"
  const error = "error" in ended && ended.error instanceof FreightError ? ended.error : undefined
  // The error must name what is recorded nowhere else.
  if (ends === "made, not recorded" && !error?.message.includes("shp-mine"))
    return "nobody is told what was made"
  if (ends === "made, not recorded" && !isKept && !error?.message.includes('"shipmentId":"shp-mine"'))
    return "the reply is nowhere"
  if (ends === "unknown" && (!error?.next || !error.hint)) return "nobody is told how to find out"
  if (ends === "unknown" && ending.meanwhile === "nothing" && ending.canRecord) {
    if (!row?.error?.includes("the connection broke"))
      return "the ledger does not say why its outcome is unknown"
    if (row.lease !== null) return "its lease goes on, and nobody is sending it"
  }
  if (noted.length !== (ends === "made" ? 1 : 0)) return `it is noted ${noted.length} times as made`
  await desk.outbox.takeIn(desk.store)
  const later = await readOwn(desk)
  if (later?.state === "done" && ending.reply === "made" && later.shipment !== "shp-mine")
    return `it is recorded as ${later.shipment}`
  const left = { ends, state: row?.state ?? "none", isKept, later: later?.state ?? "none" }
  if (!isDeepStrictEqual(left, expected))
    return `${JSON.stringify(left)} in place of ${JSON.stringify(expected)}`
  if (Object.keys(desk.files).length > 0) return "what was kept is not taken in"
  return undefined
}

function kindOf(error: unknown, sent: number): string {
  if (error instanceof TypeError) return "a fault"
  if (!(error instanceof FreightError)) return describeError(error)
  const { kind, message } = error
  if (sent === 0) return kind === "input" || kind === "unavailable" ? "not sent" : kind
  if (kind === "stepFailed")
    return /was released meanwhile, and sent again/.test(message) ? "made twice" : "made, not recorded"
  return kind === "outcomeUnknown" ? "unknown" : kind
}

async function readOwn({ database }: Desk) {
  const rows = await database.all(
    "select state, lease_until, error, shipment_id from sends where claim_token like 'new-token-%'",
  )
  const [row] = rows
  return (
    row && {
      state: row.state,
      lease: row.lease_until,
      error: row.error === null ? undefined : String(row.error),
      shipment: row.shipment_id,
    }
  )
}

/** Changes the entry as others may while its sender waits. */
async function happen(database: Database, what: Ending["meanwhile"]): Promise<void> {
  if (what === "nothing") return
  const [state, shipment] = what === "settled by others" ? ["done", "'shp-mine'"] : ["released", "null"]
  await database.run(
    `update sends set state = ?, lease_until = null, shipment_id = ${shipment}, note = 'Settled.'`,
    [state ?? ""],
  )
  if (what !== "released and made again") return
  const [row] = await database.all("select * from sends")
  const changes = {
    id: "made again",
    attempt: 2,
    state: "done",
    claim_token: "others",
    shipment_id: "shp-theirs",
  }
  const again = Object.fromEntries(
    Object.entries({ ...row, note: null, ...changes }).filter(([, value]) => value !== null),
  )
  const columns = Object.keys(again)
  await database.run(
    `insert into sends (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    Object.values(again) as never,
  )
}
