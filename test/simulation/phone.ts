/**
 * Actions after a call with a carrier: people record that a booking is cancelled, undo that, and book the order again, in
 * its place or as a second one.
 */
import { FreightError } from "../../src/base/errors.ts"
import { noteCancelled, takeBackCancelled } from "../../src/ledger/cancellations.ts"
import { NotSent } from "../../src/ledger/refusals.ts"
import { findReplacingKey } from "../../src/orders/booking/standings.ts"
import { create, createDeps, createReader, type Round, runCommand } from "./commands.ts"
import type { Desk, Profile } from "./desks.ts"
import { type Order, toBooking } from "./orders.ts"
import { count } from "./report.ts"
import type { Shipment, Tenant } from "./services.ts"
import { MINUTE } from "./time.ts"

/** Bookings of a tenant that people still talk of with its carriers. */
const NEWEST = 8

function listNewest(tenant: Tenant): Shipment[] {
  return tenant.service.shipments.filter((each) => each.tenant === tenant).slice(-NEWEST)
}

/** `freight cancel --confirmed`, or mostly `--undo` where that was written down; another desk may say so at once. */
export async function callCarrier(round: Round, desk: Desk, profile: Profile): Promise<void> {
  const { chance, expectations, report } = round
  const newest = listNewest(profile.key.tenant)
  if (newest.length === 0) return
  const cancelled = newest.filter(({ isCancelled }) => isCancelled)
  const shipment = chance.pick(cancelled.length > 0 && chance.of(0.5) ? cancelled : newest)
  await runCommand(round, desk, async (process) => {
    const { store } = process
    const { scopes } = await createReader(process, profile)
    const entry = await store.ofShipment(scopes, shipment.id)
    if (!entry) return
    const word = round.createToken()
    const by = { workstation: desk.name, person: "" }
    const isUndone = chance.of(shipment.isCancelled ? 0.7 : 0.05)
    if (chance.of(0.3)) await process.clock.sleep(chance.next() * MINUTE)
    try {
      const { isNew } = isUndone
        ? await takeBackCancelled(store.database, entry.id, { why: word, by })
        : await noteCancelled(store.database, entry.id, { confirmedBy: word, by })
      shipment.isCancelled = !isUndone
      if (isNew) expectations.noteWord(word)
      count(report.ends, `${isUndone ? "taken back" : "written down as cancelled"}${isNew ? "" : " before"}`)
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind !== "refused") throw error
      count(report.ends, "nothing to cancel")
    }
  })
}

/** `freight book --key ORDER --replaces`. A person thinks before it is sent, and another desk may do anything meanwhile. */
export async function replaceBooking(
  round: Round,
  desk: Desk,
  profile: Profile,
  order?: Order,
): Promise<string> {
  const { chance, report } = round
  const newest = listNewest(profile.key.tenant)
  const cancelled = newest.filter(({ isCancelled }) => isCancelled)
  const named = (cancelled.length > 0 && chance.of(0.9) ? cancelled : newest)
    .map((each) => each.order)
    .filter(({ number, isNumberGenerated }) => number !== undefined && !isNumberGenerated)
  const first = order ?? (named.length > 0 ? chance.pick(named) : undefined)
  if (first?.number === undefined) return "nothing"
  const { number, booking } = first
  if (!booking) return "nothing"
  let end = "killed"
  await runCommand(round, desk, async (process) => {
    const ledger = await createDeps(round, process, profile, "freight")
    let key: string
    try {
      key = await findReplacingKey(ledger, { key: number, written: { fields: {} } })
    } catch (error) {
      if (!(error instanceof NotSent)) throw error
      end = error.standing.kind
      count(report.ends, `not replaced: ${end}`)
      return
    }
    if (chance.of(0.5)) await process.clock.sleep(chance.next() * 3 * MINUTE)
    const replacing = toBooking(profile.key, booking.n, {
      variant: booking.variant,
      number: key,
      again: true,
      replaces: true,
    })
    if (!replacing) return
    const { address } = profile
    const asked = { order: replacing, key: profile.key, address, desk: desk.name, ledger: desk.ledger }
    const attempt = round.expectations.begin({ ...asked, isBatch: false })
    await create(round, process, ledger, attempt)
    end = attempt.end ?? end
    count(report.ends, `replacing: ${end}`)
  })
  return end
}
