/** The traps of the freight and direct print contracts, by their numbers: each is a place where the obvious is wrong. */
import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { csvOf, order } from "../acceptance/orders.ts"
import { booked } from "../acceptance/bookings.ts"
import { errorIn } from "../acceptance/freight.ts"
import { type RunningSandbox, startSandboxHere } from "../acceptance/sandbox.ts"
import { checkCollectionWindow } from "../../src/contract/collection-times.ts"
import { linkFromQuote } from "../../src/contract/rate-link.ts"
import { formatDate, wallClockNow } from "../../src/contract/wall-clock.ts"
import { BOOK, recordingDesk } from "./recorder.ts"

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxHere()
})
afterAll(() => sandbox.stop())

const LANE = ["--from", "Fremantle WA 6160", "--to", "Alexandria NSW 2015", "--package", "2x40x30x20@5.5"]
const reference = (text: string) => ["--set", `customerReference=${text}`]
const ON = ["--device", "device-bench"]

describe("traps of shipping", () => {
  it("1. nothing cancels a booking, and nothing makes a repeated one harmless", async () => {
    const { book, sent } = await recordingDesk(sandbox)
    expect((await book()).code).toBe(0)
    expect((await book()).code).toBe(1)
    expect(sent("POST", "/shipments")).toHaveLength(1)
  })

  it("2. a 502 on a booking does not say that nothing was booked", async () => {
    const { book, sent } = await recordingDesk(sandbox)
    expect((await book(...reference("sandbox:booked-502"))).code).toBe(7)
    expect((await book(...reference("sandbox:booked-502"))).code).toBe(7)
    expect(sent("POST", "/shipments")).toHaveLength(1)
  })

  it("3. a pickup that the carrier rejects is a 201 with status FAILED", async () => {
    const { freight } = await recordingDesk(sandbox)
    const { shipmentId } = await booked(sandbox, "connector-b", {
      customerReference: "sandbox:pickup-failed",
    })
    const { code, stdout } = await freight(["pickup", "book", "--shipment", shipmentId, "--json"])
    expect([code, JSON.parse(stdout).status]).toEqual([1, "FAILED"])
  })

  it("4. a booking whose pickup is FAILED may have its pickup tried again, and never the booking", async () => {
    const { book, sent } = await recordingDesk(sandbox)
    const { code, stdout, stderr } = await book(...reference("sandbox:auto-pickup-failed"))
    expect([code, JSON.parse(stdout).pickupStatus]).toEqual([0, "FAILED"])
    expect(stderr).toContain("freight pickup book")
    expect((await book(...reference("sandbox:auto-pickup-failed"))).code).toBe(1)
    expect(sent("POST", "/shipments")).toHaveLength(1)
  })

  it("5. RECONCILE_NEEDED is remembered, although a later GET reads NOT_BOOKED", async () => {
    const { book, freight, sent } = await recordingDesk(sandbox)
    const made = (await book(...reference("sandbox:auto-pickup-unrecorded"))).json<Booking>()
    const { shipment } = (await freight(["shipments", "show", made.shipmentId, "--json"])).json<{
      shipment: Booking
    }>()
    expect([made.pickupStatus, shipment.pickupStatus]).toEqual(["RECONCILE_NEEDED", "NOT_BOOKED"])
    expect((await freight(["pickup", "book", "--shipment", made.shipmentId])).code).not.toBe(0)
    expect(sent("POST", "/pickups")).toEqual([])
  })

  it("6. the order number of a pickup's 500 is kept, and the pickup is not sent again", async () => {
    const { freight, sent } = await recordingDesk(sandbox)
    const { shipmentId } = await booked(sandbox, "connector-b", { customerReference: "sandbox:pickup-500" })
    const pickUp = ["pickup", "book", "--shipment", shipmentId, "--json"]
    const { stdout, stderr } = await freight(pickUp)
    const [orderNumber = "no order number"] = /PU-[\w-]+/.exec(stdout + stderr) ?? []
    await freight(pickUp)
    expect(sent("POST", "/pickups")).toHaveLength(1)
    expect((await freight(["history", "--json"])).stdout).toContain(orderNumber)
  })

  it("7. the list has no customerReference, so a lost booking is looked for in the details", async () => {
    const { book, freight, sent } = await recordingDesk(sandbox, (asked, ask) =>
      asked.method === "POST" && asked.path.endsWith("/shipments")
        ? ask().then(() => "drop" as const)
        : undefined,
    )
    expect((await book(...reference("trap-7"))).code).toBe(7)
    const settled = (await freight(["reconcile", "--json"])).json<{ outcome: string }[]>()
    expect(settled).toMatchObject([{ outcome: "settled" }])
    expect(sent("GET", "/shipments")).not.toEqual([])
    expect(sent("GET", "").filter((each) => /^\/shipments\/[^/]+$/.test(each.path))).not.toEqual([])
  })

  it("8. a shipment that new bookings push onto the next page is listed once", async () => {
    const row = (id: string) => ({
      id,
      carrier: "CARRIER_A_AU",
      connectorName: "A",
      orderNumber: id,
      status: "CONSIGNED",
      serviceCode: "76",
      source: "API",
      createdAt: "2026-11-20T00:00:00Z",
    })
    const pages: Record<string, string[]> = { "0": ["c", "b"], "2": ["b", "a"] }
    const { freight } = await recordingDesk(sandbox, ({ path: at, query }) => {
      if (at !== "/shipments") return undefined
      const shipments = (pages[query.get("offset") ?? "0"] ?? []).map(row)
      return Promise.resolve({ status: 200, body: { total: 4, limit: 200, offset: 0, shipments } })
    })
    const { stdout } = await freight(["shipments", "list", "--all", "--format", "csv", "--fields", "id"])
    expect(stdout.trim().split(/\r?\n/)).toEqual(["id", "c", "b", "a"])
  })

  it("9. a quoteId without a rateId, which the server ignores, is not sent", async () => {
    const { book, sent } = await recordingDesk(sandbox)
    expect((await book("--set", "quoteId=quote-1")).code).toBe(2)
    expect(sent("POST", "/shipments")).toEqual([])
  })

  it("10. a quote's 48 hours are looked at when it is sent", async () => {
    const { freight, state, sent } = await recordingDesk(sandbox)
    const lane = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", ...LANE.slice(4)]
    const found = await freight(["rate-shop", ...lane, "--cheapest", "--format", "ndjson"])
    const { rateId } = JSON.parse(found.stdout)
    const files = readdirSync(state, { recursive: true, encoding: "utf8" })
    for (const name of files.filter((each) => /quotes[\\/].*\.json$/.test(each))) {
      const file = path.join(state, name)
      const quote = JSON.parse(readFileSync(file, "utf8"))
      writeFileSync(file, JSON.stringify({ ...quote, quotedAt: quote.quotedAt - 49 * 3_600_000 }))
    }
    const { code, stderr } = await freight(["book", "--file", "booking.json", "--rate", rateId])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("48 hours") })
    expect(sent("POST", "/shipments")).toEqual([])
  })

  it("11. quoted prices are whole cents, and are sent only without a rateId", () => {
    const rate = {
      serviceCode: "GEN",
      description: "General",
      price: 1.15,
      priceGst: 0.29,
      priceIncGst: 1.44,
      currency: "AUD",
      transitDays: null,
      eta: null,
      bookingCutoff: "16:00:00",
      collectionCutoff: "17:00:00",
      visibility: "shown",
    } as const
    expect(linkFromQuote(rate, "quote-1")).toMatchObject({
      quotedPriceExGstMinor: 115,
      quotedGstMinor: 29,
      quotedPriceIncGstMinor: 144,
    })
    expect(linkFromQuote({ ...rate, rateId: "rate-1" }, "quote-1")).toEqual({
      serviceCode: "GEN",
      rateId: "rate-1",
      quoteId: "quote-1",
    })
  })

  it("12. only carrier B tells its GST, and a ranking of all says so", async () => {
    const { freight } = await recordingDesk(sandbox)
    const { results } = (await freight(["rate-shop", ...LANE, "--json"])).json<{
      results: { carrier: string; rates: { priceGst?: number }[] }[]
    }>()
    const tells = results.filter(({ rates }) => rates.some(({ priceGst }) => priceGst !== undefined))
    expect(tells.map(({ carrier }) => carrier)).toEqual(["CARRIER_B_AU"])
    const { stderr } = await freight(["rate-shop", ...LANE])
    expect(stderr).toMatch(/Not every carrier says whether GST is included/)
  })

  it("13. a zone that Node knows and the server ignores is told", async () => {
    const { freight } = await recordingDesk(sandbox)
    const zone = ["--set", "timezone=Australia/Lord_Howe"]
    const { stderr } = await freight(["rate-shop", ...LANE, ...zone])
    expect(stderr).toContain("Australia/Lord_Howe")
    expect((await freight(["rate-shop", ...LANE])).stderr).not.toContain("Lord_Howe")
  })

  it("14. the date is always sent, and is the day at the collection", async () => {
    const { freight, sent } = await recordingDesk(sandbox)
    const today = () => formatDate(wallClockNow(Date.now(), "Australia/Perth"))
    const before = today()
    await freight(["rate-shop", ...LANE], { env: { TZ: "Pacific/Kiritimati" } })
    expect([before, today()]).toContain(sent("POST", "/rates")[0]?.body.date)
  })

  it("15. collection times are sent as they were typed, wherever the workstation is", async () => {
    const times: string[] = []
    for (const TZ of ["America/Los_Angeles", "Australia/Sydney"]) {
      const { freight, sent } = await recordingDesk(sandbox)
      const words = [...BOOK, "--connector", "connector-b", "--service", "GEN", "--ready", "2027-11-23T10:30"]
      expect((await freight(words, { env: { TZ } })).code).toBe(0)
      times.push(sent("POST", "/shipments")[0]?.body.collectionDateTime)
    }
    expect(times).toEqual(["2027-11-23T10:30:00", "2027-11-23T10:30:00"])
  })

  it("16. four times have four shapes", async () => {
    const { freight, book } = await recordingDesk(sandbox)
    const window = ["startDate=2027-11-25", "endDate=2027-11-25", "startTime=09:00", "endTime=12:00"]
    const { stdout } = await freight([
      ...["book", "--file", "booking.json", "--connector", "connector-b", "--service", "GEN", "--no-rate"],
      ...["--close", "5pm", "--ready", "2027-11-23T10:00", "--dry-run"],
      ...window.flatMap((each) => ["--set", `timeSensitive.deliveryWindow.${each}`]),
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      collectionCloseTime: "1700",
      timeSensitive: { deliveryWindow: { startTime: "09:00", endTime: "12:00" } },
    })
    const { results } = (await freight(["rate-shop", ...LANE, "--json"])).json<{
      results: { rates: { bookingCutoff: string }[] }[]
    }>()
    expect(results[0]?.rates[0]?.bookingCutoff).toMatch(/^\d\d:\d\d:\d\d$/)
    const { shipmentId } = (await book()).json<{ shipmentId: string }>()
    const pickup = [
      "pickup",
      "book",
      "--shipment",
      shipmentId,
      "--ready",
      "10am",
      "--close",
      "5pm",
      "--dry-run",
    ]
    expect(JSON.parse((await freight(pickup)).stdout)).toMatchObject({
      readyTime: "10:00",
      closeTime: "17:00",
    })
  })

  it("17. an eta without a zone is the same day in every zone", async () => {
    const { freight } = await recordingDesk(sandbox)
    const days: string[] = []
    for (const TZ of ["America/Los_Angeles", "Australia/Sydney", "Pacific/Kiritimati"]) {
      const rates = await freight(["rate-shop", ...LANE, "--format", "csv", "--fields", "arrives"], {
        env: { TZ },
      })
      const { tracking } = (await freight(["track", "DEMO-A-MOVING", "--json"], { env: { TZ } })).json<{
        tracking: { eta: string }
      }>()
      days.push(`${rates.stdout} ${tracking.eta}`)
    }
    expect(new Set(days).size).toBe(1)
  })

  it("18. residential is a field of a rate's addresses, and of no booking's", async () => {
    const { freight, book, sent } = await recordingDesk(sandbox)
    await freight(["rate-shop", ...LANE, "--to-residential"])
    const [{ body } = { body: undefined }] = sent("POST", "/rates")
    expect([body.from.residential, body.to.residential]).toEqual([false, true])
    expect((await book("--set", "receiver.residential=true")).code).toBe(2)
    expect(sent("POST", "/shipments")).toEqual([])
  })

  it("19. items are derived from packages, and what differs is told", async () => {
    const { book, edit, sent } = await recordingDesk(sandbox)
    expect((await book()).code).toBe(0)
    expect(sent("POST", "/shipments")[0]?.body).toMatchObject({
      packages: [{ count: 2, weightKg: 5.5 }],
      items: { count: 2, totalWeightKg: 11 },
    })
    await edit((booking) => {
      booking.items = { count: 5, totalWeightKg: 1 }
      booking.customerReference = "trap-19"
    })
    const { stderr } = await book()
    expect(stderr).toMatch(/items/)
  })

  it("20. an account number beside the payer Sender is warned of on carrier A", async () => {
    const { freight, edit } = await recordingDesk(sandbox)
    await edit((booking) => {
      booking.payer = { type: "Sender", accountNumber: "12345" }
    })
    const { stderr } = await freight([...BOOK, "--connector", "connector-a", "--service", "76"])
    expect(stderr).toMatch(/warning: .*account/)
  })

  it("21. carrier C's missing email is warned of: its connector may have one to fall back on", async () => {
    const { freight, edit } = await recordingDesk(sandbox)
    await edit(({ collection }) => {
      delete (collection as { email?: string }).email
    })
    const { code, stderr } = await freight([...BOOK, "--connector", "connector-c", "--service", "STD"])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning: .*email/i) })
  })

  it("22. only LABEL_NOT_AVAILABLE means to wait for a label", async () => {
    const { freight, sent } = await recordingDesk(sandbox)
    const { shipmentId } = await booked(sandbox, "connector-c")
    expect((await freight(["label", shipmentId, "--no-wait"])).code).toBe(6)
    expect((await freight(["label", "no-such-shipment"])).code).toBe(5)
    expect(sent("GET", "/no-such-shipment/label")).toHaveLength(1)
  })

  it("23. the print API says why in error and when in retryAfter; freight has a header for that", async () => {
    const struck = new Set<string>()
    const { freight, folder, sent } = await recordingDesk(sandbox, ({ path: at }) => {
      if (!/^\/(print-jobs|connectors)$/.test(at) || struck.has(at)) return undefined
      struck.add(at)
      return Promise.resolve(
        at === "/connectors"
          ? { status: 429, headers: { "retry-after": "1" }, body: { message: "slow down" } }
          : { status: 429, body: { error: "slow down", code: "RATE_LIMIT_EXCEEDED", retryAfter: 1 } },
      )
    })
    await writeFile(path.join(folder, "a.pdf"), "%PDF-1.4\ntrap 23\n%%EOF\n")
    expect((await freight(["print", "pdf", "a.pdf", ...ON], { clock: false })).code).toBe(0)
    expect((await freight(["connectors"], { clock: false })).code).toBe(0)
    for (const end of ["/print-jobs", "/connectors"]) {
      const [first, second] = sent(end === "/connectors" ? "GET" : "POST", end)
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950)
    }
    const env = { DIRECT_PRINT_API_KEY: sandbox.keys.withoutDevicesRead ?? "" }
    const { code, stderr } = await freight(["devices", "list", "--api", "direct-print", "--json"], { env })
    expect(code).toBe(4)
    expect(errorIn(stderr).message).toContain("The key lacks the scope devices:read")
  })

  it("24. DELIVERED of a print job is said as queued", async () => {
    const { freight, folder } = await recordingDesk(sandbox)
    await writeFile(path.join(folder, "a.pdf"), "%PDF-1.4\ntrap 24\n%%EOF\n")
    const { stdout, stderr } = await freight(["print", "pdf", "a.pdf", ...ON])
    expect(stdout).toContain("queued")
    expect(stdout + stderr).not.toMatch(/delivered/i)
  })

  it("25. a PDF has at most 9,000,000 base64 characters, and no line breaks among them", async () => {
    const { freight, folder, sent } = await recordingDesk(sandbox)
    const pdf = (size: number) => Buffer.concat([Buffer.from("%PDF-1.4\n")], size)
    await writeFile(path.join(folder, "most.pdf"), pdf(6_750_000))
    await writeFile(path.join(folder, "more.pdf"), pdf(6_750_001))
    expect((await freight(["print", "pdf", "more.pdf", ...ON])).code).toBe(2)
    expect(sent("POST", "/print-jobs")).toEqual([])
    expect((await freight(["print", "pdf", "most.pdf", ...ON])).code).toBe(0)
    const texts: unknown[] = Object.values(sent("POST", "/print-jobs")[0]?.body)
    const [base64 = ""] = texts.filter((each) => typeof each === "string" && each.length > 1_000)
    expect(String(base64)).toHaveLength(9_000_000)
    expect(String(base64)).toMatch(/^[A-Za-z0-9+/]+=*$/)
  })

  it("26. tracking names no carrier by itself", async () => {
    const { freight, asked } = await recordingDesk(sandbox)
    expect((await freight(["track", "DEMO-B-MOVING"])).code).toBe(0)
    expect(asked.map(({ query }) => query.get("carrier"))).toEqual([null])
    await freight(["track", "DEMO-B-MOVING", "--carrier", "CARRIER_A_AU"])
    expect(asked.at(-1)?.query.get("carrier")).toBe("CARRIER_A_AU")
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
    const { freight, asked } = await recordingDesk(sandbox)
    const { tracking } = (await freight(["track", "DEMO-A-DELIVERED", "--json"], { env })).json<{
      tracking: { pod: { signatureImageUrl: string } }
    }>()
    expect(tracking.pod.signatureImageUrl).toMatch(/^https:/)
    expect((await freight(["track", "DEMO-A-DELIVERED"], { env })).code).toBe(0)
    const without = (await freight(["track", "DEMO-B-DELIVERED", "--json"])).json<{ tracking: object }>()
    expect("pod" in without.tracking).toBe(false)
    expect([connections, asked.every(({ path: at }) => at === "/track")]).toEqual([0, true])
  })

  it("28. of a key the 64 hexadecimal characters are checked, and no prefix", async () => {
    const { freight, asked } = await recordingDesk(sandbox)
    const hex = "0123456789abcdef".repeat(4)
    const connectors = (FREIGHT_API_KEY: string) => freight(["connectors"], { env: { FREIGHT_API_KEY } })
    expect((await connectors(`whatever.${hex}`)).code).toBe(4)
    expect(asked).toHaveLength(1)
    expect((await connectors(`whatever.${hex.slice(1)}`)).code).toBe(2)
    expect(asked).toHaveLength(1)
  })

  it("29. the base's own path stays, with and without a slash at its end", async () => {
    const { freight, env, asked } = await recordingDesk(sandbox)
    const base = env.FREIGHT_BASE_URL ?? ""
    for (const FREIGHT_BASE_URL of [base, `${base}/`])
      await freight(["connectors"], { env: { FREIGHT_BASE_URL } })
    expect(asked.map(({ url }) => url)).toEqual(["/freight/v0/connectors", "/freight/v0/connectors"])
  })

  it("30. a UN number and a postcode are texts, and a spreadsheet's lost zero is put back", async () => {
    const { freight, folder, book, sent } = await recordingDesk(sandbox)
    const darwin = { "receiver.suburb": "Darwin", "receiver.state": "NT", "receiver.postcode": "800" }
    await writeFile(path.join(folder, "orders.csv"), csvOf([order("trap-30", darwin)]))
    expect((await freight(["batch", "book", "orders.csv", "--dry-run"])).stderr).toContain("0800")
    const goods = {
      unNumber: "0012",
      hazClass: "1.4S",
      packageType: "Box",
      quantity: "1",
      aggregateQuantity: "1",
      shippingName: "Cartridges",
      contactName: "Dana Lee",
      contactPhone: "0255501234",
    }
    const set = Object.entries(goods).flatMap(([name, text]) => [
      "--set",
      `dangerousGoodsDetails.${name}=${text}`,
    ])
    expect((await book("--set", "dangerousGoods=true", ...set)).code).toBe(0)
    expect(sent("POST", "/shipments")[0]?.body.dangerousGoodsDetails.unNumber).toBe("0012")
  })

  it("31. text of a server reaches the terminal without control characters", async () => {
    const { freight } = await recordingDesk(sandbox, ({ path: at }, ask) =>
      at !== "/connectors"
        ? undefined
        : ask().then((reply) => {
            const { connectors } = reply.body as { connectors: { name: string }[] }
            for (const each of connectors) each.name = `\u001b[31m\u0007owned\r\n${each.name}`
            return reply
          }),
    )
    const { stdout } = await freight(["connectors"])
    expect(stdout).toContain("owned")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it("32. a service that several connectors have is not booked on any of them by guess", async () => {
    const { freight, sent } = await recordingDesk({
      ...sandbox,
      freightApiKey: sandbox.keys.secondTenantFreight ?? "",
    })
    const { code, stderr } = await freight(["book", "--file", "booking.json", "--service", "76"])
    expect(code).toBe(2)
    for (const id of ["second-a-sydney", "second-a-perth"]) expect(stderr).toContain(id)
    expect(sent("POST", "/shipments")).toEqual([])
  })

  it("33. a rate's null is not echoed into a booking, which has none", async () => {
    const { freight, sent } = await recordingDesk(sandbox, ({ path: at }, ask) =>
      !at.endsWith("/rates")
        ? undefined
        : ask().then((reply) => {
            const { results, rates } = reply.body as { results?: { rates?: Rate[] }[]; rates?: Rate[] }
            for (const rate of [...(rates ?? []), ...(results ?? []).flatMap((each) => each.rates ?? [])]) {
              rate.eta = null
              rate.transitDays = null
              delete rate.rateId
            }
            return reply
          }),
    )
    const words = [
      "book",
      "--file",
      "booking.json",
      "--connector",
      "connector-b",
      "--service",
      "GEN",
      "--json",
    ]
    expect((await freight(words)).code).toBe(0)
    const text = JSON.stringify(sent("POST", "/shipments")[0]?.body)
    expect(text).not.toContain("null")
    expect(text).not.toContain("committedEta")
  })

  it("34. an absent pickupStatus is unknown, and any pickup 500 may have made one", async () => {
    const { freight, book, sent } = await recordingDesk(sandbox, ({ method, path: at }, ask) =>
      method !== "GET" || !/^\/shipments\/[^/]+$/.test(at)
        ? undefined
        : ask().then((reply) => {
            delete (reply.body as { shipment: Partial<Booking> }).shipment.pickupStatus
            return reply
          }),
    )
    const { shipmentId } = (await book(...reference("sandbox:pickup-500-empty"))).json<{
      shipmentId: string
    }>()
    const { stdout } = await freight(["shipments", "show", shipmentId])
    expect(stdout).not.toContain("NOT_BOOKED")
    const pickUp = ["pickup", "book", "--shipment", shipmentId]
    expect((await freight(pickUp)).code).toBe(7)
    expect((await freight([...pickUp, "--again"])).code).toBe(7)
    expect(sent("POST", "/pickups")).toHaveLength(1)
  })

  it.each([
    ["--package", "40x30x20@5"],
    ["--set", "receiver.suburb=Fremantle"],
    ["--set", "collection.suburb=Alexandria"],
  ])("35. a pickup of a shipment takes no goods or addresses of its own: %s %s", async (...mixed) => {
    const { freight, sent } = await recordingDesk(sandbox)
    const { code } = await freight(["pickup", "book", "--shipment", "demo-shipment", ...mixed])
    expect(code).toBe(2)
    expect(sent("POST", "/pickups")).toEqual([])
  })

  it("36. a 403 on printing a label has two causes, and both are named", async () => {
    const { book, freight } = await recordingDesk({
      ...sandbox,
      freightApiKey: sandbox.keys.noDirectPrint ?? "",
    })
    const { shipmentId } = (await book("--connector", "no-direct-print-b")).json<Booking>()
    const { code, stderr } = await freight(["print", "label", shipmentId, ...ON])
    expect(code).toBe(4)
    expect(stderr).toMatch(/[Ff]reight access.*or direct print/s)
  })

  it("37. a limit outside 1 to 200 is not sent, and both ends of a window are in it", async () => {
    const { freight, asked } = await recordingDesk(sandbox)
    for (const limit of ["0", "201"])
      expect((await freight(["shipments", "list", "--limit", limit])).code).toBe(2)
    expect(asked).toEqual([])
    expect((await freight(["shipments", "list", "--limit", "200"])).code).toBe(0)
    const problems = (ready: string, close: string) =>
      checkCollectionWindow({ collectionDateTime: `2027-11-23T${ready}:00`, collectionCloseTime: close })
        .length
    expect([problems("07:00", "1300"), problems("17:00", "1900")]).toEqual([0, 0])
    expect([problems("06:59", "1300"), problems("17:01", "1915")]).not.toContain(0)
  })
})

interface Booking {
  shipmentId: string
  pickupStatus: string
}

interface Rate {
  rateId?: string
  eta: string | null
  transitDays: number | null
}
