/** A batch that is run again on another day, with the same orders, others, and some that have changed. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { formatDate, isWeekend, nextBusinessDay, wallClockNow } from "../../src/base/wall-clock.ts"
import { draw } from "../drawn.ts"
import { errorOf, fresh, orderDesk } from "./batches.ts"
import type { RunOptions } from "./freight.ts"
import { nestedOrder, type Order, order, saveOrders } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const shared = await fileSandbox()

const DAY = 24 * 3_600_000
/** The next business day. By the clock of the sandbox it is still Monday: collections are in the future on both days. */
const TUESDAY = { now: getNextBusinessMoment() }
const FLAGS = getFlags()

function getNextBusinessMoment(): number {
  let now = Date.now() + DAY
  while (isWeekend(wallClockNow(now, "Australia/Sydney"))) now += DAY
  return now
}

/** Collected on the next business day, as a weekend has a warning of its own. */
function getFlags({ now = Date.now() }: RunOptions = {}): string[] {
  const day = formatDate(nextBusinessDay(wallClockNow(now, "Australia/Sydney")))
  return ["--service", "cheapest", "--ready", `${day}T10:00`, "--close", "17:00"]
}

/** An order of a shop, that says neither when nor with whom it goes. */
function shopOrder(changes: Order = {}): Order {
  const {
    collectionDateTime: _,
    collectionCloseTime: _close,
    connector: _c,
    service: _s,
    ...row
  } = order(changes.reference ?? fresh())
  return { ...row, ...changes }
}

async function daysDesk(sandbox = shared) {
  const made = await orderDesk([], sandbox)
  const save = (...rows: Order[]) => saveOrders(made.folder, rows)
  return {
    ...made,
    save,
    /** Books these, whatever day it is. */
    async book(rows: readonly Order[], flags: readonly string[] = [], options?: RunOptions) {
      await save(...rows)
      return made.freight(["batch", "book", "orders.csv", "--json", ...getFlags(options), ...flags], options)
    },
    /** Results that a run adds to each row, by reference. Consignment numbers are left out: they may come at any time. */
    async results() {
      const rows = await made.results()
      return new Map(
        rows.map(({ reference = "", "freight.consignment": _, ...row }) => {
          const added = Object.entries(row).filter(([name]) => name.startsWith("freight."))
          return [reference, Object.fromEntries(added.map(([name, text]) => [name.slice(8), text]))]
        }),
      )
    },
    booked: (...rows: Order[]) => made.booked(rows),
  }
}

