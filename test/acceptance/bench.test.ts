/** A bench: `print label - --as-they-come` prints the label of each scan at once, and each once. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { booked, bookingDesk } from "./bookings.ts"
import { desk, errorIn, getCommandLine } from "./freight.ts"
import { jobsAt } from "./print-jobs.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { scanAt } from "./scanner.ts"

const sandbox = await fileSandbox()
const BENCH = ["print", "label", "-", "--as-they-come", "--device", "device-bench"]

let shipments: string[] = []
beforeEach(async () => {
  await sandbox.control("devices", { id: "device-bench", revoked: false })
  const made = await Promise.all([booked(sandbox, "connector-a"), booked(sandbox, "connector-b")])
  shipments = made.map(({ shipmentId }) => shipmentId)
})

/** How often each label was queued. */
async function countPrints(ids: readonly string[]): Promise<number[]> {
  const jobs = await jobsAt(sandbox)
  return ids.map((id) => jobs.filter(({ shipmentId }) => shipmentId === id).length)
}

/** The outcome and the scan of each line. */
function readLines(stdout: string): string[][] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))
}

describe("a bench", () => {
  it("prints each scan once, names what it does not know, and counts at the end", async () => {
    const { freight } = await desk(sandbox)
    const [one = "", other = ""] = shipments
    const { code, stdout, stderr } = await freight(BENCH, {
      input: `${one}\r\n\n${other}\n${one}\nSO-nowhere\n`,
    })
    expect(readLines(stdout).map(([outcome, scan]) => [outcome, scan])).toEqual([
      ["printed", one],
      ["printed", other],
      ["printed before", one],
      ["not printed", "SO-nowhere"],
    ])
    expect(stderr).toContain("3 scanned: 2 printed, 1 not printed.")
    expect(code).toBe(5)
    expect(await countPrints(shipments)).toEqual([1, 1])
  })

  it("says when and where it was printed, by any command and on any device, and prints it once more for 'again'", async () => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    await freight(["print", "label", one, "--device", "device-dispatch"])
    const { code, stdout } = await freight(BENCH, { input: `again\n${one}\nAGAIN\nagain\n${one}` })
    expect(readLines(stdout).map(([outcome]) => outcome)).toEqual([
      "not printed",
      "printed before",
      "printed",
      "not printed",
      "printed before",
    ])
    expect(stdout).toMatch(/printed before {2}.* at test-desk; again prints it once more/)
    expect(code).toBe(0)
    expect(await countPrints([one])).toEqual([2])
  })

  it("prints a label that comes late when it comes, and the others meanwhile", async () => {
    const { freight } = await desk(sandbox)
    const late = (await booked(sandbox, "connector-c")).shipmentId
    const { code, stdout } = await freight(BENCH, { input: `${late}\n${late}\n${shipments.join("\n")}\n` })
    const lines = readLines(stdout).map(([outcome, scan]) => [outcome, scan])
    expect(lines.slice(0, 2)).toEqual([
      ["waiting", late],
      ["waiting", late],
    ])
    // The late one comes when its carrier has it: on a busy machine before the others.
    const printed = lines.slice(2)
    expect(printed.filter(([, scan]) => scan !== late)).toEqual([
      ["printed", shipments[0]],
      ["printed", shipments[1]],
    ])
    expect(printed.filter(([, scan]) => scan === late)).toEqual([["printed", late]])
    expect(code).toBe(0)
    expect(await countPrints([late, ...shipments])).toEqual([1, 1, 1])
  })

  it("exits 6 where a label did not come, and waits for none with --no-wait", async () => {
    const { freight } = await desk(sandbox)
    const late = (await booked(sandbox, "connector-c")).shipmentId
    const { code, stdout } = await freight([...BENCH, "--no-wait"], { input: late })
    expect([code, readLines(stdout).map(([outcome]) => outcome)]).toEqual([6, ["not printed"]])
  })

  it("goes on where its device was revoked, and asks nothing", async () => {
    const { freight } = await desk(sandbox)
    const [one = "", other = ""] = shipments
    const revoke = (revoked: boolean) => sandbox.control("devices", { id: "device-bench", revoked })
    const { code, out, err } = await scanAt(freight, BENCH, [
      `${one}\n`,
      () => revoke(true),
      `${other}\n`,
      () => revoke(false),
      `${other}\n`,
    ])
    expect(readLines(out).map(([outcome]) => outcome)).toEqual(["printed", "not printed", "printed"])
    expect(err.split("\u0007")).toHaveLength(2)
    expect(code).toBe(0)
    expect(await countPrints(shipments)).toEqual([1, 1])
  })

  it("has JSON of each scan, and the error of what was not printed", async () => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    const { json, stderr } = await freight([...BENCH, "--json"], { input: `${one}\nSO-nowhere\n` })
    expect(json().items).toEqual([
      expect.objectContaining({ scan: one, outcome: "printed", shipmentId: one, deviceId: "device-bench" }),
      expect.objectContaining({ scan: "SO-nowhere", outcome: "not printed", shipmentId: null }),
    ])
    expect(errorIn(stderr)).toMatchObject({ kind: "notFound" })
  })

  it("prints each label once where two benches with two devices scan the same at once", async () => {
    const { binary } = await desk(sandbox)
    const made = await Promise.all(Array.from({ length: 6 }, () => booked(sandbox, "connector-a")))
    const ids = made.map(({ shipmentId }) => shipmentId)
    const input = ids.join("\n")
    const other = [...BENCH.slice(0, -1), "device-dispatch"]
    const runs = await Promise.all([binary(BENCH, { input }), binary(other, { input })])
    expect(await countPrints(ids)).toEqual(Array(6).fill(1))
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
  })

  it("does not print again what has no known outcome", async () => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/print" })
    const dropped = await freight(BENCH, { input: one })
    await sandbox.control("faults", undefined, "DELETE")
    const again = await freight(BENCH, { input: `${one}\nagain\n` })
    expect([dropped.code, again.code]).toEqual([7, 7])
    expect(await countPrints([one])).toEqual([1])
  })

  it.each([
    "-",
    "id",
    "#1001",
    "x".repeat(300_000),
  ])("takes %.10s for a name like any other, and reads on", async (name) => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    const { code, stdout, stderr } = await freight(BENCH, { input: `${name}\r${one}\r` })
    expect(readLines(stdout).map(([outcome]) => outcome)).toEqual(["not printed", "printed"])
    expect(code).not.toBe(0)
    expect(stderr.length).toBeLessThan(1000)
    expect(await countPrints([one])).toEqual([1])
  })

  it("prints once more what the scan before found, although a late label comes between", async () => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    const late = (await booked(sandbox, "connector-c")).shipmentId
    const printedLate = () => vi.waitFor(async () => expect(await countPrints([late])).toEqual([1]), 60_000)
    const { code, out } = await scanAt(freight, BENCH, [`${one}\n${late}\n${one}\n`, printedLate, "again\n"])
    expect(readLines(out).map(([outcome, scan]) => [outcome, scan])).toEqual([
      ["printed", one],
      ["waiting", late],
      ["printed before", one],
      ["printed", late],
      ["printed", one],
    ])
    expect(code).toBe(0)
    expect(await countPrints([one, late])).toEqual([2, 1])
  })

  it("ends with the code of a label that was not printed once more", async () => {
    const { freight } = await desk(sandbox)
    const [one = ""] = shipments
    const revoke = (revoked: boolean) => sandbox.control("devices", { id: "device-bench", revoked })
    const { code, out } = await scanAt(freight, BENCH, [
      `${one}\n`,
      async () => {},
      `${one}\n`,
      () => revoke(true),
      "again\n",
    ])
    expect(readLines(out).map(([outcome, scan]) => [outcome, scan])).toEqual([
      ["printed", one],
      ["printed before", one],
      ["not printed", one],
    ])
    expect(code).not.toBe(0)
    expect(await countPrints([one])).toEqual([1])
  })

  it("counts a late label as printed under each name that it was scanned by", async () => {
    const { freight } = await desk(sandbox)
    const { shipmentId, orderNumber } = await booked(sandbox, "connector-c")
    const { code, stderr } = await freight(BENCH, { input: `${shipmentId}\n${orderNumber}\n` })
    expect(stderr).toContain("2 scanned: 2 printed.")
    expect(code).toBe(0)
    expect(await countPrints([shipmentId])).toEqual([1])
  })

  it("prints nothing of what its carrier has cancelled, and says how it is printed anyway", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const { shipmentId } = (await book()).json<{ shipmentId: string }>()
    await freight(["cancel", shipmentId, "--confirmed", "Kim"])
    const { code, stdout } = await freight(BENCH, { input: shipmentId })
    expect(stdout).toMatch(/^not printed .*cancelled on .*, confirmed by Kim; next: freight print label /)
    expect(code).toBe(1)
    expect(await countPrints([shipmentId])).toEqual([0])
    expect((await freight(["print", "label", shipmentId, "--device", "device-bench"])).code).toBe(0)
  })

  it("names each shipment that a scan may mean", async () => {
    const { book, freight } = await bookingDesk(sandbox)
    const two = [await book("--key", "SO-2"), await book("--key", "SO-3", "--again")]
    const [first, second] = two.map(({ json }) =>
      json<{ shipmentId: string; freight: { reference: string } }>(),
    )
    const { stdout } = await freight(BENCH, { input: first?.freight.reference ?? "" })
    expect(stdout).toContain(first?.shipmentId.slice(0, 8))
    expect(stdout).toContain(second?.shipmentId.slice(0, 8))
  })

  it("counts, and has JSON of, what was printed before a Ctrl-C", async () => {
    const { env, folder } = await desk(sandbox)
    const [one = ""] = shipments
    const child = spawn(...getCommandLine([...BENCH, "--json"]), { env, cwd: folder, stdio: "pipe" })
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    child.stdin.write(`${one}\n`)
    await vi.waitFor(async () => expect(await countPrints([one])).toEqual([1]), 60_000)
    child.kill("SIGINT")
    const [code] = await once(child, "close")
    expect(code).toBe(130)
    expect(JSON.parse(await stdout).items).toEqual([
      expect.objectContaining({ scan: one, outcome: "printed" }),
    ])
    expect(await stderr).toContain("1 scanned: 1 printed.")
  })

  it.each([
    [["print", "label", "one", "--as-they-come"], "give - and no shipment"],
    [[...BENCH, "--again"], "--again"],
    [[...BENCH, "--copies", "2"], "--copies"],
  ])("%j is refused before anything is read", async (args, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
