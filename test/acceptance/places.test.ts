/** Places that do not exist: told wherever an address is checked, fixed on request, and never booked twice for it. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Plan, planText, sealPlan } from "../../src/orders/batch/plan/plan.ts"
import { ownBooking } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { startSandboxHere, type RunningSandbox } from "./sandbox.ts"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { hasTerminal, type Key, sitDown } from "./pty.ts"
import { take } from "./wizard.ts"

const PACKAGE = ["--package", "30x20x10@2"]
const SHOP = ["rate-shop", "--sandbox", "--from", "Alexandria NSW 2015", ...PACKAGE, "--json"]
const FIXED = "is changed from Fremantlee WA 6160 to Fremantle WA 6160"
const TOLD = '"Fremantlee" is not a known place with WA 6160: did you mean Fremantle WA 6160?'
/** As the tests below paste it. */
const OFFERED = "--fix-places writes Fremantle WA 6160"

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxHere()
})
afterAll(() => sandbox.stop())

/** A desk with the example in its folder, as `booking.json`, for another suburb. */
async function misspeltDesk(changes: object = { suburb: "Fremantlee" }) {
  const made = await desk(sandbox)
  const booking = ownBooking()
  const write = (receiver: object, more: object = {}) =>
    writeFile(
      path.join(made.folder, "booking.json"),
      JSON.stringify({ ...booking, ...more, receiver: { ...booking.receiver, ...receiver } }),
    )
  await write(changes)
  const book = (...more: string[]) =>
    made.freight([
      "book",
      "--file",
      "booking.json",
      "--connector",
      "connector-b",
      "--service",
      "GEN",
      ...more,
    ])
  return { ...made, write, book }
}

it("a PO box and a wrong weight are reported even while a field that all rows need is missing", async () => {
  const { folder, freight } = await desk(sandbox)
  const head =
    "reference,receiver.companyName,receiver.address1,receiver.suburb,receiver.state,receiver.postcode,packages"
  const rows = [
    "F-1,Ann,PO Box 7,Mount Waverley,VIC,3149,30x20x10@2",
    "F-2,Bob,8 High St,Fremantlee,WA,6160,30x20x10@5500",
  ]
  await writeFile(path.join(folder, "orders.csv"), [head, ...rows].join("\n"))
  const { code, stderr } = await freight(["batch", "book", "orders.csv", "--dry-run", "--json"])
  expect(code).toBe(2)
  const codes = (errorIn(stderr).errors as { code?: string }[]).map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(["postBox", "place", "density", "required"]))
  expect(codes.filter((each) => each === "place")).toHaveLength(1)
})

