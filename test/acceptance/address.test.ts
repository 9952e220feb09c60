import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingFile, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { desk } from "./freight.ts"
import { ownBooking } from "./bookings.ts"

const PERTH = {
  companyName: "Port Street Fittings",
  contactName: "Lee Watson",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}
const SETS = Object.entries(PERTH).flatMap(([field, value]) => ["--set", `${field}=${value}`])

/** A desk with `perth.json`, and `booking.json` without any party but what `parties` leaves in. */
async function readyDesk(parties: readonly (keyof BookingFile)[] = []) {
  const made = await desk()
  const booking = ownBooking()
  const without = ["sender", "collection", "receiver"].filter(
    (end) => !parties.includes(end as keyof BookingFile),
  )
  const file = Object.fromEntries(Object.entries(booking).filter(([name]) => !without.includes(name)))
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(file))
  await writeFile(path.join(made.folder, "perth.json"), JSON.stringify(PERTH))
  const dryRun = (...more: string[]) =>
    made.freight(["book", "--sandbox", "--dry-run", "--file", "booking.json", ...more])
  return { ...made, dryRun }
}

describe("address add", () => {
  it("saves an address from standard input, with --set over it", async () => {
    const { freight } = await desk()
    const args = ["address", "add", "perth", "--file", "-", "--set", "contactName=Kim"]
    const { code, json } = await freight([...args, "--json"], { input: JSON.stringify(PERTH) })
    expect(code).toBe(0)
    expect(json()).toEqual({
      ...{ address2: null, phoneAreaCode: null, phoneNumber: null, email: null, residential: null },
      ...{ name: "perth", ...PERTH, contactName: "Kim", warnings: [] },
    })
  })

  it("saves an address in one line, with --set over it", async () => {
    const { freight } = await desk()
    const line = "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 0491 570 156"
    const { code, json } = await freight([
      "address",
      "add",
      "perth",
      line,
      "--set",
      "contactName=Kim",
      "--json",
    ])
    expect(code).toBe(0)
    expect(json()).toMatchObject({
      name: "perth",
      ...PERTH,
      ...{ contactName: "Kim", phoneNumber: "0491570156" },
    })
  })

  it.each([
    ["names what a line lacks", ["8 Market Street, Fremantle WA 6160"], "companyName is missing"],
    ["says how a line is written", ["Port Street Fittings"], "is not an address: write it as"],
    ["takes a line or a file", ["8 Market Street, Fremantle WA 6160", "--file", "perth.json"], "not both"],
  ])("%s", async (_, more, told) => {
    const { freight } = await readyDesk()
    const { code, stderr } = await freight(["address", "add", "perth", ...more])
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)])
    expect((await freight(["address", "list", "--json"])).items()).toEqual([])
  })

  it.each([
    ["O'Brien", `"O'Brien"`],
    ["A&B", '"A&B"'],
    ["two words", '"two words"'],
  ])("says how %s is used, for a shell and for the service that it was saved with", async (name, word) => {
    const { freight } = await desk()
    const line = "Port Street Fittings, 8 Market Street, Fremantle WA 6160"
    const { stderr } = await freight(["address", "add", "--sandbox", name, line])
    expect(stderr).toBe(`Saved as "${name}": freight book --receiver ${word} --sandbox\n`)
  })

  it("is what the profile's sender needs, where its address was given instead of its name", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["config", "set", "sender", "8 Market Street, Fremantle WA 6160"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("freight address add NAME ADDRESS saves one")])
  })

  it.each([
    ["text", '"800"'],
    ["a number", "800"],
  ])("gives a postcode the zero back that a spreadsheet took: %s", async (_, postcode) => {
    const { freight } = await desk()
    const text = JSON.stringify({ ...PERTH, suburb: "Darwin", state: "NT" }).replace('"6160"', postcode)
    const { code, stderr } = await freight(["address", "add", "darwin", "--file", "-"], { input: text })
    expect([code, stderr]).toEqual([0, expect.stringContaining("0800")])
    const [saved] = (await freight(["address", "list", "--json"])).items<{ postcode: string }>()
    expect(saved?.postcode).toBe("0800")
  })

  it("warns of a phone number and an email address that reach nobody", async () => {
    const { freight } = await desk()
    const doubtful = ["--set", "phoneNumber=5550 1234", "--set", "email=dock@harbour"]
    const { code, stderr } = await freight(["address", "add", "perth", ...SETS, ...doubtful])
    expect(code).toBe(0)
    expect(stderr).toContain('phoneNumber "5550 1234" has no area code: write it as 02 5550 1234')
    expect(stderr).toContain('email "dock@harbour" does not look like an email address')
  })

  it("refuses a state that the postcode cannot have", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["address", "add", "perth", ...SETS, "--set", "state=NSW"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("belongs to WA")])
  })

  it("tells every problem at once, and saves nothing", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["address", "add", "perth", "--set", "suburb=Perth", "--json"])
    expect(code).toBe(2)
    const fields = JSON.parse(stderr).error.errors.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual(["address1", "companyName", "postcode", "state"])
    expect((await freight(["address", "list", "--json"])).items()).toEqual([])
  })

  it.each(["a/b", "perth.json", ""])("refuses the name '%s', which would be a file's", async (name) => {
    const { freight } = await desk()
    expect((await freight(["address", "add", name, ...SETS])).code).toBe(2)
  })
})

