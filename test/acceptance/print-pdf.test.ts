import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { type Job, jobsAt } from "./print-jobs.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { encryptedPdf, soundPdf } from "../output/paper/odd-pdfs.ts"

const sandbox = await fileSandbox()
let shipment: string
beforeEach(async () => {
  shipment = (await booked(sandbox, "connector-a")).shipmentId
})

const jobs = () => jobsAt(sandbox)

const ON = ["--device", "device-bench"]

describe("print pdf", () => {
  /** A desk with PDF files in its folder, each its own. */
  async function pdfDesk(...names: string[]) {
    const made = await desk(sandbox)
    for (const name of names) await writeFile(path.join(made.folder, name), soundPdf(`${shipment}${name}`))
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
    expect(json<{ items: Job[] }>().items).toMatchObject([
      { file: "a.pdf", deviceId: "device-bench", copy: 1, status: "DELIVERED", recorded: false },
      { file: "b.pdf" },
    ])
    expect(await directJobs()).toBe(before + 2)
  })

  it("prints the very bytes, from standard input too", async () => {
    const { freight, state } = await desk()
    const bytes = Buffer.concat([soundPdf("packing list"), Buffer.from([0, 255, 128, 10, 13])])
    const { code, json } = await freight(["print", "pdf", "-", "--sandbox", ...ON, "--json"], {
      input: bytes,
    })
    expect(code).toBe(0)
    const [job] = json<{ items: (Job & { file: string })[] }>().items
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
    const { stdout: entry } = await freight(["ledger", "export"])
    expect(JSON.parse(entry).request).toMatchObject({ file: "a.pdf", size: bytes.length })
    expect(entry).not.toContain(bytes.toString("base64").slice(0, 20))
  })

  it("looks at every file first: one that is not a PDF is reported, and nothing is sent", async () => {
    const { freight, folder } = await pdfDesk("a.pdf")
    await writeFile(path.join(folder, "b.docx"), "PK\u0003\u0004")
    const before = await directJobs()
    const { code, stderr } = await freight(["print", "pdf", "a.pdf", "b.docx", "c.pdf", ...ON])
    expect([code, stderr]).toEqual([2, expect.stringContaining("b.docx is not a PDF")])
    expect(stderr).toContain("c.pdf: there is no such file")
    expect(await directJobs()).toBe(before)
  })

  it("refuses what no printer prints, and prints a PDF with blanks before it", async () => {
    const { freight, folder } = await pdfDesk("a.pdf")
    const sound = await readFile(path.join(folder, "a.pdf"))
    await writeFile(path.join(folder, "half.pdf"), sound.subarray(0, sound.length / 2))
    await writeFile(path.join(folder, "bare.pdf"), "%PDF-1.4\n%%EOF\n")
    await writeFile(path.join(folder, "locked.pdf"), await encryptedPdf())
    await writeFile(path.join(folder, "lead.pdf"), `\r\n  ${sound}`)
    const before = await directJobs()
    const { code, stderr } = await freight(["print", "pdf", "half.pdf", "bare.pdf", "locked.pdf", ...ON])
    expect([code, stderr]).toMatchInlineSnapshot(`
      [
        2,
        "error: 3 of 3 files cannot be printed; nothing was sent
        - half.pdf cannot be printed: it is not complete, its end is missing
        - bare.pdf cannot be printed: it is not a valid PDF
        - locked.pdf cannot be printed: it is encrypted
      ",
      ]
    `)
    expect(await directJobs()).toBe(before)
    expect((await freight(["print", "pdf", "lead.pdf", ...ON])).code).toBe(0)
    expect(await directJobs()).toBe(before + 1)
  })

  it("exits 4 for a key without the scope, with the server's words and the scope's name", async () => {
    const { freight } = await pdfDesk("a.pdf")
    const env = { DIRECT_PRINT_API_KEY: sandbox.keys.withoutPrintJobsWrite ?? "" }
    const { code, stderr } = await freight(["print", "pdf", "a.pdf", ...ON, "--json"], { env })
    expect(code).toBe(4)
    expect(errorIn(stderr)).toMatchObject({ kind: "forbidden", status: 403 })
  })
})
