/**
 * A seeded simulation: tenants with several keys at services, desks with ledgers, and everything that goes wrong. The
 * ledger's code is the real one; time, services, databases and people are a model. The same seed gives the same run.
 */
import type { Driver } from "../../src/ledger/database/sqlite.ts"
import { begin, type Round, runOrders } from "./commands.ts"
import { cutPower, type Desk, type Profile } from "./desks.ts"
import { createBooking, createPickup, createPrint, createReturn } from "./orders.ts"
import {
  changeKeys,
  copyToTeam,
  followAddress,
  lookInApi,
  moveService,
  nameAccount,
  putOldCopyBack,
  settleOpen,
} from "./people.ts"
import { callCarrier, replaceBooking } from "./phone.ts"
import { count, createReport, type Report } from "./report.ts"
import { createRound, drain, endRound, openAtOneMoment, toOrders } from "./round.ts"
import { handOut } from "./shop.ts"
import { chanceFrom, DAY, HOUR, SECOND } from "./time.ts"

export type { Report } from "./report.ts"

/** With more entries in a ledger each step would take longer. */
const STEPS_OF_A_ROUND = 1_000
const MAX_AT_ONCE = 6

export async function simulate(seed: number, steps: number, driver: Driver): Promise<Report> {
  const chance = chanceFrom(seed)
  const report = createReport(seed, steps)
  let step = 0
  let tokens = 0
  while (step < steps) {
    const began = step
    const seed = chance.seed()
    const round = await createRound({
      ...{ chance, report, driver },
      createToken: () => `token-${++tokens}`,
      where: () => `step ${step} (step ${step - began} of --seed ${seed})`,
    })
    if (chance.of(0.5)) await openAtOneMoment(round)
    for (const end = Math.min(step + STEPS_OF_A_ROUND, steps); step < end; ) {
      step++
      await takeStep(round)
      await round.time.rest()
    }
    await endRound(round)
  }
  return report
}

/** Each with how often it happens; the rest of the steps lets time go by. */
const STEPS: readonly (readonly [
  share: number,
  act: (round: Round, desk: Desk, profile: Profile) => unknown,
])[] = [
  [0.24, (round, desk, profile) => order(round, desk, profile)],
  [0.002, (round, desk, profile) => orderBatch(round, desk, profile)],
  [0.02, (round, desk, profile) => begin(round, callCarrier(round, desk, profile))],
  [0.015, (round, desk, profile) => replace(round, desk, profile)],
  [0.02, (round, desk, profile) => handOutAgain(round, desk, profile)],
  [0.008, (round, desk, profile) => begin(round, lookInApi(round, desk, profile))],
  [0.02, (round, desk, profile) => begin(round, settleOpen(round, desk, profile))],
  [
    0.004,
    ({ chance, report }, desk) => {
      desk.ahead = chance.pick([-HOUR, 0, HOUR])
      count(report.faults, "clock of a desk set by an hour")
    },
  ],
  [
    0.006,
    ({ chance, report, team }, desk) => {
      const ledger = chance.of(0.5) ? team : desk.ledger
      ledger.isDown = true
      count(report.faults, "database lost for a while")
    },
  ],
  [
    0.003,
    ({ chance, report, services }) => {
      chance.pick(services).isDown = true
      count(report.faults, "service down for a while")
    },
  ],
  [0.02, (round) => recover(round)],
  [0.004, (_, desk) => desk.ledger.sync()],
  [
    0.004,
    async ({ report }, desk) => {
      count(report.faults, "power cut at a desk")
      await cutPower(desk)
    },
  ],
  [0.003, (round, _, { key }) => changeKeys(round, key.tenant)],
  [
    0.004,
    ({ chance, report }, _, { key }) => {
      const connector = chance.pick(key.tenant.connectors.slice(1))
      connector.isActive = !connector.isActive
      count(report.faults, "connector switched")
    },
  ],
  [0.002, (round) => moveService(round)],
  [
    0.01,
    (_, __, profile) => {
      profile.address = followAddress(profile.key)
    },
  ],
  [0.0005, (round, _, { key }) => nameAccount(round, key.tenant, 0.7)],
  [0.003, (round, desk) => begin(round, copyToTeam(round, desk))],
  [0.002, (round, desk) => begin(round, putOldCopyBack(round, desk))],
  [0.0015, (round) => letDaysPass(round)],
]

