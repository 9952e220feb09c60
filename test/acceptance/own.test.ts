/** What freight knows of an order beside the contract's request: whoever says it, it is kept, and found again. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { put } from "../../src/base/json.ts"
import { toFlagName } from "../../src/base/command-line.ts"
import { BOOKING_FIELDS } from "../../src/contract/fields/booking.ts"
import { OWN_FIELDS, type OwnPath } from "../../src/contract/fields/own.ts"
import { openFreight } from "../../src/app/library.ts"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { isDeepStrictEqual } from "node:util"
import { desk } from "./freight.ts"

const READY = exampleBooking(Date.now()).collectionDateTime

type Desk = Awaited<ReturnType<typeof desk>>

const sayOf = (path: OwnPath) =>
  OWN_FIELDS.find((field) => field.path === path)?.flag.kind === "yesNo" ? true : "Sales"

async function save({ folder }: Desk, name: string, content: unknown): Promise<string> {
  await writeFile(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content))
  return name
}

function bookingOf(customerReference: string, own: Partial<Record<OwnPath, unknown>> = {}) {
  const booking: Record<string, unknown> = {
    ...structuredClone(exampleBooking(Date.now())),
    ...{ customerReference, serviceCode: "GEN" },
  }
  for (const [at, value] of Object.entries(own)) put(booking as never, at.split("."), value as never)
  return booking
}

async function run({ freight }: Desk, ...args: string[]) {
  const ran = await freight(args)
  expect(ran.code, ran.stderr).toBe(0)
  return ran
}

const BOOK = ["book", "--sandbox", "--connector", "connector-b", "--yes"]

/** How each way in says a property. */
const SOURCES: Record<string, (made: Desk, reference: string, path: OwnPath) => Promise<void>> = {
  async "a flag"(made, reference, at) {
    const flag = OWN_FIELDS.find((field) => field.path === at)?.flag
    const given = [toFlagName(flag?.name ?? ""), ...(flag?.kind === "yesNo" ? [] : ["Sales"])]
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf(reference)), ...given)
  },
  async "a booking file"(made, reference, at) {
    await run(made, ...BOOK, "--file", await save(made, "b.json", bookingOf(reference, { [at]: sayOf(at) })))
  },
  async "--set"(made, reference, at) {
    const file = await save(made, "b.json", bookingOf(reference))
    await run(made, ...BOOK, "--file", file, "--set", `${at}=${sayOf(at)}`)
  },
  async "a row of a batch"(made, reference, at) {
    const file = await save(made, "rows.json", [
      { ...bookingOf(reference), ...{ connector: "connector-b" }, [at]: sayOf(at) },
    ])
    await run(made, "batch", "book", "--sandbox", "--yes", file)
  },
  async "an approved plan"(made, reference, at) {
    const file = await save(made, "rows.json", [
      { ...bookingOf(reference), ...{ connector: "connector-b" }, [at]: sayOf(at) },
    ])
    await run(made, "batch", "plan", "--sandbox", file, "-o", "plan.json")
    await run(made, "batch", "book", "--sandbox", "--yes", "--plan", "plan.json")
  },
  async "a program"(made, reference, at) {
    const freight = openFreight({ env: made.env, sandbox: true })
    await freight.book(
      { ...bookingOf(reference, { [at]: sayOf(at) }), connector: "connector-b" } as never,
      {},
    )
  },
  async "an order like an earlier one"(made, reference, at) {
    const earlier = `${reference}-EARLIER`
    await SOURCES["a booking file"]?.(made, earlier, at)
    await run(made, ...BOOK, "--like", earlier, "--ready", READY, "--reference", reference)
  },
  async "an order like the last one"(made, reference, at) {
    await SOURCES["a flag"]?.(made, `${reference}-EARLIER`, at)
    await run(made, ...BOOK, "--last", "--ready", READY, "--reference", reference)
  },
}

