import { expect, it } from "vitest"
import { openSession } from "../../src/session/session.ts"
import { hostOf } from "../acceptance/freight.ts"

it("closes everything at the end of a command, also where one thing cannot be closed", async () => {
  const host = hostOf({ env: { FREIGHT_STATE_DIR: "/nowhere" }, cwd: "/" }, [], [])
  const session = openSession({}, host, () => Promise.reject(new Error("no other command")), {})
  const closed: string[] = []
  session.atEnd(async () => void closed.push("the sandbox"))
  session.atEnd(() => Promise.reject(new Error("the ledger's disk is full")))
  session.atEnd(async () => void closed.push("the connections"))
  await expect(session.end()).rejects.toThrow("the ledger's disk is full")
  expect(closed).toEqual(["the connections", "the sandbox"])
})
