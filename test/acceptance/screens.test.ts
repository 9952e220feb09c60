/** Every table as it stands on terminals of several widths: golden screens, and no line that wraps. */
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import stringWidth from "fast-string-width"
import { beforeAll, describe, expect, it } from "vitest"
import { booking as exampleOf } from "../sandbox/requests.ts"
import { minimalDraft } from "../invoice/samples.ts"
import { desk } from "./freight.ts"

/** Monday, 09:00 in Sydney. */
const NOW = Date.parse("2026-11-22T22:00:00Z")
const GOLDEN = [60, 80, 120]
const WIDTHS = [60, 80, 100, 120, 200]
const LONG = "Harbour Lighting and Electrical Supplies Pty Ltd, Western Australia"

const ROWS = `reference,service,sender,receiver.companyName,receiver.address1,receiver.suburb,receiver.state,receiver.postcode,packages,packagingCode,collectionDateTime,collectionCloseTime
PO-2001,cheapest,warehouse,Bobs Bikes,1 Wharf Road,Hobart,TAS,7000,2x40x30x20@5.5,CT,2026-11-23T12:00:00,1700
PO-2002 of the shop in Northbridge,fastest,warehouse,Harbour Supplies,8 Market Street,Fremantle,WA,6160,30x20x10@2,CT,2026-11-23T12:00:00,1700
`

const BILL = `Invoice Number,Consignment,Reference,Service,Charge,Amount ex GST
INV-2001,SBA00000001,SO-17,9:00 Express,Freight,40.00
INV-2001,SBA00000001,SO-17,9:00 Express,Fuel levy,100.00
INV-2001,SBA00000002,"SO-18 of the shop in Northbridge",76,Freight,12.00
INV-2001,SBA90000001,,76,Freight,1234.50
INV-2001,,,,Account keeping fee,15.00
`

const SALES = `Invoice,PO,Bill to address,Supplier code,Supplier,Supplier ABN,Description,Qty,Price,GST
INV-1,PO-7,1 Harbour Street; Sydney NSW 2000,S-1,Harbour Lighting,51824753556,Lamp,2,20.00,0
INV-2 of the shop in Northbridge,PO-7,1 Harbour Street; Sydney NSW 2000,S-1,Harbour Lighting,51824753556,Lamp,1200,20.00,0
`

type Desk = Awaited<ReturnType<typeof desk>>
let home: Desk
const run = (args: string[], columns?: number) =>
  home.freight(args, { now: NOW, ...(columns !== undefined && { columns }) })
const sandboxed = (args: string[], columns?: number) => run([...args, "--sandbox"], columns)
/** A desk whose bookings have been delivered. */
let busy: Desk
const LATER = NOW + 9 * 86_400_000
const shown = (args: string[], columns: number) =>
  args[0] === "report"
    ? busy.freight([...args, "--sandbox"], { now: LATER, columns })
    : sandboxed(args, columns)

/** Each has some name that is long. */
beforeAll(async () => {
  home = await desk()
  const example = exampleOf({ customerReference: "SO-17", collectionDateTime: "2026-11-23T12:00:00" })
  const file = path.join(home.folder, "booking.json")
  await writeFile(file, JSON.stringify(example))
  const book = (...more: string[]) =>
    sandboxed(["book", "--file", "booking.json", "--connector", "connector-a", ...more])
  await book()
  await book(
    "--key",
    "a very long idempotency key of a shop 0001",
    "--set",
    "customerReference=SO-18 of the shop in Northbridge",
    "--set",
    `receiver.companyName=${LONG.slice(0, 30)}`,
  )
  await writeFile(path.join(home.folder, "orders.csv"), ROWS)
  await writeFile(path.join(home.folder, "bill.csv"), BILL)
  await writeFile(path.join(home.folder, "sales.csv"), SALES)
  const sender = path.join(home.folder, "sender.json")
  await writeFile(sender, JSON.stringify(example.sender))
  await run(["address", "add", "warehouse", "--file", "sender.json"])
  await run(["config", "set", "freightBaseUrl", "https://api.freight.example/tenants/harbour-lighting/v1"])
  const codes = ["--supplier-id", "S-1001", "--supplier-name", LONG, "--abn", "51824753556"]
  await run(["party", "add", "the-shop-itself", ...codes])
  await run(["party", "add", "wattle", "--bill-to", "Wattle Homes, 1 Harbour Street, Sydney NSW 2000"])
  await run(["package", "add", "the-long-carton-of-the-shop", "120x30x20@12.5"])
  await mkdir(path.join(home.folder, "labels"))
  busy = await desk()
  await writeFile(path.join(busy.folder, "booking.json"), JSON.stringify(example))
  const services = ["connector-a 76", "connector-a 75", "connector-b GEN", "connector-c STD"]
  for (const reference of ["PO-1", "PO-2 sandbox:late", "SHOP-3"])
    for (const [connector = "", service = ""] of services.map((text) => text.split(" ")))
      await busy.freight(
        ["book", "--sandbox", "--file", "booking.json", "--again", "--connector", connector].concat([
          ...["--service", service, "--set", `customerReference=${reference}`],
        ]),
        { now: NOW },
      )
  await busy.freight(["track", "--open", "--sandbox"], { now: LATER })
  const supplier = { ...minimalDraft().data.supplier, name: LONG }
  const invoice = { ...minimalDraft(), data: { ...minimalDraft().data, supplier } }
  await mkdir(path.join(home.folder, "outbox"))
  const invoices = {
    "good.json": invoice,
    "lacks-its-purpose.json": { ...invoice, data: { ...invoice.data, purpose: 0 } },
  }
  for (const [name, document] of Object.entries({ ...invoices, "broken-by-hand.json": "{" }))
    await writeFile(
      path.join(home.folder, "outbox", name),
      typeof document === "string" ? document : JSON.stringify(document),
    )
})

