/** Every request that every command makes, and how to bring the command there. */
import { randomUUID } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import type { CallKind } from "../../src/api/outcome.ts"
import { TREE } from "../../src/app/tree.ts"
import type { RunOptions } from "../acceptance/freight.ts"
import { csvOf, order } from "../acceptance/orders.ts"
import type { Bench, FaultyDesk } from "./bench.ts"
import { createdThenDropped } from "./faults.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"

/** One request of one command. */
export interface Row {
  /** The command, and which of its requests it is. */
  name: string
  /** As in the tree: `shipments list`. */
  command: string
  /** The request that is struck. */
  at: string
  kind: CallKind
  /** Makes what the command needs; gives the command line. */
  args(bench: Bench, desk: FaultyDesk): Promise<readonly string[]> | readonly string[]
  /** Keys other than the main tenant's, and standard input. */
  options?(bench: Bench): RunOptions
  /** Where no reply comes, the command asks something else: that has tests of its own. */
  asksOtherwise?: true
  /** The command makes the request for as many things as there are: how often is not told beforehand. */
  many?: true
  /** A failure is what the command reports: it prints it, and ends with this code. */
  reports?: number
  /** How it ends where nothing is wrong; 0 when left out. */
  ends?: number
  /** It goes on without a reply that cannot be read. */
  copes?: true
  /** The reply is printed as it came, whatever its shape. */
  unchecked?: true
}

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const BOOK = ["book", "--file", "booking.json"]
const BENCH = ["--device", "device-bench"]

const idOf = async (bench: Bench) => (await bench.shipment()).shipmentId
const pickUp = async (bench: Bench) => ["pickup", "book", "--shipment", await idOf(bench)]
const printLabel = async (bench: Bench) => ["print", "label", await idOf(bench), ...BENCH]
/** Another tenant, which has one print device and so need not choose. */
const secondKey = (name: "freight" | "directPrint"): Required<Row>["options"] => {
  const variable = name === "freight" ? "FREIGHT_API_KEY" : "DIRECT_PRINT_API_KEY"
  const owner = name === "freight" ? "secondTenantFreight" : "secondTenantDirectPrint"
  return ({ sandbox }) => ({ env: { [variable]: sandbox.keys[owner] ?? "" } })
}

/** Books at this desk, and never hears of it: something for reconcile. */
async function lose(desk: FaultyDesk): Promise<void> {
  desk.line.arm({ at: "POST /{}/shipments", misbehave: createdThenDropped })
  const service = ["--connector", "connector-b", "--service", "PRM", "--reference", randomUUID()]
  await desk.freight([...BOOK, ...service])
}

/** Bills this consignment in a file that counts as none of the working folder's. */
async function billIn({ folder }: FaultyDesk, consignment: string): Promise<readonly string[]> {
  const file = path.join(folder, "state", "bill.csv")
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `Consignment,Amount\n${consignment},50.00\n`)
  return ["audit", file, "--no-remember"]
}

/** Books at this desk, and bills that. */
async function billOne(desk: FaultyDesk, ...more: string[]): Promise<readonly string[]> {
  const service = ["--connector", "connector-a", "--service", "76", "--reference", randomUUID(), "--json"]
  const ran = await desk.freight([...BOOK, ...service, ...more])
  return billIn(desk, ran.json<{ consignmentNumber: string }>().consignmentNumber)
}
/** It has a pickup, so that its tracking is not asked for. */
const WITH_PICKUP = ["--instructions", "sandbox:auto-pickup-booked"]

const row = (
  name: string,
  at: string,
  args: Row["args"] | readonly string[],
  more: Partial<Row> = {},
): Row => ({
  name,
  command: name.replace(/:.*$/, ""),
  at,
  kind: "read",
  ...more,
  args: typeof args === "function" ? args : () => args,
})
const create = (
  name: string,
  at: string,
  args: Row["args"] | readonly string[],
  more: Partial<Row> = {},
): Row => row(name, at, args, { ...more, kind: "create" })

