import { copyFile, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Summary } from "../../src/batch/summary.ts"
import { errorOf } from "./batches.ts"
import { desk, ROOT } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { order } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let shared: RunningSandbox
beforeAll(async () => {
  shared = await startSandboxProcess()
})
afterAll(() => shared.stop())

const SAMPLE = order("-")
const SENDER = ["companyName", "address1", "suburb", "state", "postcode", "email"].map(
  (part) => [part, SAMPLE[`sender.${part}`]] as const,
)

/** What a shop's export does not say. */
const FLAGS = [
  ...["--sender", "sender.json", "--package", "30x20x10@2", "--packaging", "CT", "--service", "cheapest"],
  ...["--ready", SAMPLE.collectionDateTime ?? "", "--close", "17:00"],
]

/** A desk with a shop's export, whose order without a delivery address is left out. */
async function shopDesk(name: string, sandbox = shared) {
  const made = await desk(sandbox)
  const file = path.join(made.folder, "orders.csv")
  await copyFile(path.join(ROOT, "test/batch/rows/files", name), file)
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
      "row 9 is a total, not an order: it is left out",
    ]
    expect(stderr.split("\n")).toEqual(expect.arrayContaining(around))
    expect(stderr).toMatch(/left out: row 7: the row has no delivery address/)
    const habits = [
      expect.stringMatching(/^orders\.csv: 67 columns are not used: "Financial Status", /),
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
    const { stdout, stderr } = await freight(["batch", "book", "orders.csv", ...FLAGS], { columns: 80 })
    expect(stdout).toMatch(/^Booked +40$/m)
    expect(stderr.split("\n").slice(0, -1)).toEqual([
      'warning: 20 rows, Shipping Phone: receiver.phoneNumber "61491570156" is not a',
      "phone number: write it as 02 5550 1234 or 0412 345 678",
      'warning: 20 rows, Shipping Phone: "491570156" is taken as "0491570156": it has',
      "lost its leading 0",
    ])
    const results = await readFile(path.join(folder, "orders.results.csv"), "utf8")
    expect(results.match(/it has lost its leading 0/g)).toHaveLength(20)
    const { stderr: all } = await book("--verbose")
    expect(all).toMatch(/warning: rows 3, 5, 7, .*, Shipping Phone: .* it has lost its leading 0/)
    expect(all).toContain('warning: all 40 rows, Shipping Zip: "\'6160" is taken as "6160"')
  })

  it("without --skip-invalid sends nothing, and says once how rows are numbered", async () => {
    const sandbox = await ownSandbox()
    const { freight } = await shopDesk("shopify.csv", sandbox)
    const ran = await freight(["batch", "book", "orders.csv", ...FLAGS])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/^ {2}- row 5: the row has no delivery address: .*--skip-invalid/m)
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

  it("tells an order that says something else than when it was booked, and sends nothing", async () => {
    const sandbox = await ownSandbox()
    const { run, book, change, booked } = await shopDesk("shopify.csv", sandbox)
    await book()
    await change((text) => text.replaceAll("8 Market Street", "80 Market Street"))
    const ran = await run(...FLAGS)
    expect(ran.code).toBe(2)
    expect(errorOf(ran).errors?.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^row 2: its reference was booked on .* with different content/),
    )
    expect((await booked()).get("#1001")).toHaveLength(1)
  })

  it("books nothing of an order whose second row has an address of its own", async () => {
    const sandbox = await ownSandbox()
    const { run, change } = await shopDesk("woocommerce.csv", sandbox)
    await change((text) => text.replace(/8 Market Street(?=[^\n]*Bulb)/g, "9 Other Street"))
    const ran = await run(...FLAGS)
    expect(ran.code).toBe(2)
    expect(errorOf(ran).errors?.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^row 3, Order Number: the reference "5012" is also in row 2/),
    )
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(0)
  })

  it("books no order that the shop has cancelled, unless it was booked before or is said not to matter", async () => {
    const sandbox = await ownSandbox()
    const { run, book, change } = await shopDesk("woocommerce-database.csv", sandbox)
    await change((text) => text.replace("processing", "cancelled"))
    const refused = await run(...FLAGS)
    expect(refused.code).toBe(2)
    expect(errorOf(refused).errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^row 2, status: the shop has cancelled this order: .*--map "status="/),
    ])
    expect((await book()).json<Summary>()).toMatchObject({ booked: 1, invalid: 1 })
    expect((await run(...FLAGS, "--map", "status=")).json<Summary>()).toMatchObject({
      booked: 2,
      recorded: 1,
    })
    expect((await run(...FLAGS)).json<Summary>()).toMatchObject({ booked: 2, recorded: 2 })
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(2)
  })

  it("takes a saved package's name for --package", async () => {
    const { freight, run } = await shopDesk("woocommerce-database.csv")
    await freight(["package", "add", "small", "30x20x10@2"])
    const flags = FLAGS.map((flag) => (flag === "30x20x10@2" ? "2xsmall" : flag))
    expect((await run(...flags, "--dry-run")).code).toBe(0)
    const unknown = await run(...FLAGS.map((flag) => (flag === "30x20x10@2" ? "smal" : flag)))
    expect([unknown.code, errorOf(unknown).message]).toEqual([2, "there is no saved package 'smal'"])
  })
})

describe("freight batch status of a shop's export", () => {
  it("has a row for each order", async () => {
    const { book, freight } = await shopDesk("shopify-spreadsheet.csv")
    await book()
    const { results } = (await freight(["batch", "status", "orders.csv", "--json"])).json<{
      results: object[]
    }>()
    expect(results).toMatchObject([
      { row: 4, reference: "#1001", state: "booked" },
      { row: 6, reference: "#1002", state: "booked" },
      { row: 7, reference: "#1003", state: "waiting" },
      { row: 8, reference: "#1004", state: "booked" },
    ])
  })
})
