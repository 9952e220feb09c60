import { describe, expect, it } from "vitest"
import type { Database } from "../../src/ledger/database/database.ts"
import { SCHEMA_VERSION } from "../../src/ledger/version.ts"
import { findDesksBehind, noteDesk } from "../../src/ledger/records/desks.ts"
import { desk } from "../acceptance/freight.ts"
import { ownBooking } from "../acceptance/bookings.ts"
import { startSandboxHere } from "../acceptance/sandbox.ts"
import { entry, HOUR, ledgerFileIn, NOW, openFile, put, storeIn, temporaryDir, testClock } from "./setup.ts"

const DAY = 24 * HOUR
const at = (ms: number) => new Date(ms).toISOString()

/** Counts what is written. */
function watch(database: Database) {
  const writes: string[] = []
  const watched: Database = {
    ...database,
    run(sql, parameters) {
      writes.push(sql)
      return database.run(sql, parameters)
    },
  }
  return { watched, writes }
}

describe("which version a desk uses", () => {
  it("is written when it has changed, and once a day", async () => {
    const clock = testClock()
    const database = openFile(ledgerFileIn(temporaryDir()), clock)
    const { watched, writes } = watch(database)
    const note = (version: string) =>
      noteDesk(watched, { workstation: "dock", version, schema: SCHEMA_VERSION })
    await note("1.0.0")
    await note("1.0.0")
    clock.advance(DAY - 1)
    await note("1.0.0")
    expect(writes).toHaveLength(1)
    clock.advance(1)
    await note("1.0.0")
    await note("1.1.0")
    expect(writes).toHaveLength(3)
    expect(await database.all("select * from desks")).toEqual([
      {
        workstation: "dock",
        freight_version: "1.1.0",
        schema_version: SCHEMA_VERSION,
        seen_at: at(NOW + DAY),
      },
    ])
  })

  it.each([
    { version: "1.9.0", own: "1.10.0", isBehind: true },
    { version: "1.10.0", own: "1.9.0", isBehind: false },
    { version: "1.10.0", own: "1.10.0", isBehind: false },
    { version: "0.9.9", own: "1.0.0", isBehind: true },
    { version: "dev", own: "1.0.0", isBehind: false },
  ])("$version at a desk with $own: is behind $isBehind", async ({ version, own, isBehind }) => {
    const database = openFile(ledgerFileIn(temporaryDir()))
    await noteDesk(database, { workstation: "dock", version, schema: SCHEMA_VERSION })
    const behind = await findDesksBehind(database, {
      workstation: "office",
      version: own,
      schema: SCHEMA_VERSION,
    })
    expect(behind).toEqual(
      isBehind ? [{ workstation: "dock", version, schema: SCHEMA_VERSION, seenAt: at(NOW) }] : [],
    )
    expect(
      await findDesksBehind(database, { workstation: "dock", version: own, schema: SCHEMA_VERSION }),
    ).toEqual([])
  })

  it("is not known of a desk that sent something and never told, or behind by its schema; old ones are left out", async () => {
    const clock = testClock()
    const database = openFile(ledgerFileIn(temporaryDir()), clock)
    const store = storeIn(database)
    const sender = (workstation: string) => ({ workstation, person: "ann" })
    await put(
      store,
      entry({ id: "a", key: "key:A", sender: sender("north"), sentAt: at(NOW - DAY) }),
      entry({ id: "b", key: "key:B", sender: sender("gone"), sentAt: at(NOW - 31 * DAY) }),
      entry({ id: "c", key: "key:C", sender: sender("office"), sentAt: at(NOW) }),
    )
    await noteDesk(database, { workstation: "south", version: "1.0.0", schema: SCHEMA_VERSION })
    await database.run("update desks set schema_version = ?", [SCHEMA_VERSION - 1])
    const find = () =>
      findDesksBehind(database, { workstation: "office", version: "1.0.0", schema: SCHEMA_VERSION })
    expect(await find()).toEqual([
      { workstation: "north", version: null, schema: null, seenAt: at(NOW - DAY) },
      { workstation: "south", version: "1.0.0", schema: SCHEMA_VERSION - 1, seenAt: at(NOW) },
    ])
    clock.advance(31 * DAY)
    expect(await find()).toEqual([])
  })
})

it("freight ledger status names the desks that are behind, and each desk tells when it books", async () => {
  const sandbox = await startSandboxHere()
  const { freight, state } = await desk(sandbox)
  const env = { FREIGHT_LEDGER: `${state}/ledger.db` }
  const at = (workstation: string) => ({
    input: JSON.stringify(ownBooking()),
    env: { ...env, FREIGHT_WORKSTATION: workstation },
  })
  expect(
    (await freight(["book", "--file", "-", "--key", "1", "--connector", "connector-c"], at("dock"))).code,
  ).toBe(0)
  const status = async (...words: string[]) => freight(["ledger", "status", ...words], at("office"))
  expect((await status("--json")).json()).toMatchObject({ behind: [] })
  const database = openFile(env.FREIGHT_LEDGER)
  await database.run("update desks set freight_version = '0.0.1', schema_version = 12")
  const { stderr } = await status()
  expect(stderr).toMatch(
    /dock uses freight 0\.0\.1 \(schema 12; this one is .*\), last seen on .*: update freight there\./,
  )
  await database.run("delete from desks")
  expect((await status()).stderr).toMatch(
    /dock has not used this version of freight, last seen on .*: update freight there\./,
  )
  expect((await status("--json")).json()).toMatchObject({ behind: [{ workstation: "dock", version: null }] })
  await sandbox.stop()
})