export const ROWS: readonly Row[] = [
  row("connectors", "GET /connectors", ["connectors"]),
  row("rate-shop", "POST /rates", ["rate-shop", ...LANE], { asksOtherwise: true }),
  row("rate-shop: one connector", "POST /{}/rates", ["rate-shop", ...LANE, "--connector", "connector-b"]),
  create("book", "POST /{}/shipments", BOOK),
  row("book: choosing a connector", "GET /connectors", BOOK),
  // The requests of a batch, and the states of its rows after a fault, have tests of their own.
  row("batch book", "GET /connectors", ["batch", "book", "-"], {
    options: () => ({ input: csvOf([order(randomUUID())]) }),
  }),
  row("batch plan", "GET /connectors", ["batch", "plan", "-", "-o", "plan.json", "--force"], {
    options: () => ({ input: csvOf([order(randomUUID())]) }),
  }),
  row("track", "GET /track", ["track", "DEMO-A-DELIVERED"]),
  row(
    "track: all that is open",
    "GET /track",
    async (_, desk) => {
      await desk.freight([
        ...BOOK,
        "--connector",
        "connector-a",
        "--service",
        "76",
        "--reference",
        randomUUID(),
      ])
      return ["track", "--open"]
    },
    { many: true },
  ),
  row(
    "today: the print device",
    "GET /print-devices",
    async (_, desk) => {
      await desk.freight(["devices", "use", "device-bench", "--api", "freight"])
      return ["today"]
    },
    { options: () => ({ env: { DIRECT_PRINT_API_KEY: "" } }) },
  ),
  row("label", "GET /shipments/{}/label", async (bench) => ["label", await idOf(bench), "-o", "label.pdf"]),
  row(
    "label: several in one file",
    "GET /shipments/{}/label",
    async (bench) => ["label", await idOf(bench), await idOf(bench), "--merge", "labels.pdf"],
    { many: true },
  ),
  create("pickup book", "POST /{}/pickups", pickUp),
  row("pickup book: reading the shipment", "GET /shipments/{}", pickUp),
  row("pickup book: finding its connector", "GET /connectors", pickUp),
  row("pickup show", "GET /pickups/{}", async (bench) => ["pickup", "show", await bench.pickup()]),
  row("invoice new: billing a shipment", "GET /shipments/{}", async (bench) => [
    ...["invoice", "new", "--number", "INV-1", "--po", "PO-7", "--supplier-id", "S-1"],
    ...["--supplier-name", "Harbour Lighting", "--bill-to", "1 Harbour Street, Sydney NSW 2000"],
    ...[
      "--line",
      "1 x Handbook @ 30 tax 0",
      "--shipping-amount",
      "20 tax 0",
      "--shipment",
      await idOf(bench),
    ],
  ]),
  row("manifest", "GET /shipments", ["manifest"]),
  row(
    "manifest: reading each shipment, into a file",
    "GET /shipments/{}",
    async (bench) => {
      const [date = ""] = (await bench.shipment()).collectionDateTime.split("T")
      return ["manifest", "--date", date, "-o", "manifest.pdf"]
    },
    { many: true },
  ),
  row("shipments list", "GET /shipments", ["shipments", "list"]),
  row("shipments list: every page", "GET /shipments", ["shipments", "list", "--all"]),
  row("shipments show", "GET /shipments/{}", async (bench) => ["shipments", "show", await idOf(bench)]),
  row("evidence", "GET /shipments/{}", async (bench) => ["evidence", await idOf(bench)]),
  row("evidence: its label", "GET /shipments/{}/label", async (bench) => ["evidence", await idOf(bench)], {
    reports: 0,
  }),
  row("evidence: tracking", "GET /track", async (bench) => ["evidence", await idOf(bench)], { reports: 0 }),
  row("audit", "GET /shipments", (_, desk) => billIn(desk, "DEMO-A-BILLED"), { ends: 1 }),
  row("audit: reading a shipment", "GET /shipments/{}", (_, desk) => billOne(desk, ...WITH_PICKUP), {
    reports: 0,
  }),
  row("audit: its tracking", "GET /track", (_, desk) => billOne(desk), { reports: 0, ends: 1 }),
  row("audit: the carriers' services", "GET /connectors", (_, desk) => billOne(desk, ...WITH_PICKUP)),
  row("audit: what is not billed yet", "GET /shipments", ["audit", "--accruals", "--since", "1d"]),
  row("cancel", "GET /shipments/{}", async (bench) => ["cancel", await idOf(bench)], { ends: 1 }),
  row("reconcile", "GET /shipments", async (_, desk) => {
    await lose(desk)
    return ["reconcile"]
  }),
  row(
    "reconcile: reading each shipment",
    "GET /shipments/{}",
    async (_, desk) => {
      await lose(desk)
      return ["reconcile"]
    },
    { many: true, copes: true },
  ),
  create("print label", "POST /shipments/{}/print", printLabel),
  row("print label: looking for the label", "GET /shipments/{}/label", printLabel),
  row(
    "print label: finding the device",
    "GET /print-devices",
    async (bench) => ["print", "label", (await bench.shipment("second-a-sydney")).shipmentId],
    { options: secondKey("freight") },
  ),
  create("print pdf", "POST /print-jobs", ["print", "pdf", "paper.pdf", ...BENCH]),
  row("print pdf: finding the device", "GET /devices", ["print", "pdf", "paper.pdf"], {
    options: secondKey("directPrint"),
  }),
  row("devices list", "GET /print-devices", ["devices", "list"]),
  row("devices list: of direct print", "GET /devices", ["devices", "list"]),
  row("devices use", "GET /print-devices", ["devices", "use", "device-bench"]),
  row("devices use: of direct print", "GET /devices", ["devices", "use", "device-bench"]),
  row(
    "auth login",
    "GET /connectors",
    (_, { line }) => ["auth", "login", "--api-key-stdin", "--base-url", line.reach.freightBaseUrl],
    { options: ({ sandbox }) => ({ input: sandbox.freightApiKey }) },
  ),
  row("auth status", "GET /connectors", ["auth", "status"], { reports: 6 }),
  row("auth status: of direct print", "GET /devices", ["auth", "status"], { reports: 6 }),
  row("doctor", "GET /connectors", ["doctor"], { reports: 1 }),
  row("doctor: of direct print", "GET /devices", ["doctor"], { reports: 1 }),
  row("api", "GET /connectors", ["api", "GET", "connectors"], { unchecked: true }),
  create("api: booking", "POST /{}/shipments", [
    "api",
    "POST",
    "connector-a/shipments",
    "--file",
    "booking.json",
  ]),
  create("api: a pickup", "POST /{}/pickups", async (bench) => {
    const { shipmentId, collectionDateTime } = await bench.shipment()
    const [date] = collectionDateTime.split("T")
    const fields = { shipmentId, pickupDate: date, readyTime: "10:00", closeTime: "17:00" }
    const sets = Object.entries(fields).flatMap(([name, value]) => ["--set", `${name}=${value}`])
    return ["api", "POST", "connector-a/pickups", ...sets]
  }),
  create("api: printing a label", "POST /shipments/{}/print", async (bench) => [
    "api",
    "POST",
    `shipments/${await idOf(bench)}/print`,
    "--set",
    "deviceId=device-bench",
  ]),
  create("api: printing a PDF", "POST /print-jobs", [
    "api",
    "POST",
    "print-jobs",
    "--api",
    "direct-print",
    "--set",
    "deviceId=device-bench",
    "--set",
    `pdfBase64=${soundPdf("paper").toString("base64")}`,
  ]),
]