describe("a batch on the next day", () => {
  it("keeps what is booked and books what is new, with the same line", async () => {
    const sandbox = await ownSandbox()
    const { book, results, status, booked } = await daysDesk(sandbox)
    const [gone, one, two, added] = [shopOrder(), shopOrder(), shopOrder(), shopOrder()]
    const first = await book([gone, one, two])
    expect([first.code, first.json<Summary>()]).toMatchObject([0, { booked: 3, recorded: 0 }])
    const monday = await results()
    const second = await book([one, two, added], [], TUESDAY)
    expect([second.code, second.json<Summary>()]).toMatchObject([0, { booked: 3, recorded: 2, changed: 0 }])
    const tuesday = await results()
    for (const { reference = "" } of [one, two]) expect(tuesday.get(reference)).toEqual(monday.get(reference))
    expect(await booked(gone, one, two, added)).toEqual([1, 1, 1, 1])
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(4)
    expect(await status()).toMatchObject({ booked: 3, waiting: 0, changed: 0 })
  })

  it.each<Order>(
    draw<Order>([
      { "receiver.suburb": "" },
      { "receiver.state": "" },
      { "receiver.postcode": "61" },
      { "receiver.postcode": "" },
      { "receiver.companyName": "#REF!" },
      Object.fromEntries(
        ["companyName", "address1", "suburb", "state", "postcode"].map((part) => [`receiver.${part}`, ""]),
      ),
      { "receiver.phoneNumber": "6.14E+10" },
      { packages: "two boxes" },
      { packages: "" },
      { packagingCode: "box?" },
      { dangerousGoods: "perhaps" },
      { payer: "the boss" },
      { service: "NO-SUCH" },
      { maxPrice: "cheap" },
      { collectionDateTime: "32/13/2026" },
    ]),
  )("keeps an order that was booked, and is damaged in its file again: %j", async (damage) => {
    const { book, results, status } = await daysDesk()
    const whole = shopOrder()
    await book([whole])
    const monday = await results()
    const damaged = [{ ...whole, ...damage }, shopOrder()]
    const dry = await book(damaged, ["--dry-run"], TUESDAY)
    expect([dry.code, dry.items()]).toMatchObject([0, [{ state: "booked" }, { state: "waiting" }]])
    const again = await book(damaged, [], TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 2, recorded: 1, invalid: 0 }])
    expect(monday.size).toBe(1)
    expect((await results()).get(whole.reference ?? "")).toMatchObject(
      monday.get(whole.reference ?? "") ?? {},
    )
    expect(await status()).toMatchObject({ booked: 2, invalid: 0, changed: 0 })
  })

  it("tells what else has changed of a damaged order", async () => {
    const { book } = await daysDesk()
    const whole = shopOrder()
    await book([whole])
    const moved = { ...whole, "receiver.suburb": "", "receiver.address1": "80 Market Street" }
    const again = await book([moved], [], TUESDAY)
    const told = /changed since: receiver street \(8 Market Street, now 80 Market Street\)$/
    expect([again.code, errorOf(again).errors]).toEqual([1, [{ message: expect.stringMatching(told) }]])
  })

  it.each<[string, Order, Order, string]>([
    [
      "another service",
      { service: "STD", connector: "connector-c" },
      { service: "GEN", connector: "connector-b" },
      "serviceCode",
    ],
    ["a limit below its price", {}, { maxPrice: "5" }, "maxPrice"],
    ["another time", { collectionCloseTime: "1700" }, { collectionCloseTime: "1600" }, "collectionCloseTime"],
  ])("keeps an order that has %s now, and says so", async (_, before, now, field) => {
    const { book, folder, status } = await daysDesk()
    const row = shopOrder()
    const first = await book([{ ...row, ...before }])
    expect(first.code, first.stderr).toBe(0)
    const again = await book([{ ...row, ...before, ...now }, shopOrder()], ["--results", "r.ndjson"], TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 2, recorded: 1, changed: 0 }])
    expect(again.stderr).toMatch(new RegExp(`^${row.reference} stays as it was booked: .*, now `, "m"))
    const { items: results } = await status()
    expect(results[0]).toMatchObject({
      state: "booked",
      ignored: expect.arrayContaining([expect.objectContaining({ field })]),
    })
    const [line = ""] = (await readFile(path.join(folder, "r.ndjson"), "utf8")).split("\n")
    expect(JSON.parse(line)).toMatchObject({
      state: "booked",
      ignored: results[0]?.ignored,
    })
  })

  it("warns of what was booked, and not of what its row says by now", async () => {
    const { book, folder } = await daysDesk()
    const booked = shopOrder()
    const odd = { "sender.email": "dispatch at harbour" }
    expect((await book([booked])).code).toBe(0)
    const rows = [{ ...booked, ...odd }, shopOrder(odd)]
    expect((await book(rows, ["--results", "r.ndjson"], TUESDAY)).code).toBe(0)
    const results = (await readFile(path.join(folder, "r.ndjson"), "utf8")).trim().split("\n")
    const warnings = results.map((line) => (JSON.parse(line) as { warnings: string[] }).warnings)
    expect(warnings).toEqual([[], [expect.stringContaining("email")]])
  })

  it("takes case, blanks and how a phone number is written for no difference", async () => {
    const { book } = await daysDesk()
    const row = shopOrder({ "receiver.phoneNumber": "0491 570 156", "receiver.companyName": "Port  Street" })
    expect((await book([row])).code).toBe(0)
    const same = {
      ...row,
      "receiver.phoneNumber": "+61 491-570-156",
      "receiver.companyName": " port street",
      "receiver.suburb": "FREMANTLE",
    }
    const again = await book([same], [], TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { recorded: 1, changed: 0 }])
  })
})

