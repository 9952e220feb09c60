/** The ledger's folder is full, read-only or damaged: a booking says so, and is not sent without it. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import type { ErrorJson } from "../../src/errors.ts"
import type { HistoryRow } from "../../src/ledger/history.ts"
import type { Settled } from "../../src/ledger/reconcile.ts"
import { BINARY, desk, type Ran } from "./freight.ts"
import { bookedBy, shipmentIn } from "./kills.ts"
import { type Relay, startRelay } from "./relay.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let sandbox: RunningSandbox
let relay: Relay
let bookingFile = ""
let desks = 0

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  relay = await startRelay(sandbox)
  bookingFile = (await (await desk()).freight(["book", "--example"])).stdout
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
  const freight = (...args: string[]) => made.freight(args, { env })
  return {
    state,
    reference,
    freight,
    book: () => freight(...words),
    /** Books with no file allowed to hold anything. */
    async bookWithoutRoom() {
      const args = ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, BINARY, ...words]
      const child = spawn("sh", args, { cwd: made.folder, env, stdio: ["ignore", "pipe", "pipe"] })
      const ended = once(child, "exit")
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await ended
      return { code, stdout, stderr }
    },
    /** The ledger's folder, once something was booked. */
    async ledger() {
      const [scope = ""] = await readdir(state)
      return path.join(state, scope, "ledger")
    },
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
    expectUnsent(await bookWithoutRoom(), sent(), "cannot be kept: no file may grow any further there")
  })

  it.skipIf(!CAN_MOUNT)("when the disk is full", async () => {
    const state = await disk("size=256k")
    const { book, sent } = await troubledDesk(path.join(state, "freight"))
    await fill(state)
    expectUnsent(await book(), sent(), "cannot be kept: the disk is full")
  })

  it.skipIf(!CAN_MOUNT)("when the disk is full, and is sent when there is room again", async () => {
    const state = await disk("size=256k")
    const { book, booked } = await troubledDesk(path.join(state, "freight"))
    const file = await fill(state)
    const full = await book()
    await rm(file)
    const roomy = await book()
    expect([full.code, roomy.code]).toEqual([2, 0])
    expect(await booked()).toEqual([shipmentIn(roomy)])
  })

  it.skipIf(!CAN_MOUNT)("when the disk is read-only", async () => {
    const { book, sent } = await troubledDesk(path.join(await disk("ro"), "freight"))
    expectUnsent(await book(), sent(), "cannot be kept: that disk is read-only")
  })

  // Root writes wherever it likes, whatever the mode says: the read-only disk above stands for it.
  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "when the folder is read-only",
    async () => {
      const { state, book, sent } = await troubledDesk()
      await mkdir(state)
      await chmod(state, 0o500)
      expectUnsent(await book(), sent(), "cannot be kept: you may not write there")
    },
  )

  it("when a file stands in the place of the folder", async () => {
    const { state, book, sent } = await troubledDesk()
    await writeFile(state, "")
    expectUnsent(await book(), sent(), "cannot be kept: a part of that path is a file, not a folder")
  })

  it.each([
    "open",
    "entries",
    "index",
  ])("when a file stands in the place of the ledger's folder '%s'", async (name) => {
    const { freight, ledger, book, sent } = await troubledDesk()
    await freight("connectors")
    await mkdir(await ledger())
    await writeFile(path.join(await ledger(), name), "")
    expectUnsent(await book(), sent(), "cannot be kept: a part of that path is a file, not a folder")
  })
})

