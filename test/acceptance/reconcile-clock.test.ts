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
  it("is told, and what was booked is found", async () => {
    const { sandbox, book, freight } = await deskAhead(hours)
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await book("--no-rate", "--key", fresh())).code).toBe(7)
    const { code, json, stderr } = await freight(["reconcile", "--json"])
    expect(json<Settled[]>()).toMatchObject([{ outcome: "settled" }])
    expect(code).toBe(0)
    expect(stderr).toContain(`clock is ${words} the service's`)
  })

  it("does not make what is not found look as if it was never made", async () => {
    const { sandbox, book, freight } = await deskAhead(hours)
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect((await book("--no-rate", "--key", fresh())).code).toBe(7)
    const { code, json } = await freight(["reconcile", "--json"])
    expect(code).toBe(7)
    expect(json<Settled[]>()[0]?.note).not.toContain("probably never made")
  })
})

it("what stays open is an error object under --json, and in words without", async () => {
  const sandbox = await ownSandbox()
  const { book, freight } = await bookingDesk(sandbox)
  await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
  const key = `${fresh()} of Ann`
  await book("--key", key)
  const ran = await freight(["reconcile", "--json"])
  expect(ran.code).toBe(7)
  expect(ran.json<Settled[]>()).toHaveLength(1)
  expect(errorIn(ran.stderr)).toMatchObject({
    kind: "outcomeUnknown",
    retry: "never",
    errors: [{ message: expect.stringContaining(`${key}: No shipment matches`) }],
  })
  const shown = await freight(["reconcile"])
  expect(shown.code).toBe(7)
  expect(shown.stderr).toContain(`freight reconcile --release '${key}'`)
  expect(await freight(["reconcile", "--release", key])).toMatchObject({ code: 0 })
})