describe("an order that has changed since it was booked", () => {
  it.each<[string, Order, Order, RegExp]>([
    [
      "receiver",
      {},
      { "receiver.suburb": "Perth", "receiver.postcode": "6000" },
      /receiver suburb \(Fremantle, now Perth\)/,
    ],
    ["packages", {}, { packages: "3x40x30x20@5.5" }, /number of packages \(booked as 2, read today as 3\)/],
    [
      "day alone",
      { collectionDateTime: "2031-11-24" },
      { collectionDateTime: "2031-12-01" },
      /collection \(2031-11-24, now 2031-12-01\)/,
    ],
  ])("is told by both values, and the others are booked: %s", async (_, before, now, told) => {
    const { book, results, status, booked } = await daysDesk()
    const row = shopOrder()
    const added = { ...shopOrder(), ...(before.collectionDateTime && before) }
    const flags = ["--labels", "labels", ...(before.collectionDateTime ? ["--ready", "10:00"] : [])]
    const first = await book([{ ...row, ...before }], flags)
    expect(first.code, first.stderr).toBe(0)
    const monday = (await results()).get(row.reference ?? "")
    expect(monday?.label).not.toBe("")
    const again = await book([{ ...row, ...before, ...now }, added], flags, TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([
      1,
      { booked: 1, recorded: 0, changed: 1, invalid: 0 },
    ])
    const { message, errors } = errorOf(again)
    expect(message).toBe("1 order has changed since booking; 1 of 2 rows are booked")
    expect(errors).toEqual([{ message: expect.stringMatching(told) }])
    expect(errors?.[0]?.message).toMatch(new RegExp(`^row 2 \\(${row.reference}\\): was booked on .*\\(S`))
    const tuesday = (await results()).get(row.reference ?? "")
    expect(tuesday).toEqual({ ...monday, state: "changed", error: expect.stringMatching(told) })
    expect(await status()).toMatchObject({
      booked: 1,
      changed: 1,
      items: [{ state: "changed", shipmentId: monday?.shipment, error: tuesday?.error }, { state: "booked" }],
    })
    expect(await booked(row, added)).toEqual([1, 1])
  })

  it.each(["refunded", "cancelled", "voided"])("is one that its shop calls %s now", async (status) => {
    const { book, booked, results } = await daysDesk()
    const [row, added] = [shopOrder(), shopOrder()]
    const paid = (each: Order, said = "paid") => ({ ...each, "Financial Status": said })
    await book([paid(row)])
    const again = await book([paid(row, status), paid(added)], [], TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([1, { booked: 1, changed: 1, leftOut: 0 }])
    expect(errorOf(again).errors?.[0]?.message).toMatch(`changed since: the shop says ${status}`)
    expect((await results()).get(row.reference ?? "")).toMatchObject({ state: "changed", shipment: /./ })
    expect(await booked(row, added)).toEqual([1, 1])
  })

  it("is not one that was booked although its shop had taken it back", async () => {
    const { book } = await daysDesk()
    const rows = [{ ...shopOrder(), "Financial Status": "refunded" }]
    const include = ["--include", "refunded"]
    expect((await book(rows, include)).code).toBe(0)
    expect((await book(rows, include, TUESDAY)).json<Summary>()).toMatchObject({ recorded: 1, changed: 0 })
  })
})

describe("--again-for", () => {
  it("books one second consignment of an order that has changed, and never a third", async () => {
    const sandbox = await ownSandbox()
    const { book, results, status, booked, freight } = await daysDesk(sandbox)
    const [row, other] = [shopOrder(), shopOrder()]
    await book([row, other], ["--labels", "labels"])
    const monday = (await results()).get(row.reference ?? "")
    const moved = [{ ...row, "receiver.address1": "80 Market Street" }, other]
    const again = ["--again-for", row.reference ?? "", "--labels", "labels"]
    const second = await book(moved, again, TUESDAY)
    expect([second.code, second.json<Summary>()]).toMatchObject([0, { booked: 2, recorded: 1, changed: 0 }])
    const tuesday = (await results()).get(row.reference ?? "")
    expect(tuesday?.shipment).not.toBe(monday?.shipment)
    expect(tuesday?.label).not.toBe(monday?.label)
    for (const flags of [again, [], ["--dry-run"], []]) {
      const ran = await book(moved, flags, TUESDAY)
      expect(ran.code, ran.stderr).toBe(0)
      expect((await results()).get(row.reference ?? "")).toEqual(tuesday)
    }
    expect(await status()).toMatchObject({ booked: 2, items: [{ shipmentId: tuesday?.shipment }, {}] })
    expect(await booked(row, other)).toEqual([2, 1])
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(3)
    const keys = (await freight(["history", "--json"])).items<{ key: string }>().map(({ key }) => key)
    expect(keys.sort()).toEqual([row.reference, `${row.reference}#2`, other.reference].sort())
    const changed = await book([{ ...row, "receiver.address1": "9 High Street" }, other], again, TUESDAY)
    expect([changed.code, changed.json<Summary>()]).toMatchObject([1, { booked: 1, changed: 1 }])
    expect(errorOf(changed).errors?.[0]?.message).toContain("(80 Market Street, now 9 High Street)")
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(3)
  })

  it("books an order that its shop calls fulfilled since, and none that it has taken back", async () => {
    const { book, booked } = await daysDesk()
    const rows = [shopOrder(), shopOrder()]
    await book(rows)
    const [sent, refunded] = rows.map((row, n) => ({
      ...row,
      packages: "1x40x30x20@5.5",
      "Fulfillment Status": "fulfilled",
      "Financial Status": ["paid", "refunded"][n] ?? "",
    }))
    const flags = rows.flatMap(({ reference = "" }) => ["--again-for", reference])
    const again = await book([sent ?? {}, refunded ?? {}], flags, TUESDAY)
    expect(again.json<Summary>()).toMatchObject({ booked: 1, leftOut: 1 })
    expect(await booked(...rows)).toEqual([2, 1])
  })

  it("sends nothing more while the outcome of the second one is not known", async () => {
    const sandbox = await ownSandbox()
    const { book, booked } = await daysDesk(sandbox)
    const row = shopOrder()
    await book([row])
    const moved = [{ ...row, packages: "1x40x30x20@5.5" }]
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await book(moved, ["--again-for", row.reference ?? ""])).code).toBe(7)
    const found = await book(moved)
    expect([found.code, found.json<Summary>()]).toMatchObject([0, { booked: 1, recorded: 1 }])
    expect(await booked(row)).toEqual([2])
  })

  it.each([
    ["was not booked before", (row: Order) => row.reference ?? ""],
    ["is not in the file", (row: Order) => `${row.reference}x`],
  ])("is refused for an order that %s, and nothing is sent", async (_, name) => {
    const { book, booked } = await daysDesk()
    const [row, other] = [shopOrder(), shopOrder()]
    const ran = await book([row, other], ["--again-for", name(row)])
    expect(ran.code).toBe(2)
    expect(JSON.stringify(errorOf(ran))).toMatch(/was not booked before|has no order .* \(--again-for\)/)
    expect(await booked(row, other)).toEqual([0, 0])
  })
})