describe("a misspelt suburb", () => {
  it("is told by rate-shop, which asks for it as it is written", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...SHOP, "--to", "Fremantlee WA 6160"])
    expect(code).toBe(0)
    expect(stderr).toContain(`warning: to.suburb ${TOLD} ${OFFERED}`)
  })

  it("is fixed by rate-shop on request, which says so", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...SHOP, "--to", "Fremantlee WA 6160", "--fix-places"])
    expect(code).toBe(0)
    expect(stderr).toContain(FIXED)
    expect(stderr).not.toContain("warning")
  })

  it("is refused by book, which books it as it is written with --allow-places", async () => {
    const { book } = await misspeltDesk()
    const refused = await book("--dry-run", "--no-rate")
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`receiver.suburb ${TOLD}`)])
    expect(refused.stderr).toContain(OFFERED)
    expect(refused.stderr).toContain("--allow-places")
    const { code, stderr, json } = await book("--dry-run", "--no-rate", "--allow-places")
    expect([code, stderr]).toEqual([0, expect.stringContaining(`warning: receiver.suburb ${TOLD}`)])
    expect(json<{ receiver: object }>().receiver).toMatchObject({ suburb: "Fremantlee" })
  })

  it("is fixed where it has the same words in another order", async () => {
    const { book, write } = await misspeltDesk({ suburb: "CORRIMAL EAST", state: "NSW", postcode: "2518" })
    const fixed = await book("--dry-run", "--no-rate")
    const says = "The receiver's place is changed from CORRIMAL EAST NSW 2518 to East Corrimal NSW 2518."
    expect([fixed.code, fixed.stderr]).toEqual([0, expect.stringContaining(says)])
    expect(fixed.json<{ receiver: object }>().receiver).toMatchObject({ suburb: "East Corrimal" })
    const kept = await book("--dry-run", "--no-rate", "--allow-places")
    expect(kept.json<{ receiver: object }>().receiver).toMatchObject({ suburb: "CORRIMAL EAST" })
    await write({ address1: "PO Box 12" })
    const box = await book("--dry-run", "--no-rate")
    expect([box.code, box.stderr.includes("places add")]).toEqual([2, false])
    expect(box.stderr).toContain("give the street address")
  })

  it("is not a mistake of a row, whatever else is missing, where it has the same words in another order", async () => {
    const { folder, freight } = await desk(sandbox)
    const rows =
      "Order,Customer,Street,Suburb,State,Postcode\nP-1,Wattle,8 High Street,CORRIMAL EAST,NSW,2518\n"
    await writeFile(path.join(folder, "orders.csv"), rows)
    const { code, stderr } = await freight(["batch", "book", "orders.csv", "--dry-run"])
    expect([code, stderr.includes("CORRIMAL")], stderr).toEqual([2, false])
    expect(stderr).toContain("service is missing")
  })

  it.runIf(hasTerminal).each<[answer: string, keys: Key[], code: number, suburb: string]>([
    ["write them as --fix-places does", ["enter"], 0, '"suburb": "Fremantle"'],
    ["take them as they are", ["down", "enter"], 0, '"suburb": "Fremantlee"'],
    ["stop", ["down", "down", "enter"], 2, "is not a known place"],
  ])("is asked about at a terminal: %s", async (_, keys, code, shown) => {
    const { env, folder } = await misspeltDesk()
    const file = path.join(folder, "booking.json")
    const args = ["--file", file, "--connector", "connector-b", "--service", "GEN", "--dry-run", "--no-rate"]
    const seat = await sitDown(["book", ...args], env)
    await take(seat, [["? Are these places right?", ...keys]])
    expect([await seat.exit, await seat.screen()]).toEqual([code, expect.stringContaining(shown)])
  })

  it.runIf(hasTerminal)("is asked about once for a batch, and what is not plain after it", async () => {
    const { env, folder } = await desk(sandbox)
    const head = "Order,Customer,Street,Suburb,State,Postcode,Packages"
    const rows = [
      "P-1,Wattle,8 High Street,Hobbart,TAS,7000,40x30x20@5",
      "P-2,Derwent,2 High Street,St Kilda,VIC,3183,40x30x20@6",
    ]
    const file = path.join(folder, "orders.csv")
    await writeFile(file, `${[head, ...rows].join("\n")}\n`)
    const flags = [
      "--packaging",
      "CT",
      "--service",
      "cheapest",
      "--ready",
      "tomorrow 10am",
      "--close",
      "17:00",
    ]
    const sender = ["--sender", "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015"]
    const seat = await sitDown(["batch", "book", file, "--dry-run", ...sender, ...flags], env)
    await take(seat, [
      ["? Are these places right?", "enter"],
      ["? Are these places right? (y/N)", { type: "y" }, "enter"],
    ])
    expect([await seat.exit, await seat.screen()]).toEqual([
      0,
      expect.stringContaining("from Hobbart TAS 7000 to Hobart TAS 7000"),
    ])
  })

  it("is offered to be fixed by no command that cannot, and where nobody knows which is meant", async () => {
    const { book, write, freight } = await misspeltDesk()
    await write({ suburb: "Zzyzx" })
    expect((await book("--dry-run", "--no-rate")).stderr).not.toContain("--fix-places")
    const saved = ["address", "add", "x", "--set", "companyName=W", "--set", "address1=1 Main St"]
    const place = ["suburb=Fremantlee", "state=WA", "postcode=6160"].flatMap((each) => ["--set", each])
    const { code, stderr } = await freight([...saved, ...place])
    expect([code, stderr.includes(TOLD), stderr.includes("--fix-places")]).toEqual([0, true, false])
  })

  it("is fixed by book on request: an unclear one is not", async () => {
    const { book, write } = await misspeltDesk()
    const fixed = await book("--dry-run", "--no-rate", "--fix-places")
    expect(fixed.stderr).toContain(`The receiver's place ${FIXED}.`)
    expect(fixed.json<{ receiver: object }>().receiver).toMatchObject({
      suburb: "Fremantle",
      state: "WA",
      postcode: "6160",
    })
    await write({ suburb: "St Kilda", state: "VIC", postcode: "3183" })
    const unclear = await book("--dry-run", "--no-rate", "--fix-places", "--allow-places")
    expect(unclear.stderr).toContain("did you mean St Kilda VIC 3182 or St Kilda East VIC 3183?")
    expect(unclear.json<{ receiver: object }>().receiver).toMatchObject({ postcode: "3183" })
  })

  it.each([
    // Without a key, equal goods are refused, because they may be another order.
    ["without a key", [], 1],
    ["under a key", ["--key", "PO-34"], 0],
  ])("is booked once %s, whether it is fixed first or later", async (_, key, repeated) => {
    for (const runs of [
      [["--fix-places"], [], ["--fix-places"]],
      [[], ["--fix-places"], []],
    ]) {
      const { book, write, freight } = await misspeltDesk()
      await write(
        { suburb: "Fremantlee" },
        { customerReference: `PO-${key.length}-${runs.length}-${runs[0]}` },
      )
      let expected = 0
      for (const flags of runs) {
        const { code, stderr } = await book(...key, ...flags, "--allow-places", "--json", "--yes")
        expect(code, stderr).toBe(expected)
        expected = repeated
      }
      const { items } = await freight(["history", "--json"])
      expect(items()).toHaveLength(1)
    }
  })

  it("is not another order once a person has corrected it", async () => {
    const { book, write } = await misspeltDesk()
    const first = await book("--key", "PO-35", "--fix-places", "--json", "--yes")
    await write({})
    const second = await book("--key", "PO-35", "--json", "--yes")
    expect([first.code, second.code]).toEqual([0, 0])
    expect(second.json()).toMatchObject({ shipmentId: first.json<{ shipmentId: string }>().shipmentId })
    await write({ suburb: "Perth", postcode: "6000" })
    const other = await book("--key", "PO-35", "--json", "--yes")
    expect(other.code).toBe(1)
    expect(errorIn(other.stderr).message).toContain("has changed since")
  })
})

