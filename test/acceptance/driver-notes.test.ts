/** A note for the driver that asks for what the price does not have: asked about at a terminal, told in a script. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { desk } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const NOTE = { specialInstructions: "home del, leave at door" }

async function notedDesk() {
  const made = await desk()
  const booking = { ...exampleBooking(Date.now()), ...NOTE, customerReference: "SO-7", serviceCode: "GEN" }
  const rows = ["SO-8", "SO-9"].map((customerReference) => ({
    ...{ ...booking, customerReference },
    connector: "connector-b",
  }))
  const file = path.join(made.folder, "b.json")
  const orders = path.join(made.folder, "orders.json")
  await writeFile(file, JSON.stringify(booking))
  await writeFile(orders, JSON.stringify(rows))
  const readHomes = async () => {
    const { json } = await made.freight([
      "history",
      "--sandbox",
      "--fields",
      "receiver.residential",
      "--json",
    ])
    return json<{ items: Record<string, unknown>[] }>().items.map((entry) => entry["receiver.residential"])
  }
  return {
    ...made,
    readHomes,
    book: ["book", "--sandbox", "--connector", "connector-b", "--file", file],
    batch: ["batch", "book", "--sandbox", orders],
  }
}

describe("a note by which the receiver is a home", () => {
  it("is reported in a script, with the flag and the column that say so", async () => {
    const { freight, book, batch } = await notedDesk()
    for (const words of [book, batch]) {
      const told = await freight([...words, "--dry-run", "--yes"])
      expect(told.code, told.stderr).toBe(0)
      expect(told.stderr).toMatch(/has "home del", and the price is that of a business/)
      const said = await freight([...words, "--dry-run", "--yes", "--to-residential"])
      expect(said.stderr).not.toContain("home del")
    }
    expect((await freight([...batch, "--dry-run", "--yes"])).stderr).toMatch(/specialInstructions.*home del/)
  })

  it.runIf(hasTerminal)("is asked about once for a booking, and what is said is booked", async () => {
    const { env, book, readHomes } = await notedDesk()
    const ran = await atTerminal(book, env, [
      { see: 'The instructions have "home del". Does it go to a home?', type: "\r" },
      { see: "AUD", type: "y\r" },
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(await readHomes()).toEqual([true])
  })

  it.runIf(hasTerminal).each([
    ["\r", true],
    ["n\r", false],
  ])("is asked about once for a file (%j)", async (type, isHome) => {
    const { env, batch, readHomes } = await notedDesk()
    const ran = await atTerminal(batch, env, [
      { see: "By the instructions of 2 orders (SO-8, SO-9) it goes to a home.", type },
      { see: "Book 2 consignments for AUD", type: "y\r" },
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(await readHomes()).toEqual([isHome, isHome])
  })
})
