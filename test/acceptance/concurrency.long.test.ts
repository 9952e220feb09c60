import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import type { ErrorJson } from "../../src/errors.ts"
import { getBinary, desk, type Ran } from "./freight.ts"
import { bookedBy, shipmentIn } from "./kills.ts"
import { type Relay, startRelay } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

let sandbox: RunningSandbox
let relay: Relay
let bookingFile = ""

beforeAll(async () => {
  // Slow enough that the others are there while the first one waits for its answer.
  sandbox = await startSandboxProcess(["--latency", "400"])
  relay = await startRelay(sandbox)
  bookingFile = JSON.stringify(ownBooking())
})
afterAll(async () => {
  await relay.close()
  await sandbox.stop()
})

async function busyDesk() {
  const { freight, folder, env } = await desk(relay.reach)
  await writeFile(path.join(folder, "booking.json"), bookingFile)
  const words = (reference: string, more: string[]) => [
    "book",
    ...["--file", "booking.json", "--reference", reference, "--json", ...more],
  ]
  return {
    book: (reference: string, ...more: string[]) => freight(words(reference, more), { clock: false }),
    /** The same in a process that the test can kill. */
    start: (reference: string, ...more: string[]): ChildProcess =>
      spawn(process.execPath, [getBinary(), ...words(reference, more)], {
        cwd: folder,
        env,
        stdio: "ignore",
      }),
  }
}

async function booked(reference: string): Promise<string[]> {
  return bookedBy(await sandbox.control("books")).get(reference) ?? []
}

function errorOf({ stderr }: Ran): ErrorJson["error"] {
  return (JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as ErrorJson).error
}

function count(ran: readonly Ran[], code: number): number {
  return ran.filter((each) => each.code === code).length
}

describe("processes that book at once", () => {
  it.each([2, 8])("%d with the same key: one booking, and all of them have it", async (processes) => {
    const { book } = await busyDesk()
    const reference = `same-key-${processes}`
    const all = await Promise.all(
      Array.from({ length: processes }, () => book(reference, "--key", reference)),
    )
    expect(all.map(({ code }) => code)).toEqual(Array(processes).fill(0))
    const ids = await booked(reference)
    expect(ids).toHaveLength(1)
    expect(new Set(all.map((each) => each.json<BookingResponse>().shipmentId))).toEqual(new Set(ids))
    expect(relay.sent(reference)).toBe(1)
  })

  it("8 without a key, with equal content: one booking, and the others are told of it", async () => {
    const { book } = await busyDesk()
    const all = await Promise.all(Array.from({ length: 8 }, () => book("no-key")))
    const ids = await booked("no-key")
    expect(ids).toHaveLength(1)
    expect([count(all, 0), count(all, 1)]).toEqual([1, 7])
    expect(all.map(shipmentIn)).toEqual(Array(8).fill(ids[0]))
    for (const refused of all.filter(({ code }) => code === 1))
      expect(errorOf(refused)).toMatchObject({ kind: "refused", next: `freight shipments show ${ids[0]}` })
    expect(relay.sent("no-key")).toBe(1)
  })

  it("8 with a key each: 8 bookings", async () => {
    const { book } = await busyDesk()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => book("own-key", "--key", `own-key-${n}`)),
    )
    expect(count(all, 0)).toBe(8)
    expect(new Set(all.map(shipmentIn)).size).toBe(8)
    expect(await booked("own-key")).toHaveLength(8)
  })

  it("with the same key and other content: one booking, and the other is refused", async () => {
    const { book } = await busyDesk()
    const all = await Promise.all([
      book("this", "--key", "same"),
      book("this", "--key", "same"),
      book("that", "--key", "same"),
      book("that", "--key", "same"),
    ])
    expect([count(all, 0), count(all, 1)]).toEqual([2, 2])
    expect([...(await booked("this")), ...(await booked("that"))]).toHaveLength(1)
    expect(relay.sent("this") + relay.sent("that")).toBe(1)
    for (const refused of all.filter(({ code }) => code === 1)) expect(errorOf(refused).kind).toBe("refused")
  })

  it("while the one that sends is killed: the others say that the outcome is not known, and send nothing", async () => {
    const { book, start } = await busyDesk()
    const there = relay.stop("killed", "arrived")
    const first = start("killed", "--key", "killed")
    await there
    const others = Promise.all([
      book("killed", "--key", "killed"),
      book("killed", "--key", "killed"),
      book("killed"),
    ])
    await new Promise((resolve) => setTimeout(resolve, 800))
    first.kill("SIGKILL")
    await once(first, "exit")
    expect((await others).map(({ code }) => code)).toEqual([7, 7, 7])
    expect(relay.sent("killed")).toBe(1)
    expect(await booked("killed")).toEqual([])
  })
})

describe("a key", () => {
  it("that was used for something else exits 1, and sends nothing", async () => {
    const { book } = await busyDesk()
    const first = await book("first", "--key", "PO-1")
    const second = await book("second", "--key", "PO-1")
    expect([first.code, second.code]).toEqual([0, 1])
    expect(errorOf(second).message).toMatch(/^PO-1 was booked on .*, and has changed since/)
    expect(relay.sent("second")).toBe(0)
  })

  it("books once, however often it is run", async () => {
    const { book } = await busyDesk()
    const first = await book("often", "--key", "often")
    const second = await book("often", "--key", "often")
    expect(second.code).toBe(0)
    expect(second.json()).toEqual(first.json())
    expect(relay.sent("often")).toBe(1)
  })

  it("is not needed for a second one: --again books it", async () => {
    const { book } = await busyDesk()
    const all = [await book("again"), await book("again"), await book("again", "--again")]
    expect(all.map(({ code }) => code)).toEqual([0, 1, 0])
    expect(await booked("again")).toHaveLength(2)
  })
})
