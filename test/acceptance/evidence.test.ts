/** One page on a shipment, for a dispute: what is known of it, and why the rest is not. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { Evidence } from "../../src/reports/evidence/gather.ts"
import { picturesOfPage, textsOfPage } from "../reports/evidence/page.ts"
import { booked, bookingDesk } from "./bookings.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

type Desk = Awaited<ReturnType<typeof bookingDesk>>

const sandbox = await fileSandbox()
let home: Desk
let shipmentId: string
beforeAll(async () => {
  home = await bookingDesk(sandbox)
  const flags = ["--connector", "connector-a", "--service", "76", "--reference", "EV-1", "--pickup"]
  shipmentId = String((await home.book(...flags)).json().shipmentId)
  await home.book("--connector", "connector-b", "--service", "GEN", "--reference", "EV-2")
  await home.freight(["sandbox", "bill", "--delivered", "-o", "bill.csv"], {
    env: { FREIGHT_STATE_DIR: sandbox.state },
  })
  await home.freight(["audit", "bill.csv"])
})

const evidence = async (name: string, at: Pick<Desk, "freight"> = home) =>
  (await at.freight(["evidence", name, "--json"])).json<Evidence>()
const pageOf = async (at: Desk, file: string) =>
  (await textsOfPage(await readFile(path.join(at.folder, file)))).join(" ")

describe("evidence", () => {
  it("is one page of quote, booking, request, pickup, label, tracking and proof of delivery", async () => {
    const { code, stdout, stderr } = await home.freight(["evidence", "EV-1", "-o", "evidence.pdf"])
    expect([code, stdout, stderr]).toEqual([0, "", expect.stringContaining("Saved as evidence.pdf.")])
    const page = await pageOf(home, "evidence.pdf")
    for (const text of [
      "SBA00000001",
      "AUD 74.43, GST not stated",
      shipmentId,
      "at test-desk",
      "76, Road Express",
      "Market Street, Fremantle WA 6160",
      "2 packages, 11 kg, at most 40 × 30 × 20 cm, CT",
      "Sender",
      "PU-A-000001",
      "Delivered, Fremantle, Delivered in full",
      "Collected, Alexandria, Picked up from the sender",
      "LEE WATSON",
      "AUD 74.43 + GST 7.44 = 81.87 (freight, fuel): agrees; audited",
    ])
      expect(page).toContain(text)
    expect(page).not.toContain("Not here")
    expect(await picturesOfPage(await readFile(path.join(home.folder, "evidence.pdf")))).toBe(1)
  })

  it("is the same page from shipments show -o, over its own files only", async () => {
    const now = Date.now()
    await home.freight(["evidence", "EV-1", "-o", "same.pdf"], { now })
    const shown = await home.freight(["shipments", "show", "EV-1", "-o", "shown.pdf"], { now })
    expect([shown.code, shown.stdout]).toEqual([0, ""])
    expect(shown.stderr).toMatch(/Saved as shown\.pdf\.\n$/)
    const [same, page] = await Promise.all(
      ["same.pdf", "shown.pdf"].map((name) => readFile(path.join(home.folder, name))),
    )
    expect(page?.equals(same ?? Buffer.of())).toBe(true)

    await writeFile(path.join(home.folder, "mine.pdf"), "mine")
    const refused = await home.freight(["shipments", "show", "EV-1", "-o", "mine.pdf"])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--force")])
    expect((await home.freight(["shipments", "show", "EV-1", "-o", "mine.pdf", "--force"])).code).toBe(0)
    const alone = await home.freight(["shipments", "show", "EV-1", "--force", "--json"])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--force needs --output")])
  })

  it("says GST as far as the carrier does", async () => {
    const { stdout } = await home.freight(["evidence", "EV-2"])
    expect(stdout).toMatch(/^Price +AUD 63\.90 \+ GST = 70\.29$/m)
    expect(stdout).toContain("Not here: carrier B never gives one.")
    expect((await evidence("EV-2")).quote).toMatchObject({
      price: 63.9,
      priceGst: 6.39,
      priceIncGst: 70.29,
      gstBasis: "excluded",
    })
  })

  it("is data with --json, whole, beside the page where both are asked for", async () => {
    const ran = await home.freight(["evidence", "EV-1", "--json", "-o", "both.pdf"])
    expect(ran.json<Evidence>()).toMatchObject({
      shipmentId,
      consignmentNumber: "SBA00000001",
      quote: { price: 74.43, currency: "AUD" },
      booking: { workstation: "test-desk", connectorId: "connector-a", orderNumber: "ORD-A-000001" },
      request: { serviceCode: "76", payer: { type: "Sender" } },
      shipment: { shipmentId, status: "CONSIGNED" },
      pickup: { status: "BOOKED", orderNumber: "PU-A-000001", detail: { shipmentId } },
      tracking: { currentStatus: "Delivered", pod: { signedBy: "LEE WATSON" } },
      charges: [
        {
          ...{ bill: expect.stringMatching(/^SBA-/), supplier: "Carrier A", verdict: "agrees", disputed: 0 },
          ...{ exGst: 74.43, gst: 7.44, incGst: 81.87, charges: ["freight", "fuel"] },
        },
      ],
      missing: {},
    })
    expect(await pageOf(home, "both.pdf")).toContain("SBA00000001")
  })

  it("is rows for a sheet, and a PDF on standard output", async () => {
    const { stdout } = await home.freight(["evidence", "EV-1", "--format", "csv"])
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "part,name,text",
      'Quote,Price,"AUD 74.43, GST not stated"',
    ])
    const { bytes } = await home.freight(["evidence", "EV-1", "-o", "-"])
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-")
    const both = await home.freight(["evidence", "EV-1", "-o", "-", "--json"])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("both use standard output")])
  })

  it("has each bill that charges for it, with its verdict", async () => {
    await home.freight(["sandbox", "bill", "--errors", "100%", "-o", "wrong.csv"], {
      env: { FREIGHT_STATE_DIR: sandbox.state },
    })
    const { code } = await home.freight(["audit", "wrong.csv"])
    expect(code).toBe(1)
    const both = await Promise.all(["EV-1", "EV-2"].map((name) => evidence(name)))
    const verdicts = both.map(({ charges }) => charges?.map(({ verdict }) => verdict))
    expect(verdicts).toContainEqual(["agrees", "billed-twice"])
    const { stdout } = await home.freight(["evidence", "EV-1"])
    expect(stdout).toMatch(/^SBA-\d{8}-\w{6} +AUD .*billed twice; to dispute: AUD 74\.43; audited/m)
  })

  it("says when the quote was given, where this machine asked for it", async () => {
    const lane = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
    await home.freight(["rate-shop", ...lane])
    await home.book("--rate", "1", "--reference", "EV-3")
    expect((await evidence("EV-3")).quote?.quotedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    const { stdout } = await home.freight(["evidence", "EV-2"])
    expect(stdout).toMatch(/^Quoted +in the 48 hours before it was booked$/m)
  })
})

describe("what cannot be had says why", () => {
  it("of a shipment that was booked elsewhere", async () => {
    const { shipmentId: other } = await booked(sandbox, "connector-a", { customerReference: "elsewhere" })
    const found = await evidence(other)
    expect(found).toMatchObject({ quote: null, booking: null, request: null, pickup: null })
    expect(found.missing).toEqual({
      ...{ shipment: null, label: null, tracking: null },
      quote: "it was not booked through this ledger; the API does not show prices",
      booking: "it was not booked through this ledger",
      request: "it was not booked through this ledger",
      pickup: "none was booked",
      charges: "no audited bill charges for it",
      proof: "tracking does not show it as delivered",
    })
    const { stdout } = await home.freight(["evidence", other])
    expect(stdout).toMatch(/^By +API, not through this ledger$/m)
    expect(stdout).toContain("Port Street Fittings")
  })

  it("of a label and tracking that are not there yet", async () => {
    await home.book("--connector", "connector-c", "--service", "STD", "--reference", "EV-4")
    const { code, stderr } = await home.freight(["evidence", "EV-4", "-o", "early.pdf"])
    expect(code, stderr).toBe(0)
    const page = await pageOf(home, "early.pdf")
    expect(page).toMatch(/Not here: the label is not ready yet: The label is not available yet\./)
    expect((await evidence("EV-4")).missing).toMatchObject({ label: expect.stringMatching(/not available/) })
  })

  it("while the API is away, and tells what the ledger has", async () => {
    const away = { env: { FREIGHT_BASE_URL: "http://127.0.0.1:9" } }
    const ran = await home.freight(["evidence", "EV-1", "--json"], away)
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
    const found = ran.json<Evidence>()
    expect(found).toMatchObject({ quote: { price: 74.43 }, shipment: null, label: null, tracking: null })
    expect(
      Object.entries(found.missing)
        .flatMap(([part, why]) => (why === null ? [] : [part]))
        .sort(),
    ).toEqual(["label", "proof", "shipment", "tracking"])
  })

  it("while the ledger is away", async () => {
    const away = { env: { FREIGHT_LEDGER: "postgres://freight@127.0.0.1:9/freight" } }
    const { code, json, stderr } = await home.freight(["evidence", shipmentId, "--json"], away)
    expect(code, stderr).toBe(0)
    const { missing, shipment } = json<Evidence & { shipment: { shipmentId: string } }>()
    expect(shipment.shipmentId).toBe(shipmentId)
    for (const part of ["quote", "booking", "request", "charges"] as const)
      expect(missing[part]).toMatch(/127\.0\.0\.1:9/)
  })
})

describe("evidence writes nothing", () => {
  it("about a shipment that does not exist", async () => {
    const { code, stderr } = await home.freight(["evidence", "nowhere-9", "-o", "none.pdf"])
    expect([code, stderr]).toEqual([5, expect.stringContaining('there is no shipment "nowhere-9"')])
    await expect(readFile(path.join(home.folder, "none.pdf"))).rejects.toThrow("ENOENT")
  })

  it("over a file that is another's", async () => {
    await writeFile(path.join(home.folder, "mine.pdf"), "mine")
    const { code } = await home.freight(["evidence", "EV-1", "-o", "mine.pdf"])
    expect([code, await readFile(path.join(home.folder, "mine.pdf"), "utf8")]).toEqual([2, "mine"])
    expect((await home.freight(["evidence", "EV-1", "-o", "mine.pdf", "--force"])).code).toBe(0)
  })

  it("where the API is away and the ledger does not know it either", async () => {
    const other = await desk(sandbox)
    const away = { env: { FREIGHT_BASE_URL: "http://127.0.0.1:9" } }
    const { code, stdout } = await other.freight(["evidence", "SBA00000001", "-o", "none.pdf"], away)
    expect([code, stdout]).toEqual([6, ""])
  })
})
