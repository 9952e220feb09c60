/** Every pair of doors with kinds of spelling that are drawn; and two doors at once, by two desks with one ledger. */
import path from "node:path"
import { describe, expect, it } from "vitest"
import { draw, share } from "../drawn.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { countByShop, DOORS, SPELLINGS } from "./doors.ts"
import { desk } from "./freight.ts"
import { csvOf, nestedOrder, order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { listOnce, tryPairs } from "./spelling-pairs.ts"
import { writeFile } from "node:fs/promises"

const sandbox = await fileSandbox()

it.each(draw(Object.keys(SPELLINGS)))("each pair of doors makes one booking: %s", async (kind) => {
  expect(await tryPairs(sandbox, DOORS, () => SPELLINGS[kind])).toEqual(listOnce(DOORS))
}, 900_000)

const ROUNDS = share(10)

describe.each<[string, (folder: string) => Promise<string>, isThere: boolean]>([
  ["SQLite", async (folder) => path.join(folder, "shared.db"), true],
  ["PostgreSQL", async () => newDatabase(), SERVER !== undefined],
])("with one ledger in %s", (name, newLedger, isThere) => {
  it.runIf(isThere)(
    "two desks that book 0003 and 3 in the same second make one booking",
    async () => {
      const desks = await Promise.all([desk(sandbox), desk(sandbox)])
      const [batch, hand] = desks
      if (!batch || !hand) throw new Error("no desk")
      const FREIGHT_LEDGER = await newLedger(batch.folder)
      const env = { FREIGHT_LEDGER }
      await Promise.all(desks.map(({ binary }) => binary(["ledger", "status"], { env })))
      for (let round = 0; round < ROUNDS; round++) {
        const shop = `${name} ${round}`
        const row = order(`000${round + 3}`, { "receiver.companyName": shop })
        await writeFile(path.join(batch.folder, "orders.csv"), csvOf([row]))
        const { connector: _, service: serviceCode, reference: __, ...rest } = nestedOrder(row)
        const booking = { ...rest, serviceCode, payer: { type: "Sender" }, dangerousGoods: false }
        await writeFile(path.join(hand.folder, "booking.json"), JSON.stringify(booking))
        const words = ["book", "--file", "booking.json", "--connector", "connector-b", "--no-rate", "--json"]
        const ends = await Promise.all([
          batch.binary(["batch", "book", "orders.csv", "--no-rate", "--json"], { env }),
          hand.binary([...words, "--key", `${round + 3}`], { env }),
        ])
        const said = ends.map(({ code, stderr }) => `${code}: ${stderr}`)
        expect(
          [(await countByShop(sandbox)).get(shop), ...ends.map(({ code }) => code).sort()],
          said.join("\n"),
        ).toEqual([1, 0, 1])
      }
    },
    600_000,
  )
})
