import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"
import { build } from "rolldown"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { type Bench, START, startBench, temporaryDir, testClock } from "./harness.ts"

let program = ""

beforeAll(async () => {
  const { output } = await build({
    input: path.join(import.meta.dirname, "writer.ts"),
    platform: "node",
    external: /label-pdf\.ts$/,
    write: false,
    output: { format: "esm", codeSplitting: false },
  })
  program = output[0].code
})

interface Writer {
  process: ChildProcess
  /** Ids of the shipments that it was told were booked. */
  acknowledged: string[]
  /** Waits until so many were booked. */
  until(count: number): Promise<void>
  kill(): Promise<void>
}

function startWriter(dir: string): Writer {
  const child = spawn(process.execPath, ["--input-type=module", "-", dir], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  child.stdin.end(program)
  const acknowledged: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on("line", (line) => acknowledged.push(line))
  return {
    process: child,
    acknowledged,
    async until(count) {
      while (acknowledged.length < count) await once(lines, "line")
    },
    async kill() {
      const closed = once(lines, "close")
      child.kill("SIGKILL")
      await closed
    },
  }
}

interface Books {
  counts: { shipments: number }
  shipments: { id: string; consignmentNumber: string; orderNumber: string }[]
}

async function booksOf({ control }: Bench): Promise<Books> {
  return (await control("GET", "/books")).body as Books
}

describe("two servers on one folder", () => {
  it("see each other's bookings at once", async () => {
    const dir = temporaryDir()
    const [one, other] = [await startBench({ dir }), await startBench({ dir })]
    const { shipmentId } = await one.book("connector-a")
    expect((await other.freight("GET", `/shipments/${shipmentId}`)).status).toBe(200)
  })

  it("take each other's rates", async () => {
    const dir = temporaryDir()
    const [one, other] = [await startBench({ dir }), await startBench({ dir })]
    const { body } = await one.freight("POST", "/connector-a/rates", {
      from: { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false },
      to: { suburb: "Fremantle", postcode: "6160", state: "WA", residential: false },
      packages: [{ count: 1, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1 }],
      dangerousGoods: false,
      serviceCode: "76",
    })
    const { rates } = body as { rates: { rateId: string }[] }
    const rateId = rates[0]?.rateId ?? ""
    expect((await other.book("connector-a", { rateId })).shipmentId).not.toBe("")
  })

  it("give every shipment a number of its own, and agree on it", async () => {
    const dir = temporaryDir()
    const benches = [await startBench({ dir }), await startBench({ dir })]
    await Promise.all(
      benches.flatMap((bench) =>
        Array.from({ length: 50 }, () => bench.book("connector-b", { serviceCode: "GEN" })),
      ),
    )
    const [one, other] = await Promise.all(benches.map(booksOf))
    expect(new Set(one?.shipments.map(({ consignmentNumber }) => consignmentNumber)).size).toBe(100)
    expect(other?.shipments).toEqual(one?.shipments)
  })

  it("agree on the order of the list", async () => {
    const dir = temporaryDir()
    const clock = testClock()
    const benches = [await startBench({ dir, clock }), await startBench({ dir, clock })]
    await Promise.all(benches.flatMap((bench) => Array.from({ length: 20 }, () => bench.book("connector-a"))))
    const [one, other] = await Promise.all(benches.map((bench) => bench.freight("GET", "/shipments")))
    expect(other?.body).toEqual(one?.body)
  })
})

describe("two servers whose clocks differ by a hair", () => {
  it("give times in the order of the list", async () => {
    const dir = temporaryDir()
    const ahead = await startBench({ dir, clock: testClock(START + 5) })
    const behind = await startBench({ dir, clock: testClock(START) })
    await ahead.book("connector-a")
    await behind.book("connector-a")
    const { shipments } = (await behind.freight("GET", "/shipments")).body as {
      shipments: { createdAt: string }[]
    }
    const times = shipments.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })
})

describe("a server that is started again", () => {
  it("has what was booked before", async () => {
    const dir = temporaryDir()
    const first = await startBench({ dir })
    const { shipmentId } = await first.book("connector-a", {
      customerReference: "sandbox:auto-pickup-booked",
    })
    await first.sandbox.close()
    const next = await startBench({ dir })
    expect((await next.freight("GET", `/shipments/${shipmentId}`)).body).toMatchObject({
      shipment: { id: shipmentId, pickupStatus: "BOOKED" },
    })
  })

  it("goes on counting where it stopped", async () => {
    const dir = temporaryDir()
    const first = await startBench({ dir })
    const before = await first.book("connector-a")
    await first.sandbox.close()
    const after = await (await startBench({ dir })).book("connector-a")
    expect(after.consignmentNumber).not.toBe(before.consignmentNumber)
  })

  it("passes over what a damaged journal holds", async () => {
    const dir = temporaryDir()
    const first = await startBench({ dir })
    await first.book("connector-a")
    await first.sandbox.close()
    appendFileSync(
      path.join(dir, "journal.ndjson"),
      '{"type":"shipment"}\n{"type":"riddle"}\n[1]\nnull\nnoise\n{"ty',
    )
    const next = await startBench({ dir })
    await next.book("connector-a")
    expect((await booksOf(next)).counts.shipments).toBe(2)
  })
})

describe("a process that is killed while it books", () => {
  it("has lost nothing that was acknowledged", async () => {
    const dir = temporaryDir()
    for (let round = 1; round <= 3; round++) {
      const writer = startWriter(dir)
      await writer.until(50 * round)
      await writer.kill()
      const ids = new Set((await booksOf(await startBench({ dir }))).shipments.map(({ id }) => id))
      expect(writer.acknowledged.filter((id) => !ids.has(id))).toEqual([])
    }
  })

  it("does not harm another that goes on", async () => {
    const dir = temporaryDir()
    const [victim, survivor] = [startWriter(dir), startWriter(dir)]
    await Promise.all([victim.until(50), survivor.until(50)])
    await victim.kill()
    await survivor.until(survivor.acknowledged.length + 50)
    await survivor.kill()
    const { shipments } = await booksOf(await startBench({ dir }))
    const ids = new Set(shipments.map(({ id }) => id))
    expect([...victim.acknowledged, ...survivor.acknowledged].filter((id) => !ids.has(id))).toEqual([])
    expect(new Set(shipments.map(({ orderNumber }) => orderNumber)).size).toBe(shipments.length)
  })
})
