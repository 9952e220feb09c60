import { beforeEach, describe, expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { type Job, jobsAt } from "./print-jobs.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()
let shipment: string
beforeEach(async () => {
  shipment = (await booked(sandbox, "connector-a")).shipmentId
})

const jobs = () => jobsAt(sandbox)

async function prints(of = shipment): Promise<number> {
  return (await jobs()).filter(({ shipmentId }) => shipmentId === of).length
}

const ON = ["--device", "device-bench"]

describe("print label", () => {
  it("queues the label, and says that queued is not printed", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["print", "label", shipment, ...ON])
    expect(code).toBe(0)
    expect(stdout).toContain(shipment)
    expect(stderr).toContain("Queued on device-bench: the device prints it when its client takes the job.")
    expect(await prints()).toBe(1)
  })

  it("does not print again when it is repeated, and prints again when told so", async () => {
    const { freight } = await desk(sandbox)
    await freight(["print", "label", shipment, ...ON])
    const repeated = await freight(["print", "label", shipment, ...ON, "--json"])
    expect(repeated.code).toBe(1)
    expect(repeated.items<Job>()[0]?.recorded).toBe(true)
    expect(await prints()).toBe(1)
    expect((await freight(["print", "label", shipment, ...ON, "--again"])).code).toBe(0)
    expect(await prints()).toBe(2)
  })

  it("prints once when eight processes are told the same at once", async () => {
    const { freight } = await desk(sandbox)
    const args = ["print", "label", shipment, ...ON, "--key", "one", "--json"]
    const ran = await Promise.all(Array.from({ length: 8 }, () => freight(args)))
    expect(ran.map(({ code }) => code)).toEqual(Array(8).fill(0))
    expect(new Set(ran.map(({ json }) => json<{ items: Job[] }>().items[0]?.jobId)).size).toBe(1)
    expect(await prints()).toBe(1)
  })

  it("gives the recorded print under its key the second time, and ends with 0", async () => {
    const { freight } = await desk(sandbox)
    const args = ["print", "label", shipment, ...ON, "--key", "once", "--json"]
    const ran = [await freight(args), await freight(args)]
    expect(ran.map(({ code, json }) => [code, json<{ items: Job[] }>().items[0]?.recorded])).toEqual([
      [0, false],
      [0, true],
    ])
    expect(await prints()).toBe(1)
  })

  it("takes a key for each of several shipments, which stays with its shipment in another order and beside one more", async () => {
    const { freight } = await desk(sandbox)
    const [other, third] = [await booked(sandbox, "connector-a"), await booked(sandbox, "connector-a")]
    const print = (...pairs: [name: string, key: string][]) =>
      freight([
        ...["print", "label", ...pairs.map(([name]) => name), ...ON, "--json"],
        ...pairs.flatMap(([, key]) => ["--key", key]),
      ])
    const [a, b, c] = [shipment, other.shipmentId, third.shipmentId]
    const recorded = ({ code, items }: Awaited<ReturnType<typeof print>>) => [
      code,
      ...items<Job>().map((job) => [job.shipmentId, job.recorded]),
    ]
    expect(recorded(await print([a, "A"], [b, "B"]))).toEqual([0, [a, false], [b, false]])
    const again = await print([c, "C"], [b, "B"], [a, "A"])
    expect(recorded(again)).toEqual([0, [c, false], [b, true], [a, true]])
    expect(recorded(await print([a, "A"]))).toEqual([0, [a, true]])
    expect((await print([b, "A"], [a, "B"])).code).toBe(2)
    expect([await prints(a), await prints(b), await prints(c)]).toEqual([1, 1, 1])
  })

  it("leaves the key of a label that is late to its shipment", async () => {
    const { freight } = await desk(sandbox)
    const late = (await booked(sandbox, "connector-a")).shipmentId
    await sandbox.control("faults", { fault: `503@${late}/label` })
    const args = ["print", "label", late, shipment, ...ON, "--key", "late", "--key", "there", "--json"]
    const { code } = await freight([...args, "--no-wait"])
    await sandbox.control("faults", undefined, "DELETE")
    expect([code, await prints(late), await prints()]).toEqual([6, 0, 1])
    const alone = await freight(["print", "label", shipment, ...ON, "--key", "there", "--json"])
    expect([alone.code, alone.items<Job>()[0]?.recorded]).toEqual([0, true])
  })

  it("refuses two names of one shipment with a key each, and prints nothing", async () => {
    const { freight } = await desk(sandbox)
    const { shipmentId: id, consignmentNumber } = await booked(sandbox, "connector-a")
    const args = ["print", "label", String(consignmentNumber), id, ...ON, "--key", "K1", "--key", "K2"]
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("are one shipment: name it once")])
    expect(await prints(id)).toBe(0)
  })

  it("refuses them also where the label comes for one of the names only: the other key would print it once more", async () => {
    const { freight } = await desk(sandbox)
    const { shipmentId: id, consignmentNumber } = await booked(sandbox, "connector-a")
    await sandbox.control("faults", { fault: `500:x1@${id}/label` })
    const args = ["print", "label", String(consignmentNumber), id, ...ON, "--key", "K1", "--key", "K2"]
    const { code, stderr } = await freight(args)
    await sandbox.control("faults", undefined, "DELETE")
    expect([code, stderr]).toEqual([2, expect.stringContaining("are one shipment: name it once")])
    expect(await prints(id)).toBe(0)
  })

  it("takes shipments from standard input", async () => {
    const { freight } = await desk(sandbox)
    const other = (await booked(sandbox, "connector-b")).shipmentId
    const { code, json } = await freight(["print", "label", "-", ...ON, "--json"], {
      input: `id\n${shipment}\n${other}\n`,
    })
    expect(code).toBe(0)
    expect(json<{ items: Job[] }>().items).toHaveLength(2)
  })

  it("exits 6 for a label that is not there yet, and prints nothing", async () => {
    const { freight } = await desk(sandbox)
    const late = (await booked(sandbox, "connector-c")).shipmentId
    const { code } = await freight(["print", "label", late, ...ON, "--no-wait"])
    expect(code).toBe(6)
    expect(await prints(late)).toBe(0)
  })

  it("exits 7 when the reply never came, and does not print again", async () => {
    const { freight } = await desk(sandbox)
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/print" })
    expect((await freight(["print", "label", shipment, ...ON])).code).toBe(7)
    await sandbox.control("faults", undefined, "DELETE")
    expect((await freight(["print", "label", shipment, ...ON, "--again"])).code).toBe(7)
    expect(await prints()).toBe(1)
  })

  it.each([
    [["--copies", "0"], "--copies"],
    [["--copies", "100"], "--copies"],
    [["--copies", "two"], "--copies"],
    [["--key", " "], "--key is empty"],
    [["other", "--key", "K"], "--key: there are 1 for 2 prints"],
    [["--key", "K", "--key", "L"], "--key: there are 2 for 1 prints"],
    [["other", "--key", "K", "--key", "K"], "--key: K is given for two prints"],
    [["other", "--key", "K", "--key", "K/2", "--copies", "2"], "--key: K/2 is given for two prints"],
    [["--device", ""], "device's id is empty"],
  ])("%j is refused before anything is sent", async (args, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["print", "label", shipment, ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
