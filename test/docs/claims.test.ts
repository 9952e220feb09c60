/** Facts that pages state, held against what they are about. */
import { readFileSync } from "node:fs"
import { copyFile, cp, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { ownBooking } from "../acceptance/bookings.ts"
import { desk, ROOT } from "../acceptance/freight.ts"

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8")
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

describe("the text of a picture in the README says what is drawn", () => {
  const textOf = (name: string) =>
    new RegExp(`!\\[([^\\]]+)\\]\\(docs/pictures/${name}\\.svg\\)`).exec(read("README.md"))?.[1] ?? ""
  const drawn = (name: string) => read(`docs/pictures/${name}.svg`)

  it("consignments to dispute", () => {
    const [, count = ""] = />To dispute: (\d+) consignments/.exec(drawn("audit")) ?? []
    expect(textOf("audit")).toContain(`${NUMBERS[Number(count)]} consignments to dispute`)
  })

  it("services", () => {
    const count = new Set(Array.from(drawn("rate-shop").matchAll(/> ?(\d{1,2})</g), ([, at]) => at))
    expect(textOf("rate-shop")).toContain(
      `${NUMBERS.findLast((_, at) => count.has(String(at)))} services of three carriers`,
    )
  })

  it("errors and warnings", () => {
    const [, errors, warnings] = /(\d+) errors?, (\d+) warnings?/.exec(drawn("invoice-validate")) ?? []
    expect(textOf("invoice-validate")).toContain(
      `${NUMBERS[Number(errors)]} errors and ${NUMBERS[Number(warnings)]} warnings`,
    )
  })
})

describe("docs/booking.md is right that", () => {
  const api = parse(read("schemas/openapi/freight.yaml"))

  it("there is no webhook, and no way to change or cancel a booking or a pickup", () => {
    expect(api.webhooks).toBeUndefined()
    const changing = Object.entries<Record<string, unknown>>(api.paths).flatMap(([at, methods]) =>
      Object.keys(methods).flatMap((method) =>
        ["put", "patch", "delete"].includes(method) ? [`${method} ${at}`] : [],
      ),
    )
    expect(changing.filter((each) => /shipments|pickups/.test(each))).toEqual([])
  })

  it("no field is an authority to leave", () => {
    expect(read("schemas/freight.schema.json")).not.toMatch(/authori[ts]|unattended|\batl\b/i)
  })

  it("a declared value is sent to carrier A, and that another carrier ignores it is reported", async () => {
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const insure = (service: string) =>
      freight([
        ...["book", "--sandbox", "--file", "booking.json", "--service", service, "--dry-run"],
        ...["--set", "extendedWarranty.value=500", "--set", "extendedWarranty.class=A"],
      ])
    const [a, b] = [await insure("76"), await insure("GEN")]
    expect([a.code, b.code]).toEqual([0, 0])
    expect(a.stdout).toMatch(/"extendedWarranty": \{\s+"value": 500,\s+"class": "A"/)
    expect(a.stderr).not.toContain("extendedWarranty")
    expect(b.stderr).toContain("extendedWarranty is for carrier A only: carrier B ignores it")
  })

  it("dangerous goods are not sent without their details, and the error has an example of each", async () => {
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const { code, stderr } = await freight([
      "book",
      "--sandbox",
      "--file",
      "booking.json",
      "--dangerous-goods",
    ])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--set dangerousGoodsDetails='{"unNumber":"1263"`),
    ])
  })

  it("a tail lift in the instructions is warned about, as no price has it", async () => {
    expect(read("schemas/openapi/freight.yaml")).not.toMatch(/tail ?(?:lift|gate)/i)
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const { stderr } = await freight([
      ...["book", "--sandbox", "--file", "booking.json", "--dry-run"],
      ...["--instructions", "Tail lift needed"],
    ])
    expect(stderr).toContain('asks for "Tail lift", which is not in any price')
  })

  it("an address and a package are saved under a name, and used by it", async () => {
    const { freight } = await desk()
    const lines = [
      ["address", "add", "lee", "Mia Lee, 5 Quay Street, Fremantle WA 6160"],
      ["package", "add", "lamp", "40x30x30@2"],
      ["rate-shop", "--sandbox", "--from", "Alexandria NSW 2015", "--to", "lee", "--package", "lamp"],
    ]
    for (const line of lines) expect((await freight(line)).code, line.join(" ")).toBe(0)
  })

  it("a pickup's reference names whom to call, and a second one needs --again", async () => {
    const { freight } = await desk()
    const times = ["--date", "tomorrow", "--ready", "10am", "--close", "5pm", "--yes", "--json"]
    await freight(["pickup", "book", "demo-shipment", "--sandbox", ...times])
    const shown = await freight(["pickup", "show", "demo-shipment", "--sandbox", "--json"])
    const { orderNumber } = shown.json<{ pickup: { orderNumber: string } }>().pickup
    expect(await freight(["cancel", orderNumber, "--sandbox"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot cancel a pickup[\s\S]*Call carrier/),
    })
    expect((await freight(["cancel", orderNumber, "--sandbox", "--confirmed", "Kim"])).code).toBe(2)
    expect(await freight(["pickup", "book", "demo-shipment", "--sandbox", ...times])).toMatchObject({
      code: 1,
    })
    const second = await freight(["pickup", "book", "demo-shipment", "--sandbox", "--again", ...times])
    expect(second.code, second.stderr).toBe(0)
  })
})

