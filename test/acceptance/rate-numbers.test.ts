/** Rates that are looked at and booked by their numbers, and what `book` prints. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { ownBooking, bookingDesk } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import type { SandboxReach } from "./sandbox.ts"

const sandbox = await fileSandbox()

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const ASK = ["rate-shop", ...LANE]

/** A desk with a booking that fits the lane, and no service in it. */
async function shopDesk(reach: SandboxReach = sandbox) {
  const made = await bookingDesk(reach)
  const example = ownBooking()
  const { serviceCode: _, ...open } = example
  await writeFile(
    path.join(made.folder, "open.json"),
    JSON.stringify({ ...open, customerReference: "SO-17" }),
  )
  const rows = async (...flags: string[]) =>
    (
      await made.freight([...ASK, ...flags, "--format", "csv", "--fields", "number,serviceCode,rateId,price"])
    ).stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","))
  const book = (...more: string[]) => made.freight(["book", "--file", "open.json", ...more])
  return { ...made, rows, book }
}

describe("rate-shop", () => {
  it("numbers its rates and says what each costs in all, when it arrives, and which is hidden", async () => {
    const { freight } = await shopDesk()
    // The cutoffs of today would depend on the hour.
    const { stdout, stderr } = await freight([...ASK, "--date", "tomorrow"])
    const [heading = "", first = "", ...others] = stdout.split("\n")
    expect(heading).toMatch(
      /^ # +CARRIER +SERVICE +TOTAL AUD INC GST +ARRIVES \(FREMANTLE TIME\) +BOOK BY +COLLECT BY +CODE +RATE$/,
    )
    expect(first).toMatch(/^ 1 +C +Standard +62\.52 to 68\.77 +about \w{3} \d+ \w{3} \(5 days\)/)
    expect(others.join("\n")).toMatch(/^ 2 +B +General Freight +70\.29 +\w{3} \d+ \w{3} 17:00 \(\d+ days\)/m)
    expect(others.join("\n")).toMatch(/^10 +A +\* Technology Express /m)
    expect(stderr).toContain("* not offered by default on your account")
    expect(stderr).toContain("freight book --rate 1\n")
  })

  it.each([
    [[], /TOTAL AUD INC GST/],
    [["--sort", "eta"], /ARRIVES/],
  ])("shows what it is sorted by at 60 columns: %j", async (words, column) => {
    const { freight } = await shopDesk()
    const { stdout, stderr } = await freight([...ASK, "--date", "tomorrow", ...words], { columns: 60 })
    expect(stdout.split("\n")[0]).toMatch(column)
    expect(stderr.match(/does not say|do not say/g)).toHaveLength(1)
    expect(stderr.replace(/\s+/g, " ")).toContain("freight config set gst A=included,C=included")
  })

  it("says in CSV what its total is, after what CSV always had", async () => {
    const { freight } = await shopDesk()
    const { stdout } = await freight([...ASK, "--format", "csv"])
    const [heading = ""] = stdout.split("\n")
    expect(heading).toBe(
      "carrier,serviceCode,description,price,currency,gstBasis,priceGst,priceIncGst,arrives,eta,transitDays,bookingCutoff,collectionCutoff,visibility,rateId,connectorId,quoteId,number,total,standing",
    )
  })
})

