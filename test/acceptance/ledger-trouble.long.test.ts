/** The ledger's file is locked, damaged or of a newer version, or its folder full, read-only or damaged: a booking says so, and is not sent without it. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import type { ErrorJson } from "../../src/base/errors.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { driver, ledgerFileIn, temporaryDir } from "../ledger/setup.ts"
import { getBinary, desk, type Ran } from "./freight.ts"
import { bookedBy, shipmentIn } from "./kills.ts"
import { type Relay, startRelay } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

let sandbox: RunningSandbox
let relay: Relay
let bookingFile = ""
let desks = 0

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  relay = await startRelay(sandbox)
  bookingFile = JSON.stringify(ownBooking())
})
afterAll(async () => {
  await relay.close()
  await sandbox.stop()
})

/** A desk with a booking of its own, and its state in another folder if one is given. */
async function troubledDesk(otherState?: string) {
  const made = await desk(relay.reach)
  const state = otherState ?? made.state
  const env = { ...made.env, FREIGHT_STATE_DIR: state }
  await writeFile(path.join(made.folder, "booking.json"), bookingFile)
  const reference = `trouble-${++desks}`
  const words = ["book", "--file", "booking.json", "--reference", reference, "--key", reference, "--json"]
  const freight = (...args: string[]) => made.binary(args, { env })
  return {
    state,
    reference,
    freight,
    book: () => freight(...words),
    /** Books with no file allowed to hold anything. */
    async bookWithoutRoom() {
      const args = ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, getBinary(), ...words]
      const child = spawn("sh", args, { cwd: made.folder, env, stdio: ["ignore", "pipe", "pipe"] })
      const ended = once(child, "exit")
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await ended
      return { code, stdout, stderr }
    },
    ledger: path.join(state, "ledger.db"),
    booked: async () => bookedBy(await sandbox.control("books")).get(reference) ?? [],
    sent: () => relay.sent(reference),
  }
}

function errorOf({ stderr }: Pick<Ran, "stderr">): ErrorJson["error"] {
  return (JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as ErrorJson).error
}

/** Root may mount a small disk, though not in every container. */
const CAN_MOUNT =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

async function disk(options: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-disk-"))
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder], {
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(stderr)
  onTestFinished(async () => {
    spawnSync("umount", [folder])
    await rm(folder, { recursive: true })
  })
  return folder
}

/** Writes a file that takes all the room there is. */
async function fill(folder: string): Promise<string> {
  const file = path.join(folder, "fill")
  const { bavail, bsize } = await statfs(folder)
  await writeFile(file, Buffer.alloc(bavail * bsize))
  return file
}

/** Nothing was sent, and the error says whose fault it is. */
function expectUnsent(ran: Pick<Ran, "code" | "stdout" | "stderr">, sent: number, words: string): void {
  expect(errorOf(ran)).toMatchObject({ kind: "config", retry: "never" })
  expect(errorOf(ran).message).toContain(words)
  expect({ code: ran.code, stdout: ran.stdout, sent }).toEqual({ code: 2, stdout: "", sent: 0 })
}

describe("a booking whose intent cannot be written is not sent", () => {
  it.skipIf(process.platform === "win32")("when no file may grow", async () => {
    const { bookWithoutRoom, sent } = await troubledDesk()
    expectUnsent(await bookWithoutRoom(), sent(), "cannot be used:")
  })

  it.skipIf(!CAN_MOUNT)("when the disk is full", async () => {
    const state = await disk("size=256k")
    const { book, sent } = await troubledDesk(path.join(state, "freight"))
    await fill(state)
    expectUnsent(await book(), sent(), "cannot be used: the disk is full")
  })

  it.skipIf(!CAN_MOUNT)("when the disk is full, and is sent when there is room again", async () => {
    const state = await disk("size=768k")
    const { book, booked } = await troubledDesk(path.join(state, "freight"))
    const file = await fill(state)
    const full = await book()
    await rm(file)
    const roomy = await book()
    expect([full.code, roomy.code]).toEqual([2, 0])
    expect(await booked()).toEqual([shipmentIn(roomy)])
  })

  it.skipIf(!CAN_MOUNT)("when the disk is full, in a ledger that was used before", async () => {
    const state = await disk("size=1m")
    const { book, freight, sent } = await troubledDesk(path.join(state, "freight"))
    expect((await freight("book", "--file", "booking.json", "--key", "before", "--json")).code).toBe(0)
    await fill(state)
    expectUnsent(await book(), sent(), "cannot be used: the disk is full")
    // Nor can a reader do without the files beside it.
    const read = await freight("history", "--json")
    expect([read.code, errorOf(read).message]).toEqual([2, expect.stringContaining("the disk is full")])
  })

  it.skipIf(!CAN_MOUNT)("when the disk is read-only", async () => {
    const { book, sent } = await troubledDesk(path.join(await disk("ro"), "freight"))
    expectUnsent(await book(), sent(), "cannot be used: that disk is read-only")
  })

  // Root writes wherever it likes, whatever the mode says: the read-only disk above stands for it.
  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "when the folder is read-only",
    async () => {
      const { state, book, sent } = await troubledDesk()
      await mkdir(state)
      await chmod(state, 0o500)
      expectUnsent(await book(), sent(), "cannot be used: you may not write there")
    },
  )

  it("when a file stands in the place of the folder", async () => {
    const { state, book, sent } = await troubledDesk()
    await writeFile(state, "")
    expectUnsent(await book(), sent(), "cannot be used: a part of that path is a file, not a folder")
  })

  it("when another program holds the file, and is when it lets go: exit 6", async () => {
    const { state, ledger, book, sent } = await troubledDesk()
    await mkdir(state, { recursive: true })
    copyFileSync(ledgerFileIn(temporaryDir()), ledger)
    const other = driver(ledger)
    await other.exec("begin exclusive")
    const ran = await book()
    expect(ran.code).toBe(6)
    expect(errorOf(ran)).toMatchObject({ kind: "unavailable", retry: "safe" })
    expect(errorOf(ran).message).toContain("cannot be used: another program has locked it")
    expect(sent()).toBe(0)
    await other.exec("rollback")
    other.close()
    expect((await book()).code).toBe(0)
  })

  it.each<[string, (whole: Buffer) => Uint8Array, string]>([
    ["garbage", () => Buffer.from("hello, this is not a database".repeat(99)), "the file is not a ledger"],
    ["torn", (whole) => whole.subarray(0, 9_000), "the file is damaged"],
  ])("when the file is %s", async (_what, damage, words) => {
    const { ledger, book, sent } = await troubledDesk()
    await book()
    await writeFile(ledger, damage(await readFile(ledger)))
    await rm(`${ledger}-wal`, { force: true })
    expectUnsent(await book(), sent() - 1, words)
  })

  it("when a newer freight made the file", async () => {
    const { ledger, book, sent } = await troubledDesk()
    await book()
    const other = driver(ledger)
    await other.exec("update ledger_schema set version = 99")
    other.close()
    expectUnsent(await book(), sent() - 1, "was made by a newer version of freight")
  })
})

