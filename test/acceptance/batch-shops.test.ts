import { copyFile, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { parse } from "csv-parse/sync"
import { errorOf, fresh } from "./batches.ts"
import { desk, ROOT } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { csvOf, type Order, order } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const shared = await fileSandbox()

const SAMPLE = order("-")
const SENDER = ["companyName", "address1", "suburb", "state", "postcode", "email"].map(
  (part) => [part, SAMPLE[`sender.${part}`]] as const,
)

/** Facts that a shop's export does not have. */
const FLAGS = [
  ...["--sender", "sender.json", "--package", "30x20x10@2", "--packaging", "CT", "--service", "cheapest"],
  ...["--ready", SAMPLE.collectionDateTime ?? "", "--close", "17:00"],
]

/** A desk with a shop's export, whose order without a delivery address is left out. */
async function shopDesk(name: string, sandbox = shared) {
  const made = await desk(sandbox)
  const file = path.join(made.folder, "orders.csv")
  await copyFile(path.join(ROOT, "test/orders/batch/rows/files", name), file)
  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(Object.fromEntries(SENDER)))
  const run = (...flags: string[]) => made.freight(["batch", "book", "orders.csv", "--json", ...flags])
  return {
    ...made,
    run,
    book: (...flags: string[]) => run(...FLAGS, "--skip-invalid", ...flags),
    change: async (how: (text: string) => string) => writeFile(file, how(await readFile(file, "utf8"))),
    booked: async () => bookedBy(await sandbox.control("books")),
  }
}

