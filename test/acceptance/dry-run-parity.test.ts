/** A dry run is the same road, ended before the claim: what it prints is what the run sends, byte for byte. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { order } from "./orders.ts"
import { fileSandbox, ownSandbox } from "./own-sandbox.ts"
import type { RunningSandbox } from "./sandbox.ts"
import { answering } from "./seats.ts"

const shared = await fileSandbox()

const HOUR = 3_600_000
const DAY = "2030-11-25"
const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

/**
 * A desk where time stands still, and where whoever asks for the same rates gets the same quote.
 * @param change what its service makes of a rate
 */
async function quotedDesk(sandbox: RunningSandbox, change: (rate: object) => object = (rate) => rate) {
  const quotes = new Map<string, Buffer>()
  const reach = await altered(sandbox, (reply) => {
    if (!reply.path.endsWith("/rates")) return
    const known = quotes.get(reply.path)
    if (known) reply.body = known
    else {
      reply.change((given) => {
        const { rates, results = [] } = given as { rates?: object[]; results?: { rates?: object[] }[] }
        if (rates) return { ...given, rates: rates.map(change) }
        return { ...given, results: results.map((each) => ({ ...each, rates: each.rates?.map(change) })) }
      })
      quotes.set(reply.path, reply.body)
    }
  })
  const now = Date.now()
  const made = await desk(reach, now)
  const save = async (name: string, value: object) => {
    const file = path.join(made.folder, name)
    await writeFile(file, JSON.stringify(value))
    return file
  }
  const { serviceCode: _, customerReference: __, ...open } = ownBooking()
  await save("open.json", { ...open, collectionDateTime: `${DAY}T10:00:00` })
  await save("sender.json", open.sender)
  await save("receiver.json", open.receiver)
  return {
    ...made,
    save,
    now,
    forgetQuotes: () => quotes.clear(),
    sent: async () => {
      const { shipments } = (await sandbox.control("books")) as { shipments: { request: object }[] }
      return JSON.stringify(shipments.at(-1)?.request)
    },
  }
}

let references = 0

/** Runs the command without sending, and then with. */
async function runBoth(
  { freight, sent }: Pick<Awaited<ReturnType<typeof quotedDesk>>, "freight" | "sent">,
  words: readonly string[],
  options: Parameters<Awaited<ReturnType<typeof quotedDesk>>["freight"]>[1] = {},
) {
  const line = ["book", ...words, "--reference", `PO-dry-${++references}`]
  const before = await sent()
  const dry = await freight([...line, "--dry-run", "--json"], options)
  expect(dry.code, dry.stderr).toBe(0)
  expect(await sent()).toBe(before)
  const run = await freight([...line, "--yes", "--json"], options)
  expect(run.code, run.stderr).toBe(0)
  return { dry, run, printed: JSON.stringify(dry.json()), sent: await sent() }
}

const idless = <R extends object>({ rateId: _, ...rate }: R & { rateId?: string }) => rate as R
const { packagingCode = "", packages = "" } = order("PO-1")
const FLAGS = [
  ...["--sender", "sender.json", "--receiver", "receiver.json", "--package", packages],
  ...["--packaging", packagingCode, "--ready", `${DAY}T10:00`, "--close", "17:00"],
]
const FILE = ["--file", "open.json"]
const NAMED = ["--service", "GEN", "--connector", "connector-b"]