describe("a plan on the next day", () => {
  it("has what is booked as it is, tells what has changed, and is booked again and again", async () => {
    const sandbox = await ownSandbox()
    const { book, freight, save, booked } = await daysDesk(sandbox)
    const [same, moved, added] = [shopOrder(), shopOrder(), shopOrder()]
    await book([same, moved], ["--instructions", "Ring"])
    await save(same, { ...moved, "receiver.suburb": "Perth" }, added)
    const plan = ["batch", "plan", "orders.csv", "--json", ...getFlags(TUESDAY), "--instructions", "Knock"]
    const made = await freight(plan, TUESDAY)
    expect([made.code, made.json()]).toMatchObject([
      1,
      { complete: false, planned: 1, booked: 1, changed: 1, without: 0 },
    ])
    for (const recorded of [1, 2]) {
      const ran = await freight(["batch", "book", "--plan", "orders.plan.json", "--json"], TUESDAY)
      expect([ran.code, ran.json<Summary>()]).toMatchObject([
        1,
        { booked: 2, recorded, changed: 1, invalid: 0 },
      ])
      expect(errorOf(ran).errors?.[0]?.message).toContain("receiver suburb (Fremantle, now Perth)")
    }
    expect(await booked(same, moved, added)).toEqual([1, 1, 1])
  })

  it("has what the shop has taken back as changed, and says so when it is booked", async () => {
    const { book, freight, save } = await daysDesk()
    const row = shopOrder({ "Financial Status": "paid" })
    await book([row])
    await save({ ...row, "Financial Status": "refunded" })
    const made = await freight(["batch", "plan", "orders.csv", ...FLAGS])
    expect([made.code, made.stderr]).toEqual([
      1,
      expect.stringContaining("0 rows to be booked; 1 booked before and changed since."),
    ])
    expect(made.stderr).not.toMatch(/Book it:|the shop holds/)
    const ran = await freight(["batch", "book", "--plan", "orders.plan.json", "--json"])
    expect([ran.code, ran.json<Summary>()]).toMatchObject([1, { booked: 0, changed: 1, leftOut: 0 }])
    expect(errorOf(ran).errors?.[0]?.message).toMatch(/changed since: the shop says refunded$/)
  })

  it("of orders that were booked meanwhile with other flags books none of them twice", async () => {
    const { book, freight, save, booked } = await daysDesk()
    const rows = [shopOrder(), shopOrder()]
    await save(...rows)
    await freight(["batch", "plan", "orders.csv", ...FLAGS, "--instructions", "Knock"])
    await book(rows, ["--instructions", "Ring"])
    const ran = await freight(["batch", "book", "--plan", "orders.plan.json", "--json"])
    expect([ran.code, ran.json<Summary>()]).toMatchObject([0, { booked: 2, recorded: 2 }])
    expect(await booked(...rows)).toEqual([1, 1])
  })

  it("has the second consignment of an order that has changed", async () => {
    const { book, freight, save, booked } = await daysDesk()
    const row = shopOrder()
    await book([row])
    await save({ ...row, packages: "1x40x30x20@5.5" })
    await freight(["batch", "plan", "orders.csv", ...FLAGS, "--again-for", row.reference ?? ""])
    for (const recorded of [0, 1]) {
      const ran = await freight(["batch", "book", "--plan", "orders.plan.json", "--json"])
      expect([ran.code, ran.json<Summary>()]).toMatchObject([0, { booked: 1, recorded }])
    }
    expect(await booked(row)).toEqual([2])
  })
})