describe("a booking whose outcome cannot be written", () => {
  /** Books, and lets the ledger be locked by another program between the booking and its answer. */
  async function bookedWhileLocked() {
    const made = await troubledDesk()
    let other: ReturnType<typeof driver> | undefined
    relay.meanwhile(made.reference, async () => {
      other = driver(made.ledger)
      await other.exec("pragma busy_timeout = 5000")
      await other.exec("begin immediate")
    })
    const ran = await made.book()
    await other?.exec("rollback")
    other?.close()
    return { ...made, ran }
  }

  it("is printed anyway, exits 8, and the next command takes its outcome into the ledger", async () => {
    const { ran, book, freight, booked, sent, state } = await bookedWhileLocked()
    const [id] = await booked()
    expect(ran.code).toBe(8)
    expect(ran.json<{ shipmentId: string }>().shipmentId).toBe(id)
    expect(errorOf(ran)).toMatchObject({ kind: "stepFailed", retry: "never" })
    expect(errorOf(ran).message).toContain(`the booking was made: shipment ${id}, 2 packages to`)
    expect(await readdir(path.join(state, "unrecorded"))).toHaveLength(1)
    expect((await freight("history", "--json")).items<HistoryRow>()).toMatchObject([
      { state: "done", shipmentId: id },
    ])
    expect(await readdir(path.join(state, "unrecorded"))).toEqual([])
    const last = await book()
    expect([last.code, shipmentIn(last)]).toEqual([0, id])
    expect(sent()).toBe(1)
  })

  it.skipIf(!CAN_MOUNT)(
    "because the disk is full, is reported, and the next command takes its outcome in",
    async () => {
      const state = path.join(await disk("size=1200k"), "freight")
      const made = await troubledDesk(state)
      let file = ""
      relay.meanwhile(made.reference, async () => {
        file = await fill(path.dirname(state))
      })
      const ran = await made.book()
      expect(ran.code).toBe(8)
      expect(errorOf(ran).message).toContain("the disk is full")
      const [id] = await made.booked()
      expect(ran.json<{ shipmentId: string }>().shipmentId).toBe(id)
      await rm(file)
      expect((await made.freight("history", "--json")).items<HistoryRow>()).toMatchObject([
        { state: "done", shipmentId: id },
      ])
      const last = await made.book()
      expect([last.code, shipmentIn(last)]).toEqual([0, id])
      expect(made.sent()).toBe(1)
    },
  )
})

describe.skipIf(!CAN_MOUNT)("a full disk is said to be full", () => {
  it.each([
    ["by the settings", ["config", "set", "service", "cheapest"]],
    ["by a saved package", ["package", "add", "box", "40x30x20@5"]],
    ["by the choice of a device", ["devices", "use", "device-bench"]],
    ["by a file that is written", ["batch", "template", "-o", "orders.csv"]],
    ["by the sandbox", ["sandbox", "bill", "--delivered", "-o", "bill.csv"]],
    ["by the state folder's check", ["doctor"]],
  ])("%s", async (_, words) => {
    const folder = await disk("size=2m")
    const made = await desk(relay.reach)
    const env = {
      ...made.env,
      FREIGHT_STATE_DIR: path.join(folder, "state"),
      FREIGHT_CONFIG_DIR: path.join(folder, "config"),
    }
    const freight = (...args: string[]) => made.binary(args, { env, cwd: folder })
    await writeFile(path.join(folder, "booking.json"), bookingFile)
    for (const where of [[], ["--sandbox"]]) {
      const booked = await freight("book", "--file", "booking.json", "--key", "warm", ...where)
      expect(booked.code, booked.stderr).toBe(0)
    }
    await fill(folder)
    const ran = await freight(...words, "--json")
    expect(`${ran.stdout}${ran.stderr}`).toContain("the disk is full")
    expect([1, 2, 6]).toContain(ran.code)
  })
})