describe("a batch", () => {
  const HEAD =
    "reference,receiver.companyName,receiver.address1,receiver.suburb,receiver.state,receiver.postcode"
  const FLAGS = [
    ...["--service", "GEN", "--connector", "connector-b", "--packaging", "CT", "--sender", "home"],
    ...["--ready", ownBooking().collectionDateTime, "--close", "17:00", ...PACKAGE],
  ]

  async function batchDesk(...rows: string[]) {
    const made = await desk(sandbox)
    const { sender } = ownBooking()
    await writeFile(path.join(made.folder, "home.json"), JSON.stringify(sender))
    await made.freight(["address", "add", "home", "--file", "home.json"])
    await writeFile(path.join(made.folder, "orders.csv"), [HEAD, ...rows, ""].join("\n"))
    return {
      ...made,
      book: (...more: string[]) => made.freight(["batch", "book", "orders.csv", ...FLAGS, ...more]),
    }
  }

  it("refuses it with row and column, and books it as it is written with --allow-places", async () => {
    const { book } = await batchDesk(
      "B-1,Port Street Fittings,8 Market Street,Fremantle,WA,6160",
      "B-2,Port Street Fittings,8 Market Street,Fremantlee,WA,6160",
    )
    const refused = await book("--dry-run", "--no-rate")
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(TOLD)])
    expect(refused.stderr).toMatch(/row 3.*receiver\.suburb/i)
    const { code, stderr } = await book("--dry-run", "--no-rate", "--json", "--allow-places")
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(TOLD)
  })

  it("says it first and whole where it is accepted, before what costs nothing", async () => {
    const rows = Array.from(
      { length: 6 },
      (_, at) => `B-6${at},Port Street Fittings,9 Market Street,Fremantle,WA,6160`,
    )
    const { book } = await batchDesk(...rows, "B-7,Port Street Fittings,8 Market Street,Fremantlee,WA,6160")
    const { stderr } = await book("--dry-run", "--no-rate", "--allow-places")
    const warnings = stderr.split("\n").filter((line) => line.startsWith("warning: "))
    expect(warnings[0]).toContain(TOLD)
    expect(warnings[1]).toContain("6 rows differ in their reference only")
  })

  it("fixes on request, books each row once, and by a plan too", async () => {
    const { book, freight } = await batchDesk("B-3,Port Street Fittings,8 Market Street,Fremantlee,WA,6160")
    const first = await book("--fix-places", "--json", "--yes")
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toContain(FIXED)
    for (const flags of [[], ["--fix-places"]]) {
      const again = await book(...flags, "--json", "--yes")
      expect(again.code, again.stderr).toBe(0)
      expect(again.json()).toMatchObject({ booked: 1, recorded: 1 })
    }
    const [entry] = (await freight(["history", "--json"])).items<{ receiverSuburb?: string; about: string }>()
    expect(entry?.about).toContain("Fremantle WA 6160")
    const planned = await freight([
      "batch",
      "plan",
      "orders.csv",
      ...FLAGS,
      "--fix-places",
      "-o",
      "plan.json",
    ])
    expect(planned.code, planned.stderr).toBe(0)
    const booked = await freight(["batch", "book", "--plan", "plan.json", "--json"])
    expect(booked.code, booked.stderr).toBe(0)
    expect(booked.json()).toMatchObject({ booked: 1, recorded: 1 })
  })

  it.each([
    ["", (plan: Plan) => plan],
    [
      ", where an earlier version of freight kept places apart",
      (plan: Plan) => sealPlan(withPlacesApart(plan)),
    ],
  ])("books a fixed plan as it was written%s", async (apart, change) => {
    const number = `B-4${apart.length}`
    const { book, freight, folder } = await batchDesk(
      `${number},Port Street Fittings,${apart.length + 84} Market Street,Fremantlee,WA,6160`,
    )
    await freight(["batch", "plan", "orders.csv", ...FLAGS, "--fix-places", "-o", "plan.json"])
    const file = path.join(folder, "plan.json")
    const plan = JSON.parse(await readFile(file, "utf8")) as Plan
    await writeFile(file, planText(change(plan)))
    const booked = await freight(["batch", "book", "--plan", "plan.json", "--json"])
    expect(booked.json(), booked.stderr).toMatchObject({ booked: 1, recorded: 0 })
    const again = await book("--json", "--yes")
    expect(again.json()).toMatchObject({ booked: 1, recorded: 1 })
  })
})