describe("book --rate NUMBER", () => {
  it("books the rate of that number in the rates that were shown last, and says which that is", async () => {
    const { rows, book } = await shopDesk()
    await rows()
    const shown = await rows("--sort", "eta")
    const { code, stdout, stderr } = await book("--rate", "3", "--dry-run")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ serviceCode: shown[2]?.[1], rateId: shown[2]?.[2] })
    expect(stderr).toMatch(
      /^Rate 3 of \w{3} \d+ \w{3} \d{4}, \d\d:\d\d: .+, carrier [ABC], AUD \d+\.\d\d\.$/m,
    )
  })

  it("says of a rate that is named by its id what it is, and what is taken of it", async () => {
    const { rows, book, freight } = await shopDesk()
    const rate = (await rows())[2]?.[2] ?? ""
    const named = await book("--rate", rate, "--dry-run")
    expect(named.stderr).toMatch(new RegExp(`^Rate ${rate} of .+, carrier [ABC], AUD \\d+\\.\\d\\d\\.$`, "m"))
    const alone = await freight(["book", "--rate", rate, "--dry-run"])
    expect(alone.stderr).toMatch(
      new RegExp(`^Rate ${rate} of .+, AUD \\d+\\.\\d\\d, \\d+ packages?, .+ kg, at most .+ cm\\.$`, "m"),
    )
  })

  it("does not count rates that were printed as JSON, which have no numbers", async () => {
    const { rows, freight, book } = await shopDesk()
    const [first] = await rows("--sort", "eta")
    await freight([...ASK, "--json"])
    expect(JSON.parse((await book("--rate", "1", "--dry-run")).stdout).rateId).toBe(first?.[2])
  })

  it("is the one rate that --cheapest showed", async () => {
    const { rows, book } = await shopDesk()
    const [only] = await rows("--cheapest")
    expect(JSON.parse((await book("--rate", "1", "--dry-run")).stdout).rateId).toBe(only?.[2])
    const { code, stderr } = await book("--rate", "2", "--json")
    expect([code, errorIn(stderr).message]).toEqual([2, expect.stringMatching(/have the numbers 1 to 1$/)])
  })

  it.each(["0", "11", "999"])("refuses %s, which the table does not have", async (number) => {
    const { rows, book } = await shopDesk()
    await rows()
    const { code, stdout, stderr } = await book("--rate", number, "--json")
    expect([code, stdout]).toEqual([2, ""])
    expect(errorIn(stderr)).toMatchObject({ kind: "usage", next: "freight rate-shop" })
    expect(errorIn(stderr).message).toMatch(/have the numbers 1 to 10$/)
  })
})

