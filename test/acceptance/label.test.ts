import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { PDFDocument } from "@cantoo/pdf-lib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { askedAt, ownSandbox } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { running } from "./running.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

interface Saved {
  shipmentId: string
  labelFile: string
  bytes: number
  page: number | null
}

let sandbox: RunningSandbox
/** Shipments of carriers A and B, whose labels are ready at once. */
let ready: string[]
beforeAll(async () => {
  sandbox = await startSandboxHere()
  const bookings = [await booked(sandbox, "connector-a"), await booked(sandbox, "connector-b")]
  ready = [...bookings, await booked(sandbox, "connector-a")].map(({ shipmentId }) => shipmentId)
})
afterAll(() => sandbox.stop())

/** A sandbox whose time stands long before carrier C makes the label of a shipment in it. */
async function unready(): Promise<{ own: RunningSandbox; early: string; late: string }> {
  const own = await ownSandbox()
  const [a, c] = [await booked(own, "connector-a"), await booked(own, "connector-c")]
  return { own, early: a.shipmentId, late: c.shipmentId }
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-"
const pagesIn = async (bytes: Uint8Array) => (await PDFDocument.load(bytes)).getPageCount()

describe("label", () => {
  it("saves the label of a shipment under its reference, which the API knows of one that was booked elsewhere", async () => {
    const { freight, folder } = await desk(sandbox)
    const [id = ""] = ready
    const { code, json } = await freight(["label", id, "--json"])
    expect(code).toBe(0)
    const bytes = await readFile(path.join(folder, "PO-1001.pdf"))
    expect(isPdf(bytes)).toBe(true)
    expect(json<{ items: Saved[] }>().items).toEqual([
      {
        ...{ shipmentId: id, labelFile: "PO-1001.pdf", bytes: bytes.length },
        ...{ page: null, place: null, cancelled: null },
      },
    ])
  })

  it("saves several into a folder that it makes, and lists them in their order", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code, json } = await freight(["label", ...ready, "--dir", "out/today", "--json"])
    expect(code).toBe(0)
    expect(json<{ items: Saved[] }>().items.map(({ shipmentId }) => shipmentId)).toEqual(ready)
    expect((await readdir(path.join(folder, "out/today"))).sort()).toEqual(
      json<{ items: Saved[] }>()
        .items.map(({ labelFile }) => path.basename(labelFile))
        .sort(),
    )
  })

  it("takes shipments from standard input, as freight's own CSV lists them", async () => {
    const { freight, folder } = await desk(sandbox)
    const list = await freight(["shipments", "list", "--format", "csv", "--fields", "id"])
    const { code } = await freight(["label", "-", "--dir", "out"], { input: list.stdout })
    expect(code).toBe(0)
    const listed = list.stdout.trim().split("\n").slice(1)
    expect(listed).toEqual(expect.arrayContaining(ready))
    expect(await readdir(path.join(folder, "out"))).toHaveLength(listed.length)
  })

  it("names labels as --label-name says, and asks for what that needs", async () => {
    const { freight, folder } = await desk(sandbox)
    const flags = ["--dir", "named", "--label-name", "{reference}-{consignment}.pdf"]
    const { code } = await freight(["label", ...ready, ...flags])
    expect(code).toBe(0)
    expect((await readdir(path.join(folder, "named"))).sort().join(" ")).toMatch(
      /^PO-1001-SBA\d+\.pdf PO-1001-SBA\d+\.pdf PO-1001-SBB\d+\.pdf$/,
    )
  })

  it("writes the label to standard output and nothing else", async () => {
    const { freight } = await desk(sandbox)
    const { code, bytes } = await freight(["label", ready[0] ?? "", "-o", "-"])
    expect([code, isPdf(bytes), await pagesIn(bytes)]).toEqual([0, true, 1])
  })

  it.runIf(hasTerminal).each([["-o"], ["--merge"]])(
    "does not write a PDF to a terminal with %s",
    async (flag) => {
      const { env } = await desk(sandbox)
      const { code, screen } = await atTerminal(["label", ready[0] ?? "", flag, "-"], env, [])
      expect([code, screen]).toEqual([2, expect.stringContaining("cannot be shown on a terminal")])
    },
  )

  it("writes over a label of an earlier run", async () => {
    const { freight, folder } = await desk(sandbox)
    await freight(["label", ready[0] ?? "", "-o", "label.pdf"])
    expect((await freight(["label", ready[1] ?? "", "-o", "label.pdf"])).code).toBe(0)
    expect(isPdf(await readFile(path.join(folder, "label.pdf")))).toBe(true)
  })

  it("says that a file is in the place of a folder", async () => {
    const { freight, folder } = await desk(sandbox)
    await writeFile(path.join(folder, "file"), "")
    const { code, stderr } = await freight(["label", ready[0] ?? "", "-o", "file/label.pdf"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot write file/label.pdf")])
  })

  it("saves the others when one is not found, names it, and exits 5", async () => {
    const { freight } = await desk(sandbox)
    const [a = "", b = ""] = ready
    const { code, json, stderr } = await freight(["label", a, "nowhere", b, "--json"])
    expect(code).toBe(5)
    expect(json<{ items: Saved[] }>().items.map(({ shipmentId }) => shipmentId)).toEqual([a, b])
    expect(JSON.parse(stderr).error.errors[0].message).toMatch(/^nowhere: /)
  })

  it("leaves the old file alone when the reply is not a PDF", async () => {
    const { own, early } = await unready()
    const { freight, folder } = await desk(own)
    await writeFile(path.join(folder, "label.pdf"), "old")
    await own.control("faults", { fault: "garbage:x1@GET/shipments" })
    const { code } = await freight(["label", early, "-o", "label.pdf", "--force"])
    expect([code, await readFile(path.join(folder, "label.pdf"), "utf8")]).toEqual([6, "old"])
    expect(await readdir(folder)).toEqual(["label.pdf"])
  })

  it("keeps a hostile id inside its folder", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code } = await freight(["label", "../../../x", "CON", "-o", "x.pdf"])
    const other = await freight(["label", "../../../x", "CON", "--dir", "out"])
    expect([code, other.code, await readdir(folder)]).toEqual([2, 5, ["state"]])
  })
})