describe("freight places", () => {
  it("keeps a team's own in the ledger, which a copy carries", async () => {
    const { freight, folder } = await desk(sandbox)
    const shop = [...SHOP, "--to", "Quarry Siding WA 6160"]
    expect((await freight(shop)).stderr).toContain("is not a known place")
    const added = await freight(["places", "add", "Quarry Siding WA 6160", "--json", "--sandbox"])
    expect([added.code, added.json()]).toEqual([
      0,
      expect.objectContaining({ suburb: "Quarry Siding", state: "WA", postcode: "6160" }),
    ])
    expect((await freight(shop)).stderr).not.toContain("is not a known place")
    const known = await freight(["places", "add", "Quarry Siding WA 6160", "--sandbox"])
    expect(known.stderr).toContain("known already")
    const copy = path.join(folder, "copy.db")
    expect((await freight(["ledger", "copy", "--sandbox", "--to-ledger", copy])).code).toBe(0)
    const listed = await freight(["places", "list", "--json"], { env: { FREIGHT_LEDGER: copy } })
    expect(listed.items()).toMatchObject([{ suburb: "Quarry Siding", state: "WA", postcode: "6160" }])
    const removed = await freight(["places", "remove", "quarry siding WA 6160", "--sandbox", "--json"])
    expect(removed.items()).toMatchObject([{ suburb: "Quarry Siding", state: "WA", postcode: "6160" }])
    expect((await freight(shop)).stderr).toContain("is not a known place")
  })

  it.each([
    [
      "a state that the postcode cannot have",
      ["add", "Fremantle NSW 6160"],
      "6160 belongs to WA, not to NSW",
    ],
    ["what is no place", ["add", "Fremantle"], "has no state and no postcode"],
    ["one to remove that was not added", ["remove", "Quarry Siding WA 6160"], "there is no added place"],
  ])("refuses %s", async (_, args, says) => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["places", ...args, "--sandbox", "--json"])
    expect(code).toBe(2)
    expect(errorIn(stderr).message).toContain(says)
  })
})

describe("a place without a state and postcode", () => {
  it.each([
    [["rate-shop", "--from", "Richmond", "--to", "Fremantle WA 6160", "--package", "40x30x20@5"], "--from: "],
    [["places", "add", "Richmond"], "the place: "],
    [["book", "--receiver", "Jo, 8 Market Street, Richmond", "--dry-run"], "--receiver: "],
  ])("is answered with the ones that it may be: %j", async (args, where) => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...args, "--sandbox"])
    const says = `error: ${where}"Richmond" has no state`
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(stderr).toContain("\nIt may be Richmond VIC 3121, Richmond NSW 2753")
  })

  it("is answered so in a row, too", async () => {
    const { freight, folder } = await desk()
    await writeFile(
      path.join(folder, "o.csv"),
      "Reference,Company,Address1,Suburb\nP1,Wattle,8 Main St,Richmond\n",
    )
    const { code, stderr } = await freight(["batch", "book", "o.csv", "--sandbox", "--dry-run"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "the state of the receiver is missing. It may be Richmond VIC 3121, Richmond NSW 2753",
      ),
    ])
  })
})

