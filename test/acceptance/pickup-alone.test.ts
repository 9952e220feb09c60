import type { BookedPickup } from "../../src/contract/own-ids.ts"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { PickupBookingRequest } from "../../src/contract/generated/types.ts"
import { address, booking } from "../sandbox/requests.ts"
import { desk, errorIn } from "./freight.ts"
import { pickupsAt } from "./pickups.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const pickups = () => pickupsAt(sandbox)

const WHEN = ["--date", "2030-11-25", "--ready", "10:00", "--close", "17:00"]
const ALONE: PickupBookingRequest = {
  pickupDate: "2030-11-25",
  readyTime: "10:00",
  closeTime: "17:00",
  serviceCode: "76",
  collection: address({ email: "dock@example.com" }),
  items: booking().items,
  receiver: address({ suburb: "Fremantle", state: "WA", postcode: "6160" }),
}

describe("pickup book, on its own", () => {
  /** A desk with a pickup file and two addresses. */
  async function pickupDesk(changes: Partial<Record<keyof PickupBookingRequest, unknown>> = {}) {
    const made = await desk(sandbox)
    const write = (name: string, value: unknown) =>
      writeFile(path.join(made.folder, name), `${JSON.stringify(value, null, 2)}\n`)
    await write("pickup.json", { ...ALONE, ...changes })
    await write("collection.json", ALONE.collection)
    await write("receiver.json", ALONE.receiver)
    return made
  }

  const PARTIES = ["--collection", "collection.json", "--receiver", "receiver.json"]
  const GOODS = ["--package", "2x40x30x20@5.5"]

  it("books a file as it is", async () => {
    const { freight } = await pickupDesk()
    const { code, json, stderr } = await freight([
      "pickup",
      "book",
      "--file",
      "pickup.json",
      "--connector",
      "connector-a",
      "--json",
    ])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(json<{ items: BookedPickup[] }>().items[0]?.status).toBe("BOOKED")
  })

  it("makes the same request of flags as of a file", async () => {
    const { freight } = await pickupDesk()
    const service = ["--connector", "connector-a", "--service", "76"]
    const { json } = await freight(["pickup", "book", ...service, ...PARTIES, ...GOODS, ...WHEN, "--dry-run"])
    expect(json()).toEqual(ALONE)
  })

  it("lets flags go over the file", async () => {
    const { freight } = await pickupDesk({ readyTime: "1130" })
    const { json } = await freight([
      "pickup",
      "book",
      "--file",
      "pickup.json",
      "--connector",
      "connector-a",
      "--close",
      "4pm",
      "--set",
      "items.count=3",
      "--dry-run",
    ])
    expect(json()).toMatchObject({ readyTime: "11:30", closeTime: "16:00", items: { count: 3 } })
  })

  it("finds the connector by a service that only one has", async () => {
    const { freight } = await pickupDesk({ serviceCode: "STD" })
    const { json } = await freight(["pickup", "book", "--file", "pickup.json", "--json"])
    expect(json<{ items: BookedPickup[] }>().items[0]?.connectorId).toBe("connector-c")
  })

  it("is all or nothing, with the flags that are missing", async () => {
    const { freight } = await pickupDesk()
    const before = await pickups()
    const { code, stderr } = await freight(["pickup", "book", "--collection", "collection.json", ...WHEN])
    expect(code).toBe(2)
    for (const flag of ["--receiver", "--package"]) expect(stderr).toContain(flag)
    expect(await pickups()).toBe(before)
  })

  it("says where in the file a problem is", async () => {
    const { freight } = await pickupDesk({ items: { ...ALONE.items, count: "two" } })
    const { code, stderr } = await freight(["pickup", "book", "--file", "pickup.json", "--json"])
    expect(code).toBe(2)
    const [problem] = errorIn(stderr).errors
    expect(problem).toMatchObject({ field: "items.count", line: expect.any(Number) })
  })

  it.each<[string, string[]]>([
    ["--collection", ["--collection", "collection.json"]],
    ["--receiver", ["--receiver", "receiver.json"]],
    ["--package", GOODS],
    ["a file of the other kind", ["--file", "pickup.json"]],
  ])("is not mixed with a shipment: %s", async (_name, more) => {
    const { freight } = await pickupDesk()
    const { code, stderr } = await freight(["pickup", "book", "--shipment", "s", ...more])
    expect([code, stderr]).toEqual([2, expect.stringContaining("with shipmentId")])
  })

  it.each(["connector-a", "connector-c"])("needs a service on %s", async (connector) => {
    const { freight } = await pickupDesk({ serviceCode: undefined })
    const { code, stderr } = await freight([
      "pickup",
      "book",
      "--file",
      "pickup.json",
      "--connector",
      connector,
    ])
    expect([code, stderr]).toEqual([2, expect.stringContaining("serviceCode is missing")])
  })

  it("needs no service on connector-b", async () => {
    const { freight } = await pickupDesk({ serviceCode: undefined })
    const args = ["pickup", "book", "--file", "pickup.json", "--connector", "connector-b"]
    expect((await freight(args)).code).toBe(0)
  })

  it("needs the connector when nothing tells it", async () => {
    const { freight } = await pickupDesk({ serviceCode: undefined })
    const { code, stderr } = await freight(["pickup", "book", "--file", "pickup.json"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--connector")])
  })

  it("is the same pickup again only when all of it is", async () => {
    const { freight } = await pickupDesk({
      collection: address({ address2: "Dock 9", email: "d@example.com" }),
    })
    const args = ["pickup", "book", "--file", "pickup.json", "--connector", "connector-a"]
    expect((await freight(args)).code).toBe(0)
    expect((await freight(args)).code).toBe(1)
    expect((await freight([...args, "--close", "16:00"])).code).toBe(0)
  })

  it.each([
    [["--date", "2030-02-30"], "--date"],
    [["--ready", "25:00"], "--ready"],
    [["--ready", "10:00:30"], "seconds"],
    [["--close", "late"], "--close"],
    [["--ready", "2030-11-26T09:30", "--date", "2030-11-25"], "--ready is on 2030-11-26"],
    [["--set", "itemz.count=2"], "items"],
    [["--key", ""], "--key is empty"],
  ])("%j is refused before anything is sent", async (more, words) => {
    const { freight } = await pickupDesk()
    const before = await pickups()
    const args = ["pickup", "book", "--file", "pickup.json", "--connector", "connector-a", ...more]
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(await pickups()).toBe(before)
  })
})
