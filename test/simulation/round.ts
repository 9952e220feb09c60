/** Sets up services, tenants, keys and desks, and at the end puts everything right and looks whether all is as it must be. */
import { setAccountName } from "../../src/ledger/accounts/account.ts"
import { readKeys } from "../../src/ledger/accounts/keys.ts"
import type { Driver } from "../../src/ledger/database/sqlite.ts"
import type { Clock } from "../../src/base/ports.ts"
import { begin, openFreightAccount, type Round, runCommand, runOrders } from "./commands.ts"
import { cutPower, type Desk, type Profile } from "./desks.ts"
import { type Attempt, createExpectations } from "./expectations.ts"
import { createLedger } from "./ledgers.ts"
import { toBooking, type Order } from "./orders.ts"
import { copyToTeam, createKey, followAddress, lookInApi, nameAccount, settleOpen } from "./people.ts"
import { count, type Report } from "./report.ts"
import type { ApiKey, Service, Tenant } from "./services.ts"
import { handOut } from "./shop.ts"
import { type Chance, createTime, DAY, HOUR, MINUTE, SECOND } from "./time.ts"

interface RoundOptions {
  chance: Chance
  report: Report
  driver: Driver
  createToken: () => string
  where: () => string
}

export async function createRound({
  chance,
  report,
  driver,
  createToken,
  where,
}: RoundOptions): Promise<Round> {
  const time = createTime()
  const clockOf = (ahead: () => number): Clock => ({
    now: () => time.now() + ahead(),
    elapsed: time.elapsed,
    sleep: time.sleep,
  })
  const team = await createLedger(
    "the team's ledger",
    "postgres",
    clockOf(() => 0),
    driver,
  )
  const services = createServices(chance)
  const tenants = services.flatMap((service) => service.tenants)
  const areShared = chance.of(0.5)
  const desks: Desk[] = []
  for (let n = 1; n <= 3 + Math.floor(chance.next() * 3); n++) {
    const desk: Desk = {
      ...{ name: `desk-${n}`, ahead: 0, ledger: team, profiles: [], kept: [] },
      ...{ sessions: new Map(), processes: new Set(), isClosed: false, hasOldCopy: false },
    }
    if (!areShared || chance.of(0.2))
      desk.ledger = await createLedger(
        `the ledger of ${desk.name}`,
        "sqlite",
        clockOf(() => desk.ahead),
        driver,
      )
    for (const tenant of tenants)
      if (chance.of(0.5)) desk.profiles.push(createProfile(chance.pick(tenant.keys), chance))
    if (desk.profiles.length === 0)
      desk.profiles.push(createProfile(chance.pick(chance.pick(tenants).keys), chance))
    desks.push(desk)
  }
  report.rounds++
  return {
    ...{ time, chance, report, services, desks, team, createToken, running: new Set(), shops: new Map() },
    expectations: createExpectations(report, time, where),
  }
}

function createProfile(key: ApiKey, chance: Chance): Profile {
  return { key, address: followAddress(key), printsOnly: key.tenant.printsAlone && chance.of(0.3) }
}

/** One or two services on the network, or two on ports of one machine that give the same ids. */
function createServices(chance: Chance): Service[] {
  const areLocal = chance.of(0.15)
  const names = areLocal ? ["localhost:8080", "localhost:8081"] : chance.of(0.5) ? ["one"] : ["one", "two"]
  return names.map((name) => {
    const service: Service = {
      ...{ name, isDown: false, tenants: [], shipments: [] },
      addresses: [areLocal ? name : `${name}.example`],
      prefix: areLocal ? "" : `${name}-`,
      sortsByDate: chance.of(0.5),
    }
    const isWarehouse = chance.of(0.4)
    const tenants = 2 + Math.floor(chance.next() * 2)
    for (let n = 1; n <= tenants; n++) service.tenants.push(createTenant(service, n, isWarehouse, chance))
    return service
  })
}

