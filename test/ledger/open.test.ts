/** What is seen to when a ledger is opened: a file that something has emptied, and what could not be recorded. */
import { truncateSync, writeFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { systemIds } from "../../src/host.ts"
import { ledgerFile, openLedger } from "../../src/ledger/open.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { entry, failure, put, temporaryDir, testClock } from "./setup.ts"

function opened(folder: string, address?: string, notes: string[] = []) {
  const place = { address, from: "", folder, isSandbox: false, workstation: "desk-1" }
  const ports = { clock: testClock(), ids: systemIds, sqlite: systemSqlite, password: async () => undefined }
  return openLedger(place, ports, async (text) => void notes.push(text))
}

it("that was in use and is empty now is refused: what was sent would be forgotten", async () => {
  const folder = temporaryDir()
  await (await opened(folder)).store.close()
  truncateSync(ledgerFile(folder), 0)
  const error = await failure(opened(folder))
  expect(error).toMatchObject({ kind: "config", exitCode: 2 })
  expect(error.message).toContain("the file is empty, and a ledger was in it")
})

it("that is empty and was never in use becomes a ledger: its maker was killed, or a person made the file", async () => {
  const folder = temporaryDir()
  writeFileSync(ledgerFile(folder), "")
  await (await opened(folder)).store.close()
  const named = path.join(folder, "named.db")
  writeFileSync(named, "")
  await (await opened(folder, named)).store.close()
})

it("what could not be recorded is, and is told", async () => {
  const folder = temporaryDir()
  const { store } = await opened(folder)
  const sent = entry()
  await put(store, sent)
  await openOutbox(path.join(folder, "unrecorded"), store.place).keep(
    { ...sent, state: "done" },
    `put ${sent.id}`,
  )
  await store.close()
  const notes: string[] = []
  const again = await opened(folder, undefined, notes)
  expect(await again.store.byId(sent.id)).toMatchObject({ state: "done" })
  expect(notes).toEqual(["1 outcome that could not be recorded earlier is now in the ledger."])
  await again.store.close()
})