describe("an entry that cannot be read", () => {
  const DAMAGES: [string, (whole: string) => string | Uint8Array][] = [
    ["empty", () => ""],
    ["torn", (whole) => whole.slice(0, whole.length / 2)],
    ["garbage", () => Buffer.from([0, 159, 146, 150, 255, 10])],
    ["another program's", () => '{"version": 7}'],
  ]

  async function damaged(damage: (whole: string) => string | Uint8Array) {
    const made = await troubledDesk()
    await made.book()
    const entries = path.join(await made.ledger(), "entries")
    const names = await readdir(entries, { recursive: true })
    const file = path.join(entries, names.find((name) => name.endsWith(".json")) ?? "")
    await writeFile(file, damage(await readFile(file, "utf8")))
    return { ...made, file }
  }

  it.each(DAMAGES)("(%s) stops its booking, and names the file and what to do", async (_what, damage) => {
    const { book, file, sent } = await damaged(damage)
    const ran = await book()
    expectUnsent(ran, sent() - 1, `the ledger's file ${file} cannot be read; nothing was sent`)
    const name = path.basename(file).replace(/\.1\.json$/, "")
    expect(errorOf(ran).next).toBe(`freight reconcile --release ${name}`)
  })

  it("is told by history, which shows the rest", async () => {
    const { freight, file } = await damaged(() => "")
    const { code, json, stderr } = await freight("history", "--json")
    expect(code).toBe(0)
    expect(json<HistoryRow[]>()).toEqual([])
    expect(stderr).toContain(`${file} cannot be read`)
  })

  it("lets its booking be sent again once the command that was named has released it", async () => {
    const { freight, book, booked } = await damaged(() => "")
    const [, ...words] = (errorOf(await book()).next ?? "").split(" ")
    expect((await freight(...words)).code).toBe(0)
    expect((await book()).code).toBe(0)
    expect(await booked()).toHaveLength(2)
  })
})

describe("a booking whose outcome cannot be written", () => {
  /** Books, and lets something happen to the state folder between the booking and its answer. */
  async function bookedWhile(
    trouble: (ledger: string, state: string) => Promise<() => Promise<void>>,
    state?: string,
  ) {
    const made = await troubledDesk(state)
    let mend = async () => {}
    relay.meanwhile(made.reference, async () => {
      mend = await trouble(await made.ledger(), made.state)
    })
    const ran = await made.book()
    return { ...made, ran, mend: () => mend() }
  }

  const fileInPlace = async (ledger: string) => {
    const entries = path.join(ledger, "entries")
    await rename(entries, `${entries}.away`)
    await writeFile(entries, "")
    return async () => {
      await rm(entries)
      await rename(`${entries}.away`, entries)
    }
  }

  const fullDisk = async (_ledger: string, state: string) => {
    const file = await fill(path.dirname(state))
    return () => rm(file)
  }

  it("is told with its shipment and the server's whole reply, and exits 8", async () => {
    const { ran, booked } = await bookedWhile(fileInPlace)
    const [id] = await booked()
    expect(ran.code).toBe(8)
    expect(errorOf(ran)).toMatchObject({ kind: "stepFailed", retry: "never", next: "freight reconcile" })
    expect(errorOf(ran).message).toContain(`the booking was made: shipment ${id}, 2 packages to`)
    expect(errorOf(ran).message).toContain("a part of that path is a file, not a folder")
    expect(errorOf(ran).message).toContain(`"shipmentId":"${id}"`)
  })

  it("is not sent again, and reconcile finds it", async () => {
    const { mend, book, freight, booked, sent } = await bookedWhile(fileInPlace)
    await mend()
    expect((await book()).code).toBe(7)
    const settled = (await freight("reconcile", "--json")).json<Settled[]>()
    expect(settled).toMatchObject([{ outcome: "settled", matches: await booked() }])
    const last = await book()
    expect([last.code, shipmentIn(last)]).toEqual([0, (await booked())[0]])
    expect(sent()).toBe(1)
  })

  it.skipIf(!CAN_MOUNT)("because the disk is full, is told, kept as unknown, and found", async () => {
    const state = path.join(await disk("size=256k"), "freight")
    const { ran, mend, book, freight, booked, sent } = await bookedWhile(fullDisk, state)
    expect(ran.code).toBe(8)
    expect(errorOf(ran).message).toContain("the disk is full")
    expect((await freight("history", "--json")).json<HistoryRow[]>()).toMatchObject([{ state: "unknown" }])
    expect((await book()).code).toBe(7)
    await mend()
    expect((await freight("reconcile")).code).toBe(0)
    expect(shipmentIn(await book())).toBe((await booked())[0])
    expect(sent()).toBe(1)
  })
})