function createTenant(service: Service, n: number, isWarehouse: boolean, chance: Chance): Tenant {
  const printsAlone = chance.of(0.3)
  const tenant: Tenant = {
    ...{ name: `${service.name}-t${n}`, service, keys: [], printsAlone },
    connectors: [1, 2, 3].map((each) => ({ id: `${service.prefix}t${n}-c${each}`, isActive: each < 3 })),
    printAddress: `print-${printsAlone ? `${service.name}-t${n}` : service.name}.example`,
    sender: isWarehouse ? "Warehouse" : `Company of ${n}`,
    orders: { count: 0, recent: [] },
  }
  for (let key = 0; key <= Math.floor(chance.next() * 3); key++)
    tenant.keys.push(createKey(tenant, chance.of))
  return tenant
}

/** Lets all that runs come to its end. */
export async function drain({ time, running }: Round): Promise<void> {
  for (let waits = 0; running.size > 0; waits++) {
    if (waits > 5_000) throw new Error("something that was started does not come to its end")
    await time.advance(5 * SECOND)
  }
}

/** How people begin: several at one moment, with ledgers that nobody has used. */
export async function openAtOneMoment(round: Round): Promise<void> {
  const { chance, time } = round
  const places = findPlaces(round)
  if (places.length === 0) return
  const [one, other] = chance.pick(places)
  const how = chance.next()
  const book = (place: Place, numbers: readonly number[], isBatch = false) =>
    begin(
      round,
      runOrders(round, place.desk, place.profile, toOrders(place.profile.key, numbers), isBatch).done,
    )
  if (how < 0.3) {
    book(one, [1])
    book(other, [1])
  } else if (how < 0.6) {
    const rows = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    book(one, rows, true)
    book(other, rows, true)
  } else {
    book(one, [1])
    book(other, [2])
    await drain(round)
    await time.advance(7 * DAY)
    book(one, [3])
    if (chance.of(0.5)) await drain(round)
    book(other, [3])
  }
  one.profile.key.tenant.orders.count = 10
}

interface Place {
  desk: Desk
  profile: Profile
}

/** Two desks with one ledger that have two keys of one tenant. */
function findPlaces({ desks }: Round): [Place, Place][] {
  const places = desks.flatMap((desk) => desk.profiles.map((profile) => ({ desk, profile })))
  return places.flatMap((one) =>
    places.flatMap((other): [Place, Place][] => {
      const isPair =
        one.desk !== other.desk &&
        one.desk.ledger === other.desk.ledger &&
        one.profile.key !== other.profile.key &&
        one.profile.key.tenant === other.profile.key.tenant &&
        !one.profile.printsOnly &&
        !other.profile.printsOnly
      return isPair ? [[one, other]] : []
    }),
  )
}

/** Rows of a batch: each has a number that people gave. */
export function toOrders(key: ApiKey, numbers: readonly number[]): Order[] {
  return numbers.flatMap((n) => toBooking(key, n, { number: `PO-${n}` }) ?? [])
}

/** Everything works again, all ledgers are copied to the team's, and what is open is settled by those who know. */
export async function endRound(round: Round): Promise<void> {
  const { desks, services, team, expectations, time } = round
  const heal = () => {
    for (const each of desks) each.ahead = 0
    for (const each of services) {
      each.isDown = false
      for (const { connectors } of each.tenants) for (const connector of connectors) connector.isActive = true
    }
    for (const ledger of [team, ...desks.map((each) => each.ledger)]) ledger.isDown = false
  }
  heal()
  await drain(round)
  round.chance = { ...round.chance, of: () => false }
  for (const desk of desks) {
    const copy = async () => {
      const copying = copyToTeam(round, desk)
      begin(round, copying)
      await drain(round)
      return copying
    }
    await time.advance(MINUTE)
    let error = await copy()
    if (error) {
      // Whose clock was an hour ahead may have a lease for so long.
      await time.advance(HOUR)
      error = await copy()
    }
    if (error) round.report.stuck.push(`${desk.name} cannot copy its ledger: ${error.message}`)
    begin(
      round,
      runCommand(round, desk, async () => {}),
    )
    await drain(round)
  }
  for (const { desk, profile } of listPlaces(round)) {
    begin(round, lookInApi(round, desk, profile))
    await drain(round)
  }
  await settleAll(round)
  await retryRefused(round)
  await nameAccounts(round)
  await tellShops(round)
  const rows = await team.database.all("select * from sends")
  expectations.checkLedger(rows)
  expectations.checkShops(rows, round.shops)
  for (const desk of desks) await cutPower(desk)
  await team.database.close()
}

