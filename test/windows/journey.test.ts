/** Everyday use of freight on Windows, as Wine provides it. `in-wine.sh` runs this test. */
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { bookedBy } from "../acceptance/kills.ts"
import { ROOT } from "../acceptance/freight.ts"
import { csvOf, order, orders } from "../acceptance/orders.ts"
import { startRelay } from "../acceptance/relay.ts"
import { drawLines } from "../bills/pdfs.ts"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { bookingText, did, setUpWindows } from "./setup.ts"
import { HAS_WINDOWS } from "./windows.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const IS_PDF = /^%PDF-/

describe.skipIf(!HAS_WINDOWS)("on Windows", () => {
  const place = setUpWindows()

  it("goes from rates to a label and to what became of it", async () => {
    const desk = place.windows.desk(place.sandbox)
    expect((await did(desk, ["rate-shop", ...LANE])).stdout).toContain("TOTAL AUD")
    desk.write("booking.json", bookingText("W-1"))
    const words = ["book", "--file", "booking.json", "--key", "W-1"]
    const booked = await did(desk, [...words, "--wait", "--label", "labels\\W-1.pdf", "--json"])
    const { shipmentId, consignmentNumber } = booked.json<BookingResponse>()
    expect(desk.read("labels/W-1.pdf").toString("latin1")).toMatch(IS_PDF)
    const tracked = await did(desk, ["track", consignmentNumber ?? "", "--json"])
    expect(tracked.items()).toMatchObject([{ supported: true }])
    expect((await did(desk, ["label", "W-1"])).stderr).not.toContain("error")
    expect(desk.read("W-1.pdf").equals(desk.read("labels/W-1.pdf"))).toBe(true)
    const history = (await did(desk, ["history", "--json"])).items<{ shipmentId: string }>()
    expect(history.map((row) => row.shipmentId)).toEqual([shipmentId])
    expect((await did(desk, ["doctor"])).stdout).toContain(" checks, none failed")
  })

  it("answers the same key from the ledger, and refuses it for another booking", async () => {
    const desk = place.windows.desk(place.sandbox)
    const words = ["book", "--file", "booking.json", "--key", "W-2", "--json"]
    desk.write("booking.json", bookingText("W-2"))
    const first = await did(desk, words)
    const again = await did(desk, words)
    expect(again.json<BookingResponse>().shipmentId).toBe(first.json<BookingResponse>().shipmentId)
    desk.write("booking.json", bookingText("W-2 changed"))
    expect((await desk.freight(words)).code).not.toBe(0)
    const books = bookedBy(await place.sandbox.control("books"))
    expect([books.get("W-2")?.length, books.get("W-2 changed")]).toEqual([1, undefined])
  })

  it("books each row of a batch once, though it is killed and run again, and merges the labels", async () => {
    const relay = await startRelay(place.sandbox)
    onTestFinished(() => relay.close())
    const desk = place.windows.desk(relay.reach)
    const rows = orders(8, "WB", { connector: "connector-b", service: "GEN" })
    desk.write("orders.csv", csvOf(rows).replaceAll("\n", "\r\n"))
    const words = ["batch", "book", "orders.csv", "--merge", "labels.pdf", "--json"]
    const reached = Promise.all([relay.stop("WB-4", "committed"), relay.stop("WB-5", "arrived")])
    const killed = desk.start(words)
    await reached
    expect(await killed.kill()).toBe(true)
    expect((await killed.ended).code).not.toBe(0)

    // WB-4 is found at the carrier; of WB-5 nobody knows, so it is not sent again before a person says that it may be.
    const second = await desk.freight(words)
    expect([second.code, relay.sent("WB-4"), relay.sent("WB-5")]).toEqual([7, 1, 1])
    expect(second.stderr).toContain("(WB-5): sent on ")
    expect(second.stderr).not.toContain("(WB-4)")
    const history = (await did(desk, ["history", "--json"])).items<HistoryRow>()
    for (const { id, state } of history)
      if (state === "unknown") await did(desk, ["reconcile", "--release", id])
    const third = await desk.freight(words)
    expect(third).toMatchObject({ code: 0 })
    const books = bookedBy(await place.sandbox.control("books"))
    expect(rows.map(({ reference = "" }) => books.get(reference)?.length)).toEqual(rows.map(() => 1))
    expect(desk.read("labels.pdf").toString("latin1")).toMatch(IS_PDF)
    expect(desk.read("orders.results.csv").toString().trim().split(/\r?\n/)).toHaveLength(rows.length + 1)
    expect((await did(desk, ["batch", "status", "orders.csv", "--json"])).json()).toMatchObject({
      booked: rows.length,
    })
  })

  it("goes from the template of a workbook to labels, and books nothing twice from its CSV", async () => {
    const desk = place.windows.desk()
    await did(desk, ["batch", "template", "-o", "Aufträge ü.xlsx"])
    await did(desk, ["batch", "template", "-o", "orders.csv"])
    const dry = async (file: string) =>
      (await did(desk, ["batch", "book", file, "--sandbox", "--dry-run", "--json"])).stdout.replaceAll(
        file,
        "orders",
      )
    expect(await dry("Aufträge ü.xlsx")).toBe(await dry("orders.csv"))
    const book = async (file: string) =>
      (await did(desk, ["batch", "book", file, "--sandbox", "--labels", "labels", "--json"])).json()
    expect(await book("Aufträge ü.xlsx")).toMatchObject({ rows: 1, booked: 1, recorded: 0 })
    expect(await book("orders.csv")).toMatchObject({ rows: 1, booked: 1, recorded: 1 })
    expect(desk.read("labels/EXAMPLE-1.pdf").toString("latin1")).toMatch(IS_PDF)
    expect(desk.read("Aufträge ü.results.xlsx").subarray(0, 2).toString()).toBe("PK")
  })

  it("books a bill's consignments, and finds what its carrier billed wrongly", async () => {
    const desk = place.windows.desk()
    desk.write("orders.csv", csvOf([order("WA-1"), order("WA-2"), order("WA-3")]))
    await did(desk, ["--sandbox", "batch", "book", "orders.csv"])
    await did(desk, ["sandbox", "bill", "--delivered", "-o", "bill.csv"])
    const bill = desk.read("bill.csv").toString()
    await did(desk, ["audit", "bill.csv", "--sandbox"])
    // One consignment twice.
    const [head = "", line = ""] = bill.trim().split(/\r?\n/)
    desk.write("twice.csv", [bill.trim(), line, ""].join("\r\n"))
    const twice = await desk.freight(["audit", "twice.csv", "--sandbox", "--disputes", "disputes.csv"])
    expect(twice.code).toBe(1)
    expect(twice.stdout).toContain("billed twice")
    expect(desk.read("disputes.csv").toString()).toContain(head.split(",")[0] ?? "none")
  })

  it("checks invoices, by name, by pattern and below a folder", async () => {
    const desk = place.windows.desk()
    desk.write("in/good.json", textOf(minimalInvoice()).replaceAll("\n", "\r\n"))
    desk.write("in/2026 ü/bad.json", textOf({ ...minimalInvoice(), docType: "NONE" }))
    const validate = (...words: string[]) => desk.freight(["invoice", "validate", ...words, "--json"])
    for (const words of [
      ["in\\good.json"],
      ["in\\*.json"],
      [`${desk.home}\\in\\g*.json`],
      ["IN\\GOOD.JSON"],
      ["in/g?od.json"],
    ]) {
      const { code, json } = await validate(...words)
      expect({ words, code, valid: json().valid }).toEqual({ words, code: 0, valid: 1 })
    }
    const both = await validate("in\\**\\*.json")
    expect(both.code).toBe(1)
    expect(both.stdout).toContain("2026 ü\\\\bad.json")
    expect((await validate("in")).code).toBe(1)
  })

  it("audits invoices that are PDFs, and writes nothing else", async () => {
    const desk = place.windows.desk(place.sandbox)
    const charges = [
      ["SBW00000001", "63.90"],
      ["SBW00000002", "41.20"],
    ] as const
    const pdf = await drawLines([
      [["Invoice No: W-9", 40]],
      [
        ["Consignment", 40],
        ["Amount ex GST", 300],
      ],
      ...charges.map(([number, amount]) => [[number, 40] as const, [amount, -350] as const]),
      [
        ["Total ex GST", 40],
        ["105.10", -350],
      ],
    ])
    desk.write("Rechnung für März.pdf", pdf)
    const words = ["audit", "Rechnung für März.pdf", "--json", "--offline", "--no-remember"]
    const { items, stderr } = await did(desk, words)
    const consignments = items<{ consignmentNumber: string; billed: number }>()
    expect(consignments.map(({ consignmentNumber, billed }) => [consignmentNumber, billed])).toEqual([
      ["SBW00000001", 63.9],
      ["SBW00000002", 41.2],
    ])
    expect(stderr).toBe("")
    desk.write("half.pdf", pdf.subarray(0, 200))
    const half = await desk.freight(["audit", "half.pdf", "--offline", "--no-remember"])
    expect([half.code, half.stdout, half.stderr]).toEqual([
      2,
      "",
      expect.stringMatching(/^error: half\.pdf is damaged, and cannot be read as a PDF\n/),
    ])
  })

  it("keeps settings in the user's folder, and says what protects them", async () => {
    const desk = place.windows.desk(place.sandbox)
    await did(desk, ["config", "set", "within", "30"])
    expect((await did(desk, ["config", "get", "within"])).stdout).toBe("30\n")
    const file = path.join(desk.folder, "AppData/Roaming/freight/config/config.json")
    expect(JSON.parse(readFileSync(file, "utf8")).profiles.default).toEqual({ within: "30" })
    const { stdout } = await did(desk, ["doctor"])
    expect(stdout).toContain("the settings file is in your user folder, which Windows keeps from other users")
    const shared = await did(desk, ["config", "set", "within", "30"], {
      env: { FREIGHT_CONFIG_DIR: "C:\\shared" },
    })
    expect(shared.code).toBe(0)
    const warned = await desk.freight(["doctor"], { env: { FREIGHT_CONFIG_DIR: "C:\\shared" } })
    expect(warned.stdout).toContain("C:\\shared\\config.json is not in your user folder")
    expect(warned.stdout).toContain('icacls "C:\\shared"')
  })

  it("installs its completions for PowerShell, and completes", async () => {
    const desk = place.windows.desk()
    const script = readFileSync(path.join(ROOT, "completions/freight.ps1"), "utf8")
    expect((await did(desk, ["completion", "powershell"])).stdout).toBe(script)
    const { stderr } = await did(desk, ["completion", "powershell", "--install"])
    const file = "AppData/Local/freight/completions/freight.ps1"
    expect(desk.read(file).toString()).toBe(script)
    expect(stderr).toContain(`. '${desk.home}\\AppData\\Local\\freight\\completions\\freight.ps1'`)
    expect(stderr).toContain("Set-ExecutionPolicy -Scope CurrentUser RemoteSigned")
    expect((await did(desk, ["__complete", ":rate-sh"])).stdout).toContain("rate-shop\tcompare")
    expect(existsSync(path.join(desk.folder, "AppData/Local/freight/state/ledger.db"))).toBe(false)
  })
})