describe("orders whose reference is written as another number", () => {
  const digits = () => String(70_000 + Number(fresh().slice(1)))

  it.each<[string, (number: string) => string, (number: string) => string]>([
    ["a spreadsheet has removed them", (number) => `0000${number}`, (number) => number],
    ["they are back", (number) => number, (number) => `0000${number}`],
    ["a program has made a number of it", (number) => `00${number}`, (number) => `${number}.0`],
    ["a spreadsheet shows it with decimals", (number) => number, (number) => `${number}.00`],
    [
      "a spreadsheet shows it by thousands",
      (number) => number,
      (number) => `${number.slice(0, 2)},${number.slice(2)}`,
    ],
    ["it is a number again", (number) => `${number.slice(0, 2)},${number.slice(2)}.00`, (number) => number],
  ])("are not booked again: %s", async (_, before, now) => {
    const { book, booked, results } = await daysDesk()
    const number = digits()
    const row = shopOrder({ reference: before(number) })
    const other = shopOrder()
    expect((await book([row])).code).toBe(0)
    const again = shopOrder({ ...row, reference: now(number) })
    const nextMonth = { now: TUESDAY.now + 30 * DAY }
    const ran = await book([again, other], [], nextMonth)
    expect([ran.code, ran.json<Summary>()]).toMatchObject([1, { booked: 1, duplicate: 1 }])
    expect(errorOf(ran).errors).toEqual([
      {
        message: expect.stringMatching(
          new RegExp(
            `^row 2 \\(${again.reference}\\): duplicate of ${row.reference}, .*: --again-for .* books a second one$`,
          ),
        ),
      },
    ])
    expect((await results()).get(again.reference ?? "")?.state).toBe("duplicate")
    expect(await booked(row, again, other)).toEqual([1, 0, 1])
    expect((await book([again], ["--again"], nextMonth)).code).toBe(0)
    expect((await book([again], [], nextMonth)).json<Summary>()).toMatchObject({ booked: 1, recorded: 1 })
    expect(await booked(row, again)).toEqual([1, 1])
  })

  it("are the same where an export keeps the zeros by a formula", async () => {
    const { book, booked } = await daysDesk()
    const number = `00${digits()}`
    const row = shopOrder({ reference: number, "receiver.phoneNumber": "0412345678" })
    const formulas = { reference: `="${number}"`, "receiver.phoneNumber": '="0412345678"' }
    expect((await book([{ ...row, ...formulas }])).code).toBe(0)
    const again = await book([row], [], TUESDAY)
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 1, recorded: 1, changed: 0 }])
    expect(await booked(row)).toEqual([1])
  })

  it("are not sent while the outcome of the other is not known, which is looked for", async () => {
    const sandbox = await ownSandbox()
    const { book, booked } = await daysDesk(sandbox)
    const number = digits()
    const row = shopOrder({ reference: `00${number}` })
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await book([row])).code).toBe(7)
    const again = shopOrder({ ...row, reference: number })
    expect((await book([again])).json<Summary>()).toMatchObject({ booked: 0, duplicate: 1 })
    expect(await booked(row, again)).toEqual([1, 0])
  })

  it.each<[string, Order]>([
    ["go to another address", { "receiver.address1": "9 High Street" }],
    ["are other goods", { packages: "1x40x30x20@9" }],
  ])("are booked where they %s", async (_, changes) => {
    const { book, booked } = await daysDesk()
    const number = digits()
    const row = shopOrder({ reference: `00${number}` })
    await book([row])
    const other = shopOrder({ ...row, reference: number, ...changes })
    expect((await book([other], [], TUESDAY)).code).toBe(0)
    expect(await booked(row, other)).toEqual([1, 1])
  })
})