/** A desk with a profile for each tenant that has a valid key. */
function listPlaces({ desks }: Round): Place[] {
  const found = new Map<Tenant, Place>()
  for (const desk of desks)
    for (const profile of desk.profiles)
      if (!profile.key.isRevoked) found.set(profile.key.tenant, { desk, profile })
  return [...found.values()].map(({ desk, profile }) => {
    profile.address = followAddress(profile.key)
    return { desk, profile }
  })
}

async function settleAll(round: Round): Promise<void> {
  for (const { desk, profile } of listPlaces(round))
    for (let times = 0; times < 3; times++) {
      begin(round, settleOpen(round, desk, profile))
      await drain(round)
    }
}

/** All numbers are there, each desk finishes its file, and someone hands out what is left. */
async function tellShops(round: Round): Promise<void> {
  const { desks, services } = round
  for (const shipment of services.flatMap(({ shipments }) => shipments)) shipment.waits = false
  for (const { desk: last, profile } of listPlaces(round))
    for (const desk of [...desks, ...desks, last]) {
      begin(round, handOut(round, desk, profile))
      await drain(round)
    }
}

/**
 * Orders that were refused as it was not known whether another key's account is the same: after two looks a minute apart, or
 * once people have named the accounts, they get through.
 */
async function retryRefused(round: Round): Promise<void> {
  const { expectations, report, time } = round
  let waiting = expectations.listRefused()
  for (const how of ["at once", "after a minute", "after two minutes", "once named", "once named"]) {
    if (waiting.length === 0) return
    if (how === "once named") await nameAccounts(round)
    for (const place of listPlaces(round)) begin(round, openAccount(round, place))
    await drain(round)
    const refused: Attempt[] = []
    for (const attempt of waiting) {
      const place = listPlaces(round).find(({ profile }) => profile.key.tenant === attempt.order.tenant)
      if (!place) continue
      const { asked, done } = runOrders(round, place.desk, { ...place.profile, printsOnly: false }, [
        attempt.order,
      ])
      begin(round, done)
      await drain(round)
      const [again] = asked
      if (again?.end !== undefined && THROUGH.includes(again.end))
        count(report.ends, `other account, then through ${how}`)
      else refused.push(again ?? attempt)
    }
    waiting = refused
    await time.advance(61 * SECOND)
  }
  for (const each of waiting) report.stuck.push(`${expectations.describe(each)} ends with: ${each.end}`)
}

/** `freight config set account` in all profiles, and for the keys that no profile has any more. */
async function nameAccounts(round: Round): Promise<void> {
  for (const tenant of round.services.flatMap((each) => each.tenants)) {
    nameAccount(round, tenant, 1)
    const known = new Set((await readKeys(round.team.database)).map(({ fingerprint }) => fingerprint))
    for (const { fingerprint } of tenant.keys)
      if (known.has(fingerprint)) await setAccountName(round.team.database, fingerprint, tenant.name)
  }
}

/** It was made, or stands for one that its own account has: also where the word that this one is cancelled was taken back. */
const THROUGH = [
  ...["made", "recorded", "equal", "elsewhere", "cancelled", "not-cancelled"],
  ...["input", "refused", "held by another"],
]

function openAccount(round: Round, { desk, profile }: Place): Promise<unknown> {
  return runCommand(round, desk, async (process) => {
    await openFreightAccount(round, process, profile)
  })
}
