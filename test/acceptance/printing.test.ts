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
    expect(repeated.json<Job[]>()[0]?.recorded).toBe(true)
    expect(await prints()).toBe(1)
    expect((await freight(["print", "label", shipment, ...ON, "--again"])).code).toBe(0)
    expect(await prints()).toBe(2)
  })

  it("prints once when eight processes are told the same at once", async () => {
    const { freight } = await desk(sandbox)
    const args = ["print", "label", shipment, ...ON, "--key", "one", "--json"]
    const ran = await Promise.all(Array.from({ length: 8 }, () => freight(args)))
    expect(ran.map(({ code }) => code)).toEqual(Array(8).fill(0))
    expect(new Set(ran.map(({ json }) => json<Job[]>()[0]?.jobId)).size).toBe(1)
    expect(await prints()).toBe(1)
  })

  it("takes shipments from standard input", async () => {
    const { freight } = await desk(sandbox)
    const other = (await booked(sandbox, "connector-b")).shipmentId
    const { code, json } = await freight(["print", "label", "-", ...ON, "--json"], {
      input: `id\n${shipment}\n${other}\n`,
    })
    expect(code).toBe(0)
    expect(json<Job[]>()).toHaveLength(2)
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
    [["other", "--key", "K"], "--key names one print"],
    [["--device", ""], "device's id is empty"],
  ])("%j is refused before anything is sent", async (args, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["print", "label", shipment, ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
