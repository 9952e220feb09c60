/** Grams for kilograms, or millimetres for centimetres: refused by every command that takes packages, unless they are meant. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { hasTerminal, sitDown } from "./pty.ts"
import { take, told, wizardDesk } from "./wizard.ts"

const GRAMS = "2x40x30x20@5500"
const MILLIMETRES = { count: 2, lengthCm: 400, widthCm: 300, heightCm: 200, weightKg: 5.5 }

/** A desk with a booking file and orders whose sizes are in millimetres. */
async function oddDesk() {
  const made = await wizardDesk()
  const { packages: _, ...booking } = (await made.freight(["book", "--example"])).json()
  const odd = { ...booking, packages: [MILLIMETRES] }
  const orders = ["PO-1", "PO-2"].map((reference) => ({ ...odd, customerReference: undefined, reference }))
  for (const [name, content] of Object.entries({ booking, odd, orders }))
    await writeFile(path.join(made.folder, `${name}.json`), JSON.stringify(content))
  return made
}

const PLACES = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
const WHERE = ["Harbour, 14 Bourke Road, Alexandria NSW 2015", "Port, 8 Market Street, Fremantle WA 6160"]

const COMMANDS: [string, string[]][] = [
  ["book --file", ["book", "--sandbox", "--file", "odd.json", "--dry-run"]],
  ["book --package", ["book", "--sandbox", "--file", "booking.json", "--package", GRAMS, "--dry-run"]],
  ["batch book", ["batch", "book", "--sandbox", "orders.json", "--dry-run"]],
  ["batch plan", ["batch", "plan", "--sandbox", "orders.json"]],
  ["rate-shop", ["rate-shop", "--sandbox", ...PLACES, "--package", GRAMS]],
  ["package add", ["package", "add", "brick", "40x30x20@5500"]],
  ["api", ["api", "--sandbox", "POST", "connector-c/shipments", "--file", "request.json"]],
  [
    "pickup book",
    [
      ...["pickup", "book", "--sandbox", "--connector", "connector-c", "--service", "STD", "--dry-run"],
      ...["--collection", WHERE[0] ?? "", "--receiver", WHERE[1] ?? "", "--package", GRAMS],
      ...["--date", "tomorrow", "--ready", "10:00", "--close", "17:00"],
    ],
  ],
]

describe("packages whose weight does not fit their size", () => {
  it.each(COMMANDS)("%s refuses, and takes with --allow-density", async (_, args) => {
    const { freight, folder } = await oddDesk()
    const whole = await freight(["book", "--sandbox", "--file", "odd.json", "--allow-density", "--dry-run"])
    await writeFile(path.join(folder, "request.json"), whole.stdout)
    const { code, stderr } = await freight(args)
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(/(0\.23|229,167) kg\/m³, and goods have 2 to 12,000/)
    expect(stderr).toContain("--allow-density")
    const meant = await freight([...args, "--allow-density"])
    expect(meant.code, meant.stderr).toBe(0)
  })

  it("in mm and g are converted, and read back", async () => {
    const { freight } = await oddDesk()
    const args = ["rate-shop", "--sandbox", ...PLACES, "--package", "2x400x300x200mm@5500g"]
    const { code, stderr } = await freight(args)
    expect(code).toBe(0)
    expect(stderr).toContain('"2x400x300x200mm@5500g" is taken as 2x40x30x20@5.5, in cm and kg.')
    await freight(["package", "add", "box", "400x300x200mm@5500g"])
    expect((await freight(["package", "list", "--json"])).items()).toMatchObject([
      { name: "box", lengthCm: 40, weightKg: 5.5 },
    ])
  })
})

describe.runIf(hasTerminal)("at a terminal the person is asked", () => {
  it.each([
    ["y", 0],
    ["", 2],
  ])("once for a file of orders: %j", async (typed, code) => {
    const { env } = await oddDesk()
    const seat = await sitDown(["batch", "book", "--sandbox", "orders.json", "--dry-run"], env)
    await take(seat, [["? Are these sizes and weights right? (y/N)", { type: typed }, "enter"]])
    expect(await seat.exit).toBe(code)
    const all = (await told(seat)).replace(/\s+/g, " ")
    // Once as a warning; a refusal repeats it as the error.
    expect(all.split("5.5 kg in 400 × 300 × 200 cm: 0.23 kg/m³")).toHaveLength(typed === "y" ? 2 : 3)
    expect(all.split("differ in their reference only")).toHaveLength(2)
  })

  it("for a booking, before its price", async () => {
    const { env } = await oddDesk()
    const seat = await sitDown(["book", "--sandbox", "--file", "odd.json"], env)
    await take(seat, [
      ["? Are these sizes and weights right? (y/N)", { type: "y" }, "enter"],
      ["? Book it: AUD", "enter"],
    ])
    expect(await seat.exit).toBe(2)
    expect((await told(seat)).replace(/\s+/g, " ").split("0.23 kg/m³")).toHaveLength(2)
  })

  it("before the wizard asks for the rest", async () => {
    const { env } = await oddDesk()
    const seat = await sitDown(["book", "--sandbox", "--package", GRAMS], env)
    await take(seat, [
      ["? Are these sizes and weights right? (y/N)", { type: "y" }, "enter"],
      ["? Who sends it?", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
  })
})