const SCREENS: Record<string, string[]> = {
  connectors: ["connectors"],
  "rate-shop": [
    ...["rate-shop", "--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160"],
    ...["--package", "2x40x30x20@5.5"],
  ],
  "shipments list": ["shipments", "list"],
  "shipments show": ["shipments", "show", "SO-17"],
  evidence: ["evidence", "SO-17"],
  audit: ["audit", "bill.csv", "--no-remember", "--all"],
  "audit --accruals": ["audit", "--accruals"],
  history: ["history"],
  today: ["today"],
  "report carriers": ["report", "carriers"],
  "report spend": ["report", "spend", "--by", "reference-prefix"],
  "history --spend": ["history", "--spend"],
  track: ["track", "DEMO-A-DELIVERED"],
  "devices list": ["devices", "list"],
  manifest: ["manifest", "--date", "2026-11-23"],
  "pickup show": ["pickup", "show", "demo-pickup"],
  "auth status": ["auth", "status"],
  "batch template --columns": ["batch", "template", "--columns", "all"],
  "batch book --dry-run": ["batch", "book", "orders.csv", "--dry-run"],
  "batch plan": ["batch", "plan", "orders.csv"],
  "batch plan show": ["batch", "plan", "show", "orders.plan.json"],
  "batch book": ["batch", "book", "orders.csv"],
  "batch status": ["batch", "status", "orders.csv", "--all"],
  "invoice new --per": [
    "invoice",
    "new",
    "--from",
    "sales.csv",
    "--abn",
    "51824753556",
    "--per",
    "Invoice",
    "-o",
    "drafts-of-november",
  ],
  "invoice list": ["invoice", "list", "outbox"],
  "invoice rules": ["invoice", "rules"],
  "profile list": ["profile", "list"],
  "address list": ["address", "list"],
  "package list": ["package", "list"],
  "party list": ["party", "list"],
}
/** These show folders of this machine, or change data, so their screens are not stored. */
const OTHERS: Record<string, string[]> = {
  doctor: ["doctor"],
  "config list": ["config", "list"],
  "ledger status": ["ledger", "status"],
  "label --dir": ["label", "SO-17", "demo-shipment", "--dir", "labels"],
  "print label": ["print", "label", "SO-17", "--device", "device-bench", "--again"],
  reconcile: ["reconcile"],
}

/** Ids are made by chance: each is named by its place, in as many characters. */
async function withoutChance(text: string): Promise<string> {
  const list = await sandboxed(["shipments", "list", "--json"])
  const ids = list.items<{ shipmentId: string }>().map(({ shipmentId }) => shipmentId)
  const named = ids.reduce((result, id, at) => {
    if (!/^[0-9a-f]{8}-/.test(id)) return result
    const short = `${at + 1}`.repeat(8).slice(0, 8)
    return result
      .replaceAll(id, `${short}${id.slice(8).replace(/[0-9a-f]/g, "0")}`)
      .replaceAll(id.slice(0, 8), short)
  }, text)
  return named
    .replace(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:40000")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => id.replace(/[0-9a-f]/g, "0"))
}

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n")

describe("the screens of", () => {
  it.each(Object.entries(SCREENS))("freight %s", async (name, args) => {
    const screens: string[] = []
    for (const columns of GOLDEN) {
      const { stdout } = await shown(args, columns)
      screens.push(`${"-".repeat(columns - 4)} ${String(columns).padStart(3)}\n${stdout}`)
    }
    const text = await withoutChance(screens.join("\n"))
    const file = path.join(import.meta.dirname, "screens", `${name.replaceAll(/[ -]+/g, "-")}.txt`)
    await expect(text).toMatchFileSnapshot(file)
  })
})

describe.each(Object.entries({ ...SCREENS, ...OTHERS }))("freight %s", (_, args) => {
  it.each(WIDTHS)("has no line that wraps at %i columns", async (columns) => {
    const { stdout, stderr } = await shown(args, columns)
    // Overwritten text does not count. Lines with an address or a command are never wrapped, so that they can be copied.
    const notes = linesOf(stderr).map((line) => line.split("\u001b[K").at(-1) ?? "")
    const lines = [...linesOf(stdout), ...notes].filter(
      (line) => !/https?:\/\/|next:|\/freight-desk-|[0-9a-f]{64}/.test(line),
    )
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
  })
})

it("a table in a pipe is as wide as it is", async () => {
  const { stdout } = await sandboxed(["history"])
  expect(stdout).toContain("SO-18 of the shop in Northbridge")
  expect(stdout).toMatch(/ [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/m)
})
