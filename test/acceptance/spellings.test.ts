/** One order is one, by whichever two doors it comes and however its number is spelled. */
import { expect, it } from "vitest"
import { countByShop, type Door, openDoors, SPELLINGS } from "./doors.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { listOnce, tryPairs } from "./spelling-pairs.ts"

const sandbox = await fileSandbox()

it("each pair of these doors makes one booking of two spellings, of another kind for each pair", async () => {
  const doors: readonly Door[] = ["csv", "plan", "file", "flags --key", "api", "wizard"]
  const kinds = Object.values(SPELLINGS)
  const made = await tryPairs(sandbox, doors, (first, second) => kinds[(first + 2 * second) % kinds.length])
  expect(made).toEqual(listOnce(doors))
})

it.each<[Door, number: string]>([
  ["csv", "901"],
  ["file", "902"],
  ["flags --key", "903"],
  ["api --key", "904"],
])("%s says under which number it was booked, and books it with --again", async (door, number) => {
  const made = await desk(sandbox)
  const shop = `Shop of ${number}`
  await openDoors(made)("file --key", [{ shop, number: `000${number}` }])
  const again = [{ shop, number }]
  const [said] = await openDoors(made)(door, again)
  expect(said).toEqual({ code: 1, text: expect.stringContaining(`000${number}`) })
  expect(said?.text).toContain("--again")
  expect((await countByShop(sandbox)).get(shop)).toBe(1)
  expect((await openDoors(made, ["--again"])(door, again))[0]).toMatchObject({ code: 0 })
  expect((await countByShop(sandbox)).get(shop)).toBe(2)
})

it.each([
  ["book", "--file", "booking.json"],
  ["api", "POST", "/connector-b/shipments"],
  ["pickup", "book", "demo-shipment"],
  ["print", "label", "demo-shipment"],
])("%s %s refuses a key with a line end in it, and sends nothing", async (...words) => {
  const { freight } = await desk(sandbox)
  const { code, stderr } = await freight([...words, "--key", "17\n18"])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("--key has a line end or another control character in it"),
  ])
})