/** A step after a booking: the booking stands, whatever becomes of it. */
interface FollowUp {
  name: string
  flags: readonly string[]
  at: string
  kind: CallKind
  /** The command that does the step alone. */
  next: RegExp
}

export const FOLLOW_UPS: readonly FollowUp[] = [
  {
    name: "waiting for the consignment number",
    flags: ["--connector", "connector-c", "--service", "STD", "--wait"],
    at: "GET /shipments/{}",
    kind: "read",
    next: /^freight shipments show \S+$/,
  },
  {
    name: "the label",
    flags: ["--label", "label.pdf"],
    at: "GET /shipments/{}/label",
    kind: "read",
    next: /^freight label \S+ -o label.pdf$/,
  },
  {
    name: "printing",
    flags: ["--print", "device-bench"],
    at: "POST /shipments/{}/print",
    kind: "create",
    next: /^freight print label \S+ --device device-bench$/,
  },
  {
    name: "the pickup",
    flags: ["--pickup"],
    at: "POST /{}/pickups",
    kind: "create",
    next: /^freight pickup book \S+$/,
  },
]

function listReports(): string[] {
  const { children = [] } = TREE.flatMap(({ entries }) => entries).find(({ name }) => name === "report") ?? {}
  return children.map(({ name }) => `report ${name}`)
}

/** Commands that ask no server; `sandbox start` is one. A new command is either here or in the table above. */
export const SILENT: readonly string[] = [
  "help",
  "history",
  // A report is given the ledger and nothing to ask a server by; accruals ask as `audit` does.
  ...listReports(),
  ...[
    "",
    " show",
    " sent",
    " answered",
    " credited",
    " denied",
    " written-off",
    " reopen",
    " credits",
    " confirm",
    " moved",
  ].map((name) => `disputes${name}`),
  // It goes on without evidence that it cannot get: `disputes.test.ts`.
  "disputes letter",
  // The shipments that wait for a pickup are in the ledger.
  "pickup told",
  // It goes by what the ledger has where the service does not answer.
  "dispatched",
  "pay",
  // It goes on without evidence that it cannot get, as the letter does.
  "remittance",
  "post",
  "ledger accept",
  "ledger account",
  "ledger copy",
  "ledger export",
  "ledger prune",
  "ledger status",
  "batch template",
  "batch plan show",
  "batch status",
  "batch maps",
  "completion",
  // Its tools are the commands themselves.
  "mcp",
  "devices forget",
  "auth logout",
  ...["list", "get", "set", "unset", "path"].map((name) => `config ${name}`),
  ...["list", "use", "remove"].map((name) => `profile ${name}`),
  ...["list", "add", "remove"].flatMap((name) =>
    ["address", "package", "party", "places"].map((noun) => `${noun} ${name}`),
  ),
  ...["validate", "list", "show", "correct", "rules", "schema"].map((name) => `invoice ${name}`),
  "sandbox start",
  "sandbox bill",
  "sandbox reset",
]