describe("the ledger", () => {
  async function booked() {
    const made = await desk()
    const book = async (name: string) => {
      await writeFile(path.join(made.folder, name), JSON.stringify(ownBooking()))
      return () => made.freight(["book", "--sandbox", "--file", name, "--yes"])
    }
    return { ...made, book }
  }
  const ledgerOf = (state: string) => path.join(state, "sandbox/ledger.db")

  it("is restored from its copy, and what was booked since is not booked again, as docs/ledger.md says", async () => {
    const { freight, folder, state, book } = await booked()
    const [bookFirst, bookSince] = [await book("before.json"), await book("since.json")]
    expect((await bookFirst()).code).toBe(0)
    const copy = path.join(folder, "ledger-monday.db")
    expect((await freight(["ledger", "copy", "--sandbox", "--to-ledger", copy])).code).toBe(0)
    expect((await bookSince()).code).toBe(0)
    await copyFile(copy, ledgerOf(state))
    for (const rest of ["-wal", "-shm"]) await rm(`${ledgerOf(state)}${rest}`, { force: true })
    expect(await bookSince()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("freight ledger accept"),
    })
    expect((await freight(["ledger", "accept", "--sandbox", "--yes"])).code).toBe(0)
    expect(await bookFirst()).toMatchObject({ code: 1 })
    expect(await bookSince()).toMatchObject({ code: 1, stderr: expect.stringContaining("another program") })
  })

  it("goes to a new computer with its folder, as docs/installing.md says", async () => {
    const [old, computer] = [await booked(), await desk()]
    await old.book("order.json")
    // By a process of its own: in this one, SQLite removes files that belong to a closed ledger some time later.
    const first = await old.binary(["book", "--sandbox", "--file", "order.json", "--yes"])
    expect(first.code, first.stderr).toBe(0)
    await cp(old.state, computer.state, { recursive: true })
    await copyFile(path.join(old.folder, "order.json"), path.join(computer.folder, "order.json"))
    const again = await computer.freight(["book", "--sandbox", "--file", "order.json", "--yes"])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("an equal booking was made") })
  })
})

describe("docs/addresses.md is right about", () => {
  it("the number of localities", () => {
    const rows = read("data/localities.csv").trim().split("\n").length - 1
    expect(read("docs/addresses.md")).toContain(`${rows.toLocaleString("en-AU")} localities`)
  })

  it("a place abroad whose postcode is one of a state", async () => {
    const { freight, folder } = await desk()
    const from = ["--from", "Alexandria NSW 2015", "--package", "30x20x10@2"]
    const rated = await freight(["rate-shop", "--sandbox", ...from, "--to", "Auckland 1010"])
    expect([rated.code, rated.stderr]).toEqual([0, expect.stringContaining("within Australia only")])
    const { receiver, ...booking } = ownBooking()
    const abroad = { ...receiver, suburb: "Auckland", state: "NSW", postcode: "1010" }
    await writeFile(path.join(folder, "booking.json"), JSON.stringify({ ...booking, receiver: abroad }))
    const refused = await freight(["book", "--sandbox", "--file", "booking.json", "--yes"])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("within Australia only")])
  })
})

it("the glossary has the words that help uses and does not explain", () => {
  const words = read("docs/glossary.md")
  const wanted = ["accrual", "clearing account", "lane", "ledger", "line item", "manifest", "map", "on hold"]
  for (const word of [...wanted, "plan", "profile", "surplus", "verdict", "workstation"])
    expect(words, word).toMatch(new RegExp(`^\\| (?:[\\w ]+, )?${word} \\|`, "m"))
})
