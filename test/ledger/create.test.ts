import { describe, expect, it } from "vitest"
import { type ErrorKind, FreightError } from "../../src/base/errors.ts"
import type { Intent, SendStep } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { isInFlight } from "../../src/ledger/decision.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import {
  create,
  entries,
  failure,
  HOUR,
  intent,
  NOW,
  OTHER,
  PO,
  SCOPE,
  SENDER,
  refusing,
  request,
  server,
  testClock,
  testLedger,
} from "./setup.ts"

/** A ledger whose person answers that way. */
function askingLedger(answers: boolean) {
  const asked: string[] = []
  const confirm = async (question: string) => {
    asked.push(question)
    if (!answers) throw new FreightError("input", "you said no: nothing was sent")
  }
  return { ledger: testLedger({ spending: { isOpen: true, confirm } }), asked }
}

describe("a create that costs money", () => {
  const PAID = { ...PO, question: "Book it: AUD 62.52?" }

  it("is asked about before it is claimed", async () => {
    const { ledger, asked } = askingLedger(false)
    const { send, made } = server()
    expect(await failure(create(ledger, send, PAID))).toMatchObject({ kind: "input", exitCode: 2 })
    expect([asked, made, await entries(ledger.store)]).toEqual([[PAID.question], [], []])
  })

  it("is not asked about where the ledger gives its result, or refuses it", async () => {
    const { ledger, asked } = askingLedger(true)
    const { send, made } = server()
    await create(ledger, send, PAID)
    expect(await create(ledger, send, PAID)).toMatchObject({ recorded: true })
    expect(await failure(create(ledger, send, { question: "Again?" }))).toMatchObject({ kind: "refused" })
    expect([asked, made]).toEqual([[PAID.question], ["shp-1"]])
  })
})

it("a check right before sending keeps an order from being sent, and leaves its key free", async () => {
  const late = new FreightError("input", "it became too late; nothing was sent")
  const ledger = testLedger()
  const { send, made } = server()
  const check = () => {
    throw late
  }
  expect(await failure(create(ledger, send, { ...PO, check }))).toBe(late)
  expect(made).toEqual([])
  expect(await entries(ledger.store)).toMatchObject([{ state: "refused", error: { message: late.message } }])
  expect(await create(ledger, send, PO)).toMatchObject({ recorded: false })
  // An order that was made before gets its recorded result, however late it is.
  expect(await create(ledger, send, { ...PO, check })).toMatchObject({ recorded: true })
})

const UNKNOWN = new FreightError("outcomeUnknown", "POST was sent, then: the connection broke")

const REPLY = { shipmentId: "shp-1", orderNumber: "ORD-1" }