describe("a dry run prints byte for byte what the run sends", () => {
  it.each<[what: string, words: string[], linked: readonly string[]]>([
    ["of flags, with a service and its connector", [...FLAGS, ...NAMED], ["rateId", "quoteId"]],
    ["of a file, with a service and its connector", [...FILE, ...NAMED], ["rateId", "quoteId"]],
    ["of a file, with a service alone", [...FILE, "--service", "GEN"], ["rateId", "quoteId"]],
    ["of a file, with the cheapest service", [...FILE, "--service", "cheapest"], ["rateId", "quoteId"]],
    ["of a rate by its number", [...FILE, "--rate", "2"], ["rateId", "quoteId"]],
    ["of a service within a price", [...FILE, ...NAMED, "--max-price", "5000"], ["rateId", "quoteId"]],
    ["without a price", [...FILE, ...NAMED, "--no-rate"], []],
  ])("%s", async (_what, words, linked) => {
    const made = await quotedDesk(shared)
    await made.freight(["rate-shop", ...LANE, "--date", DAY])
    const { printed, sent } = await runBoth(made, words)
    expect(printed).toBe(sent)
    for (const field of ["rateId", "quoteId"]) expect(field in JSON.parse(sent)).toBe(linked.includes(field))
  })

  it.each<[what: string, words: string[], reported: readonly string[]]>([
    [
      "with a service of carrier B",
      [...FILE, ...NAMED],
      ["quotedPriceExGstMinor", "quotedGstMinor", "committedEta", "bookingCutoff", "collectionCutoff"],
    ],
    ["with the cheapest", [...FILE, "--service", "cheapest"], ["bookingCutoff", "collectionCutoff"]],
    ["by its number", [...FILE, "--rate", "1"], ["bookingCutoff", "collectionCutoff"]],
    ["with a cut-off of its own", [...FILE, ...NAMED, "--set", "bookingCutoff=08:00:00"], ["bookingCutoff"]],
  ])("of a rate without an id, %s", async (_what, words, reported) => {
    const made = await quotedDesk(shared, idless)
    await made.freight(["rate-shop", ...LANE, "--date", DAY])
    const { printed, sent } = await runBoth(made, words)
    expect(printed).toBe(sent)
    expect(Object.keys(JSON.parse(sent))).toEqual(expect.arrayContaining([...reported]))
    expect(JSON.parse(sent)).not.toHaveProperty("quoteId")
  })

  it("of a rate without an id, once it is kept as a file and another service is named beside it", async () => {
    const made = await quotedDesk(shared, idless)
    const kept = await made.freight(["book", ...FILE, ...NAMED, "--dry-run", "--json"])
    expect(kept.json()).toHaveProperty("quotedPriceExGstMinor")
    await made.save("kept.json", kept.json())
    const account = ["--connector", "connector-b", "--set", "bookingCutoff=08:00:00"]
    for (const service of [
      ["--service", "EXP"],
      ["--set", "serviceCode=EXP"],
    ]) {
      const { printed, sent, dry } = await runBoth(made, ["--file", "kept.json", ...service, ...account])
      expect(printed).toBe(sent)
      expect(dry.stderr).toContain(
        "What the file says of the quote for GEN is left out, as the service is EXP: quotedPriceExGstMinor, ",
      )
      const plain = await runBoth(made, [...FILE, "--service", "EXP", ...account])
      expect({ ...JSON.parse(sent), customerReference: "" }).toEqual({
        ...JSON.parse(plain.sent),
        customerReference: "",
      })
    }
    const same = await runBoth(made, ["--file", "kept.json", "--service", "GEN", ...account.slice(0, 2)])
    expect(JSON.parse(same.sent)).toEqual({ ...kept.json(), customerReference: expect.any(String) })
  })

  it("of the wizard", async () => {
    const made = await quotedDesk(shared)
    const words = [...FILE, "--connector", "connector-b", "--label", path.join(made.folder, "label.pdf")]
    const options = { columns: 80, host: { converse: async () => answering("General Freight") } }
    const { printed, sent } = await runBoth(made, words, options)
    expect(printed).toBe(sent)
    expect(JSON.parse(sent)).toMatchObject({ serviceCode: "GEN", rateId: expect.any(String) })
  })

  it("of what a dry run printed, once it is kept as a file", async () => {
    const made = await quotedDesk(shared)
    const kept = await made.freight(["book", ...FILE, ...NAMED, "--dry-run", "--json"])
    await made.save("kept.json", kept.json())
    const { printed, sent } = await runBoth(made, ["--file", "kept.json"])
    expect(printed).toBe(sent)
    expect(JSON.parse(sent).rateId).toBe(kept.json().rateId)
    const [entry] = (await made.freight(["history", "--json"])).items<{ price: number | null }>()
    expect(entry?.price).toBe(63.9)
  })

  it("and leaves the numbers of the rates that were shown as they are", async () => {
    const made = await quotedDesk(shared)
    await made.freight(["rate-shop", ...LANE, "--date", DAY])
    await runBoth(made, [...FILE, "--rate", "2"])
    const { dry } = await runBoth(made, [...FILE, "--rate", "3"])
    expect(dry.stderr).toMatch(/^Rate 3 of /m)
  })
})

