/** One vocabulary: the words of people are taken wherever such a thing is taken. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import { addDays } from "../../src/base/wall-clock.ts"
import { desk } from "./freight.ts"

const SENDER = "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015"
const RECEIVER = "Port Street Fittings, 8 Market Street, Fremantle WA 6160"
const GOODS = ["--package", "2x40x30x20@5,5"]
const tomorrow = (zone = "Australia/Sydney") => formatDate(addDays(wallClockNow(Date.now(), zone), 1))

async function printed(args: readonly string[]) {
  const { freight } = await desk()
  const { code, json, stderr } = await freight([...args, "--sandbox", "--dry-run"])
  expect(code, stderr).toBe(0)
  return { request: json(), stderr }
}

const BOOK = ["book", "--sender", SENDER, "--receiver", RECEIVER, ...GOODS, "--service", "Cheapest"]

describe("freight book takes the words of people", () => {
  it("in its flags, and says which day was understood", async () => {
    const { request, stderr } = await printed([
      ...[...BOOK, "--packaging", "carton", "--ready", "tomorrow 10am", "--close", "5:00 PM"],
    ])
    expect(request).toMatchObject({
      collectionDateTime: `${tomorrow()}T10:00:00`,
      collectionCloseTime: "1700",
      packagingCode: "CT",
      packages: [{ count: 2, weightKg: 5.5 }],
      receiver: {
        companyName: "Port Street Fittings",
        address1: "8 Market Street",
        suburb: "Fremantle",
        state: "WA",
        postcode: "6160",
      },
    })
    expect(stderr).toMatch(/Ready \w{3} \d+ \w{3} \d{4}, 10:00, local time at the collection address\./)
  })

  it("in an address with its phone at the end, and refuses one that is incomplete", async () => {
    const line = "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 08 5550 4321"
    const times = ["--packaging", "carton", "--ready", "tomorrow 10am", "--close", "17:00"]
    const { request } = await printed([...BOOK, "--receiver", line, ...times])
    expect(request).toMatchObject({
      receiver: { suburb: "Fremantle", phoneAreaCode: "08", phoneNumber: "55504321" },
    })
    const { freight } = await desk()
    const wrong = ["--receiver", "8 Market Street, Fremantle, 08 5550 4321", "--sandbox", "--dry-run"]
    const refused = await freight([...BOOK, ...times, ...wrong])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('"Fremantle" has no state')])
  })

  it("in the values of --set", async () => {
    const { request } = await printed([
      ...[...BOOK, "--set", "packagingCode=Pallets", "--set", "collectionDateTime=28/02/2031 5:00 PM"],
      ...["--set", "collectionCloseTime=6pm"],
    ])
    expect(request).toMatchObject({
      packagingCode: "PA",
      collectionDateTime: "2031-02-28T17:00:00",
      collectionCloseTime: "1800",
    })
  })

  it.each([
    [
      "collectionDateTime=soon",
      '--set collectionDateTime: "soon" is not a date: write it as 2026-11-23 10:00',
    ],
    ["collectionDateTime=11/12/2030 10:00", "can be 11 Dec 2030 or 12 Nov 2030"],
    ["collectionCloseTime=late", "--set collectionCloseTime: "],
    ["timeSensitive.deliveryWindow.startDate=Fri 30 Nov 2026", "is Mon 30 Nov 2026, not a Friday"],
  ])("and refuses --set %s as it refuses a flag", async (set, message) => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...BOOK, "--set", set, "--sandbox", "--dry-run"])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("freight pickup book takes the words of people", () => {
  it.each([
    ["with the day in --ready", ["--ready", "tomorrow 10am"], tomorrow()],
    ["with it in --date", ["--date", "28/02/2031", "--ready", "10am"], "2031-02-28"],
  ])("for its times, %s", async (_, times, pickupDate) => {
    const alone = ["pickup", "book", "--collection", SENDER, "--receiver", RECEIVER, ...GOODS]
    const { request } = await printed([...alone, ...times, "--close", "5:00 PM"])
    expect(request).toMatchObject({ pickupDate, readyTime: "10:00", closeTime: "17:00" })
  })
})

describe("freight rate-shop takes the words of people", () => {
  it("for places, the day and the service", async () => {
    const { freight } = await desk()
    const { code, json, stderr } = await freight([
      ...["rate-shop", "--sandbox", "--from", SENDER, "--to", "8 Market Street, Fremantle WA 6160", ...GOODS],
      ...["--date", "tomorrow", "--service", "cheapest", "--json"],
    ])
    expect(code, stderr).toBe(0)
    expect(json<{ items: unknown[] }>().items).toHaveLength(1)
  })
})

describe("freight invoice new takes the words of people", () => {
  it("for its dates and its address", async () => {
    const { freight } = await desk()
    const { code, json, stderr } = await freight([
      ...["invoice", "new", "--number", "INV-1", "--po", "PO-7", "--supplier-id", "S-1"],
      ...["--supplier-name", "Harbour Lighting", "--abn", "51824753556", "--line", "2 x Lamp @ 19.99"],
      ...["--bill-to", RECEIVER, "--date", "20/11/2026", "--due", "20 Dec"],
    ])
    expect(code, stderr).toBe(0)
    expect(json()).toMatchObject({
      data: {
        invoiceDate: "2026-11-20T00:00:00Z",
        dueDate: "2026-12-20T00:00:00Z",
        billTo: { addressee: "Port Street Fittings", street1: "8 Market Street", city: "Fremantle" },
      },
    })
  })
})

describe("--set takes the words of people", () => {
  const WINDOW = ["startDate=28/02/2031", "endDate=1 Mar 2031", "startTime=9am"]
  const slot = (time: string) => [`timeslot.dateTime=${time}`, "timeslot.reference=D-1"]
  it.each<[string[], object]>([
    [
      WINDOW.map((each) => `deliveryWindow.${each}`),
      { deliveryWindow: { startDate: "2031-02-28", endDate: "2031-03-01", startTime: "09:00" } },
    ],
    [slot("25/11/2031 9:30am"), { timeslot: { dateTime: "2031-11-25T09:30:00", reference: "D-1" } }],
    [slot("2031-11-25T09:30:00+11:00"), { timeslot: { dateTime: "2031-11-25T09:30:00+11:00" } }],
  ])("for the days and times in which to deliver: %j", async (sets, timeSensitive) => {
    const { request } = await printed([
      ...[...BOOK.slice(0, -1), "GEN", "--connector", "connector-b", "--packaging", "carton"],
      ...["--ready", "tomorrow 10am", "--close", "17:00", "--no-rate"],
      ...sets.flatMap((set) => ["--set", `timeSensitive.${set}`]),
    ])
    expect(request).toMatchObject({ timeSensitive })
  })
})

describe("freight batch book takes the words of people", () => {
  it("in the cells of its rows", async () => {
    const { freight, folder } = await desk()
    await writeFile(
      path.join(folder, "orders.csv"),
      [
        "Reference,Company,Address,Package,Packaging,Service,Ready,Close",
        'SO-1,Port Street Fittings,"8 Market Street, Fremantle WA 6160",2 x 40x30x20 5.5kg,Cartons,Fastest,tomorrow 10am,5:00 PM',
      ].join("\n"),
    )
    const { code, stderr, stdout } = await freight([
      ...["batch", "book", "orders.csv", "--sandbox", "--dry-run", "--sender", SENDER],
    ])
    expect(code, stderr + stdout).toBe(0)
    expect(stderr).toContain("is taken as street, suburb, state and postcode")
  })
})
