import { beforeEach, describe, expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
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

  it("uses the device that this workstation keeps", async () => {
    const { freight } = await desk(sandbox)
    await freight(["devices", "use", "device-dispatch"])
    const { json } = await freight(["print", "label", shipment, "--json"])
    expect(json<Job[]>()[0]?.deviceId).toBe("device-dispatch")
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

  it("prints as many copies as are asked for", async () => {
    const { freight } = await desk(sandbox)
    const { json } = await freight(["print", "label", shipment, ...ON, "--copies", "3", "--json"])
    expect(json<Job[]>().map(({ copy }) => copy)).toEqual([1, 2, 3])
    expect(await prints()).toBe(3)
  })

  it("gives the job again under its key", async () => {
    const { freight } = await desk(sandbox)
    const args = ["print", "label", shipment, ...ON, "--key", "carton-7", "--json"]
    const [first] = (await freight(args)).json<Job[]>()
    const again = await freight(args)
    expect(again.code).toBe(0)
    expect(again.json<Job[]>()[0]).toEqual({ ...first, recorded: true })
    expect(await prints()).toBe(1)
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

  it("prints what can be printed, and exits with the code of the worst", async () => {
    const { freight } = await desk(sandbox)
    const { code, json, stderr } = await freight(["print", "label", "nope", shipment, ...ON, "--json"])
    expect(code).toBe(5)
    expect(json<Job[]>()).toHaveLength(1)
    expect(errorIn(stderr).errors[0].message).toContain("nope:")
  })

  it("exits 6 for a label that is not there yet, and prints nothing", async () => {
    const { freight } = await desk(sandbox)
    const late = (await booked(sandbox, "connector-c")).shipmentId
    const { code } = await freight(["print", "label", late, ...ON, "--no-wait"])
    expect(code).toBe(6)
    expect(await prints(late)).toBe(0)
  })

  it("exits 5 for a stale device with the list and the command that fixes it", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight([
      "print",
      "label",
      shipment,
      "--device",
      "device-retired",
      "--json",
    ])
    expect(code).toBe(5)
    expect(errorIn(stderr)).toMatchObject({ code: "DEVICE_NOT_FOUND", retry: "never" })
    expect(errorIn(stderr).next).toContain("freight devices use ID")
    expect(await prints()).toBe(0)
  })

  it.skipIf(!hasTerminal)(
    "offers the fresh list at a terminal, goes on with the choice and keeps it",
    async () => {
      const { freight, env } = await desk(sandbox)
      await freight(["devices", "use", "device-dispatch"])
      await sandbox.control("devices", { id: "device-dispatch", revoked: true })
      const { code, screen } = await atTerminal(["print", "label", shipment], env, [
        { see: "Print on which device instead?", type: "\r" },
      ])
      await sandbox.control("devices", { id: "device-dispatch", revoked: false })
      expect(screen).toContain("revoked or replaced")
      expect(code).toBe(0)
      expect(await prints()).toBe(1)
      const { json } = await freight(["devices", "forget", "--api", "freight", "--json"])
      expect(json<{ deviceId: string }[]>()[0]?.deviceId).toBe("device-bench")
    },
  )

  it.skipIf(!hasTerminal)("asks at a terminal before it prints again", async () => {
    const { freight, env } = await desk(sandbox)
    await freight(["print", "label", shipment, ...ON])
    const yes = [{ see: "again?", type: "y\r" }]
    expect((await atTerminal(["print", "label", shipment, ...ON], env, yes)).code).toBe(0)
    expect(await prints()).toBe(2)
    const no = [{ see: "again?", type: "\r" }]
    expect((await atTerminal(["print", "label", shipment, ...ON], env, no)).code).toBe(0)
    expect(await prints()).toBe(2)
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
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})