describe("a rate without an id", () => {
  /** A desk whose service gives its rates no ids, which the contract allows, and the first of each carrier twice. */
  async function idlessDesk() {
    const change = (rates: { price: number }[] = []) =>
      rates
        .flatMap((rate, at) => (at === 0 ? [rate, { ...rate, price: rate.price + 1 }] : [rate]))
        .map((rate) => ({ ...rate, rateId: undefined }))
    const reach = await altered(sandbox, (reply) => {
      if (!reply.path.endsWith("/rates")) return
      reply.change((given) => {
        const { rates, results = [] } = given as { rates?: []; results?: { rates?: [] }[] }
        if (rates) return { ...given, rates: change(rates) }
        return { ...given, results: results.map((each) => ({ ...each, rates: change(each.rates) })) }
      })
    })
    return shopDesk(reach)
  }
  const sent = async () => {
    const { shipments } = (await sandbox.control("books")) as { shipments: { request: object }[] }
    return shipments.at(-1)?.request
  }
  const LINK = /^(?:serviceCode|rateId|quoteId|quoted\w+|committedEta|bookingCutoff|collectionCutoff)$/
  const linkIn = (request: object | undefined) =>
    Object.fromEntries(Object.entries(request ?? {}).filter(([name]) => LINK.test(name)))

  it.each([
    ["STD", "cheapest", { bookingCutoff: expect.any(String) }],
    ["GEN", "GEN", { committedEta: expect.any(String), quotedGstMinor: expect.any(Number) }],
  ])("is booked by its number, and reports what --service reports of it: %s", async (code, word, reported) => {
    const { rows, book } = await idlessDesk()
    const shown = await rows("--date", ownBooking().collectionDateTime.slice(0, 10))
    const [number = ""] = shown.find(([, service]) => service === code) ?? []
    const numbered = await book("--rate", number, "--reference", `${code}-1`)
    expect(numbered.code, numbered.stderr).toBe(0)
    expect(numbered.stderr).toMatch(/^Rate \d of \w{3} \d+ \w{3} \d{4}, \d\d:\d\d: \w+.*, carrier [BC]/m)
    const byNumber = await sent()
    expect(byNumber).toMatchObject({ serviceCode: code, customerReference: `${code}-1`, ...reported })
    expect(byNumber).not.toHaveProperty("quoteId")
    const chosen = await book("--service", word, "--reference", `${code}-2`)
    expect(chosen.code, chosen.stderr).toBe(0)
    expect(linkIn(await sent())).toEqual(linkIn(byNumber))
  })

  it("is that of its number, also where its connector offers the service twice", async () => {
    const { rows, book } = await idlessDesk()
    const shown = await rows("--sort", "eta")
    expect(shown.length).toBeGreaterThan(10)
    for (const [number = "", service, , price] of shown) {
      const { json, code, stderr } = await book("--rate", number, "--dry-run", "--json")
      expect(code, stderr).toBe(0)
      expect(json<{ serviceCode: string }>().serviceCode).toBe(service)
      expect(stderr).toMatch(new RegExp(`^Rate ${number} of .+ AUD ${Number(price).toFixed(2)}\\.$`, "m"))
    }
  })

  it("is held to the wishes, to what it was quoted for, and to the flags beside it", async () => {
    const { rows, book } = await idlessDesk()
    await rows()
    const dear = await book("--rate", "1", "--max-price", "1", "--json")
    expect([dear.code, errorIn(dear.stderr).message]).toEqual([
      1,
      expect.stringMatching(/^rate STD of connector-c /),
    ])
    const other = await book("--rate", "1", "--package", "1x10x10x10@1", "--json")
    expect([other.code, errorIn(other.stderr).message]).toEqual([
      2,
      "rate STD of connector-c was quoted for something different; nothing was sent",
    ])
    const beside = await book("--rate", "1", "--connector", "connector-b", "--json")
    expect([beside.code, errorIn(beside.stderr).message]).toEqual([
      2,
      "rate STD of connector-c is for connector connector-c, not connector-b",
    ])
  })

  it("goes over a rate that the file names", async () => {
    const { rows, freight, folder } = await idlessDesk()
    await rows()
    const file = { ...ownBooking(), serviceCode: "GEN", rateId: "rate-1", quoteId: "quote-1" }
    await writeFile(path.join(folder, "linked.json"), JSON.stringify(file))
    const ran = await freight(["book", "--file", "linked.json", "--rate", "1", "--dry-run", "--json"])
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.json()).toMatchObject({ serviceCode: "STD" })
    expect(ran.json()).not.toHaveProperty("rateId")
    expect(ran.json()).not.toHaveProperty("quoteId")
  })
})

describe("book prints", () => {
  it("the reference, consignment, service, price, label, pickup and shipment, and how to track it", async () => {
    const { rows, book } = await shopDesk()
    await rows()
    const { code, stdout } = await book("--rate", "3", "--label", "label.pdf")
    expect(code).toBe(0)
    const consignment = /SBA\d+/.exec(stdout)?.[0]
    expect(stdout.replace(/[0-9a-f]{8}(-[0-9a-f]+){4}/, "ID")).toBe(
      [
        "Reference    SO-17",
        `Consignment  ${consignment}`,
        "Service      Road Express (76), carrier A",
        "Price        AUD 74.43, GST not stated",
        "Label        label.pdf",
        "Pickup       not booked",
        `Order        ORD-A-${consignment?.slice(-6)}`,
        "Shipment     ID",
        `Track it     freight track ${consignment}`,
        "",
      ].join("\n"),
    )
  })

  it("the service's name also where no rate was chosen, and a command that finds it in the sandbox", async () => {
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, "b.json"), JSON.stringify(ownBooking()))
    const { stdout } = await freight(["book", "--sandbox", "--file", "b.json", "--service", "cheapest"])
    expect(stdout).toMatch(/^Service {6}Standard \(STD\), carrier C$/m)
    expect(stdout).toMatch(/^Consignment {2}not given yet$/m)
    const [, command = ""] = /^Track it +freight (.+)$/m.exec(stdout) ?? []
    expect(command).toMatch(/^track --sandbox [0-9a-f-]{36}$/)
    const tracked = await freight(command.split(" "))
    expect([tracked.code, tracked.stdout]).toEqual([0, expect.stringContaining("nothing yet")])
  })
})