describe("a file whose rate has expired", () => {
  type Rate = { price?: number; priceGst?: number; priceIncGst?: number; eta?: string; transitDays?: number }
  const dearer = (rate: Rate): Rate =>
    rate.priceIncGst === undefined ? rate : { ...rate, priceIncGst: rate.priceIncGst + 1 }
  const cheaper = (rate: Rate): Rate =>
    rate.priceIncGst === undefined ? rate : { ...rate, priceIncGst: rate.priceIncGst - 1 }
  const slower = (rate: Rate): Rate => ({ ...rate, eta: "2030-12-15T17:00:00", transitDays: 20 })
  const unpriced = ({ price: _, priceIncGst: __, ...rate }: Rate): Rate => rate

  /** A desk with a file that a dry run made 49 hours ago. */
  async function staleDesk(
    words: readonly string[] = NAMED,
    change: (rate: Rate) => Rate = (rate) => rate,
    each: (rate: Rate) => Rate = (rate) => rate,
  ) {
    const sandbox = await ownSandbox()
    let isStale = false
    const made = await quotedDesk(sandbox, (rate) => each(isStale ? change(rate) : rate))
    await made.freight(["rate-shop", ...LANE, "--date", DAY])
    const kept = await made.freight(["book", ...FILE, ...words, "--dry-run", "--json"])
    await made.save("kept.json", kept.json())
    await sandbox.control("clock", { advanceMs: 49 * HOUR })
    made.forgetQuotes()
    isStale = true
    return { ...made, rateId: String(kept.json().rateId), options: { now: made.now + 49 * HOUR } }
  }

  it.each([
    ["of a service", NAMED],
    ["of a rate that was shown", ["--rate", "2"]],
  ])("is priced again for the same account, and says so: %s", async (_what, words) => {
    const made = await staleDesk(words)
    const { printed, sent, dry, run } = await runBoth(made, ["--file", "kept.json"], made.options)
    expect(printed).toBe(sent)
    expect(JSON.parse(sent)).toMatchObject({ serviceCode: "GEN", rateId: expect.any(String) })
    expect(JSON.parse(sent).rateId).not.toBe(made.rateId)
    for (const { stderr } of [dry, run]) {
      expect(stderr).toContain(
        `Rate ${made.rateId} of the file is from a quote more than 48 hours old: GEN of connector-b is priced again.`,
      )
      expect(stderr).toMatch(/^Price: AUD 70\.29|^Price: AUD \d+\.\d\d .* \(service GEN of connector-b\)\.$/m)
    }
  })

  it.each([
    ["of a service", NAMED],
    ["of a rate that was shown", ["--rate", "1"]],
  ])("is priced again where its rate has no id, and says so: %s", async (_what, words) => {
    const made = await staleDesk([...words, "--set", "bookingCutoff=08:00:00"], cheaper, idless)
    const before = JSON.parse(await readFile(path.join(made.folder, "kept.json"), "utf8"))
    expect(before).not.toHaveProperty("rateId")
    const { printed, sent, dry, run } = await runBoth(made, ["--file", "kept.json"], made.options)
    expect(printed).toBe(sent)
    expect(JSON.parse(sent)).toMatchObject({ serviceCode: before.serviceCode, bookingCutoff: "08:00:00" })
    expect(dry.stderr).toContain("of the file is from a quote more than 48 hours old:")
    const { quotedPriceExGstMinor } = before
    // Where no price is reported, the dry run has printed what the file says: the run goes by that.
    if (quotedPriceExGstMinor === undefined) return
    expect(run.stderr).toContain("of the file is from a quote more than 48 hours old:")
    expect(JSON.parse(sent).quotedPriceExGstMinor).toBeLessThan(quotedPriceExGstMinor)
  })

  it("is refused in a script where it is dearer by now, and its rate has no id", async () => {
    const made = await staleDesk(NAMED, dearer, idless)
    const before = await made.sent()
    const ran = await made.freight(["book", "--file", "kept.json", "--yes"], made.options)
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("is 1.00 over the limit with GST")])
    expect(await made.sent()).toBe(before)
  })

  it("stays as it is where a person wrote what it says of a quote", async () => {
    const made = await staleDesk(NAMED, cheaper, idless)
    const before = JSON.parse(await readFile(path.join(made.folder, "kept.json"), "utf8"))
    const own = { ...before, quotedPriceExGstMinor: 4321 }
    await made.save("own.json", own)
    const { printed, sent, run } = await runBoth(made, ["--file", "own.json"], made.options)
    expect(printed).toBe(sent)
    expect(JSON.parse(sent)).toMatchObject({ quotedPriceExGstMinor: 4321 })
    expect(run.stderr).not.toContain("more than 48 hours old")
  })

  it.each<[what: string, words: readonly string[], each?: (rate: Rate) => Rate]>([
    ["of a service", NAMED],
    ["of a rate that was shown", ["--rate", "2"]],
    ["of a rate without an id", NAMED, idless],
  ])("is held to the days that its dry run was held to: %s", async (_what, words, each) => {
    const made = await staleDesk([...words, "--within", "9d"], slower, each)
    const ran = await made.freight(["book", "--file", "kept.json", "--yes"], made.options)
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("within 9 days")])
    const free = await made.freight(["book", "--file", "kept.json", "--yes", "--within", "30d"], made.options)
    expect([free.code, free.stderr]).toEqual([0, expect.stringContaining("is priced again")])
  })

  it("is held to the price that may be paid, and is booked without one where none is asked for", async () => {
    const made = await staleDesk()
    const words = ["book", "--file", "kept.json"]
    const dear = await made.freight([...words, "--max-price", "1"], made.options)
    expect([dear.code, dear.stderr]).toEqual([1, expect.stringContaining("at most 1.00")])
    const { sent, run } = await runBoth(made, [...words.slice(1), "--no-rate"], made.options)
    expect(JSON.parse(sent)).not.toHaveProperty("rateId")
    expect(run.stderr).toContain("more than 48 hours old: it is left out.")
  })

  it.each<[what: string, change: (rate: Rate) => Rate, says: string]>([
    ["is dearer", dearer, "is 1.00 over the limit with GST"],
    ["has no price", unpriced, "has a price that is not known"],
  ])("is refused in a script where it %s by now, and booked where the command allows that price", async (_what, change, says) => {
    const made = await staleDesk(NAMED, change)
    const before = await made.sent()
    for (const last of ["--dry-run", "--yes"]) {
      const ran = await made.freight(["book", "--file", "kept.json", last], made.options)
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(says)])
      expect(ran.stderr).toContain(
        "GEN of connector-b is priced again. It is booked at no more than AUD 70.29 with GST, as it was quoted: --max-price sets another limit.",
      )
    }
    expect(await made.sent()).toBe(before)
    if (change !== dearer) return
    const { run } = await runBoth(made, ["--file", "kept.json", "--max-price", "71.29"], made.options)
    expect(run.stderr).not.toContain("as it was quoted")
  })

  it("is asked about at a terminal with the price that it has by now", async () => {
    const made = await staleDesk(NAMED, dearer)
    const questions: string[] = []
    const confirm = async (question: string) => questions.push(question) > 0
    const host = { converse: async () => ({ ...answering("General Freight"), confirm }) }
    const ran = await made.freight(["book", "--file", "kept.json"], { ...made.options, columns: 120, host })
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("as it was quoted")])
    expect(questions).toEqual([expect.stringContaining("AUD 71.29")])
  })

  it("is priced for the homes that it was quoted for, unless the command says otherwise", async () => {
    const sandbox = await ownSandbox()
    const made = await quotedDesk(sandbox)
    const home = await made.freight(["book", ...FILE, ...NAMED, "--to-residential", "--dry-run", "--json"])
    await made.save("kept.json", home.json())
    await sandbox.control("clock", { advanceMs: 49 * HOUR })
    const priceOf = async (...words: string[]) => {
      made.forgetQuotes()
      const line = ["book", "--file", "kept.json", "--dry-run", ...words]
      const { stderr } = await made.freight(line, { now: made.now + 49 * HOUR })
      return /^Price: AUD \d+\.\d\d/m.exec(stderr)?.[0]
    }
    const quoted = /^Price: AUD \d+\.\d\d/m.exec(home.stderr)?.[0]
    expect(quoted).toBeDefined()
    expect(await priceOf()).toBe(quoted)
    expect(await priceOf("--set", "receiver.residential=false")).not.toBe(quoted)
  })

  it("is refused where the command names it", async () => {
    const made = await staleDesk()
    const words = ["book", ...FILE, "--rate", made.rateId, "--json"]
    const { code, stderr } = await made.freight(words, made.options)
    expect([code, stderr]).toEqual([2, expect.stringContaining("can no longer be booked")])
  })

  it("keeps what it says of the quote beside it", async () => {
    const made = await staleDesk()
    const file = JSON.parse(await readFile(path.join(made.folder, "kept.json"), "utf8")) as object
    await made.save("kept.json", { ...file, committedEta: "2030-12-24T09:00" })
    const { sent } = await runBoth(made, ["--file", "kept.json"], made.options)
    expect(JSON.parse(sent)).toMatchObject({ committedEta: "2030-12-24T09:00" })
  })
})
