/** Actions besides orders: people settle unknown outcomes, name accounts, change keys and addresses, and copy ledgers. */
import { FreightError } from "../../src/base/errors.ts"
import { release, settleByHand } from "../../src/ledger/by-hand.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import { createReader, openDeskApi, openFreightAccount, type Round, runCommand } from "./commands.ts"
import type { Desk, Profile } from "./desks.ts"
import type { Copy } from "./ledgers.ts"
import { count } from "./report.ts"
import type { ApiKey, Tenant } from "./services.ts"
import { SECOND } from "./time.ts"

/** Entries without an outcome that people leave for later: with more of them each step would take longer. */
const MAX_LEFT_OPEN = 12

/** `freight reconcile`. */
export function lookInApi(round: Round, desk: Desk, profile: Profile): Promise<unknown> {
  return runCommand(round, desk, async (process) => {
    const reader = await createReader(process, profile)
    const owner = reader.owner ?? (await openFreightAccount(round, process, profile))
    await reconcile({ ...reader, owner }, async () => openDeskApi(round, process, profile).freight)
  })
}

/**
 * Someone asks the carrier about an open entry of their own account, or about all where they have piled up: `freight
 * reconcile --settle` with the shipment that came of it, or `--release` where certainly nothing did.
 */
export function settleOpen(round: Round, desk: Desk, profile: Profile): Promise<unknown> {
  return runCommand(round, desk, async (process) => {
    const { store } = process
    const deps = await createReader(process, profile)
    const open = await store.open(deps.scopes)
    const chosen = open.length > MAX_LEFT_OPEN || open.length === 0 ? open : [round.chance.pick(open)]
    for (const entry of chosen) {
      const { database } = desk.ledger
      const [row] = await database.all("select claim_token from sends where id = ?", [entry.id])
      const attempt = round.expectations.findByToken(String(row?.claim_token))
      if (attempt?.order.tenant !== profile.key.tenant) continue
      const { order } = attempt
      if (round.expectations.isAtService(order)) continue
      const made = round.expectations.listMade(order, desk.ledger)
      try {
        if (order.kind === "pickup" && attempt.made) {
          await settleByHand(deps, entry.id, undefined, openDeskApi(round, process, profile).freight)
          count(round.report.ends, "pickup settled by hand")
          continue
        }
        if (order.kind !== "shipment") {
          if (attempt.made) continue
        } else {
          const recorded = await database.all(
            "select shipment_id, claim_token from sends where kind = 'shipment' and shipment_id is not null and state = 'done'",
          )
          const known = new Set(
            recorded
              .filter(
                (each) =>
                  round.expectations.findByToken(String(each.claim_token))?.order.tenant === order.tenant,
              )
              .map(({ shipment_id: id }) => id),
          )
          const [first] = made.filter((each) => !known.has(each.made?.id ?? null))
          if (first?.made) {
            await settleByHand(deps, entry.id, first.made.id, openDeskApi(round, process, profile).freight)
            round.expectations.noteSettled(attempt, first)
            count(round.report.ends, "settled by hand")
            continue
          }
        }
        await release(deps, entry.id)
        round.expectations.noteReleased(String(row?.claim_token))
        count(round.report.ends, "released by hand")
      } catch (error) {
        if (!(error instanceof FreightError)) throw error
      }
    }
  })
}

/** `freight ledger copy --to-ledger` the team's, and from then on the desk uses that. Nobody books at the desk meanwhile. */
export async function copyToTeam(round: Round, desk: Desk): Promise<FreightError | undefined> {
  const { ledger: from } = desk
  const { team: to } = round
  if (from === to || desk.processes.size > 0) return undefined
  const copying = runCommand(round, desk, async (process) => {
    // Reads and writes of the copy go through the faults of both ledgers.
    await copyLedger(process.store.database, process.connect(to))
    round.expectations.noteCopied(from, to)
    desk.ledger = to
    desk.sessions.clear()
    count(round.report.faults, "ledger copied to the team's")
  })
  desk.isClosed = true
  return copying.finally(() => {
    desk.isClosed = false
  })
}

/** A tenant gets another key, and loses one that it had. */
export function changeKeys({ chance, report, desks }: Round, tenant: Tenant): void {
  const key = createKey(tenant, chance.of)
  tenant.keys.push(key)
  const old = chance.pick(tenant.keys)
  if (old !== key && chance.of(0.7)) old.isRevoked = true
  count(report.faults, "key changed")
  for (const desk of desks)
    for (const profile of desk.profiles)
      if (profile.key.tenant === tenant && (profile.key.isRevoked || chance.of(0.3))) profile.key = key
}

/** At most so many keys of a tenant are shown only a part: what one is not shown of another must be seen by the other. */
export function createKey(tenant: Tenant, isSo: (share: number) => boolean): ApiKey {
  const n = tenant.keys.length + 1
  const isBlind = isSo(0.15) && !tenant.keys.some(({ isNarrow }) => isNarrow)
  const isNarrow = !isBlind && isSo(0.15) && !tenant.keys.some((each) => each.isBlind)
  const fingerprint = `${tenant.name}-k${n}`
  return {
    fingerprint,
    printFingerprint: `${tenant.name}-p${n}`,
    tenant,
    isBlind,
    isNarrow,
    isRevoked: false,
  }
}

/** The service gets another address. The old one answers for a while, and desks change one after the other. */
export function moveService({ chance, report, services }: Round): void {
  const service = chance.pick(services)
  if (service.prefix === "") return
  service.addresses.push(`${service.name}-${service.addresses.length + 1}.example`)
  if (service.addresses.length > 2) service.addresses.shift()
  count(report.faults, "service moved to another address")
}

export function followAddress({ tenant }: ApiKey): string {
  return tenant.service.addresses.at(-1) ?? ""
}

/** The setting `account` of all profiles with a tenant's keys, or of some. */
export function nameAccount({ chance, desks, report }: Round, tenant: Tenant, share: number): void {
  for (const desk of desks)
    for (const profile of desk.profiles)
      if (profile.key.tenant === tenant && chance.of(share)) {
        profile.name = tenant.name
        desk.sessions.clear()
      }
  count(report.faults, "account named")
}

/** An old copy of a desk's ledger is put in its place, and after a while the newest one back. */
export async function putOldCopyBack(round: Round, desk: Desk): Promise<void> {
  const { ledger } = desk
  if (ledger === round.team || desk.processes.size > 0 || desk.hasOldCopy) return
  const old = await ledger.copy()
  await round.time.sleep(round.chance.next() * 300 * SECOND)
  if (desk.ledger !== ledger || desk.processes.size > 0 || desk.isClosed || desk.hasOldCopy) return
  desk.isClosed = true
  const newest = await ledger.copy()
  const isOlder = sendsIn(newest) !== sendsIn(old)
  if (isOlder) await ledger.putBack(old)
  desk.isClosed = false
  if (!isOlder) return
  desk.hasOldCopy = true
  count(round.report.faults, "old copy of a ledger put back")
  await round.time.sleep(30 * SECOND)
  desk.isClosed = true
  await ledger.putBack(newest)
  desk.isClosed = false
  desk.hasOldCopy = false
}

/** Requests and their results: a copy that differs in a lease or a key alone is as good as the ledger. */
function sendsIn(copy: Copy): string {
  const rows = copy.find(({ table }) => table === "sends")?.rows ?? []
  return JSON.stringify(rows.map(({ id, state }) => [id, state]))
}