describe("label --merge", () => {
  it("puts each label once into one PDF in the given order, also on standard output", async () => {
    const { freight, folder } = await desk(sandbox)
    const given = [...ready].reverse()
    const { code, json } = await freight(["label", ...given, "--merge", "all.pdf", "--json"])
    expect(code).toBe(0)
    expect(await pagesIn(await readFile(path.join(folder, "all.pdf")))).toBe(3)
    const merged = async (...ids: string[]) => (await freight(["label", ...ids, "--merge", "-"])).bytes
    expect(await merged(...given, ...given)).toEqual(await readFile(path.join(folder, "all.pdf")))
    expect(await merged(...ready)).not.toEqual(await merged(...given))
    expect(
      json<{ items: Saved[] }>().items.map(({ shipmentId, labelFile, page }) => [
        ...[shipmentId, labelFile, page],
      ]),
    ).toEqual(given.map((id, at) => [id, "all.pdf", at + 1]))
  })

  it("writes nothing when a label is missing", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["label", ...ready, "nowhere", "--merge", "all.pdf"])
    expect([code, stdout, await readdir(folder)]).toEqual([5, "", ["state"]])
    expect(stderr).toContain("nowhere")
  })
})

describe("label of a shipment whose carrier makes it later", () => {
  it("waits until all are there", async () => {
    const { own, early, late } = await unready()
    await own.control("clock", { advanceMs: -3_600_000 })
    const { env, folder } = await desk(own)
    const { ended, line } = running(
      ["label", early, late, "--dir", `${folder}/out`, "--format", "ndjson"],
      env,
    )
    await askedAt(own, "GET /shipments/{id}/label", 2)
    await own.control("clock", { advanceMs: 2 * 3_600_000 })
    expect([
      JSON.parse((await line()) ?? "").shipmentId,
      JSON.parse((await line()) ?? "").shipmentId,
    ]).toEqual([early, late])
    expect((await ended).code).toBe(0)
  })

  it("--no-wait exits 6, saves the others, and gives the command for those that are missing", async () => {
    const { own, late } = await unready()
    await own.control("clock", { advanceMs: -3_600_000 })
    const { shipmentId: b } = await booked(own, "connector-b")
    const { freight } = await desk(own)
    const { code, json, stderr } = await freight(["label", late, b, "--dir", "out", "--no-wait", "--json"])
    expect([code, json<{ items: Saved[] }>().items.map(({ shipmentId }) => shipmentId)]).toEqual([6, [b]])
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: "notReady",
      retry: "after",
      next: `freight label --dir out ${late}`,
    })
  })

  it("ends with the limit", async () => {
    const { own, late } = await unready()
    await own.control("clock", { advanceMs: -3_600_000 })
    const { freight } = await desk(own)
    const { code, stderr } = await freight(["label", late, "--wait", "1"])
    expect(code).toBe(6)
    expect(stderr).toContain(`Waiting for the label of ${late}`)
    expect(stderr).toContain("is not ready yet")
  })

  it("exits 6 beside a shipment that is not found, as running it again helps", async () => {
    const { own, late } = await unready()
    await own.control("clock", { advanceMs: -3_600_000 })
    const { freight } = await desk(own)
    expect((await freight(["label", late, "nowhere", "--no-wait"])).code).toBe(6)
  })
})
