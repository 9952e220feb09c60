/** A rate is booked only for what it was quoted for; a service that is left open is chosen in one line. */
import type { Rate } from "../../src/app/library.ts"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { ownBooking, bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const shipments = async () =>
  ((await sandbox.control("books")) as { shipments: { request: ConsignmentBookingRequest }[] }).shipments
let references = 0

/** A desk with the example booking under a reference of its own, and a rate of its lane. */
async function rateDesk(...quote: string[]) {
  const made = await bookingDesk(sandbox)
  const example = ownBooking()
  const save = (changes: object) =>
    writeFile(
      path.join(made.folder, "booking.json"),
      JSON.stringify({ ...example, customerReference: `rate-${++references}`, ...changes }),
    )
  await save({})
  const rates = async (...more: string[]) => {
    const { items } = await made.freight(["rate-shop", ...LANE, ...quote, ...more, "--json"])
    return items<Rate>()
  }
  return { ...made, example, save, rates }
}

const { companyName, address1 } = { companyName: "Top End Lamps", address1: "1 Smith Street" }

describe("a rate", () => {
  it.each([
    [
      "another receiver",
      { receiver: { companyName, address1, suburb: "Darwin", state: "NT", postcode: "0800" } },
      "receiver",
      "is Darwin NT 0800, and the rate was quoted for Fremantle WA 6160",
    ],
    [
      "other packages",
      { packages: [{ count: 3, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }] },
      "packages",
      "is 3x40x30x20@5.5, and the rate was quoted for 2x40x30x20@5.5",
    ],
    [
      "another payer",
      { payer: { type: "Receiver", accountNumber: "123" } },
      "payer",
      "is Receiver, and the rate was quoted for Sender",
    ],
  ])("is not booked for %s", async (_, changes, field, words) => {
    const { book, save, rates } = await rateDesk()
    const [rate] = await rates("--cheapest")
    await save(changes)
    const before = (await shipments()).length
    const { code, stdout, stderr } = await book("--rate", rate?.rateId ?? "")
    expect([code, stdout]).toEqual([2, ""])
    expect(errorIn(stderr).errors).toMatchObject([{ field, message: `${field} ${words}` }])
    expect((await shipments()).length).toBe(before)
  })

  it("tells every difference at once, and also what flags changed", async () => {
    const { book, rates, save } = await rateDesk()
    const [rate] = await rates("--cheapest")
    await save({ receiver: { companyName, address1, suburb: "Hobart", state: "TAS", postcode: "7000" } })
    const args = ["--rate", rate?.rateId ?? "", "--package", "1x10x10x10@1", "--payer", "thirdparty:9"]
    const { code, stderr } = await book(...args, "--dry-run")
    expect(code).toBe(2)
    const fields = errorIn(stderr).errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(["receiver", "packages", "payer"])
  })

  it("is booked for the same goods in other words", async () => {
    const { book, rates, save, example } = await rateDesk()
    const [rate] = await rates("--cheapest")
    const each = { count: 1, lengthCm: 30, widthCm: 40, heightCm: 20, weightKg: 5.5 }
    await save({
      packages: [each, each],
      receiver: { ...example.receiver, suburb: "FREMANTLE", state: "Western Australia" },
    })
    expect((await book("--rate", rate?.rateId ?? "")).code).toBe(0)
  })

  it("is compared by freight api as well", async () => {
    const { freight, rates, example, folder } = await rateDesk()
    const [rate] = await rates("--cheapest")
    const items = { count: 9, totalWeightKg: 9, maxLengthCm: 9, maxWidthCm: 9, maxHeightCm: 9 }
    const packages = [{ count: 9, lengthCm: 9, widthCm: 9, heightCm: 9, weightKg: 1 }]
    const { rateId, serviceCode, connectorId } = rate ?? {}
    await writeFile(
      path.join(folder, "b.json"),
      JSON.stringify({ ...example, items, packages, serviceCode, rateId }),
    )
    const { code, stderr } = await freight([
      "api",
      "POST",
      `${connectorId}/shipments`,
      "--file",
      "b.json",
      "--json",
    ])
    expect(code).toBe(2)
    expect(errorIn(stderr).errors).toMatchObject([{ field: "packages" }])
    await writeFile(
      path.join(folder, "other.json"),
      JSON.stringify({ ...example, items, packages, serviceCode: "EXP", rateId }),
    )
    const other = await freight(["api", "POST", `${connectorId}/shipments`, "--file", "other.json", "--json"])
    expect([other.code, errorIn(other.stderr).message]).toEqual([
      2,
      expect.stringContaining(`is for service ${serviceCode}, not EXP`),
    ])
  })
})

describe("book --service", () => {
  it.each([
    ["cheapest", "--cheapest"],
    ["fastest", "--fastest"],
    ["Cheapest", "--cheapest"],
  ])("%s books what rate-shop %s gives", async (word, flag) => {
    const { book, rates, example } = await rateDesk("--date", "2030-11-25")
    const times = ["--ready", "2030-11-25T10:00"]
    const [rate] = await rates(flag)
    const { code, json, stderr } = await book("--service", word, ...times)
    expect(code, stderr).toBe(0)
    expect(json<BookingResponse>().connectorId).toBe(rate?.connectorId)
    const sent = (await shipments()).at(-1)?.request
    expect(sent).toMatchObject({ serviceCode: rate?.serviceCode, rateId: expect.any(String) })
    expect(sent?.receiver).toEqual(example.receiver)
    expect(stderr).toMatch(
      new RegExp(`Price: AUD [\\d.]+.*service ${rate?.serviceCode} of ${rate?.connectorId}`),
    )
  })

  it("cheapest may stand in the file, and goes over the file's own rate when it is a flag", async () => {
    const { book, save, rates } = await rateDesk()
    await save({ serviceCode: "cheapest" })
    expect((await book()).code).toBe(0)
    const all = await rates("--sort", "price")
    const dearest = all.toSorted((one, other) => (other.price ?? 0) - (one.price ?? 0))[0]
    await save({ serviceCode: dearest?.serviceCode, rateId: dearest?.rateId })
    expect((await book("--service", "cheapest")).code).toBe(0)
    expect((await shipments()).at(-1)?.request.rateId).not.toBe(dearest?.rateId)
  })

  it("cheapest under a key is booked once, whatever is cheapest later", async () => {
    const { book } = await rateDesk()
    const first = await book("--service", "cheapest", "--key", "CHEAP-1")
    const before = (await shipments()).length
    const again = await book("--service", "cheapest", "--key", "CHEAP-1")
    expect([first.code, again.code]).toEqual([0, 0])
    expect(again.json()).toEqual(first.json())
    expect((await shipments()).length).toBe(before)
  })

  it("cheapest beside --rate is a contradiction", async () => {
    const { book, rates } = await rateDesk()
    const [rate] = await rates("--cheapest")
    const { code, stderr } = await book("--service", "cheapest", "--rate", rate?.rateId ?? "")
    expect(code).toBe(2)
    expect(errorIn(stderr).message).toContain(`is for service ${rate?.serviceCode}`)
  })

  it.each(["EXP", "cheapest"])("--set serviceCode=%s beside --rate is a contradiction", async (code) => {
    const { book, rates } = await rateDesk()
    const [rate] = await rates("--cheapest")
    const words = ["--rate", rate?.rateId ?? "", "--set", `serviceCode=${code}`]
    for (const last of [[], ["--dry-run"]]) {
      const ran = await book(...words, ...last)
      expect(ran.code).toBe(2)
      expect(errorIn(ran.stderr).message).toContain(`is for service ${rate?.serviceCode}, not ${code}`)
    }
    expect((await book(...words.slice(0, 3), `serviceCode=${rate?.serviceCode}`)).code).toBe(0)
  })
})

describe("book --max-price", () => {
  it.each([
    ["--service", "cheapest"],
    ["--service", "GEN"],
    ["--rate"],
  ])("holds for %s %s", async (...how) => {
    const { book, rates } = await rateDesk()
    const [rate] = await rates("--cheapest")
    const args = how.length === 1 ? ["--rate", rate?.rateId ?? ""] : how
    const before = (await shipments()).length
    const { code, stderr } = await book(...args, "--max-price", "1")
    expect(code).toBe(1)
    expect(errorIn(stderr).message).toMatch(/your wishes \(.*at most 1.00\)$/)
    expect(errorIn(stderr).errors[0].message).toMatch(/over the limit/)
    expect((await shipments()).length).toBe(before)
    expect((await book(...args, "--max-price", "5000")).code).toBe(0)
  })

  it("refuses a rate whose price is not known here", async () => {
    const { book } = await rateDesk()
    const { code, stderr } = await book(
      "--rate",
      "rate-of-another-machine",
      "--service",
      "GEN",
      "--connector",
      "connector-b",
      "--max-price",
      "5000",
    )
    expect(code).toBe(1)
    expect(errorIn(stderr).message).toContain("price and arrival of that rate are not known here")
  })
})

describe("the price of a booking", () => {
  it("is reported before and after, and by a dry run on standard error", async () => {
    const { book } = await rateDesk()
    const dry = await book("--service", "GEN", "--dry-run", "--connector", "connector-b")
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/^Price: AUD \d+\.\d\d/m)])
    expect(dry.json()).toMatchObject({ rateId: expect.any(String), quoteId: expect.any(String) })
    const { stderr } = await book("--service", "GEN")
    expect(stderr).toMatch(/^Price: AUD \d+\.\d\d \+ GST = \d+\.\d\d \(service GEN of connector-b\)\.$/m)
    expect(stderr).toMatch(/^Booked: shipment \S+\. Price: AUD \d+\.\d\d \+ GST = \d+\.\d\d\.$/m)
  })

  it("is told by the first dry run of a desk, which has seen no connector", async () => {
    const { freight } = await rateDesk()
    const args = ["book", "--sandbox", "--file", "booking.json", "--dry-run"]
    const { code, stderr } = await freight(args)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Price: AUD \d+\.\d\d/m)
  })

  it("keeps no dry run from a desk that is not signed in", async () => {
    const { freight } = await rateDesk()
    const env = { FREIGHT_BASE_URL: "", FREIGHT_API_KEY: "" }
    const args = ["book", "--file", "booking.json", "--connector", "connector-c", "--dry-run"]
    const { code, stderr } = await freight(args, { env })
    expect(code).toBe(0)
    expect(stderr).toContain("Its price is not known")
    const anywhere = await freight(["book", "--file", "booking.json", "--dry-run"], { env })
    expect(anywhere.code, anywhere.stderr).toBe(0)
  })
})
