/** The traps of the freight and direct print contracts, by their numbers: each is a place where the obvious is wrong. */
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { errorIn } from "../acceptance/freight.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"
import { drop, json, text } from "../api/servers.ts"
import {
  BOOK,
  BOOKING,
  booked,
  CONNECTORS,
  connector,
  HEX,
  literalDesk,
  type Replies,
  shipment,
  SUMMARY,
} from "./desk.ts"

const HOUR = 3_600_000
const LANE = ["--from", "Fremantle WA 6160", "--to", "Alexandria NSW 2015", "--package", "2x40x30x20@5.5"]
/** The lane of the example booking. */
const TO_WEST = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", ...LANE.slice(4)]
const ON_B = ["book", "--file", "booking.json", "--connector", "con-b", "--json"]
const PICK_UP = ["pickup", "book", "--shipment", "shp-1", "--json"]
const PDF = soundPdf("hand-written").toString("latin1")

const RATE = {
  serviceCode: "GEN",
  description: "General",
  price: 1.15,
  currency: "AUD",
  bookingCutoff: "16:00:00",
  collectionCutoff: "17:30:00",
}

/** Rates of all connectors, and of carrier B's alone. */
function rates(...offered: object[]): Replies {
  const result = { connectorId: "con-b", carrier: "CARRIER_B_AU", success: true, rates: offered }
  return {
    "POST /rates": json({ quoteId: "quo-1", results: [result] }),
    "POST /con-b/rates": json({ quoteId: "quo-1", rates: offered }),
  }
}

/** Carrier B takes the booking; the shipment then reads so, and a pickup for it is answered so. */
function pickups(pickupStatus: string | undefined, ...answers: Replies[string][]): Replies {
  const status = pickupStatus === undefined ? {} : { pickupStatus }
  return {
    "POST /con-b/shipments": booked({ pickupStatus: "NOT_BOOKED" }),
    "GET /shipments/shp-1": shipment(status),
    ...(answers.length > 0 && { "POST /con-b/pickups": answers.flat() }),
  }
}

/** Runs it where the workstation's clock is on this zone. */
async function inZone<T>(zone: string, run: () => Promise<T>): Promise<T> {
  const before = process.env.TZ
  process.env.TZ = zone
  try {
    return await run()
  } finally {
    process.env.TZ = before
  }
}