describe("a create that is done", () => {
  it("is in the ledger before it is sent, then with its reply, what was learned from it, and its times; its shipment finds it", async () => {
    const ledger = testLedger()
    let before: Entry[] = []
    const send = async () => {
      before = await ledger.store.open()
      ledger.clock.advance(3000)
      return REPLY
    }
    expect(await create(ledger, send, PO)).toMatchObject({ response: REPLY, recorded: false })
    // Before it was sent.
    expect(before).toMatchObject([{ state: "unknown", request }])
    expect(before[0]).not.toHaveProperty("settledAt")
    expect(await entries(ledger.store)).toMatchObject([
      {
        kind: "shipment",
        key: "key:PO-1001",
        account: "account-1",
        state: "done",
        attempt: 1,
        sentAt: new Date(NOW).toISOString(),
        settledAt: new Date(NOW + 3000).toISOString(),
        sender: SENDER,
        facts: { ...intent().facts, shipmentId: "shp-1" },
        call: "POST /connector-a/shipments",
        request,
        response: REPLY,
      },
    ])
    expect(await ledger.store.open()).toEqual([])
    expect(await ledger.store.ofShipment(SCOPE, "shp-1")).toMatchObject({ key: "key:PO-1001", attempt: 1 })
  })

  it("is sent while the others take its lease for running, and no longer", async () => {
    const ledger = testLedger()
    const seen: [boolean, boolean][] = []
    await create(ledger, async (lease) => {
      const [entry] = await ledger.store.open()
      if (!entry) throw new Error("nothing is open")
      for (const ms of [LEASE_MS - 1, 1]) {
        ledger.clock.advance(ms)
        seen.push([lease.isHeld(), isInFlight(entry, ledger.clock.now())])
      }
      return REPLY
    })
    expect(seen).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it("has its lease from before the claim, which may take long to be committed", async () => {
    const ledger = testLedger()
    const claim: typeof ledger.store.claim = async (...asked) => {
      const claimed = await ledger.store.claim(...asked)
      ledger.clock.advance(LEASE_MS)
      return claimed
    }
    let isHeld: boolean | undefined
    await create({ ...ledger, store: { ...ledger.store, claim } }, async (lease) => {
      isHeld = lease.isHeld()
      return REPLY
    })
    expect(isHeld).toBe(false)
  })

  it("passes its four moments in order", async () => {
    const moments: (SendStep | "sent")[] = []
    const ledger = testLedger({ at: (moment) => moments.push(moment) })
    await create(ledger, async () => {
      moments.push("sent")
      return REPLY
    })
    expect(moments).toEqual(["before-intent", "after-intent", "sent", "before-outcome", "after-outcome"])
  })
})

describe("a create of which certainly nothing came", () => {
  const CERTAIN: ErrorKind[] = [
    "refused",
    "unauthenticated",
    "forbidden",
    "notFound",
    "rateLimited",
    "unavailable",
    "timeout",
    "interrupted",
  ]

  it.each(
    CERTAIN,
  )("(%s) fails as it was told, and may be sent again, its key also for something else", async (kind) => {
    const told = { status: 400, errors: [{ message: "bad postcode" }] }
    const error = new FreightError(kind, "no", told)
    for (const next of [PO, { ...PO, ...OTHER }]) {
      const ledger = testLedger()
      expect(await failure(create(ledger, refusing(error), PO))).toBe(error)
      expect(await ledger.store.open()).toEqual([])
      const { made, send } = server()
      expect((await create(ledger, send, next)).recorded).toBe(false)
      expect(made).toHaveLength(1)
      expect(await entries(ledger.store)).toMatchObject([
        { attempt: 1, state: "refused", error: { kind, message: "no", ...told } },
        { attempt: 2, state: "done" },
      ])
    }
  })
})

describe("a create whose outcome is not known", () => {
  const AGAIN: [string, Partial<Intent>, Partial<Intent>][] = [
    ["with its key", PO, PO],
    ["with its key and something else", PO, { ...PO, ...OTHER }],
    ["without a key", {}, {}],
    ["without a key, and told again", {}, { again: true }],
    ["without a key, after one with a key", PO, {}],
    ["told again, after one with a key", PO, { again: true }],
  ]

  it("says so, and what to do, and stays open", async () => {
    const ledger = testLedger()
    const error = await failure(create(ledger, refusing(UNKNOWN)))
    expect(error).toMatchObject({ kind: "outcomeUnknown", exitCode: 7, next: "freight reconcile" })
    expect(error.message).toBe(UNKNOWN.message)
    expect(error.hint).toContain("do not run this again")
    expect(await ledger.store.open()).toMatchObject([{ state: "unknown" }])
  })

  it.each(AGAIN)("is never sent again %s", async (_how, first, second) => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(UNKNOWN), first))
    ledger.clock.advance(100 * HOUR)
    const { made, send } = server()
    const error = await failure(create(ledger, send, second))
    expect(error).toMatchObject({
      kind: "outcomeUnknown",
      exitCode: 7,
      retry: "never",
      next: "freight reconcile",
    })
    expect(error.message).toContain("its outcome is unknown; nothing was sent now")
    expect(made).toEqual([])
  })

  it("is what a fault of freight in the middle leaves, which is reported as it is", async () => {
    const ledger = testLedger()
    const bug = new TypeError("undefined is not a function")
    await expect(create(ledger, refusing(bug), PO)).rejects.toBe(bug)
    expect(await failure(create(ledger, server().send, PO))).toMatchObject({ kind: "outcomeUnknown" })
  })

  it("is held by its sender no longer, whatever ended it", async () => {
    let renewAll = () => {}
    const renewed: string[][] = []
    const every = (_ms: number, work: () => void) => {
      renewAll = work
      return () => {}
    }
    const renew = async (ids: readonly string[]) => {
      renewed.push([...ids])
      return ids
    }
    const clock = testClock()
    const ledger = testLedger({
      clock,
      leases: createLeaseKeeper({ leaseMs: LEASE_MS, clock, every, renew }),
    })
    for (const error of [UNKNOWN, new TypeError("undefined is not a function")])
      await create(ledger, refusing(error), { key: error.name }).catch(() => {})
    renewAll()
    expect(renewed).toEqual([[]])
  })

  it("may be sent again once it is released", async () => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(UNKNOWN), PO))
    await release(ledger, "PO-1001")
    const { made, send } = server()
    await create(ledger, send, PO)
    expect(made).toHaveLength(1)
    expect(await entries(ledger.store)).toMatchObject([
      { attempt: 1, state: "released" },
      { attempt: 2, state: "done" },
    ])
  })
})

describe("how the sending of an open entry ended", () => {
  it("is kept in the entry, short and safe, and the entry stays open", async () => {
    const ledger = testLedger()
    const cause = `the connection broke \u001b[31m${"x".repeat(1000)}`
    await failure(create(ledger, refusing(new FreightError("outcomeUnknown", cause, { status: 502 })), PO))
    const [entry] = await entries(ledger.store)
    expect(entry).toMatchObject({ state: "unknown", error: { kind: "outcomeUnknown", status: 502 } })
    expect(entry?.settledAt).toBeUndefined()
    expect(entry?.error?.message).toMatch(/^the connection broke /)
    expect(entry?.error?.message).not.toContain("\u001b")
    expect(entry?.error?.message.length).toBeLessThanOrEqual(300)
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is not written over an outcome that another desk found", async () => {
    const ledger = testLedger()
    const send = async () => {
      const [open] = await ledger.store.open()
      if (open) await ledger.store.database.run("update sends set state = 'done' where id = ?", [open.id])
      throw new FreightError("outcomeUnknown", "the connection broke")
    }
    await failure(create(ledger, send, PO))
    expect(await entries(ledger.store)).toMatchObject([{ state: "done" }])
  })

  it("that cannot be written is told anyway", async () => {
    const ledger = testLedger()
    const store = { ...ledger.store, recordFailure: refusing(new FreightError("config", "the disk is full")) }
    const error = await failure(
      create({ ...ledger, store }, refusing(new FreightError("outcomeUnknown", "it broke")), PO),
    )
    expect(error).toMatchObject({ kind: "outcomeUnknown", message: "it broke", next: "freight reconcile" })
  })
})