describe("freight batch book with a shop's export", () => {
  it.each([
    ["shopify.csv", ["#1001", "#1002", "#1004"], 4],
    ["shopify-spreadsheet.csv", ["#1001", "#1002", "#1004"], 4],
    ["woocommerce.csv", ["5012", "5013"], 3],
    ["woocommerce-database.csv", ["5012", "5013"], 2],
  ])("books %s as it is, each order once, and says the same again", async (name, references, rows) => {
    const sandbox = await ownSandbox()
    const { book, booked } = await shopDesk(name, sandbox)
    const left = rows - references.length
    const first = await book()
    expect(first.json<Summary>()).toMatchObject({
      rows,
      booked: references.length,
      recorded: 0,
      invalid: left,
    })
    expect(first.code).toBe(left > 0 ? 1 : 0)
    expect((await book()).json<Summary>()).toMatchObject({
      booked: references.length,
      recorded: references.length,
    })
    const books = await booked()
    expect(references.map((reference) => books.get(reference)?.length)).toEqual(references.map(() => 1))
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(references.length)
  })

  it("says on one line each what stands around the table; what a shop's export always has, with --verbose", async () => {
    const { book } = await shopDesk("shopify-spreadsheet.csv")
    const { stderr } = await book("--dry-run")
    const around = [
      'row 1: "Orders of Monday, 23 November" is above the headings and is left out',
      "row 9 is a total, not an order, and is left out (578.00, 626.00)",
    ]
    expect(stderr.split("\n")).toEqual(expect.arrayContaining(around))
    const habits = [
      expect.stringMatching(/^orders\.csv: 59 columns are not used: "Paid at", /),
      "row 5 of orders.csv is a further item of the order above it",
    ]
    expect(stderr).not.toMatch(/not used|further item|apostrophe/)
    const told = (await book("--dry-run", "--verbose")).stderr.split("\n")
    expect(told).toEqual(expect.arrayContaining([...around, ...habits]))
    expect(told.join("\n")).toContain("the apostrophe only marks text")
    expect((await book("--dry-run", "--verbose", "--ignore-unknown")).stderr).not.toContain("not used")
  })

  it("says in at most five lines what was found in its rows; all of it with --verbose and in the results", async () => {
    const { freight, book, change, folder } = await shopDesk("shopify.csv")
    const orders = Array.from({ length: 40 }, (_, at) => String(at))
    await change((text) => {
      const [headings = "", first = ""] = text.split("\n")
      const rows = orders.map((at) => {
        const phone = Number(at) % 2 ? "491570156" : "'61491570156"
        return first
          .replace("#1001", `#2${at}`)
          .replaceAll("8 Market", `${at} Market`)
          .replace(/0491 570 156(?=,,,,Shopify)/, phone)
      })
      return [headings, ...rows].join("\n")
    })
    const { stderr: all } = await book("--dry-run", "--verbose")
    expect(all).toMatch(/warning: rows 3, 5, 7, .*, Shipping Phone: .* it has lost its leading 0/)
    expect(all).toContain('warning: all 40 rows, Shipping Zip: "\'6160" is taken as "6160"')
    const { stdout, stderr } = await freight(["batch", "book", "orders.csv", ...FLAGS], { columns: 80 })
    expect(stdout, stderr).toMatch(/^40 of 40 rows booked for AUD/)
    expect(stderr.split("\n").slice(0, -1)).toEqual([
      'warning: the shop\'s shipping methods are ignored: 40 "Standard". To book by one:',
      '--map-service "Standard=SERVICE" (a code, cheapest or fastest); "Standard=" is',
      "the service of other rows",
      'warning: 20 rows, Shipping Phone: "61491570156" is not a phone number: write it',
      "as 02 5550 1234 or 0412 345 678",
      'warning: 20 rows, Shipping Phone: "491570156" is taken as "0491570156": it has',
      "lost its leading 0",
    ])
    const results = await readFile(path.join(folder, "orders.results.csv"), "utf8")
    expect(results.match(/it has lost its leading 0/g)).toHaveLength(20)
  })

  it("without --skip-invalid sends nothing, and says once how rows are numbered", async () => {
    const sandbox = await ownSandbox()
    const { freight, change } = await shopDesk("shopify.csv", sandbox)
    await change((text) => text.replaceAll("'6160,WA", "'61,WA"))
    const ran = await freight(["batch", "book", "orders.csv", ...FLAGS])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/^ {2}- row 2, Shipping Zip: /m)
    expect(ran.stderr.split("as a spreadsheet shows them")).toHaveLength(2)
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(0)
  })

  it("never books an order twice because it has a further item now", async () => {
    const sandbox = await ownSandbox()
    const { book, change, booked } = await shopDesk("shopify.csv", sandbox)
    await book()
    await change((text) => text.replace(/^(#1001,[^\n]*Bulb[^\n]*\n)/m, "$1$1"))
    expect((await book()).json<Summary>()).toMatchObject({ booked: 3, recorded: 3 })
    expect((await booked()).get("#1001")).toHaveLength(1)
  })

  it("takes a saved package's name for --package", async () => {
    const { freight, run } = await shopDesk("woocommerce-database.csv")
    await freight(["package", "add", "small", "30x20x10@2"])
    const flags = FLAGS.map((flag) => (flag === "30x20x10@2" ? "2xsmall" : flag))
    expect((await run(...flags, "--dry-run")).code).toBe(0)
    const unknown = await run(...FLAGS.map((flag) => (flag === "30x20x10@2" ? "smal" : flag)))
    expect([unknown.code, errorOf(unknown).message]).toEqual([2, 'there is no saved package "smal"'])
  })
})

describe("what a shop says of an order besides", () => {
  /** Shopify's export without the order that lacks an address; an order of 40 lamps, and one by express. */
  async function itemsDesk() {
    const sandbox = await ownSandbox()
    const made = await shopDesk("shopify.csv", sandbox)
    await made.change((text) => {
      const rows = (parse(text, { columns: true }) as Order[]).filter(({ Name }) => Name !== "#1003")
      return csvOf(
        rows.flatMap((row) => {
          if (row.Name === "#1001" && row["Shipping Name"] === "") return []
          const changes: Record<string, Order> = {
            "#1001": { "Lineitem quantity": "40" },
            "#1002": { "Shipping Method": "Express" },
          }
          return [{ ...row, ...changes[row.Name ?? ""] }]
        }),
      )
    })
    return { ...made, sandbox }
  }

  it("books a shipping method as --map-service says, and names the others once", async () => {
    const { run, freight } = await itemsDesk()
    const open = await run(...FLAGS, "--dry-run")
    expect(open.stderr.split("shipping methods")).toHaveLength(2)
    expect(open.stderr).toContain('2 "Standard", 1 "Express"')
    const map = ["--map-service", "express=fastest", "--map-service", "Standard="]
    const dry = await run(...FLAGS, "--dry-run", ...map, "--save-map", "shop")
    expect(dry.stderr).not.toContain("shipping methods")
    const why = (dry.items<{ why: string }>() ?? []).map((row) => row.why)
    expect(why[1]).toMatch(/arriving/)
    expect(why[0]).not.toMatch(/arriving/)
    expect((await freight(["batch", "maps", "--json"])).stdout).toContain("--map-service express=fastest")
    const again = await run(...FLAGS, "--dry-run", "--use-map", "shop", "--map-service", "Express=cheapest")
    expect(again.items()).toMatchObject([{}, { why: expect.not.stringContaining("arriving") }, {}])
  })

  it.each([
    ["Express", "--map-service takes METHOD=SERVICE"],
    ["Express=NOSUCH", 'no connector offers the service "NOSUCH"'],
    ["Express=nobody EXP", 'there is no active connector "nobody"'],
  ])("refuses --map-service %s", async (text, message) => {
    const { run } = await itemsDesk()
    const ran = await run(...FLAGS, "--dry-run", "--map-service", text)
    expect([ran.code, errorOf(ran).message]).toEqual([2, expect.stringContaining(message)])
  })

  it("packs pieces by their SKUs, and says where nothing tells how they are packed", async () => {
    const { run, freight, sandbox } = await itemsDesk()
    const without = await run(...FLAGS.filter((word) => word !== "--package" && word !== "30x20x10@2"))
    expect([without.code, errorOf(without).errors]).toMatchObject([
      2,
      [
        {
          message: expect.stringMatching(
            /the list of packages is missing: freight package add NAME SIZE --sku SKU says how an item is packed; --package \S+ is every order$/,
          ),
        },
      ],
    ])
    const open = await run(...FLAGS, "--dry-run")
    expect(open.stderr).toContain(
      "1 order has several pieces and goes as --package says: row 2 (#1001) has 40. Say what a piece takes: freight package add NAME SIZE --sku HL-1001",
    )
    expect((await freight(["package", "add", "lamp", "40x30x30@2", "--sku", "HL-1001"])).code).toBe(0)
    const packed = await run(...FLAGS, "--map-package", "HL-1002=20x20x20@1")
    expect([packed.code, packed.stderr]).toEqual([0, expect.not.stringContaining("several pieces")])
    const { shipments } = (await sandbox.control("books")) as {
      shipments: { request: { customerReference: string } }[]
    }
    const requests = new Map(shipments.map(({ request }) => [request.customerReference, request]))
    expect(["#1001", "#1002", "#1004"].map((name) => requests.get(name))).toMatchObject([
      { packages: [{ count: 40, lengthCm: 40, weightKg: 2 }] },
      { packages: [{ count: 1, lengthCm: 20, weightKg: 1 }] },
      { packages: [{ count: 1, lengthCm: 30, weightKg: 2 }] },
    ])
  })

  it("refuses an order of which it knows a part, until it is said that the rest goes along", async () => {
    const { run, freight } = await shopDesk("shopify.csv")
    await freight(["package", "add", "lamp", "40x30x30@2", "--sku", "hl-1001"])
    const refused = await run(...FLAGS, "--dry-run")
    expect([refused.code, errorOf(refused).errors]).toMatchObject([
      2,
      [
        {
          message: expect.stringMatching(
            /^row 2, Lineitem sku: it is not known how "HL-2" is packed: .*--map-package HL-2=/,
          ),
        },
      ],
    ])
    const along = await run(...FLAGS, "--dry-run", "--map-package", "HL-2=")
    expect(along.stderr).not.toContain("is packed")
  })

  it("leaves out an order abroad and one without an address, and books the others", async () => {
    const { run, change, booked } = await shopDesk("shopify.csv", await ownSandbox())
    await change((text) => {
      const rows = parse(text, { columns: true }) as Order[]
      const abroad = { "Shipping Country": "NZ", "Shipping Province": "AUK", "Shipping Zip": "1010" }
      return csvOf(rows.map((row) => (row.Name === "#1002" ? { ...row, ...abroad } : row)))
    })
    const ran = await run(...FLAGS)
    expect([ran.code, ran.json<Summary>()]).toMatchObject([1, { booked: 2, leftOut: 1, invalid: 1 }])
    expect(ran.stderr).toContain("1 order is left out, by what the shop says: 1 not-in-australia (#1002).")
    expect(ran.stderr).not.toContain("--include not-in-australia")
    expect(errorOf(ran).errors).toEqual([
      { message: expect.stringMatching(/^row 5 \(#1003\): the shop has no delivery address for it/) },
    ])
    const left = await run(...FLAGS, "--leave-out", "no-address")
    expect([left.code, left.json<Summary>()]).toMatchObject([0, { booked: 2, leftOut: 2 }])
    expect((await booked()).get("#1002")).toBeUndefined()
  })
})

describe("orders that are not to be shipped", () => {
  /** Shopify's export without the order that lacks an address, some cells changed. */
  async function shippingDesk(changes: Readonly<Record<string, Order>>) {
    const sandbox = await ownSandbox()
    const made = await shopDesk("shopify.csv", sandbox)
    const set = (by: typeof changes) =>
      made.change((text) => {
        const rows = (parse(text, { columns: true }) as Order[]).filter(({ Name }) => Name !== "#1003")
        return csvOf(rows.map((row) => (row["Shipping Name"] ? { ...row, ...by[row.Name ?? ""] } : row)))
      })
    await set(changes)
    const status = async (...flags: string[]) =>
      (await made.freight(["batch", "status", "orders.csv", "--json", ...flags])).json<
        Summary & { items: Record<string, unknown>[] }
      >()
    return { ...made, set, sandbox, status, results: () => resultsIn(made.folder) }
  }

  async function resultsIn(folder: string): Promise<string[]> {
    const text = await readFile(path.join(folder, "orders.results.csv"), "utf8")
    return (parse(text, { columns: true }) as Order[]).map(
      ({ Name, "freight.state": state, "freight.error": error }) =>
        [Name, state, error].filter(Boolean).join(" "),
    )
  }

  it("are left out, named by what the shop says, until --include takes them", async () => {
    const { run, results, booked, status } = await shippingDesk({
      "#1001": { "Fulfillment Status": "fulfilled" },
      "#1002": { "Financial Status": "refunded", "Shipping City": "" },
    })
    const first = await run(...FLAGS)
    expect(first.json<Summary>()).toMatchObject({ rows: 3, booked: 1, leftOut: 2, invalid: 0, waiting: 0 })
    expect(first.stderr.split("\n")).toContain(
      "2 orders are left out, by what the shop says: 1 fulfilled (#1001), 1 refunded (#1002). --include STATUS books such orders.",
    )
    expect(first.code).toBe(0)
    expect(await results()).toEqual([
      "#1001 left-out the shop says fulfilled (Fulfillment Status)",
      "#1002 left-out the shop says refunded (Financial Status)",
      "#1004 booked",
    ])
    expect(await status()).toMatchObject({
      booked: 1,
      leftOut: 2,
      items: [{ state: "left-out" }, { state: "left-out" }, { state: "booked" }],
    })
    expect(await status("--include", "fulfilled,refunded")).toMatchObject({ leftOut: 0, waiting: 2 })
    const second = await run(...FLAGS, "--include", "Fulfilled")
    expect([second.code, second.json<Summary>()]).toMatchObject([0, { booked: 2, recorded: 1, leftOut: 1 }])
    expect((await booked()).get("#1002")).toBeUndefined()
  })

  it("that were booked stay so when the shop calls them fulfilled", async () => {
    const { run, set, sandbox } = await shippingDesk({})
    expect((await run(...FLAGS)).code).toBe(0)
    const fulfilled = { "Fulfillment Status": "fulfilled" }
    await set({ "#1001": fulfilled, "#1002": fulfilled, "#1004": fulfilled })
    const again = await run(...FLAGS)
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 3, recorded: 3, leftOut: 0 }])
    expect(again.stderr).not.toContain("left out")
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(3)
  })

  it.each([
    [{ "Financial Status": "pending" }, "pending", "waiting", { waiting: 1 }],
    [{ "Financial Status": "authorized" }, "authorized", "waiting", { waiting: 1 }],
    [{ "Fulfillment Status": "packed" }, "packed", "invalid", { invalid: 1 }],
    [{ "Fulfillment Status": "partial" }, "partial", "invalid", { invalid: 1 }],
    [{ "Financial Status": "partially_refunded" }, "partially-refunded", "invalid", { invalid: 1 }],
  ] as const)("stop their row alone in a script: %j", async (cells, word, state, count) => {
    const { run, results, booked, status } = await shippingDesk({ "#1002": cells })
    const first = await run(...FLAGS)
    expect([first.code, first.json<Summary>()]).toMatchObject([1, { booked: 2, ...count }])
    expect(errorOf(first).errors).toEqual([
      { message: expect.stringMatching(`^row 4 \\(#1002\\): the shop says ${word} .*--include ${word}`) },
    ])
    expect((await results())[1]).toMatch(`#1002 ${state} the shop says ${word}`)
    expect(await status()).toMatchObject({ booked: 2, ...count })
    const left = await run(...FLAGS, "--leave-out", word)
    expect([left.code, left.json<Summary>()]).toMatchObject([0, { leftOut: 1 }])
    const second = await run(...FLAGS, "--include", word)
    expect([second.code, second.json<Summary>()]).toMatchObject([0, { booked: 3, recorded: 2 }])
    expect((await booked()).get("#1002")).toHaveLength(1)
  })

  it("are not part of a dry run's total", async () => {
    const { run, freight } = await shippingDesk({
      "#1001": { "Financial Status": "voided" },
      "#1002": { "Financial Status": "pending" },
    })
    const dry = await run(...FLAGS, "--dry-run")
    expect(dry.items()).toMatchObject([
      { state: "left-out", price: null },
      { state: "waiting", price: null, error: expect.stringContaining("--include pending") },
      { state: "waiting", error: null },
    ])
    expect(dry.stderr).toMatch(/Nothing was sent\. 1 of 3 rows would be booked/)
    expect(dry.code).toBe(1)
    const table = await freight(["batch", "book", "orders.csv", ...FLAGS, "--dry-run"])
    expect(table.stdout).not.toContain("waiting")
    expect(table.stdout).toMatch(/#1002 +on hold/)
    expect(table.stdout).toMatch(/#1004 +to book/)
    const status = await freight(["batch", "status", "orders.csv"])
    expect(status.stderr).toContain("1 left out, 1 on hold, 1 to book")
    expect((await run(...FLAGS, "--dry-run", "--leave-out", "pending")).code).toBe(0)
  })

  it("are in a plan as they are, which is incomplete where one waits, and it books the others", async () => {
    const { freight, booked, folder, sandbox } = await shippingDesk({
      "#1001": { "Cancelled at": "2026-11-22 09:00:00 +1100" },
      "#1002": { "Financial Status": "pending" },
    })
    const plan = (...flags: string[]) =>
      freight(["batch", "plan", "orders.csv", "--json", ...FLAGS, ...flags])
    const made = await plan()
    expect([made.code, made.json()]).toMatchObject([
      1,
      { complete: false, planned: 1, leftOut: 1, without: 1, items: [{ state: "left-out" }, {}, {}] },
    ])
    const ran = await freight(["batch", "book", "--plan", "orders.plan.json", "--json"])
    const summary = { booked: 1, leftOut: 1, waiting: 1, invalid: 0 }
    expect([ran.code, ran.json<Summary>()]).toMatchObject([1, summary])
    for (const held of ["#1001", "#1002"]) expect((await booked()).get(held)).toBeUndefined()
    const text = await readFile(path.join(folder, "orders.plan.results.csv"), "utf8")
    expect(text).toContain(",left-out,")
    const refused = await freight(["batch", "book", "--plan", "orders.plan.json", "--include", "cancelled"])
    expect(refused.code).toBe(2)
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(1)
  })

  it("are rows of a stream too", async () => {
    const { freight } = await shopDesk("woocommerce.csv")
    const input = ["refunded", "pending", "packed", "processing"]
      .map((status) => ({
        ...order(fresh(), {
          "Order status": status,
          "Shipping City": "Fremantle",
          "Shipping Postcode": "6160",
        }),
        "receiver.suburb": undefined,
        "receiver.postcode": undefined,
      }))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("")
    const ran = await freight(["batch", "book", "-", "--format", "ndjson", "--concurrency", "1"], { input })
    const states = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).state)
    expect([ran.code, states]).toEqual([1, ["left-out", "waiting", "invalid", "booked"]])
  })

  it("that are left out may lack what a booking needs", async () => {
    const { run, change } = await shopDesk("shopify.csv")
    await change((text) =>
      text.replace(/^(#1003.*HL-1003,)true/m, "$1false").replaceAll("Street", "Street North"),
    )
    const ran = await run(...FLAGS, "--dry-run")
    expect([ran.code, ran.items()]).toMatchObject([0, { 2: { reference: "#1003", state: "left-out" } }])
  })

  it("are saved by --save-map, and what is said today comes first", async () => {
    const { run, freight } = await shippingDesk({ "#1002": { "Financial Status": "pending" } })
    const flags = [...FLAGS, "--dry-run"]
    await run(...flags, "--leave-out", "pending,packed", "--include", "fulfilled", "--save-map", "shop")
    expect((await freight(["batch", "maps", "--json"])).stdout).toContain(
      "--include fulfilled --leave-out pending --leave-out packed",
    )
    const use = [...flags, "--use-map", "shop"]
    expect((await run(...use)).items()).toMatchObject([{}, { state: "left-out" }, {}])
    expect((await run(...use, "--include", "pending")).items()).toMatchObject([{}, { error: null }, {}])
  })

  it.skipIf(!hasTerminal)("that are not paid for are asked about once, and the answer is saved", async () => {
    const { env, folder, freight, booked } = await shippingDesk({
      "#1001": { "Financial Status": "pending" },
      "#1002": { "Financial Status": "authorized" },
    })
    const words = ["batch", "book", path.join(folder, "orders.csv"), ...FLAGS]
    words[words.indexOf("sender.json")] = path.join(folder, "sender.json")
    const question = "Not paid for yet, as the shop says: 1 pending, 1 authorized"
    const no = await atTerminal([...words, "--save-map", "paid", "--dry-run"], env, [
      { see: question, type: "\r" },
    ])
    expect(no.code, no.screen).toBe(0)
    expect((await freight(["batch", "maps", "--json"])).stdout).toContain(
      "--leave-out pending --leave-out authorized",
    )
    const yes = await atTerminal([...words, "--save-map", "all"], env, [
      { see: question, type: "y\r" },
      { see: "Book 3 consignments for AUD", type: "y\r" },
    ])
    expect(yes.code, yes.screen).toBe(0)
    expect((await booked()).size).toBe(3)
    expect((await freight(["batch", "maps", "--json"])).stdout).toContain("--include pending")
    const again = await atTerminal(words, env, [])
    expect([again.code, again.screen.includes("Not paid for")]).toEqual([0, false])
  })
})
