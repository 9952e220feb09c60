import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/booking/example.ts"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let sandbox: RunningSandbox
let shipment: string
beforeAll(async () => {
  sandbox = await startSandboxProcess()
})
beforeEach(async () => {
  shipment = (await booked(sandbox, "connector-a")).shipmentId
})
afterAll(() => sandbox.stop())

interface Job {
  deviceId: string
  copy: number
  jobId: string
  status?: string
  recorded: boolean
}

interface PrintJob {
  id: string
  api: string
  shipmentId: string | null
}

/** The print jobs of a shipment, or of the direct print API since a number of them. */
async function jobs(): Promise<PrintJob[]> {
  return ((await sandbox.control("books")) as { printJobs: PrintJob[] }).printJobs
}

async function prints(of = shipment): Promise<number> {
  return (await jobs()).filter(({ shipmentId }) => shipmentId === of).length
}

function errorIn(stderr: string) {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error
}

const ITEMS = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
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

  it("takes the only device there is", async () => {
    const { freight } = await desk({ ...sandbox, freightApiKey: sandbox.keys.secondTenantFreight ?? "" })
    const request = { ...exampleBooking(Date.now()), serviceCode: "76", items: ITEMS }
    const made = await freight(["api", "POST", "second-a-sydney/shipments", "--file", "-"], {
      input: JSON.stringify(request),
    })
    const { shipmentId } = made.json<{ shipmentId: string }>()
    const { code, json } = await freight(["print", "label", shipmentId, "--json"])
    expect(code).toBe(0)
    expect(json<Job[]>()[0]?.deviceId).toBe("device-second")
  })

  it("exits 2 with the list when there are several devices", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["print", "label", shipment, "--json"])
    expect(code).toBe(2)
    expect(errorIn(stderr).next).toContain("freight devices use ID")
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

  it("exits 5 for a stale device with the list and the command that mends it", async () => {
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

  it("exits 4 where direct print is not switched on, and names both causes", async () => {
    const { freight } = await desk({ ...sandbox, freightApiKey: sandbox.keys.noDirectPrint ?? "" })
    const { code, stderr } = await freight([
      "api",
      "POST",
      `shipments/${shipment}/print`,
      "--set",
      "deviceId=x",
    ])
    expect(code).toBe(4)
    expect(stderr).toContain("direct print is not switched on")
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
    [["--key", "K", "--again"], "contradict"],
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

describe("print pdf", () => {
  const PDF = "%PDF-1.4\npacking list\n%%EOF\n"

  /** A desk with PDF files in its folder, each its own. */
  async function pdfDesk(...names: string[]) {
    const made = await desk(sandbox)
    for (const name of names) await writeFile(path.join(made.folder, name), `${PDF}${shipment}${name}`)
    return made
  }

  async function directJobs(): Promise<number> {
    return (await jobs()).filter(({ api }) => api === "direct-print").length
  }

  it("queues each file as a job of its own", async () => {
    const { freight } = await pdfDesk("a.pdf", "b.pdf")
    const before = await directJobs()
    const { code, json } = await freight(["print", "pdf", "a.pdf", "b.pdf", ...ON, "--json"])
    expect(code).toBe(0)
    expect(json<Job[]>()).toMatchObject([
      { file: "a.pdf", deviceId: "device-bench", copy: 1, status: "DELIVERED", recorded: false },
      { file: "b.pdf" },
    ])
    expect(await directJobs()).toBe(before + 2)
  })

  it("says queued, which is all that DELIVERED means", async () => {
    const { freight } = await pdfDesk("a.pdf")
    const { stdout, stderr } = await freight(["print", "pdf", "a.pdf", ...ON])
    expect(stdout).toContain("queued")
    expect(`${stdout}${stderr}`).not.toMatch(/delivered/i)
  })

  it("prints the very bytes, from standard input too", async () => {
    const { freight, state } = await desk()
    const bytes = Buffer.concat([Buffer.from(PDF), Buffer.from([0, 255, 128, 10, 13])])
    const { code, json } = await freight(["print", "pdf", "-", "--sandbox", ...ON, "--json"], {
      input: bytes,
    })
    expect(code).toBe(0)
    const [job] = json<(Job & { file: string })[]>()
    expect(job?.file).toBe("standard input")
    const spooled = path.join(state, "sandbox", "spool", "device-bench", `${job?.jobId}.pdf`)
    expect(await readFile(spooled)).toEqual(bytes)
  })

  it("knows a file that was printed by what it holds, whatever its name", async () => {
    const { freight, folder } = await pdfDesk("a.pdf")
    await freight(["print", "pdf", "a.pdf", ...ON])
    await writeFile(path.join(folder, "copy.pdf"), await readFile(path.join(folder, "a.pdf")))
    const before = await directJobs()
    expect((await freight(["print", "pdf", "copy.pdf", ...ON])).code).toBe(1)
    expect((await freight(["print", "pdf", "copy.pdf", ...ON, "--again"])).code).toBe(0)
    expect(await directJobs()).toBe(before + 1)
  })

  it("keeps no PDF in the ledger, but its hash and size", async () => {
    const { freight, folder } = await pdfDesk("a.pdf")
    await freight(["print", "pdf", "a.pdf", ...ON])
    const bytes = await readFile(path.join(folder, "a.pdf"))
    const { json } = await freight(["history", "--kind", "pdf-print", "--json"])
    const [{ file = "" } = {}] = json<{ file: string }[]>()
    const entry = await readFile(file, "utf8")
    expect(JSON.parse(entry).request).toMatchObject({ file: "a.pdf", size: bytes.length })
    expect(entry).not.toContain(bytes.toString("base64").slice(0, 20))
  })

  it("looks at every file first: one that is no PDF is told, and nothing is sent", async () => {
    const { freight, folder } = await pdfDesk("a.pdf")
    await writeFile(path.join(folder, "b.docx"), "PK\u0003\u0004")
    const before = await directJobs()
    const { code, stderr } = await freight(["print", "pdf", "a.pdf", "b.docx", "c.pdf", ...ON])
    expect(code).toBe(2)
    expect(stderr).toContain("b.docx is no PDF")
    expect(stderr).toContain("c.pdf: there is no such file")
    expect(await directJobs()).toBe(before)
  })

  it("tells the size of a file that is too large, and sends nothing", async () => {
    const { freight, folder } = await desk(sandbox)
    const large = Buffer.alloc(6_750_001)
    large.write("%PDF-1.4")
    await writeFile(path.join(folder, "large.pdf"), large)
    const { code, stderr } = await freight(["print", "pdf", "large.pdf", ...ON])
    expect(code).toBe(2)
    expect(stderr).toContain("9,000,004 base64 characters, and the limit is 9,000,000")
  })

  it("prints the largest file that is allowed", async () => {
    const { freight, folder } = await desk(sandbox)
    const large = Buffer.alloc(6_750_000)
    large.write(`%PDF-1.4 ${shipment}`)
    await writeFile(path.join(folder, "large.pdf"), large)
    expect((await freight(["print", "pdf", "large.pdf", ...ON])).code).toBe(0)
  })

  it("prints the others when one fails, and exits with the code of the worst", async () => {
    const { freight } = await pdfDesk("a.pdf", "b.pdf", "c.pdf")
    await sandbox.control("faults", { fault: "502:x1@POST/print-jobs" })
    const { code, json, stderr } = await freight(["print", "pdf", "a.pdf", "b.pdf", "c.pdf", ...ON, "--json"])
    await sandbox.control("faults", undefined, "DELETE")
    expect(code).toBe(7)
    expect(json<(Job & { file: string })[]>().map(({ file }) => file)).toEqual(["b.pdf", "c.pdf"])
    expect(errorIn(stderr)).toMatchObject({ message: "1 of 3 prints failed", retry: "never" })
  })

  it("exits 4 for a key without the scope, with the server's words and the scope's name", async () => {
    const { freight } = await pdfDesk("a.pdf")
    const env = { DIRECT_PRINT_API_KEY: sandbox.keys.withoutPrintJobsWrite ?? "" }
    const { code, stderr } = await freight(["print", "pdf", "a.pdf", ...ON, "--json"], { env })
    expect(code).toBe(4)
    expect(errorIn(stderr)).toMatchObject({ kind: "forbidden", status: 403 })
  })

  it("waits as long as a rate limit's body says, and then prints once", async () => {
    const { freight } = await pdfDesk("a.pdf")
    const before = await directJobs()
    await sandbox.control("faults", { fault: "429:x1@POST/print-jobs" })
    const { code } = await freight(["print", "pdf", "a.pdf", ...ON])
    await sandbox.control("faults", undefined, "DELETE")
    expect(code).toBe(0)
    expect(await directJobs()).toBe(before + 1)
  })

  it("exits 5 for a stale device, and prints nothing", async () => {
    const { freight } = await pdfDesk("a.pdf", "b.pdf")
    const before = await directJobs()
    const { code, stderr } = await freight(["print", "pdf", "a.pdf", "b.pdf", "--device", "gone", "--json"])
    expect(code).toBe(5)
    expect(errorIn(stderr).errors?.[0]?.message).toContain("no print device 'gone', or it was revoked")
    expect(errorIn(stderr).next).toContain("freight devices use ID --api direct-print")
    expect(await directJobs()).toBe(before)
  })
})
