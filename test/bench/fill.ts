/** A ledger that has been in use: many settled bookings, over the last months. */
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { systemClock } from "../../src/host.ts"
import { fingerprint } from "../../src/ledger/accounts/keys.ts"
import { type Entry, idOf } from "../../src/ledger/entry.ts"
import { toRow, insertRows } from "../../src/ledger/database/rows.ts"
import { migrate } from "../../src/ledger/database/schema.ts"
import { openSqlite, sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { booking } from "../sandbox/requests.ts"

const DAYS = 180
const DAY_MS = 24 * 3_600_000
const AT_ONCE = 1_000

export async function fill(file: string, apiKey: string, total: number): Promise<void> {
  const database = openSqlite(file, { driver: await sqliteDriver(systemSqlite()), clock: systemClock })
  await migrate(database)
  const account = fingerprint(apiKey)
  const scope = `freight:${account}`
  const start = Date.now() - DAYS * DAY_MS
  for (let from = 0; from < total; from += AT_ONCE)
    await database.transaction(async (transaction) => {
      const count = Math.min(AT_ONCE, total - from)
      const rows = Array.from({ length: count }, (_, n) => toRow(booked(from + n), `fill ${from + n}`))
      await insertRows(transaction, "sends", rows)
    })
  await database.close()

  function booked(n: number): Entry {
    const key = `key:earlier-${n}`
    const sentAt = new Date(start + (n * DAYS * DAY_MS) / total).toISOString()
    return {
      ...{ id: `${idOf(scope, "shipment", key)}.1`, scope, account, key, keyGiven: true, kind: "shipment" },
      ...{ attempt: 1, content: `content ${n}`, referenceHash: `reference ${n}`, state: "done" },
      ...{ sentAt, settledAt: sentAt, sender: { workstation: "bench", person: "" } },
      facts: {
        ...{
          connectorId: "connector-b",
          carrier: "CARRIER_B_AU",
          serviceCode: "GEN",
          about: `2 packages to Receiver ${n}`,
        },
        ...{ reference: `earlier-${n}`, shipmentId: `earlier-${n}`, priceCents: 3_100, currency: "AUD" },
      },
      call: "POST /connector-b/shipments",
      request: booking({
        customerReference: `earlier-${n}`,
        serviceCode: "GEN",
        receiver: { ...booking().receiver, companyName: `Receiver ${n}` },
      }),
      response: { shipmentId: `earlier-${n}` },
    }
  }
}
