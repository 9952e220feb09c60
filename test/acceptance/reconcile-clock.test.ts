/** A clock that is hours off hides no booking from reconcile; what stays open is an error that scripts can read. */
import { describe, expect, it } from "vitest"
import type { Settled } from "../../src/ledger/reconcile.ts"
import { altered } from "./altered.ts"
import { fresh } from "./batches.ts"
import { bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

const HOUR = 3_600_000

/** A desk whose clock is so many hours ahead of the service's. */
async function deskAhead(hours: number) {
  const sandbox = await ownSandbox()
  await sandbox.control("clock", { advanceMs: -hours * HOUR })
  const reach = await altered(sandbox, (reply) => {
    reply.headers.date = new Date(Date.now() - hours * HOUR).toUTCString()
  })
  return { sandbox, ...(await bookingDesk(reach)) }
}

describe.each([
  [11, "11 h ahead of"],
  [-11, "11 h behind"],
])("a clock that is %d hours ahead", (hours, words) => {
  it("is reported, and what was booked is found", async () => {
    const { sandbox, book, freight } = await deskAhead(hours)
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await book("--no-rate", "--key", fresh())).code).toBe(7)
    const { code, json, stderr } = await freight(["reconcile", "--json"])
    expect(json<{ items: Settled[] }>().items).toMatchObject([{ outcome: "settled" }])
    expect(code).toBe(0)
    expect(stderr).toContain(`clock is ${words} the service's`)
  })

  it("does not make what is not found look as if it was never made", async () => {
    const { sandbox, book, freight } = await deskAhead(hours)
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect((await book("--no-rate", "--key", fresh())).code).toBe(7)
    const { code, json } = await freight(["reconcile", "--json"])
    expect(code).toBe(7)
    expect(json<{ items: Settled[] }>().items[0]?.note).not.toContain("probably never made")
  })
})

it("reconcile says when to look again, and never tells a program how to release", async () => {
  const sandbox = await ownSandbox()
  const { book, freight } = await bookingDesk(sandbox)
  await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
  const key = `${fresh()} of Ann`
  await book("--key", key)
  const ran = await freight(["reconcile", "--json"])
  expect(ran.code).toBe(7)
  const [open] = ran.items<Settled>()
  expect(Date.parse(open?.lookAgainAt ?? "")).toBe(Date.parse(open?.sentAt ?? "") + 5 * 60_000)
  const error = errorIn(ran.stderr)
  expect(error).toMatchObject({
    kind: "outcomeUnknown",
    retry: "after",
    next: "freight reconcile --until-known",
    errors: [{ message: expect.stringContaining(`${key}: No shipment matches`) }],
  })
  expect(error.retryAfter).toBeGreaterThan(240)
  const shown = await freight(["reconcile"])
  expect(shown.code).toBe(7)
  expect(ran.stdout + ran.stderr + shown.stdout + shown.stderr).not.toContain("--release")
  expect(await freight(["reconcile", "--release", key])).toMatchObject({ code: 0 })
})

it("reconcile names the question for the carrier, and no longer itself, once only the carrier can say", async () => {
  const sandbox = await ownSandbox()
  const { book, freight } = await bookingDesk(sandbox)
  const { shipmentId } = (await book("--key", fresh())).json<{ shipmentId: string }>()
  await sandbox.control("faults", { fault: "drop-before:x1@POST/pickups" })
  expect((await freight(["pickup", "book", "--shipment", shipmentId, "--json"])).code).toBe(7)
  for (const wait of [[], ["--wait"]]) {
    const ran = await freight(["reconcile", "--json", ...wait])
    expect(ran.code).toBe(7)
    const [open] = ran.items<Settled>()
    expect([open?.ask, open?.lookAgainAt]).toEqual([
      expect.stringContaining(`whether it has a pickup of shipment ${shipmentId}`),
      null,
    ])
    const error = errorIn(ran.stderr)
    expect([error.retry, error.next]).toEqual(["never", undefined])
    expect(ran.stdout + ran.stderr).not.toContain("--release")
  }
})