describe("address list and remove", () => {
  it("are shared by all profiles", async () => {
    const { freight } = await desk()
    await freight(["address", "add", "perth", ...SETS])
    await freight(["config", "set", "timeout", "9", "--profile", "other"])
    expect((await freight(["address", "list", "--profile", "other"])).stdout).toContain("perth")
  })

  it("warns of a profile that still names it", async () => {
    const { freight } = await desk()
    await freight(["address", "add", "perth", ...SETS])
    await freight(["config", "set", "sender", "perth"])
    const { stderr } = await freight(["address", "remove", "perth"])
    expect(stderr).toContain("freight config unset sender --profile default")
  })
})

describe("a booking's parties", () => {
  it("are saved addresses by name, or files", async () => {
    const { freight, dryRun } = await readyDesk()
    await freight(["address", "add", "perth dock", ...SETS])
    const { code, json } = await dryRun("--sender", "perth dock", "--receiver", "perth.json")
    expect(code).toBe(0)
    expect(json<ConsignmentBookingRequest>()).toMatchObject({
      sender: PERTH,
      collection: PERTH,
      receiver: PERTH,
    })
  })

  it("come from the profile where the booking gives none, and a note says so", async () => {
    const { freight, dryRun } = await readyDesk(["receiver"])
    await freight(["address", "add", "perth", ...SETS])
    await freight(["address", "add", "dock", ...SETS, "--set", "address1=Dock 4"])
    await freight(["config", "set", "sender", "perth"])
    await freight(["config", "set", "collection", "dock"])
    const { code, json, stderr } = await dryRun()
    expect(code).toBe(0)
    expect(json()).toMatchObject({ sender: PERTH, collection: { ...PERTH, address1: "Dock 4" } })
    expect(stderr).toContain('The sender is the saved address "perth", from profile "default".')
    expect(stderr).toContain('The collection is the saved address "dock"')
  })

  it("that the booking gives go before the profile's", async () => {
    const { freight, dryRun } = await readyDesk(["sender", "collection", "receiver"])
    await freight(["address", "add", "perth", ...SETS])
    await freight(["config", "set", "sender", "perth"])
    const { json, stderr } = await dryRun()
    expect(json<ConsignmentBookingRequest>().sender.suburb).toBe("Alexandria")
    expect(stderr).not.toContain("saved address")
  })

  it("a profile that names an address which was removed: nothing is sent", async () => {
    const { freight, dryRun } = await readyDesk(["receiver"])
    await freight(["address", "add", "perth", ...SETS])
    await freight(["config", "set", "sender", "perth"])
    await freight(["address", "remove", "perth"])
    const { code, stderr } = await dryRun()
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no saved address "perth"')])
  })

  it("the profile's business unit goes into bookings and rate requests that name none", async () => {
    const { freight, dryRun } = await readyDesk(["sender", "receiver"])
    await freight(["config", "set", "businessUnit", "UNIT_B"])
    const { json, stderr } = await dryRun()
    expect(json()).toMatchObject({ businessUnit: "UNIT_B" })
    expect(stderr).toContain("UNIT_B, from the profile")
    expect((await dryRun("--set", "businessUnit=UNIT_A")).json()).toMatchObject({ businessUnit: "UNIT_A" })
    const rates = ["rate-shop", "--sandbox", "--verbose", "--from", "Alexandria NSW 2015"]
    const asked = await freight([...rates, "--to", "Fremantle WA 6160", "--package", "40x30x20@5"])
    expect(asked.stderr).toContain('"businessUnit":"UNIT_B"')
  })
})