describe("traps of shipping", () => {
  it("1. nothing cancels a booking, and nothing makes a repeated one harmless", async () => {
    const { book, requests } = await literalDesk({ "POST /con-b/shipments": booked() })
    expect([(await book()).code, (await book()).code]).toEqual([0, 1])
    const [first, ...others] = requests.filter(({ method }) => method !== "GET")
    expect(others).toEqual([])
    expect(first).toMatchObject({
      method: "POST",
      url: "/own/freight/con-b/shipments",
      headers: { authorization: `Bearer any_${HEX}`, "content-type": "application/json" },
    })
    const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    expect(JSON.parse(first?.body ?? "")).toEqual({ ...BOOKING, items })
  })

  it.each([
    ["502", json({ message: "The carrier returned an error or is unavailable" }, 502)],
    ["502 with the carrier's errors", json({ message: "no", errors: [{ code: "E7", message: "no" }] }, 502)],
    ["502 of a gateway", text("<h1>Bad gateway</h1>", "text/html", 502)],
    ["connection that breaks", drop],
  ])("2. a %s on a booking does not say that nothing was booked", async (_, answer) => {
    const { book, sent } = await literalDesk({ "POST /con-b/shipments": answer })
    expect([(await book()).code, (await book()).code]).toEqual([7, 7])
    expect(sent("POST /con-b/shipments")).toHaveLength(1)
  })

  it("3. a pickup that the carrier rejects is a 201 with status FAILED", async () => {
    const failed = { pickupBookingId: "pick-1", orderNumber: null, status: "FAILED", connectorId: "con-b" }
    const { book, freight } = await literalDesk(pickups("NOT_BOOKED", json(failed, 201)))
    await book()
    const { code, stdout } = await freight(PICK_UP)
    expect([code, JSON.parse(stdout).items[0].status]).toEqual([1, "FAILED"])
  })

  it("4. a booking whose pickup is FAILED may have its pickup tried again, and never the booking", async () => {
    const { book, freight, sent } = await literalDesk({
      ...pickups("FAILED", json({ pickupBookingId: "pick-1", orderNumber: "P1", status: "BOOKED" }, 201)),
      "POST /con-b/shipments": booked({ pickupStatus: "FAILED", labelWarning: "no van" }),
    })
    const { code, stdout, stderr } = await book()
    expect([code, JSON.parse(stdout).pickupStatus]).toEqual([0, "FAILED"])
    expect(stderr).toContain("freight pickup book")
    expect([(await book()).code, (await freight(PICK_UP)).code]).toEqual([1, 0])
    expect(sent("POST /con-b/shipments")).toHaveLength(1)
    expect(sent("POST /con-b/pickups")).toEqual([
      { shipmentId: "shp-1", pickupDate: "2026-11-25", readyTime: "10:00", closeTime: "17:00" },
    ])
  })

  it("5. RECONCILE_NEEDED is remembered, although a later GET reads NOT_BOOKED", async () => {
    const { book, freight, sent } = await literalDesk({
      ...pickups("NOT_BOOKED", json({ status: "BOOKED" }, 201)),
      "POST /con-b/shipments": booked({ pickupStatus: "RECONCILE_NEEDED", labelWarning: "see PU-77" }),
    })
    expect((await book()).json()).toMatchObject({ pickupStatus: "RECONCILE_NEEDED" })
    const { shipment: found } = (await freight(["shipments", "show", "shp-1", "--json"])).json()
    expect(found).toMatchObject({ pickupStatus: "NOT_BOOKED" })
    const { code, stderr } = await freight(PICK_UP)
    expect(code).not.toBe(0)
    expect(stderr).toContain("PU-77")
    expect(sent("POST /con-b/pickups")).toEqual([])
  })

  it.each([
    [{ message: "not recorded", orderNumber: "PU-9" }],
    [{ orderNumber: "PU-9" }],
  ])("6. the order number of a pickup's 500 is kept, and the pickup is not sent again: %j", async (body) => {
    const { book, freight, sent } = await literalDesk(pickups("NOT_BOOKED", json(body, 500)))
    await book()
    const { code, stdout, stderr } = await freight(PICK_UP)
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain("PU-9")
    await freight([...PICK_UP, "--again"])
    expect(sent("POST /con-b/pickups")).toHaveLength(1)
    expect((await freight(["history", "--json"])).stdout).toContain("PU-9")
  })

  it("7. the list has no customerReference, so a lost booking is looked for in the details", async () => {
    const { book, freight, sent } = await literalDesk({
      "POST /con-b/shipments": drop,
      "GET /shipments": [[], [SUMMARY]].map((shipments) =>
        json({ total: shipments.length, limit: 200, offset: 0, shipments }),
      ),
      "GET /shipments/shp-1": shipment({ customerReference: "PO-7001" }),
    })
    expect((await book()).code).toBe(7)
    const settled = (await freight(["reconcile", "--json"])).items<{ outcome: string }>()
    expect(settled).toMatchObject([{ outcome: "settled" }])
    expect(sent("GET /shipments/shp-1")).not.toEqual([])
  })

  it("8. a shipment that new bookings push onto the next page is listed once", async () => {
    const page = (offset: number, ...ids: string[]) =>
      json({ total: 4, limit: 2, offset, shipments: ids.map((id) => ({ ...SUMMARY, id })) })
    const { freight, requests } = await literalDesk({
      "GET /shipments": [page(0, "c", "b"), page(2, "b", "a")],
    })
    const { stdout } = await freight(["shipments", "list", "--all", "--format", "csv", "--fields", "id"])
    expect(stdout.trim().split(/\r?\n/)).toEqual(["id", "c", "b", "a"])
    expect(requests.map(({ url }) => url)).toEqual([
      "/own/freight/shipments?limit=200&offset=0",
      "/own/freight/shipments?limit=200&offset=2",
      // A full page may have another after it, whatever the total says.
      "/own/freight/shipments?limit=200&offset=4",
    ])
  })

  it("9. a quoteId without a rateId, which the server ignores, is not sent", async () => {
    const { book, sent } = await literalDesk({ "POST /con-b/shipments": booked() })
    expect((await book("--set", "quoteId=quo-1")).code).toBe(2)
    expect(sent("POST /con-b/shipments")).toEqual([])
  })

  it.each([
    ["at once", 0, true],
    ["47 hours later", 47, true],
    ["49 hours later", 49, false],
  ])("10. a quote is not sent after 48 hours: %s", async (_, hours, good) => {
    const { freight, pass, save, sent } = await literalDesk({
      ...rates({ ...RATE, rateId: "rate-1" }),
      "POST /con-b/shipments": booked(),
    })
    await save({ ...BOOKING, collectionDateTime: "2026-11-30T10:00:00" })
    await freight(["rate-shop", ...TO_WEST])
    pass(hours * HOUR)
    const { code, stderr } = await freight(["book", "--file", "booking.json", "--rate", "rate-1"])
    expect({ code, stderr }).toMatchObject(
      good ? { code: 0 } : { code: 2, stderr: expect.stringContaining("48 hours") },
    )
    expect(sent("POST /con-b/shipments")).toHaveLength(good ? 1 : 0)
  })

  it("10. a quote's 48 hours are looked at when it is sent: one that expires on the way is asked for again", async () => {
    const result = { connectorId: "con-b", carrier: "CARRIER_B_AU", success: true }
    const quote = (n: number) =>
      json({ quoteId: `quo-${n}`, results: [{ ...result, rates: [{ ...RATE, rateId: `rate-${n}` }] }] })
    const atConnectors = { passes: 0 }
    const { freight, pass, save, sent } = await literalDesk({
      "POST /rates": [quote(1), quote(2)],
      "POST /con-b/shipments": booked(),
      "GET /connectors": (res, seen) => {
        pass(atConnectors.passes)
        return CONNECTORS(res, seen)
      },
    })
    await save({ ...BOOKING, collectionDateTime: "2026-11-30T10:00:00" })
    await freight(["rate-shop", ...TO_WEST])
    pass(47 * HOUR)
    atConnectors.passes = 2 * HOUR
    await freight(["book", "--file", "booking.json", "--rate", "rate-1"])
    expect(sent("POST /con-b/shipments")).toMatchObject([{ rateId: "rate-2", quoteId: "quo-2" }])
  })

  it.each([
    [
      "without a rateId",
      {},
      { quotedPriceExGstMinor: 115, quotedGstMinor: 29, quotedPriceIncGstMinor: 144, quotedCurrency: "AUD" },
    ],
    ["with one", { rateId: "rate-1" }, { rateId: "rate-1", quoteId: "quo-1" }],
  ])("11. quoted prices are whole cents, and are sent only without a rateId: %s", async (_, link, expected) => {
    const { freight, sent } = await literalDesk({
      ...rates({ ...RATE, priceGst: 0.29, priceIncGst: 1.44, ...link }),
      "POST /con-b/shipments": booked(),
    })
    expect((await freight(ON_B)).code).toBe(0)
    const [body] = sent("POST /con-b/shipments")
    const prices = Object.entries(body).filter(([name]) => /^quoted(?!Transit)|^rateId|^quoteId/.test(name))
    expect(Object.fromEntries(prices)).toEqual(expected)
  })

  it("12. only carrier B tells its GST, and a ranking of all says so", async () => {
    const both = [
      { connectorId: "con-a", carrier: "CARRIER_A_AU", success: true, rates: [{ ...RATE, price: 10 }] },
      {
        ...{ connectorId: "con-b", carrier: "CARRIER_B_AU", success: true },
        rates: [{ ...RATE, price: 9.5, priceGst: 0.95, priceIncGst: 10.45 }],
      },
    ]
    const { freight } = await literalDesk({ "POST /rates": json({ quoteId: "quo-1", results: both }) })
    expect((await freight(["rate-shop", ...LANE, "--json"])).json()).toMatchObject({
      items: [
        { connectorId: "con-b", gstBasis: "excluded", price: 9.5, priceGst: 0.95, priceIncGst: 10.45 },
        { connectorId: "con-a", gstBasis: "unknown", price: 10, priceGst: null, priceIncGst: null },
      ],
    })
    const { stderr } = await freight(["rate-shop", ...LANE])
    expect(stderr).toMatch(/Carrier A does not say whether GST is in its prices: .* with GST added/)
  })

  it("13. a zone that Node knows and the server ignores is reported", async () => {
    const { freight, sent } = await literalDesk(rates(RATE))
    const zone = ["--set", "timezone=Australia/Lord_Howe"]
    const { stderr } = await freight(["rate-shop", ...LANE, ...zone])
    expect(stderr).toContain("Australia/Lord_Howe")
    expect((await freight(["rate-shop", ...LANE])).stderr).not.toContain("Lord_Howe")
    expect(sent("POST /rates").at(-1)).toMatchObject({ timezone: "Australia/Perth" })
  })

  it.each([
    "Pacific/Kiritimati",
    "Australia/Sydney",
    "America/Los_Angeles",
  ])("14. the date is always sent, and is the day at the collection: from %s", async (zone) => {
    const { freight, sent } = await literalDesk(rates(RATE))
    await inZone(zone, () => freight(["rate-shop", ...LANE], { env: { TZ: zone } }))
    // In Sydney it is the 25th already.
    expect(sent("POST /rates")).toMatchObject([{ date: "2026-11-24", localDateTime: "2026-11-24T22:30:00" }])
  })

  it.each([
    "America/Los_Angeles",
    "Australia/Sydney",
  ])("15. collection times are sent as they were typed, from a workstation in %s", async (zone) => {
    const { book, sent } = await literalDesk({ "POST /con-b/shipments": booked() })
    // Another zone runs in a process of its own, whose clock goes on.
    const typed = ["--ready", "2026-11-26T10:30", "--allow-past", "--set", "customerReference=typed"]
    await inZone(zone, () => book(...typed))
    expect(sent("POST /con-b/shipments")).toMatchObject([
      { collectionDateTime: "2026-11-26T10:30:00", collectionCloseTime: "1700" },
    ])
  })

  it("16. four times have four shapes", async () => {
    const { freight, sent } = await literalDesk({
      ...rates(RATE),
      ...pickups("NOT_BOOKED", json({ pickupBookingId: "pick-1", status: "BOOKED" }, 201)),
    })
    const window = ["startDate=2026-11-27", "endDate=2026-11-27", "startTime=09:00", "endTime=12:00"]
    const booking = [...ON_B, "--close", "5pm", "--ready", "2026-11-26T10:00"]
    await freight([
      ...booking,
      ...window.flatMap((each) => ["--set", `timeSensitive.deliveryWindow.${each}`]),
    ])
    expect(sent("POST /con-b/shipments")).toMatchObject([
      {
        collectionDateTime: "2026-11-26T10:00:00",
        collectionCloseTime: "1700",
        timeSensitive: { deliveryWindow: { startTime: "09:00", endTime: "12:00" } },
        bookingCutoff: "16:00:00",
        collectionCutoff: "17:30:00",
      },
    ])
    await freight([...PICK_UP, "--ready", "10am", "--close", "5pm"])
    expect(sent("POST /con-b/pickups")).toMatchObject([{ readyTime: "10:00", closeTime: "17:00" }])
  })

  it.each([
    "America/Los_Angeles",
    "Australia/Sydney",
    "Pacific/Kiritimati",
  ])("17. an eta without a zone is the same day in every zone: %s", async (zone) => {
    const { freight } = await literalDesk({
      ...rates({ ...RATE, eta: "2026-11-27T00:30:00" }),
      "GET /track": json({
        supported: true,
        tracking: { currentStatus: "On its way", eta: "2026-11-20", events: [] },
      }),
    })
    await inZone(zone, async () => {
      const env = { TZ: zone }
      const arrives = await freight(["rate-shop", ...LANE, "--format", "csv", "--fields", "arrives"], { env })
      expect(arrives.stdout).toMatch(/27 Nov 00:30/)
      expect((await freight(["track", "C-1"], { env })).stdout).toContain("expected 2026-11-20")
    })
  })

  it("18. residential is a field of a rate's addresses, and of no booking's", async () => {
    const { freight, book, sent } = await literalDesk({ ...rates(RATE), "POST /con-b/shipments": booked() })
    await freight(["rate-shop", ...LANE, "--to-residential"])
    expect(sent("POST /rates")).toMatchObject([
      {
        from: { suburb: "Fremantle", state: "WA", postcode: "6160", residential: false },
        to: { suburb: "Alexandria", state: "NSW", postcode: "2015", residential: true },
      },
    ])
    expect((await book("--set", "receiver.residential=true")).code).toBe(0)
    expect(sent("POST /con-b/shipments")).toHaveLength(1)
    expect(JSON.stringify(sent("POST /con-b/shipments"))).not.toContain("residential")
  })

  it("19. items are derived from packages, and what differs is reported", async () => {
    const { book, save, sent } = await literalDesk({ "POST /con-b/shipments": booked() })
    expect((await book()).code).toBe(0)
    expect(sent("POST /con-b/shipments")).toMatchObject([
      { packages: BOOKING.packages, items: { count: 2, totalWeightKg: 11, maxLengthCm: 40 } },
    ])
    const items = { count: 5, totalWeightKg: 1, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    await save({ ...BOOKING, items, customerReference: "PO-7002" })
    expect((await book()).stderr).toMatch(/items/)
  })

  it("20. an account number beside the payer Sender is warned of on carrier A", async () => {
    const { freight, save, sent } = await literalDesk({ "POST /con-a/shipments": booked() })
    await save({ ...BOOKING, serviceCode: "76", payer: { type: "Sender", accountNumber: "12345" } })
    const { stderr } = await freight([...BOOK, "--connector", "con-a"])
    expect(stderr).toMatch(/warning: .*account/)
    expect(sent("POST /con-a/shipments")).toMatchObject([
      { payer: { type: "Sender", accountNumber: "12345" } },
    ])
  })

  it("21. carrier C's missing email is warned of: its connector may have one to fall back on", async () => {
    const { freight, save, sent } = await literalDesk({ "POST /con-c/shipments": booked() })
    const { email: _, ...collection } = BOOKING.collection
    await save({ ...BOOKING, serviceCode: "STD", collection })
    const { code, stderr } = await freight([...BOOK, "--connector", "con-c"])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning: .*email/i) })
    expect(sent("POST /con-c/shipments")).toMatchObject([{ collection }])
  })

  it("22. only LABEL_NOT_AVAILABLE means to wait for a label, longer each time", async () => {
    const notYet = json({ message: "not yet", code: "LABEL_NOT_AVAILABLE" }, 404)
    const { freight, folder, sent, waits } = await literalDesk({
      "GET /shipments/shp-1": shipment(),
      "GET /shipments/shp-1/label": [notYet, notYet, notYet, text(PDF, "application/pdf")],
      "GET /shipments/shp-2/label": json({ message: "Shipment not found" }, 404),
    })
    expect((await freight(["label", "shp-1", "--no-wait", "-o", "a.pdf"])).code).toBe(6)
    expect(waits).toEqual([])
    expect((await freight(["label", "shp-1", "-o", "a.pdf"])).code).toBe(0)
    expect(await readFile(path.join(folder, "a.pdf"), "utf8")).toBe(PDF)
    expect(waits).toHaveLength(2)
    expect(waits[1]).toBeGreaterThan(waits[0] ?? Number.POSITIVE_INFINITY)
    expect((await freight(["label", "shp-2"])).code).toBe(5)
    expect(sent("GET /shipments/shp-2/label")).toHaveLength(1)
  })

  it("23. the print API says why in error and when in retryAfter; freight has a header for that", async () => {
    const { freight, folder, waits } = await literalDesk({
      "GET /connectors": [
        json({ message: "slow down" }, 429, { "retry-after": "7" }),
        json({ connectors: [connector("con-b", "CARRIER_B_AU", "GEN")] }),
      ],
      "POST /print-jobs": [
        json({ error: "slow down", code: "RATE_LIMIT_EXCEEDED", retryAfter: 11 }, 429),
        json({ jobId: "job-1", status: "DELIVERED" }, 201),
      ],
      "GET /devices": json({ success: false, error: "devices:read is not yours" }, 403),
    })
    await writeFile(path.join(folder, "a.pdf"), PDF)
    expect((await freight(["connectors"])).code).toBe(0)
    expect((await freight(["print", "pdf", "a.pdf", "--device", "dev-1"])).code).toBe(0)
    expect(waits.map((ms) => Math.floor(ms / 1000))).toEqual([7, 11])
    const { code, stderr } = await freight(["devices", "list", "--api", "direct-print", "--json"])
    expect([code, errorIn(stderr).message]).toEqual([4, expect.stringContaining("devices:read is not yours")])
  })

  it("24. DELIVERED of a print job is said as queued", async () => {
    const { freight, folder, requests } = await literalDesk({
      "POST /print-jobs": json({ jobId: "job-1", status: "DELIVERED" }, 201),
    })
    await writeFile(path.join(folder, "a.pdf"), PDF)
    const { stdout, stderr } = await freight(["print", "pdf", "a.pdf", "--device", "dev-1"])
    expect(stdout).toContain("queued")
    expect(stdout + stderr).not.toMatch(/delivered/i)
    const [sent] = requests.slice(-1)
    expect(sent).toMatchObject({
      method: "POST",
      url: "/own/print/print-jobs",
      headers: { authorization: `Bearer other_${HEX}` },
    })
    expect(sent?.body).toBe(`{"deviceId":"dev-1","pdfBase64":"${btoa(PDF)}"}`)
  })

  it("25. a PDF has at most 9,000,000 base64 characters, and no line breaks among them", async () => {
    const { freight, folder, requests } = await literalDesk({
      "POST /print-jobs": json({ jobId: "job-1", status: "DELIVERED" }, 201),
    })
    const pdf = (size: number) => Buffer.concat([Buffer.from(PDF)], size)
    await writeFile(path.join(folder, "most.pdf"), pdf(6_750_000))
    await writeFile(path.join(folder, "more.pdf"), pdf(6_750_001))
    expect((await freight(["print", "pdf", "more.pdf", "--device", "dev-1"])).code).toBe(2)
    expect(requests.filter(({ method }) => method === "POST")).toEqual([])
    expect((await freight(["print", "pdf", "most.pdf", "--device", "dev-1"])).code).toBe(0)
    // By no pattern: over a text of this length, one may use up the stack.
    const { pdfBase64 } = JSON.parse(requests.at(-1)?.body ?? "") as { pdfBase64: string }
    expect(pdfBase64).toHaveLength(9_000_000)
    expect(Buffer.from(pdfBase64, "base64").toString("base64") === pdfBase64).toBe(true)
  })

  it("26. tracking names no carrier by itself", async () => {
    const { freight, requests } = await literalDesk({
      "GET /track": json({ supported: true, tracking: { currentStatus: "On its way", events: [] } }),
    })
    expect((await freight(["track", "C-1"])).code).toBe(0)
    await freight(["track", "C-1", "--carrier", "CARRIER_A_AU"])
    expect(requests.map(({ url }) => url)).toEqual([
      "/own/freight/track?consignment=C-1",
      "/own/freight/track?consignment=C-1&carrier=CARRIER_A_AU",
    ])
  })

  it("27. pod is absent and not null, and nobody is asked for the signature's image", async () => {
    let connections = 0
    const proxy = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void proxy.close())
    await once(proxy, "listening")
    const env = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
    const info = { currentStatus: "Delivered", deliveredAt: "2026-11-23T09:00:00", events: [] }
    const pod = { signedBy: "Lee", signatureImageUrl: "https://images.example.com/1.png" }
    const { freight, requests } = await literalDesk({
      "GET /track": [
        json({ supported: true, tracking: info }),
        json({ supported: true, tracking: { ...info, pod } }),
      ],
    })
    const tracked = async () =>
      (await freight(["track", "C-1", "--json"], { env })).items<{ tracking: object }>()[0]?.tracking
    expect(await tracked()).not.toHaveProperty("pod")
    expect(await tracked()).toMatchObject({ pod })
    expect((await freight(["track", "C-1"], { env })).code).toBe(0)
    expect([connections, requests.map(({ url }) => url.replace(/\?.*/, ""))]).toEqual([
      0,
      Array(3).fill("/own/freight/track"),
    ])
  })

  it.each([
    ["any prefix", `whatever.${HEX}`, 0],
    ["63 characters", `whatever.${HEX.slice(1)}`, 2],
    ["a character that is not hexadecimal", `whatever.g${HEX.slice(1)}`, 2],
  ])("28. of a key the 64 hexadecimal characters are checked, and no prefix: %s", async (_, key, code) => {
    const { freight, requests } = await literalDesk({})
    expect((await freight(["connectors"], { env: { FREIGHT_API_KEY: key } })).code).toBe(code)
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(code === 0 ? [`Bearer ${key}`] : [])
  })

  it("29. the base's own path stays, with and without a slash at its end", async () => {
    const { freight, url, requests } = await literalDesk({})
    for (const end of ["", "/"])
      await freight(["connectors"], { env: { FREIGHT_BASE_URL: `${url}/own/freight${end}` } })
    expect(requests.map((each) => each.url)).toEqual(Array(2).fill("/own/freight/connectors"))
  })

  it("30. a UN number and a postcode are texts, and a spreadsheet's lost zero of a postcode is put back", async () => {
    const { freight, folder, book, requests } = await literalDesk({ "POST /con-b/shipments": booked() })
    const orders = `Order,Company,Street,Suburb,State,Postcode,Qty,Length,Width,Height,Weight each
T-30,Top End Pumps,8 Smith Street,Darwin,NT,800,2,40,30,20,5.5
`
    await writeFile(path.join(folder, "orders.csv"), orders)
    expect((await freight(["batch", "book", "orders.csv", "--dry-run"])).stderr).toContain("0800")
    const goods = {
      unNumber: "0012",
      hazClass: "1.4S",
      packageType: "Box",
      quantity: 1,
      aggregateQuantity: 1,
      shippingName: "Cartridges",
      contactName: "Dana Lee",
      contactPhone: "0255501234",
    }
    const set = Object.entries(goods).map(([name, value]) => `dangerousGoodsDetails.${name}=${value}`)
    const words = [
      "dangerousGoods=true",
      "receiver.postcode=0800",
      "receiver.suburb=Darwin",
      "receiver.state=NT",
      ...set,
    ]
    const { code, stderr } = await book(...words.flatMap((each) => ["--set", each]))
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const [{ body } = { body: "" }] = requests.slice(-1)
    expect(body).toContain('"postcode":"0800"')
    expect(JSON.parse(body).dangerousGoodsDetails).toEqual(goods)
  })

  it("31. text of a server reaches the terminal and names of files without what could do harm", async () => {
    const evil = "\u001b[31m\u0007owned\r\n\u009b1m\u202e"
    const { freight, folder } = await literalDesk({
      "GET /connectors": json({ connectors: [{ ...connector("con-b", "CARRIER_B_AU", "GEN"), name: evil }] }),
      "GET /track": json({ message: evil }, 404),
      "GET /shipments/shp-1": shipment({ consignmentNumber: "../../owned" }),
      "GET /shipments/shp-1/label": text(PDF, "application/pdf"),
    })
    for (const words of [["connectors"], ["track", "C-1"]]) {
      const { stdout, stderr } = await freight(words)
      expect(stdout + stderr).toContain("owned")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
    const { stdout } = await freight(["label", "shp-1", "--json"])
    expect(path.dirname(path.resolve(folder, JSON.parse(stdout).items[0].labelFile))).toBe(folder)
  })

  it("32. a service that several connectors of one carrier have is not booked on any of them by guess", async () => {
    const { freight, sent } = await literalDesk({
      "GET /connectors": json({
        connectors: ["east", "west"].map((id) => connector(id, "CARRIER_A_AU", "76")),
      }),
      "POST /east/shipments": booked(),
      "POST /west/shipments": booked(),
    })
    const { code, stderr } = await freight(["book", "--file", "booking.json", "--no-rate", "--service", "76"])
    expect(code).toBe(2)
    for (const id of ["east", "west"]) {
      expect(stderr).toContain(id)
      expect(sent(`POST /${id}/shipments`)).toEqual([])
    }
  })

  it("33. a rate's null is not echoed into a booking, which has none", async () => {
    const { freight, requests } = await literalDesk({
      ...rates({ ...RATE, eta: null, transitDays: null }),
      "POST /con-b/shipments": booked({ consignmentNumber: null }),
    })
    expect((await freight(ON_B)).code).toBe(0)
    const [{ body } = { body: "null" }] = requests.slice(-1)
    expect(body).toContain('"bookingCutoff":"16:00:00"')
    expect(body).not.toMatch(/null|committedEta|quotedTransitDays/)
  })

  it.each([
    ["{}", json({}, 500)],
    ["nothing", text("", "application/json", 500)],
    ["a page", text("<h1>Oh no</h1>", "text/html", 500)],
  ])("34. any pickup 500 may have made a pickup: %s", async (_, answer) => {
    const { book, freight, sent } = await literalDesk(pickups("NOT_BOOKED", answer))
    await book()
    expect((await freight(PICK_UP)).code).toBe(7)
    expect((await freight([...PICK_UP, "--again"])).code).toBe(7)
    expect(sent("POST /con-b/pickups")).toHaveLength(1)
  })

  it("34. an absent pickupStatus is unknown, and not NOT_BOOKED", async () => {
    const { book, freight, sent } = await literalDesk({
      ...pickups(undefined, json({ status: "BOOKED" }, 201)),
      "POST /con-b/shipments": booked(),
    })
    expect((await book()).stdout).not.toContain("NOT_BOOKED")
    expect((await freight(["shipments", "show", "shp-1"])).stdout).not.toContain("NOT_BOOKED")
    expect((await freight(PICK_UP)).code).not.toBe(0)
    expect(sent("POST /con-b/pickups")).toEqual([])
  })

  it.each([
    ["--package", "40x30x20@5"],
    ["--set", "receiver.suburb=Fremantle"],
    ["--set", "collection.suburb=Alexandria"],
  ])("35. a pickup of a shipment takes no goods or addresses of its own: %s %s", async (...mixed) => {
    const { freight, sent } = await literalDesk(pickups("NOT_BOOKED", json({ status: "BOOKED" }, 201)))
    expect((await freight([...PICK_UP, ...mixed])).code).toBe(2)
    expect(sent("POST /con-b/pickups")).toEqual([])
  })

  it("36. a 403 on printing a label has two causes, and both are named", async () => {
    const { freight } = await literalDesk({
      "GET /shipments/shp-1/label": text(PDF, "application/pdf"),
      "POST /shipments/shp-1/print": json({ message: "Forbidden" }, 403),
    })
    const { code, stderr } = await freight(["print", "label", "shp-1", "--device", "dev-1"])
    expect(code).toBe(4)
    expect(stderr).toMatch(/[Ff]reight access.*or direct print/s)
  })

  it.each([
    ["0", 2],
    ["1", 0],
    ["200", 0],
    ["201", 2],
  ])("37. a limit outside 1 to 200 is not sent: %s", async (limit, code) => {
    const { freight, requests } = await literalDesk({
      "GET /shipments": json({ total: 0, limit: Number(limit), offset: 0, shipments: [] }),
    })
    expect((await freight(["shipments", "list", "--limit", limit])).code).toBe(code)
    expect(requests).toHaveLength(code === 0 ? 1 : 0)
  })

  it.each([
    ["07:00", "1300", true],
    ["17:00", "1900", true],
    ["11:00", "1300", true],
    ["06:59", "1300", false],
    ["17:01", "1915", false],
    ["10:00", "1259", false],
    ["10:00", "1901", false],
    ["11:01", "1300", false],
  ])("37. both ends of carrier A's windows are in them: %s to %s", async (ready, close, good) => {
    const { freight, save, sent } = await literalDesk({ "POST /con-a/shipments": booked() })
    const collectionDateTime = `2026-11-26T${ready}:00`
    await save({ ...BOOKING, serviceCode: "76", collectionDateTime, collectionCloseTime: close })
    expect((await freight([...BOOK, "--connector", "con-a"])).code).toBe(good ? 0 : 2)
    expect(sent("POST /con-a/shipments")).toMatchObject(
      good ? [{ collectionDateTime, collectionCloseTime: close }] : [],
    )
  })
})
