/**
 * Every command, with each reply changed in one place: it never crashes, never makes a thing twice, knows what was made
 * where its id came, and one odd row of a list hides none of the others.
 */
import { randomUUID } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Bench, type FaultyDesk, faultyDesk, openBench, type Told } from "../faulty/bench.ts"
import { ROWS, type Row } from "../faulty/commands.ts"
import { countOf, type Misbehave } from "../faulty/forwarder.ts"
import { mutate, type Mutation } from "../faulty/mutations.ts"
import { isDrawn } from "../drawn.ts"

vi.setConfig({ testTimeout: 600_000 })

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

/** A reply as the mutation of this number leaves it; `onReply` gets all that there are. */
function altering(number: number, onReply: (all: Mutation[]) => void): Misbehave {
  return async ({ res, ask }) => {
    const { status, headers, body } = await ask()
    const { "content-length": _, ...others } = headers
    if (status >= 300) return void res.writeHead(status, others).end(body)
    const all = [...mutate(JSON.parse(body.toString()))]
    onReply(all)
    res.writeHead(status, others).end(JSON.stringify(all[number]?.body ?? JSON.parse(body.toString())))
  }
}

interface Tried {
  mutation: Mutation | undefined
  told: Told
  made: number
}

/** Runs a command with its reply as it is, and then with the drawn ones of its mutations. */
async function* tryAll(row: Pick<Row, "at">, run: () => Promise<{ desk: FaultyDesk; told: Told }>, arm: Arm) {
  let count = 0
  for (let number = -1; number < count; number++) {
    if (number >= 0 && !isDrawn(number)) continue
    let mutation: Mutation | undefined
    const misbehave = altering(number, (all) => {
      count = Math.max(count, all.length)
      // Not each of several replies has that many.
      mutation = all[number] ?? mutation
    })
    arm(misbehave)
    const { desk, told } = await run()
    yield { mutation, told, made: countOf(desk.line.requests, row.at) } satisfies Tried
  }
}

type Arm = (misbehave: Misbehave) => void

const ofJson = ({ at, unchecked }: Row) => !at.endsWith("/label") && !unchecked
/** These settle the bookings that they find, so each run needs a new one. */
const NEW_EACH_TIME = /^reconcile/

describe("a read", () => {
  for (const row of ROWS.filter((each) => each.kind === "read" && ofJson(each)))
    it(`${row.name}: no change of ${row.at} crashes it, or makes it say that an outcome is unknown`, async () => {
      let desk = await faultyDesk(bench)
      let args = await row.args(bench, desk)
      let next: Misbehave | undefined
      const run = async () => {
        if (NEW_EACH_TIME.test(row.name)) {
          desk = await faultyDesk(bench)
          args = await row.args(bench, desk)
        }
        desk.line.arm(...(next ? [{ at: row.at, misbehave: next }] : []))
        const again = row.name.startsWith("book") ? ["--reference", randomUUID()] : []
        const told = await desk.freight([...args, ...again, "--json"], row.options?.(bench))
        return { desk, told }
      }
      for await (const { mutation, told } of tryAll(row, run, (misbehave) => {
        next = misbehave
      })) {
        const why = `${mutation?.name ?? "as it is"}\n${told.stderr}`
        // `auth status` says with 6 that a key could not be tried, for whatever reason; reconcile leaves open what it cannot tell.
        const wrong = [...(row.reports === 6 ? [] : [6]), ...(NEW_EACH_TIME.test(row.name) ? [] : [7]), 70]
        expect(wrong, why).not.toContain(told.code)
        expect(countOf(desk.line.requests, "POST /{}/shipments"), why).toBeLessThanOrEqual(1)
        if (mutation === undefined) expect(told.code, why).toBe(row.ends ?? 0)
      }
    })
})

/** The same order under another key is not booked. */
const nameReference = ({ name, at }: Row): string[] =>
  at !== "POST /{}/shipments"
    ? []
    : name === "book"
      ? ["--reference", randomUUID()]
      : ["--set", `customerReference=${randomUUID()}`]

/** The field whose value is the id of what was made. */
const IDS: Readonly<Record<string, string>> = {
  "POST /{}/shipments": "shipmentId",
  "POST /{}/pickups": "pickupBookingId",
  "POST /shipments/{}/print": "jobId",
  "POST /print-jobs": "jobId",
}