async function takeStep(round: Round): Promise<void> {
  const { chance, desks, time } = round
  let what = chance.next()
  for (const [share, act] of STEPS) {
    what -= share
    if (what >= 0) continue
    const desk = chance.pick(desks)
    await act(round, desk, chance.pick(desk.profiles))
    return
  }
  await time.advance(chance.next() ** 3 * 20 * SECOND)
}

function order(round: Round, desk: Desk, profile: Profile): void {
  const { chance, running } = round
  if (running.size >= MAX_AT_ONCE || desk.isClosed) return
  const how = profile.printsOnly ? 1 : chance.next()
  const { key } = profile
  const asked =
    how < 0.72
      ? createBooking(key, chance)
      : how < 0.78
        ? createReturn(key, chance)
        : how < 0.87
          ? createPickup(key, chance)
          : createPrint(key, how < 0.91 ? "label-print" : "pdf-print", chance)
  if (asked) begin(round, runOrders(round, desk, profile, [asked]).done)
}

/** Books what was cancelled again in its place, at one desk or at two at once. */
function replace(round: Round, desk: Desk, profile: Profile): void {
  const { chance, running, desks } = round
  if (running.size >= MAX_AT_ONCE || desk.isClosed || profile.printsOnly) return
  begin(round, replaceBooking(round, desk, profile))
  const other = chance.pick(desks)
  const theirs = other.profiles.find(
    ({ key, printsOnly }) => key.tenant === profile.key.tenant && !printsOnly,
  )
  if (theirs && !other.isClosed && chance.of(0.3)) begin(round, replaceBooking(round, other, theirs))
}

/** Tells a shop what is new. Meanwhile some shipments got their number, and a few another one. */
function handOutAgain(round: Round, desk: Desk, profile: Profile): void {
  const { chance, running } = round
  if (running.size >= MAX_AT_ONCE || desk.isClosed || profile.printsOnly) return
  for (const shipment of profile.key.tenant.service.shipments.slice(-20)) {
    if (shipment.waits) shipment.waits = chance.of(0.5)
    else if (chance.of(0.02)) shipment.isRenumbered = true
  }
  begin(round, handOut(round, desk, profile))
}

/** Ten rows, which another desk may book at the same moment. */
function orderBatch(round: Round, desk: Desk, profile: Profile): void {
  const { chance, running, desks } = round
  if (running.size >= MAX_AT_ONCE || desk.isClosed || profile.printsOnly) return
  const { tenant } = profile.key
  const first = chance.of(0.5) ? tenant.orders.count + 1 : Math.max(1, tenant.orders.count - 12)
  const rows = Array.from({ length: 10 }, (_, n) => first + n)
  tenant.orders.count = Math.max(tenant.orders.count, first + 9)
  begin(round, runOrders(round, desk, profile, toOrders(profile.key, rows), true).done)
  for (const other of desks) {
    const theirs = other.profiles.find((each) => each.key.tenant === tenant && !each.printsOnly)
    if (other !== desk && theirs && !other.isClosed && chance.of(0.5))
      begin(round, runOrders(round, other, theirs, toOrders(theirs.key, rows), true).done)
  }
}

/** A service that is down works again. */
function recover({ chance, desks, team, services }: Round): void {
  for (const each of [team, ...desks.map(({ ledger }) => ledger)]) if (chance.of(0.7)) each.isDown = false
  for (const each of services) if (chance.of(0.7)) each.isDown = false
}

/** Nobody works: a night, or a week. */
async function letDaysPass(round: Round): Promise<void> {
  recover(round)
  for (const each of [round.team, ...round.desks.map(({ ledger }) => ledger)]) each.isDown = false
  await drain(round)
  await round.time.advance(round.chance.of(0.3) ? 7 * DAY : round.chance.next() * 2 * DAY)
}
