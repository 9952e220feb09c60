/** Saved packages, places and earlier bookings, so that they need not be typed again. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { desk, errorIn, type Ran } from "./freight.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"]
/** Monday of next week or later, so that nothing has passed. */
const READY = exampleBooking(Date.now()).collectionDateTime

type Desk = Awaited<ReturnType<typeof desk>>

async function requestOf({ freight }: Desk, ...args: string[]): Promise<ConsignmentBookingRequest> {
  const { code, stdout, stderr } = await freight(["book", "--sandbox", "--dry-run", "--no-rate", ...args])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

async function book({ folder, freight }: Desk, customerReference: string, changes = {}): Promise<void> {
  const booking = { ...exampleBooking(Date.now()), customerReference, serviceCode: "GEN", ...changes }
  await writeFile(path.join(folder, "b.json"), JSON.stringify(booking))
  const { code, stderr } = await freight("book --sandbox --file b.json --connector connector-b".split(" "))
  expect(code, stderr).toBe(0)
}

function pricesIn({ items }: Ran): number[] {
  const prices = items<{ price: number }>().map(({ price }) => price)
  expect(prices.length).toBeGreaterThan(5)
  return prices
}

describe("a saved package", () => {
  it("is named with its count, in rate-shop and in a booking", async () => {
    const made = await desk()
    expect((await made.freight(["package", "add", "small", "30x20x10@2"])).code).toBe(0)
    const shop = ["rate-shop", "--sandbox", ...LANE, "--json", "--package"]
    const [named, written] = [
      await made.freight([...shop, "3xsmall"]),
      await made.freight([...shop, "3x30x20x10@2"]),
    ]
    expect(pricesIn(named)).toEqual(pricesIn(written))
    await book(made, "SO-1")
    const { packages, items } = await requestOf(
      made,
      "--like",
      "SO-1",
      "--ready",
      READY,
      "--package",
      "small",
    )
    expect(packages).toEqual([{ count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }])
    expect(items.count).toBe(1)
  })

  it.each([
    ["a name that begins with a digit", ["add", "2small", "30x20x10@2"]],
    ["a size that is none", ["add", "small", "30x20"]],
    ["a size of several", ["add", "small", "2x30x20x10@2"]],
    ["a name to remove that is not there", ["remove", "small"]],
  ])("refuses %s", async (_, args) => {
    const { freight } = await desk()
    expect((await freight(["package", ...args])).code).toBe(2)
    expect((await freight(["package", "list", "--json"])).items()).toEqual([])
  })

  it("that does not exist is reported, with the names that may be meant", async () => {
    const { freight } = await desk()
    await freight(["package", "add", "small", "30x20x10@2"])
    const { code, stderr } = await freight([
      "rate-shop",
      "--sandbox",
      ...LANE,
      "--package",
      "2xsmal",
      "--json",
    ])
    expect(code).toBe(2)
    expect(errorIn(stderr)).toMatchObject({
      message: 'there is no saved package "smal"',
      next: "freight package list --sandbox",
    })
  })
})

describe("a place", () => {
  it("of a saved address is named, and the profile's sender is where goods leave from", async () => {
    const { freight } = await desk()
    const fields = (suburb: string, state: string, postcode: string) =>
      [
        `companyName=${suburb} Pty`,
        "address1=1 High St",
        `suburb=${suburb}`,
        `state=${state}`,
        `postcode=${postcode}`,
      ].flatMap((field) => ["--set", field])
    await freight(["address", "add", "shed", ...fields("Alexandria", "NSW", "2015")])
    await freight(["address", "add", "bobs-bikes", ...fields("Fremantle", "WA", "6160")])
    await freight(["config", "set", "sender", "shed"])
    const rates = async (...lane: string[]) => {
      const ran = await freight(["rate-shop", "--sandbox", ...lane, "--package", "2x40x30x20@5.5", "--json"])
      expect(ran.code, ran.stderr).toBe(0)
      return pricesIn(ran)
    }
    const written = await rates(...LANE)
    expect(await rates("--from", "shed", "--to", "bobs-bikes")).toEqual(written)
    expect(await rates("--to", "Fremantle 6160")).toEqual(written)
  })
})

describe("an earlier booking", () => {
  it("is the start of a new one, without its reference, time and rate", async () => {
    const made = await desk()
    await book(made, "SO-17")
    await book(made, "SO-18", {
      packages: [{ count: 1, lengthCm: 9, widthCm: 9, heightCm: 9, weightKg: 2 }],
      items: undefined,
    })
    const like = await requestOf(made, "--like", "SO-17", "--ready", READY, "--reference", "SO-19")
    const { receiver, packages } = exampleBooking(Date.now())
    expect(like).toMatchObject({ receiver, packages, customerReference: "SO-19", serviceCode: "GEN" })
    const last = await requestOf(made, "--last", "--ready", READY)
    expect(last.packages).toMatchObject([{ lengthCm: 9 }])
    expect(last.customerReference).toBeUndefined()
  })

  it("gives another sender no place of collection, and another receiver no account to bill", async () => {
    const made = await desk()
    await book(made, "SO-17", { payer: { type: "Receiver", accountNumber: "R-1" } })
    const like = ["--like", "SO-17", "--ready", READY]
    const { sender: _, collection, payer } = await requestOf(made, ...like)
    expect([collection.contactName, payer]).toEqual([
      "Loading dock",
      { type: "Receiver", accountNumber: "R-1" },
    ])
    const another = "Top End Lamps, 1 Smith Street, Darwin NT 0800, 08 5550 7777"
    const sent = await requestOf(made, ...like, "--sender", another)
    expect([sent.sender.suburb, sent.collection]).toEqual(["Darwin", sent.sender])
    expect(sent.payer.accountNumber).toBe("R-1")
    const moved = ["--set", "sender.address1=9 Railway Street", "--set", "sender.suburb=Corrimal"]
    const there = await requestOf(made, ...like, ...moved, "--set", "sender.postcode=2518")
    expect([there.sender, there.collection]).toMatchObject([
      { address1: "9 Railway Street", suburb: "Corrimal", contactName: "Dana Reyes" },
      { address1: "9 Railway Street", suburb: "Corrimal", postcode: "2518", contactName: "Loading dock" },
    ])
    const shed = ["--set", "collection.address1=2 Shed Lane"]
    const apart = await requestOf(made, ...like, ...shed, "--set", "sender.address1=9 Railway Street")
    expect([apart.sender.address1, apart.collection.address1]).toEqual(["9 Railway Street", "2 Shed Lane"])
    const wrong = await made.freight([
      "book",
      "--sandbox",
      ...like,
      "--receiver",
      another,
      "--dry-run",
      "--yes",
    ])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain(
      "payer.accountNumber is missing: needed when the receiver or a third party pays",
    )
    expect(wrong.stderr).toContain("which is left out for another receiver: --payer says who pays.")
    const said = await requestOf(made, ...like, "--receiver", another, "--payer", "receiver:R-2")
    expect(said.payer.accountNumber).toBe("R-2")
  })

  it("is named by any of its names, by how one begins, and by its pickup", async () => {
    const made = await desk()
    await book(made, "SO-170001")
    await book(made, "SO-170002", {
      receiver: { ...exampleBooking(Date.now()).receiver, suburb: "Perth", postcode: "6000" },
    })
    const [, first] = (await made.freight(["history", "--sandbox", "--json"])).items<{ shipmentId: string }>()
    const id = first?.shipmentId ?? ""
    const { freight } = made
    const pickup = await freight(["pickup", "book", "--sandbox", "--shipment", id, "--json"])
    const pickupId = pickup.items<{ pickupId: string }>()[0]?.pickupId ?? ""
    for (const name of [id, id.slice(0, 8), "so-170001", pickupId]) {
      const { receiver } = await requestOf(made, "--like", name, "--ready", READY)
      expect(receiver.suburb).toBe("Fremantle")
    }
    const several = await freight(["book", "--sandbox", "--like", "SO-1700", "--json"])
    expect(several.code).toBe(2)
    expect(errorIn(several.stderr).message).toBe('"SO-1700" matches 2 shipments: name one of them')
    expect(errorIn(several.stderr).errors[0].message).toMatch(/^shipment .*SO-17000/)
    // A reference that was used again means its last booking.
    await book(made, "SO-170001", {
      receiver: { ...exampleBooking(Date.now()).receiver, suburb: "Perth", postcode: "6000" },
      packagingCode: "PA",
    })
    expect((await requestOf(made, "--like", "SO-170001", "--ready", READY)).packagingCode).toBe("PA")
  })

  it("that does not exist ends with exit code 5", async () => {
    const { freight } = await desk()
    for (const which of [["--like", "SO-99"], ["--last"]])
      expect((await freight(["book", "--sandbox", ...which])).code).toBe(5)
    expect((await freight(["book", "--sandbox", "--last", "--like", "SO-1"])).code).toBe(2)
  })
})