describe("orders that were booked under another key", () => {
  /** Booked by hand under the path of its file, as an old script does it. */
  async function bookedUnderPath(number = fresh()) {
    const made = await daysDesk()
    const row = order(number)
    await made.save(row)
    await writeFile(path.join(made.folder, "order.json"), JSON.stringify(nestedOrder(row)))
    const { reference = "" } = row
    const { connector: _, service: serviceCode, reference: __, ...rest } = nestedOrder(row)
    const request = { ...rest, serviceCode, customerReference: reference, payer: { type: "Sender" } }
    await writeFile(
      path.join(made.folder, "order.json"),
      JSON.stringify({ ...request, dangerousGoods: false }),
    )
    const words = ["book", "--file", "order.json", "--connector", row.connector ?? "", "--no-rate"]
    const first = await made.freight([...words, "--key", "./order.json"])
    expect(first.code, first.stderr).toBe(0)
    return { ...made, row, reference, byHand: (key: string) => made.freight([...words, "--key", key]) }
  }

  it("are refused alone, and booked once more with --again-for, not with --new-orders", async () => {
    const { book, booked, row, reference } = await bookedUnderPath()
    const other = order(fresh())
    for (const flags of [[], ["--new-orders"], ["--yes"]]) {
      const ran = await book([row, other], flags)
      expect([ran.code, errorOf(ran).errors]).toEqual([
        1,
        [
          {
            message: expect.stringMatching(`^row 2 \\(${reference}\\): duplicate of ./order.json, shipment `),
          },
        ],
      ])
      expect(ran.stderr).toContain(`--again-for ${reference} books a second one`)
    }
    expect(await booked(row, other)).toEqual([1, 1])
    // The second one is booked once, and told from then on.
    for (const flags of [["--again-for", reference], ["--again-for", reference], []])
      expect((await book([row, other], flags)).json<Summary>()).toMatchObject({ booked: 2 })
    expect(await booked(row, other)).toEqual([2, 1])
  })

  it.each([
    ["a spreadsheet may have rounded its reference", ".10", ".1", "may be a duplicate of"],
    ["its reference has another spelling", "", ".00", "duplicate of"],
  ])("are refused and booked once more likewise where %s", async (_, before, now, words) => {
    const number = String(80_000 + Number(fresh().slice(1)))
    const { book, booked, row } = await bookedUnderPath(`${number}${before}`)
    const other = order(fresh())
    const again = { ...row, reference: `${number}${now}` }
    for (const flags of [[], ["--new-orders"]]) {
      const ran = await book([again, other], flags)
      expect([ran.code, errorOf(ran).errors]).toEqual([
        1,
        [{ message: expect.stringContaining(`(${again.reference}): ${words} `) }],
      ])
    }
    expect(await booked(row, again, other)).toEqual([1, 0, 1])
    for (const flags of [["--again-for", again.reference], ["--again-for", again.reference], []]) {
      const ran = await book([again, other], flags)
      expect([ran.code, ran.json<Summary>()], ran.stderr).toMatchObject([0, { booked: 2 }])
    }
    expect(await booked(row, again, other)).toEqual([1, 1, 1])
  })

  it("are booked for another day, and the row names the earlier one", async () => {
    const made = await bookedUnderPath()
    const { booked, row } = made
    const later = { ...row, collectionDateTime: "2031-11-24T10:00" }
    const { freight } = made
    const input = `${JSON.stringify(nestedOrder(later))}\n`
    const ran = await freight(["batch", "book", "-", "--format", "ndjson", "--no-rate"], { input })
    expect([ran.code, await booked(row)]).toEqual([0, [2]])
    expect(ran.stdout).toMatch(/"warnings":\[[^\]]* was booked before, on [^\]]*This is another one\./)
  })

  it("are refused row by row as they arrive, and by a plan", async () => {
    const { booked, freight, row, reference } = await bookedUnderPath()
    const input = `${JSON.stringify(nestedOrder(row))}\n`
    const streamed = await freight(
      ["batch", "book", "-", "--format", "ndjson", "--no-rate", "--new-orders"],
      {
        input,
      },
    )
    expect([streamed.code, streamed.stdout]).toEqual([1, expect.stringContaining('"state":"duplicate"')])
    const plan = await freight(["batch", "plan", "orders.csv", "--json", "--new-orders"])
    expect(plan.items()).toMatchObject([{ reference, state: "duplicate" }])
    expect(await booked(row)).toEqual([1])
  })

  it("are refused from another folder, with words that name the first key and advise no other", async () => {
    const { booked, row, byHand } = await bookedUnderPath()
    for (const key of ["/srv/orders/order.json", "2026-11-29", String(row.reference)]) {
      const ran = await byHand(key)
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain("under the key ./order.json, with the same goods")
      expect(ran.stderr).not.toContain("--key")
    }
    expect(await booked(row)).toEqual([1])
  })

  it.skipIf(!hasTerminal)("are asked about at a terminal", async () => {
    const { booked, folder, env, row } = await bookedUnderPath()
    const words = ["batch", "book", path.join(folder, "orders.csv"), "--no-rate"]
    const question = "Book a second consignment of it?"
    const no = await atTerminal(words, env, [{ see: question, type: "\r" }])
    expect(no.screen).toContain("1 order has the goods and the receiver of one that was booked before")
    expect([no.code, await booked(row)]).toEqual([1, [1]])
    const yes = await atTerminal(words, env, [
      { see: question, type: "y\r" },
      { see: "Book 1 ", type: "y\r" },
    ])
    expect([yes.code, await booked(row)]).toEqual([0, [2]])
  })
})