describe("a PO box without a street", () => {
  it.each([
    ["PO Box 12", undefined, true],
    ["Locked Bag 3", "Level 2", false],
    ["PO Box 12", "8 Market Street", false],
    ["Parcel Locker 10123 45678", undefined, true],
    ["RMB 1234 Smith Road", undefined, false],
  ])("as a receiver (%s, %s) is refused: %s", async (address1, address2, isTold) => {
    const { book } = await misspeltDesk({ address1, ...(address2 !== undefined && { address2 }) })
    const { code, stderr } = await book("--dry-run", "--no-rate")
    const isBox = /receiver\.address1 is a PO box or Locked Bag/.test(stderr)
    expect([code, isBox]).toEqual([isTold ? 2 : 0, isTold])
    const accepted = await book("--dry-run", "--no-rate", "--allow-places")
    expect([accepted.code, accepted.stderr.includes("warning: receiver.address1")]).toEqual([0, isTold])
  })
})

describe("a public holiday", () => {
  const now = Date.parse("2026-12-01T00:00:00Z")
  const HOLIDAY = "is on a public holiday in NSW (Christmas Day, Fri 25 Dec): not every carrier collects then"

  it("is told of a collection, and refuses nothing", async () => {
    const { freight, write } = await misspeltDesk({})
    await write({}, { collectionDateTime: "2026-12-25T10:00:00" })
    const args = ["book", "--file", "booking.json", "--service", "GEN", "--connector", "connector-b"]
    const { code, stderr } = await freight([...args, "--dry-run", "--no-rate"], { now })
    expect([code, stderr]).toEqual([0, expect.stringContaining(`collectionDateTime ${HOLIDAY}`)])
  })

  it("makes pickup book warn", async () => {
    const { freight, folder } = await desk(sandbox)
    const { sender, receiver } = ownBooking()
    await writeFile(path.join(folder, "from.json"), JSON.stringify(sender))
    await writeFile(path.join(folder, "to.json"), JSON.stringify(receiver))
    const { code, stderr } = await freight(
      [
        ...[
          "pickup",
          "book",
          "--connector",
          "connector-b",
          "--collection",
          "from.json",
          "--receiver",
          "to.json",
        ],
        ...[...PACKAGE, "--date", "2026-12-25", "--ready", "10:00", "--close", "17:00", "--dry-run"],
      ],
      { now },
    )
    expect([code, stderr]).toEqual([0, expect.stringContaining(`pickupDate ${HOLIDAY}`)])
  })
})

describe("an invoice", () => {
  it.each([
    ["Fremantle", "6000", true],
    ["Fremantle", "6160", false],
    // Merely absent, which is no contradiction.
    ["Fremantlee", "6160", false],
    ["Fremantle", "6959", false],
  ])("to %s with the postcode %s is a warning: %s", async (city, postalCode, isTold) => {
    const { freight, folder } = await desk()
    const invoice = minimalInvoice()
    const billTo = { street1: "8 Market Street", city, state: "WA", postalCode, country: "AU" }
    await writeFile(
      path.join(folder, "invoice.json"),
      textOf({ ...invoice, data: { ...invoice.data, billTo } } as never),
    )
    const { code, stdout } = await freight(["invoice", "validate", "invoice.json", "--json"])
    expect(code, stdout).toBe(0)
    expect(stdout.includes("accounting/address-postcode")).toBe(isTold)
    if (isTold) expect(stdout).toContain(`${postalCode} is not a postcode of ${city}`)
  })
})

describe("Tab", () => {
  it.each([
    ["Frem", "Fremantle WA 6160"],
    ["st kil", "st kilda VIC 3182"],
  ])("completes %s", async (typed, first) => {
    const { freight } = await desk()
    const { stdout } = await freight(["__complete", `:${typed}`, "rate-shop", "--to"])
    expect(stdout.split("\n")[0]).toBe(first)
  })
})

function withPlacesApart(plan: Plan): Plan {
  const rows = plan.rows.map((row) => {
    const { places, ...written } = row.written ?? { fields: {} }
    return { ...row, written, ...(places && { writtenPlaces: places }) }
  })
  return { ...plan, rows }
}
