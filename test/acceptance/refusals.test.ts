/** Command lines that are refused before anything is sent: how each ends, and all that is said of it. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { expectCases } from "../cases.ts"
import { bookingDesk } from "./bookings.ts"
import { order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const WHERE = [...LANE, "--date", "2027-11-23"]

it("texts/refusals.txt", async () => {
  const { freight, folder } = await bookingDesk(sandbox)
  await saveOrders(folder, [order("PO-1")])
  await writeFile(path.join(folder, "p.json"), "{}")
  await expectCases(import.meta.dirname, "texts/refusals.txt", async (line) => {
    const words = line.split(" ").flatMap((word) => (word === "LANE" ? WHERE : [word]))
    const { code, stdout, stderr } = await freight(words)
    expect(stdout).toBe("")
    return [`exit ${code}`, ...stderr.trimEnd().split("\n")]
  })
  const { shipments } = (await sandbox.control("books")) as { shipments: unknown[] }
  expect(shipments).toEqual([])
})