describe.each(OWN_FIELDS)("$beside.title", ({ path: at }) => {
  it.each(Object.keys(SOURCES))("is kept with an order that %s makes", async (source) => {
    const made = await desk()
    await SOURCES[source]?.(made, "SO-7", at)
    const ran = await run(
      made,
      "history",
      "--sandbox",
      "--search",
      "SO-7",
      "--fields",
      `reference,${at}`,
      "--json",
    )
    const entries = ran.json<Record<string, unknown>[]>()
    expect(entries.find(({ reference }) => reference === "SO-7")).toHaveProperty([at], sayOf(at))
  })

  it("identifies no order: the same order with another value is refused, and nothing is sent", async () => {
    const made = await desk()
    const { customerReference: _, ...booking } = bookingOf("")
    await run(made, ...BOOK, "--file", await save(made, "b.json", booking))
    put(booking as never, at.split("."), sayOf(at) as never)
    const again = await made.freight([...BOOK, "--file", await save(made, "b.json", booking)])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("Nothing was sent")
  })

  it("is on the evidence, in the list and in the results of a batch", async () => {
    const made = await desk()
    const row = { ...bookingOf("SO-7"), connector: "connector-b", [at]: sayOf(at) }
    await run(
      made,
      "batch",
      "book",
      "--sandbox",
      "--yes",
      await save(made, "rows.json", [row]),
      "--results",
      "r.ndjson",
    )
    const evidence = (await run(made, "evidence", "--sandbox", "SO-7", "--json")).json<{
      booking: { own: object }
    }>()
    expect(evidence.booking.own).toHaveProperty([at], sayOf(at))
    const shown = (await run(made, "evidence", "--sandbox", "SO-7")).stdout
    expect(shown).toContain(OWN_FIELDS.find((field) => field.path === at)?.beside.title)
    const list = await run(
      made,
      "shipments",
      "list",
      "--sandbox",
      "--fields",
      `freight.own.${at}`,
      "--format",
      "csv",
    )
    expect(list.stdout).toContain(String(sayOf(at)))
  })
})

it("is kept beside the request only: no request that is sent has it", async () => {
  const made = await desk()
  const own = Object.fromEntries(OWN_FIELDS.map(({ path: at }) => [at, sayOf(at)]))
  const file = await save(made, "b.json", bookingOf("SO-7", own))
  const ran = await run(made, ...BOOK, "--dry-run", "--no-rate", "--file", file)
  const plain = await run(
    made,
    ...BOOK,
    "--dry-run",
    "--no-rate",
    "--file",
    await save(made, "p.json", bookingOf("SO-7")),
  )
  expect(isDeepStrictEqual(ran.json(), plain.json()), ran.stdout).toBe(true)
})

it("costs as much like an earlier booking as that did", async () => {
  const made = await desk()
  const priceOf = (text: string) => /AUD ([\d.]+)/.exec(text)?.[1]
  const file = await save(made, "b.json", bookingOf("HOME-1"))
  const home = await run(made, ...BOOK, "--file", file, "--to-residential", "--dry-run")
  const business = await run(made, ...BOOK, "--file", file, "--dry-run")
  expect(priceOf(home.stderr)).not.toBe(priceOf(business.stderr))
  await run(made, ...BOOK, "--file", file, "--to-residential")
  const like = await run(
    made,
    ...BOOK,
    "--like",
    "HOME-1",
    "--ready",
    READY,
    "--reference",
    "HOME-2",
    "--dry-run",
  )
  expect(priceOf(like.stderr)).toBe(priceOf(home.stderr))
  expect(like.stderr).toContain("to a home")
})

it("every property has a flag, and one that is not of a party has a column", () => {
  expect(OWN_FIELDS.filter((field) => !("flag" in field))).toEqual([])
  const without = BOOKING_FIELDS.filter(
    (field) => "beside" in field && !field.path.includes(".") && !("column" in field),
  )
  expect(without).toEqual([])
})
