/** Features for scripts: bare values, environment variables, filters, pages, and runs that change nothing. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { itemsOf } from "../../src/contract/packages.ts"
import { ownBooking } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { orders, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { json as jsonReply, server } from "../api/servers.ts"

const listLines = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

async function ownDesk() {
  const own = await ownSandbox()
  const made = await desk(own)
  const booking = ownBooking()
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(booking))
  const body = { ...booking, items: itemsOf(booking.packages ?? []) }
  await writeFile(path.join(made.folder, "body.json"), JSON.stringify(body))
  const countShipments = async () =>
    ((await own.control("books")) as { counts: { shipments: number } }).counts.shipments
  return { ...made, own, countShipments }
}

describe("variables that a script sets once", () => {
  it("FREIGHT_FORMAT is the format of what can write it; a flag goes before it", async () => {
    const { freight } = await desk()
    const env = { FREIGHT_FORMAT: "ndjson" }
    const rules = (...more: string[]) => freight(["invoice", "rules", ...more], { env })
    expect(JSON.parse((await rules()).stdout.split("\n")[0] ?? "")).toHaveProperty("rule")
    expect((await rules("--format", "csv")).stdout).toMatch(/^id,/)
    const { code, stdout } = await freight(["completion", "bash"], { env })
    expect([code, stdout]).toEqual([0, expect.stringContaining("complete")])
    const wrong = await freight(["track", "--no-such-flag"], { env: { FREIGHT_FORMAT: "json" } })
    expect(errorIn(wrong.stderr)).toMatchObject({ kind: "usage" })
  })

  it("FREIGHT_FORMAT that no command knows is refused", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["invoice", "rules"], { env: { FREIGHT_FORMAT: "jsn" } })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('FREIGHT_FORMAT takes table, json, ndjson, csv, not "jsn"'),
    ])
    // `freight doctor` is refused, too.
    expect(stderr).not.toContain("next:")
  })

  it("FREIGHT_FORMAT changes no file that has a form of its own", async () => {
    const { folder, freight } = await ownDesk()
    const env = { FREIGHT_FORMAT: "json" }
    expect((await freight(["batch", "template", "-o", "usual.csv"])).code).toBe(0)
    expect((await freight(["batch", "template", "-o", "orders.csv"], { env })).code).toBe(0)
    const read = (file: string) => readFile(path.join(folder, file), "utf8")
    expect(await read("orders.csv")).toBe(await read("usual.csv"))

    const posted = await freight(["post", "none.csv", "--for", "xero"], { env })
    expect(errorIn(posted.stderr).message).toContain("cannot read none.csv")

    const booked = await freight(["book", "--file", "booking.json", "--json"])
    const { shipmentId } = booked.json<{ shipmentId: string }>()
    const page = await freight(["evidence", shipmentId, "-o", "-"], { env })
    expect([page.code, page.stdout.slice(0, 5), page.stdout.trimEnd().slice(-5)], page.stderr).toEqual([
      0,
      "%PDF-",
      "%%EOF",
    ])
  })

  it("FREIGHT_TIMEOUT is the timeout, and FREIGHT_NO_INPUT asks nothing", async () => {
    const { freight } = await desk()
    const { json } = await freight(["config", "get", "timeout", "--json"], { env: { FREIGHT_TIMEOUT: "7" } })
    expect(json()).toMatchObject({ value: "7", from: "FREIGHT_TIMEOUT" })
    const { code, stderr } = await freight(["track"], { columns: 80, env: { FREIGHT_NO_INPUT: "1" } })
    expect([code, stderr]).toEqual([2, expect.stringContaining("needs CONSIGNMENT")])
    const wrong = await freight(["config", "path"], { env: { FREIGHT_NO_INPUT: "perhaps" } })
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("FREIGHT_NO_INPUT must be 1 or 0"),
    ])
    const late = await freight(["connectors", "--json"], {
      env: { FREIGHT_SANDBOX: "1", FREIGHT_TIMEOUT: "soon" },
    })
    expect(errorIn(late.stderr)).toMatchObject({ kind: "config" })
  })
})

describe("--format value", () => {
  it("prints the value alone, and needs the names of fields", async () => {
    const { freight } = await ownDesk()
    const ran = await freight([
      "book",
      "--file",
      "booking.json",
      "--format",
      "value",
      "--fields",
      "shipmentId",
    ])
    expect(ran.stdout, ran.stderr).toMatch(/^[0-9a-f-]{36}\n$/)
    const { code, stderr } = await freight(["shipments", "list", "--format", "value"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("as in --fields shipmentId")])
  })

  it("refuses --no-header of what has none", async () => {
    const { freight } = await desk()
    expect((await freight(["invoice", "rules", "--json", "--no-header"])).code).toBe(2)
    expect((await freight(["batch", "template", "--format", "csv", "--no-header"])).code).toBe(2)
    expect((await freight(["invoice", "rules", "--format", "csv", "--no-header"])).stdout).not.toMatch(/^id,/)
  })
})

describe("lists", () => {
  it("of shipments are filtered by reference, status and time", async () => {
    const { freight } = await ownDesk()
    const booked = await freight(["book", "--file", "booking.json", "--reference", "SO-1005", "--json"])
    const { shipmentId } = booked.json<{ shipmentId: string }>()
    const list = async (...more: string[]) =>
      (await freight(["shipments", "list", "--json", ...more])).json<{
        total: number
        items: { shipmentId: string; status: string }[]
      }>()
    const all = await list()
    expect(all.items.length).toBeGreaterThan(1)
    const found = await list("--reference", "so 1005")
    expect([found.total, found.items.map((each) => each.shipmentId)]).toEqual([1, [shipmentId]])
    expect((await list("--reference", "NOBODY")).items).toEqual([])
    for (const { status } of all.items)
      expect((await list("--status", status.toLowerCase())).items).toEqual(
        all.items.filter((each) => each.status === status),
      )
    expect((await freight(["shipments", "list", "--status", ""])).code).toBe(2)
    const misspelt = await freight(["shipments", "list", "--status", "consined"])
    expect([misspelt.code, misspelt.stderr]).toEqual([
      0,
      expect.stringContaining('no shipment has the status "consined"; they have: '),
    ])
    expect((await list("--since", "52w")).total).toBeGreaterThan(0)
    expect((await list("--since", "52w", "--limit", "1")).items).toHaveLength(1)
  })

  it("of all shipments have what is around their rows in every format", async () => {
    const { freight } = await ownDesk()
    const lines = async (...more: string[]) => (await freight(["shipments", "list", ...more])).stdout
    for (const format of ["ndjson", "csv", "value"])
      for (const fields of ["total", "id,total", "items.shipmentId", "shipmentId", "id"]) {
        const flags = ["--format", format, "--fields", fields]
        expect(await lines("--all", ...flags), flags.join(" ")).toBe(await lines(...flags))
      }
  })

  it("of rates are the rows of the table where a heading has no place in the JSON", async () => {
    const { freight } = await ownDesk()
    const places = ["--from", "Sydney NSW 2000", "--to", "Perth WA 6000", "--package", "1x30x20x10@2"]
    const { json } = await freight(["rate-shop", ...places, "--json", "--fields", "price,number"])
    const rows = json<{ items: { number: number }[] }>().items
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1))
  })

  it("that are read in pages have a row by its place, as every list has", async () => {
    const { freight } = await ownDesk()
    const all = await freight(["shipments", "list", "--all", "--json"])
    const [first] = all.json<{ items: { shipmentId: string }[] }>().items
    const picked = (format: string) =>
      freight(["shipments", "list", "--all", "--format", format, "--fields", "items.0.shipmentId"])
    expect((await picked("json")).json()).toEqual({ items: [{ shipmentId: first?.shipmentId }] })
    expect((await picked("value")).stdout).toBe(`${first?.shipmentId}\n`)
  })

  it("of the API are read to their end with --paginate, which refuses what has no pages", async () => {
    const { freight } = await ownDesk()
    const whole = (await freight(["api", "GET", "shipments"])).json<{
      total: number
      shipments: unknown[]
    }>()
    const read = await freight(["api", "GET", "shipments?limit=1", "--paginate"])
    expect(read.json()).toMatchObject({ total: whole.total, offset: 0, shipments: whole.shipments })
    expect((await freight(["api", "GET", "connectors", "--paginate"])).code).toBe(2)
    expect((await freight(["api", "POST", "connector-c/shipments", "--paginate"])).code).toBe(2)
  })
})

describe("a list of the API that is read to its end", () => {
  const paged = async (pageFrom: (offset: number, asked: number) => unknown) => {
    let asked = 0
    const { url } = await server((response, seen) => {
      const { searchParams } = new URL(seen.url, "http://here")
      asked += 1
      jsonReply(pageFrom(Number(searchParams.get("offset")), asked))(response, seen)
    })
    const { freight } = await desk()
    const env = { FREIGHT_BASE_URL: url, FREIGHT_API_KEY: "a".repeat(64) }
    return freight(["api", "GET", "shipments", "--paginate", "--json"], { env })
  }
  const row = (at: number) => ({ id: `shp-${at}` })
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n))

  it("has each row once, also if one was added while it was read", async () => {
    const all = rows(0, 250)
    const ran = await paged((offset, asked) => {
      const now = asked === 1 ? all : [row(999), ...all]
      return { total: now.length, limit: 200, offset, shipments: now.slice(offset, offset + 200) }
    })
    expect(ran.json<{ shipments: unknown[] }>().shipments, ran.stderr).toEqual(all)
  })

  it("has a row once that changed while it was read, as it was first", async () => {
    const all = rows(0, 250)
    const ran = await paged((offset, asked) => {
      const now = asked === 1 ? all : [row(999), ...all.map((each) => ({ ...each, status: "CANCELLED" }))]
      return { total: now.length, limit: 200, offset, shipments: now.slice(offset, offset + 200) }
    })
    const { shipments } = ran.json<{ shipments: { id: string }[] }>()
    expect(shipments.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(shipments[199]).toEqual(all[199])
  })

  it("is read to its end where its total is too low", async () => {
    const all = rows(0, 250)
    const ran = await paged((offset) => ({
      total: 200,
      limit: 200,
      offset,
      shipments: all.slice(offset, offset + 200),
    }))
    expect(ran.json(), ran.stderr).toEqual({ total: 250, limit: 250, offset: 0, shipments: all })
  })

  it("is refused where it ends before its total", async () => {
    const ran = await paged((offset) => ({
      total: 250,
      limit: 200,
      offset,
      shipments: rows(0, 210).slice(offset, offset + 200),
    }))
    expect(errorIn(ran.stderr)).toMatchObject({
      code: "UNREADABLE",
      message: expect.stringContaining("210 of 250"),
    })
    expect([ran.code, ran.stdout]).toEqual([1, ""])
  })
})

describe("--fields of a batch", () => {
  const batchDesk = async () => {
    const made = await ownDesk()
    await saveOrders(made.folder, orders(2, "SO"))
    return made
  }

  it("picks of each row in NDJSON, from a file and from a pipe", async () => {
    const { freight, folder } = await batchDesk()
    const expected = [1, 2].map(() => ({ shipmentId: expect.stringMatching(/^[\w-]+$/), state: "booked" }))
    const flags = ["--format", "ndjson", "--fields", "shipmentId,state"]
    const ran = await freight(["batch", "book", "orders.csv", ...flags])
    expect(listLines(ran.stdout), ran.stderr).toEqual(expected)
    const input = await readFile(path.join(folder, "orders.csv"), "utf8")
    const piped = await freight(["batch", "book", "-", ...flags], { input })
    expect(listLines(piped.stdout), piped.stderr).toEqual(expected)
  })

  it("takes the headings of its numbers in JSON, and the names of JSON in CSV", async () => {
    const { freight } = await batchDesk()
    const book = (...flags: string[]) => freight(["batch", "book", "orders.csv", ...flags])
    const { json, stderr } = await book("--json", "--fields", "results,resultsFile,booked,unpriced")
    const file = "orders.results.csv"
    expect(json(), stderr).toEqual({ results: file, resultsFile: file, booked: 2, unpriced: 0 })
    const { stdout } = await book("--format", "csv", "--fields", "results,resultsFile,booked")
    expect(stdout).toBe(`results,resultsFile,booked\n${file},${file},2\n`)
  })
})

describe("one thing of the API", () => {
  it.each([
    ["shipments", "shipmentId", "demo-shipment"],
    ["pickup", "pickupId", "demo-pickup"],
  ])("freight %s show has its id by that name in every format", async (group, name, id) => {
    const { freight } = await desk()
    const show = async (...more: string[]) =>
      (await freight([group, "show", id, "--sandbox", "--format", ...more])).stdout
    const fields = ["--fields", `id,${name}`]
    expect(await show("value", ...fields)).toBe(`${id}\t${id}\n`)
    expect(await show("csv", ...fields)).toBe(`id,${name}\n${id},${id}\n`)
    expect(JSON.parse(await show("ndjson", ...fields))).toEqual({ id, [name]: id })
    const line = JSON.parse(await show("ndjson"))
    expect([line.id, line[name]]).toEqual([undefined, id])
  })
})

describe("--dry-run", () => {
  it("of api prints the body, checks it, and sends nothing", async () => {
    const { freight, countShipments } = await ownDesk()
    const post = ["api", "POST", "connector-c/shipments", "--dry-run", "--file", "body.json"]
    const { code, json, stderr } = await freight(post)
    expect([code, stderr]).toEqual([0, expect.stringContaining("Nothing was sent. It would go to POST")])
    expect(json()).toHaveProperty("packages")
    expect((await freight([...post, "--set", "packages=7"])).code).toBe(2)
    expect((await freight(["api", "GET", "connectors", "--dry-run"])).code).toBe(2)
    expect(await countShipments()).toBe(0)
  })

  it("of reconcile --release and of ledger prune changes nothing", async () => {
    const { own, freight } = await ownDesk()
    await own.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await freight(["book", "--file", "booking.json", "--key", "K-1"])).code).toBe(7)
    const countOpen = async () =>
      (await freight(["history", "--state", "unknown", "--json"])).items<unknown>().length
    const dry = await freight(["reconcile", "--release", "K-1", "--dry-run", "--json"])
    expect([dry.code, dry.items()], dry.stderr).toMatchObject([
      0,
      [{ outcome: "released", note: expect.stringContaining("nothing was written") }],
    ])
    expect(await countOpen()).toBe(1)
    expect((await freight(["reconcile", "--release", "NOBODY", "--dry-run"])).code).toBe(5)
    const pruned = await freight(["ledger", "prune", "--before", "2020-01-01", "--dry-run", "--json"])
    expect([pruned.json(), pruned.stderr]).toEqual([
      expect.objectContaining({ removed: 0 }),
      expect.stringContaining("Nothing was removed"),
    ])
  })
})
