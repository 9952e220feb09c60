/** A ledger's file that something else has emptied. */
import { truncateSync, writeFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { systemIds } from "../../src/host.ts"
import { ledgerFile, openLedger } from "../../src/ledger/open.ts"
import { failure, temporaryDir, testClock } from "./setup.ts"

function opened(folder: string, address?: string) {
  const place = { address, from: "", folder, isSandbox: false, workstation: "desk-1" }
  const ports = { clock: testClock(), ids: systemIds, sqlite: systemSqlite, password: async () => undefined }
  return openLedger(place, ports, async () => {})
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