describe("a create", () => {
  for (const row of ROWS.filter(({ kind }) => kind === "create"))
    it(`${row.name}: is made once and known, whatever else its reply says`, async () => {
      const desk = await faultyDesk(bench)
      let next: Misbehave | undefined
      let args: string[] = []
      const run = async () => {
        // Others were booked there for that time: this one is not to wait for them.
        const own = row.at === "POST /{}/pickups" ? ["--again"] : nameReference(row)
        args = [...(await row.args(bench, desk)), ...own, "--key", randomUUID(), "--json"]
        desk.line.arm(...(next ? [{ at: row.at, misbehave: next }] : []))
        return { desk, told: await desk.freight(args, row.options?.(bench)) }
      }
      for await (const { mutation, told, made } of tryAll(row, run, (misbehave) => {
        next = misbehave
      })) {
        const why = `${mutation?.name ?? "as it is"}\n${told.stderr}`
        expect(made, why).toBe(1)
        const lacksId = mutation?.path === IDS[row.at] && row.at !== "POST /{}/pickups"
        expect(told.code, why).toBe(lacksId ? 7 : 0)
        desk.line.arm()
        const again = await desk.freight(args, row.options?.(bench))
        expect(again.code, again.stderr).toBe(lacksId ? 7 : 0)
        expect(countOf(desk.line.requests, row.at), why).toBe(0)
      }
    })

  it("book --label --pickup: a pickup is booked by itself only where the reply says how it stands", async () => {
    const at = "POST /{}/shipments"
    const desk = await faultyDesk(bench)
    let next: Misbehave | undefined
    let count = 0
    const run = async () => {
      desk.line.arm(...(next ? [{ at, misbehave: next }] : []))
      // At another minute: none waits for the pickup of one before it.
      const ready = ["--ready", `2031-02-28 10:${String(count++ % 60).padStart(2, "0")}`]
      const names = ["--key", randomUUID(), "--reference", randomUUID(), ...ready]
      const told = await desk.freight([
        ...["book", "--file", "booking.json", ...names, "--label", "label.pdf", "--force"],
        ...["--pickup", "--json"],
      ])
      return { desk, told }
    }
    for await (const { mutation, told } of tryAll({ at }, run, (misbehave) => {
      next = misbehave
    })) {
      const why = `${mutation?.name ?? "as it is"}\n${told.stderr}`
      const [lacksId, lacksPickup] = ["shipmentId", "pickupStatus"].map((name) => mutation?.path === name)
      expect(told.code, why).toBe(lacksId ? 7 : lacksPickup ? 8 : 0)
      expect(countOf(desk.line.requests, "POST /{}/pickups"), why).toBe(lacksId || lacksPickup ? 0 : 1)
    }
  })
})

describe("a list", () => {
  it.each<[command: string[], at: string, list: string]>([
    [["connectors"], "GET /connectors", "connectors"],
    [["shipments", "list"], "GET /shipments", "shipments"],
    [
      [
        "rate-shop",
        "--from",
        "Alexandria NSW 2015",
        "--to",
        "Fremantle WA 6160",
        "--package",
        "2x40x30x20@5.5",
      ],
      "POST /rates",
      "results",
    ],
    [["devices", "list"], "GET /print-devices", "devices"],
  ])("%s: one odd row hides none of the others", async (command, at, list) => {
    for (let n = 0; n < 3; n++) await bench.shipment()
    const desk = await faultyDesk(bench)
    let whole = -1
    let next: Misbehave | undefined
    const run = async () => {
      desk.line.arm(...(next ? [{ at, misbehave: next }] : []))
      return { desk, told: await desk.freight([...command, "--json"]) }
    }
    for await (const { mutation, told } of tryAll({ at }, run, (misbehave) => {
      next = misbehave
    })) {
      const why = `${mutation?.name ?? "as it is"}\n${told.stderr}`
      if (mutation && !mutation.path.startsWith(`${list}[`)) {
        expect([6, 7, 70], why).not.toContain(told.code)
        continue
      }
      expect(told.code, why).toBe(0)
      const named = told.items<Record<"shipmentId" | "deviceId" | "connectorId", string>>()
      const rows = [
        ...new Set(
          named.map(({ shipmentId, deviceId, connectorId }) => shipmentId ?? deviceId ?? connectorId),
        ),
      ]
      if (whole < 0) whole = rows.length
      expect(whole).toBeGreaterThan(1)
      expect(rows.length, why).toBeGreaterThanOrEqual(whole - 1)
    }
  })
})

describe("the guard against booking what was booked elsewhere", () => {
  const LOOKS = { env: { FREIGHT_LOOK_ELSEWHERE: "on" } }

  it.each([
    "GET /shipments",
    "GET /shipments/{}",
  ])("with any change of %s books that order never again, and asks about no other", async (at) => {
    const own = await openBench()
    try {
      const first = await faultyDesk(own)
      const reference = randomUUID()
      expect((await first.freight(["book", "--file", "booking.json", "--reference", reference])).code).toBe(0)
      const booking = await readFile(path.join(first.folder, "booking.json"), "utf8")
      const { receiver, ...others } = JSON.parse(booking)
      const another = { ...others, receiver: { ...receiver, suburb: "Perth", postcode: "6000" } }
      let count = 0
      for (let number = -1; number < count; number++) {
        if (number >= 0 && !isDrawn(number)) continue
        let name = "as it is"
        const misbehave = altering(number, (all) => {
          // The order is the newest, and so the first that is listed and read.
          count = Math.max(count, all.length)
          name = all[number]?.name ?? name
        })
        const desk = await faultyDesk(own)
        await writeFile(path.join(desk.folder, "booking.json"), booking)
        desk.line.arm({ at, misbehave })
        const told = await desk.freight(
          ["book", "--file", "booking.json", "--reference", reference, "--json"],
          LOOKS,
        )
        expect([1, 2], `${name}\n${told.stderr}`).toContain(told.code)
        expect(countOf(desk.line.requests, "POST /{}/shipments"), name).toBe(0)
        await writeFile(path.join(desk.folder, "booking.json"), JSON.stringify(another))
        const other = ["--reference", randomUUID(), "--dry-run", "--json"]
        const dry = await desk.freight(["book", "--file", "booking.json", ...other], LOOKS)
        expect(dry.code, `another order: ${name}\n${dry.stderr}`).toBe(0)
      }
    } finally {
      await own.close()
    }
  })
})