describe("orders under another reference", () => {
  const renamed =
    /^1 order has the goods and the receiver of one that was booked under another reference: (\S+) \((\S+), booked .*\)\.$/m

  it("are named in a script, and booked", async () => {
    const { book, booked } = await daysDesk()
    const [row, other] = [shopOrder(), shopOrder()]
    await book([row, other])
    const again = { ...row, reference: `${row.reference}b` }
    const ran = await book([again, other], [], TUESDAY)
    expect(ran.stderr.match(renamed)?.slice(1)).toEqual([again.reference, row.reference])
    expect(ran.code).toBe(0)
    expect(await booked(row, again)).toEqual([1, 1])
    const next = await book([again, other], [], TUESDAY)
    expect(next.stderr).not.toMatch(renamed)
  })

  it.each<[string, Order, RunOptions]>([
    ["the old one is in the file as well", {}, TUESDAY],
    ["other goods go", { packages: "1x1x1x1@1" }, TUESDAY],
    ["they go to another address", { "receiver.address1": "9 High Street" }, TUESDAY],
    ["it was longer ago than four days", {}, { now: Date.now() + 5 * DAY }],
  ])("are not where %s", async (why, changes, options) => {
    const { book } = await daysDesk()
    const row = shopOrder()
    await book([row])
    const again = { ...row, reference: `${row.reference}b`, ...changes }
    const ran = await book(
      why.includes("old one") ? [row, again] : [again],
      ["--ready", "2031-11-24T10:00"],
      options,
    )
    expect(ran.stderr).not.toMatch(renamed)
  })

  describe("for the collection day that was booked", () => {
    const again = (row: Order, changes: Order = {}): Order => ({
      ...row,
      reference: `${row.reference}b`,
      ...changes,
    })

    it("are refused in a script before anything is sent, by a dry run too, and booked with --new-orders", async () => {
      const { book, booked } = await daysDesk()
      const [row, two, kept] = [shopOrder(), shopOrder(), shopOrder()]
      await book([row, two, kept])
      const rows = [again(row), again(two), kept, shopOrder()]
      for (const flags of [[], ["--dry-run"], ["--yes"], ["--again"]]) {
        const ran = await book(rows, flags)
        expect([ran.code, errorOf(ran)]).toMatchObject([
          2,
          {
            message:
              "2 orders repeat the goods, the receiver and the collection day of a booking under another reference, which orders.csv does not have (separate orders: --new-orders); nothing was sent",
            errors: [
              {
                message: expect.stringMatching(
                  `^row 2 \\(${row.reference}b\\): ${row.reference} was booked on `,
                ),
              },
              {
                message: expect.stringMatching(
                  `^row 3 \\(${two.reference}b\\): ${two.reference} was booked on `,
                ),
              },
            ],
          },
        ])
      }
      expect(await booked(...rows)).toEqual([0, 0, 1, 0])
      const meant = await book(rows, ["--new-orders"])
      expect([meant.code, await booked(...rows)]).toEqual([0, [1, 1, 1, 1]])
      for (const file of [rows, [row, two, kept], [again(row), two]])
        expect((await book(file)).json<Summary>()).toMatchObject({
          booked: file.length,
          recorded: file.length,
        })
    })

    it("are refused however long ago it was booked, and where its outcome is not known", async () => {
      const sandbox = await ownSandbox()
      const { book, booked } = await daysDesk(sandbox)
      const far = { collectionDateTime: "2031-11-24T10:00" }
      const [row, open] = [shopOrder(far), shopOrder({ ...far, packages: "1x40x30x20@7" })]
      await book([row])
      await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
      expect((await book([open])).code).toBe(7)
      const ran = await book([again(row), again(open)], [], { now: Date.now() + 20 * DAY })
      expect([ran.code, errorOf(ran)]).toMatchObject([
        2,
        {
          errors: [{}, { message: expect.stringMatching(/was sent on .*, and its outcome is unknown$/) }],
          next: "freight reconcile",
        },
      ])
      expect(await booked(again(row), again(open))).toEqual([0, 0])
    })

    it("are two orders where both references are in the file", async () => {
      const { book, booked } = await daysDesk()
      const row = shopOrder()
      await book([row])
      expect((await book([row, again(row)])).code).toBe(0)
      expect((await book([again(row), row])).code).toBe(0)
      expect(await booked(row, again(row))).toEqual([1, 1])
    })

    it("do not count where the row is left out for an error", async () => {
      const { book } = await daysDesk()
      const row = shopOrder()
      await book([row])
      const past = again(row, { collectionDateTime: "2020-11-24T10:00" })
      const ran = await book([past, shopOrder()], ["--skip-invalid"])
      expect([ran.code, ran.json<Summary>()]).toMatchObject([1, { booked: 1, invalid: 1 }])
    })

    it("are refused by a plan, which keeps what --new-orders allowed, and no more than that", async () => {
      const { book, booked, freight, save } = await daysDesk()
      const [row, late] = [shopOrder(), shopOrder({ packages: "1x40x30x20@7" })]
      await book([row])
      const rows = [again(row), again(late)]
      await save(...rows)
      const plan = (...flags: string[]) =>
        freight(["batch", "plan", "orders.csv", "--json", ...FLAGS, ...flags])
      const bookPlan = (...flags: string[]) =>
        freight(["batch", "book", "--plan", "orders.plan.json", "--json", ...flags])
      expect((await plan()).code).toBe(2)
      expect((await plan("--new-orders")).code).toBe(0)
      expect((await bookPlan("--dry-run")).code).toBe(0)
      await book([row, late])
      await save(...rows)
      for (const flags of [["--dry-run"], []]) {
        const ran = await bookPlan(...flags)
        expect([ran.code, errorOf(ran).errors]).toEqual([
          2,
          [
            {
              message: expect.stringMatching(`^row 3 \\(${late.reference}b\\): ${late.reference} was booked`),
            },
          ],
        ])
      }
      expect(await booked(...rows)).toEqual([0, 0])
      expect((await bookPlan("--new-orders")).code).toBe(0)
      expect((await bookPlan()).code).toBe(0)
      expect(await booked(...rows)).toEqual([1, 1])
    })
  })

  it.skipIf(!hasTerminal)("are part of the one question at a terminal", async () => {
    const { book, folder, env, save, booked } = await daysDesk()
    const row = shopOrder()
    await book([row])
    const again = { ...row, reference: `${row.reference}b` }
    await save(again)
    const words = ["batch", "book", path.join(folder, "orders.csv"), ...FLAGS]
    // Its last words are in a line of their own.
    const question = "separate order?"
    const no = await atTerminal(words, env, [{ see: question, type: "\r" }])
    expect([no.code, no.screen]).toEqual([2, expect.stringContaining("nothing was sent")])
    expect(await booked(again)).toEqual([0])
    const yes = await atTerminal(words, env, [{ see: question, type: "y\r" }])
    expect([yes.code, await booked(again)]).toEqual([0, [1]])
  })
})
