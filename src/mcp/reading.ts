/** The tools that read: each is a command that creates nothing. */
import path from "node:path"
import * as z from "zod"
import { CARRIERS } from "../contract/carrier-fields.ts"
import { FreightError } from "../errors.ts"
import { findInputs, getFileId } from "../invoice/sources/files.ts"
import { KINDS, STATES } from "../ledger/entry.ts"
import { HISTORY_SPEND_BY } from "../report/spend.ts"
import { NEED_KINDS } from "../today/needs.ts"
import { ALLOW_DENSITY, AVOID, PACKAGES, packageTexts, readingTool, type Tool, WISHES } from "./tool.ts"

const PLACE = 'suburb, state and postcode, such as "Fremantle WA 6160", or the name of a saved address'
const SINCE = 'a day as 2026-11-01, or a time back from now: "7d", "24h"'
const FILES = z.array(z.string()).min(1)

export const READING: readonly Tool[] = [
  readingTool(
    "service",
    {
      name: "list_connectors",
      title: "Carrier accounts",
      description: "Lists the carrier accounts (connectors) and the services that each offers.",
    },
    {},
    () => ({ command: "connectors" }),
  ),
  readingTool(
    "service",
    {
      name: "shop_rates",
      title: "Compare rates",
      description:
        "Compares prices and arrivals of all carriers for a consignment. Prices are as quoted, in the rate's currency; not every carrier says whether GST is included. Books nothing.",
    },
    {
      from: z.string().optional().describe(`Collection: ${PLACE}. Default: the profile's.`),
      to: z.string().describe(`Delivery: ${PLACE}.`),
      packages: PACKAGES,
      fromResidential: z.boolean().optional().describe("The collection place is a home."),
      toResidential: z.boolean().optional().describe("The delivery place is a home."),
      dangerousGoods: z.boolean().optional(),
      allowDensity: ALLOW_DENSITY,
      date: z
        .string()
        .optional()
        .describe("Shipping day: 2026-11-23. Default: today, where it is collected."),
      connector: z.string().optional().describe("Ask this carrier account only."),
      sort: z.enum(["price", "eta"]).optional(),
      ...WISHES,
      avoid: AVOID.optional(),
    },
    ({ packages, ...flags }) => ({
      command: "rate-shop",
      flags: { ...flags, package: packageTexts(packages) },
    }),
  ),
  readingTool(
    "service",
    {
      name: "track_consignments",
      title: "Track consignments",
      description:
        "Shows where consignments are, newest event first, with proof of delivery where there is one.",
    },
    {
      consignments: z
        .array(z.string())
        .min(1)
        .max(50)
        .optional()
        .describe("Consignment numbers; or ids, references or keys of shipments."),
      open: z
        .boolean()
        .optional()
        .describe("Instead of consignments: all that was booked from here and is not delivered."),
      carrier: z.enum(CARRIERS).optional().describe("Look with this carrier only."),
    },
    ({ consignments, open = false, carrier }) => {
      if ((consignments !== undefined) === open)
        throw new FreightError("usage", "give either consignments or open")
      // What an assistant looks at is still news to freight track --new.
      return { command: "track", flags: { carrier, open, noRemember: true }, args: consignments ?? [] }
    },
  ),
  readingTool(
    "service",
    {
      name: "list_shipments",
      title: "List shipments",
      description: "Lists booked shipments, newest first.",
    },
    {
      limit: z.int().min(1).max(200).optional().describe("At most this many. Default: 50."),
      offset: z.int().min(0).optional().describe("Skip this many."),
    },
    (flags) => ({ command: "shipments list", flags }),
  ),
  readingTool(
    "service",
    { name: "show_shipment", title: "Show a shipment", description: "Shows one shipment, whole." },
    {
      shipment: z.string().describe("Id, consignment number, order number, reference or key of a shipment."),
    },
    ({ shipment }) => ({ command: "shipments show", args: [shipment] }),
  ),
  readingTool(
    "service",
    {
      name: "today",
      title: "What needs someone",
      description:
        "Shows what needs someone today, worst first: bookings without a known outcome, missing pickups, late consignments. Each has the freight command that a person may run.",
    },
    {
      since: z.string().optional().describe(`Look at what was booked since: ${SINCE}.`),
      hours: z
        .int()
        .min(0)
        .max(9999)
        .optional()
        .describe("Hours after which something that was ready has to be scanned. Default: 24."),
      skip: z.array(z.enum(NEED_KINDS)).optional().describe("Leave these out."),
    },
    (flags) => ({ command: "today", flags }),
  ),
  readingTool(
    "here",
    {
      name: "history",
      title: "What was sent",
      description: "Shows what was sent and what came of it, newest first, from the ledger on this machine.",
    },
    {
      since: z.string().optional().describe(`Only what was sent since: ${SINCE}.`),
      kind: z.enum(KINDS).optional(),
      state: z.enum(STATES).optional(),
      search: z
        .string()
        .optional()
        .describe("Found in key, reference, receiver, shipment, consignment or service."),
      spend: z.enum(HISTORY_SPEND_BY).optional().describe("Add up the price of what was booked, by this."),
    },
    (flags) => ({ command: "history", flags }),
  ),
  readingTool(
    "service",
    {
      name: "audit_bills",
      title: "Audit carriers' bills",
      description:
        "Puts carriers' bills (invoice documents as JSON, or CSV) beside what was quoted and booked, and says what to dispute. Does not remember the bills: freight audit does.",
    },
    {
      files: FILES.describe("Files, folders or patterns in the server's folder."),
      tolerance: z
        .array(z.string())
        .optional()
        .describe('What may be billed above or below the quote: "2%", "1.00". Default: 1% and 0.50.'),
      all: z.boolean().optional().describe("Show what agrees, too."),
      map: z.array(z.string()).optional().describe('Columns of a CSV and what they mean: "COLUMN=FIELD".'),
      offline: z.boolean().optional().describe("Ask the ledger alone."),
    },
    async ({ files, ...flags }, { folder }) => ({
      command: "audit",
      flags: { ...flags, noRemember: true },
      args: await findFilesIn(folder, files, "bills"),
    }),
  ),
  readingTool(
    "here",
    {
      name: "validate_invoices",
      title: "Check invoices",
      description:
        "Checks invoices against the contract, and their sums, taxes and dates as an accountant would. Each finding says where it is and how to fix it. Changes no file.",
    },
    {
      files: FILES.optional().describe("Files, folders or patterns in the server's folder."),
      text: z.string().optional().describe("Instead of files: the JSON of an invoice, or of a list of them."),
      stage: z
        .enum(["draft", "complete"])
        .optional()
        .describe(
          "draft: allow what the service fills in to be missing. complete: require it. Default: draft where all of it is missing.",
        ),
      strict: z.boolean().optional().describe("Warnings are errors."),
      noAccounting: z.boolean().optional().describe("Check the contract alone."),
    },
    async ({ files, text, stage, ...flags }, { folder }) => {
      if ((files === undefined) === (text === undefined))
        throw new FreightError("usage", "give either files or text")
      return {
        command: "invoice validate",
        flags: { ...flags, ...(stage && { [stage]: true }), noRegister: true },
        args: files ? await findFilesIn(folder, files, "invoices") : ["-"],
        ...(text !== undefined && { input: text }),
      }
    },
  ),
]

/** As `freight audit` has it. */
const BILLS = /\.(json|ndjson|jsonl|csv)$/i

/**
 * The files that some names lead to, wherever links point.
 * @param names files, folders or patterns, from the folder on
 * @throws FreightError `input` for what is not there, and for what is not in the folder
 */
async function findFilesIn(
  folder: string,
  names: readonly string[],
  what: "bills" | "invoices",
): Promise<string[]> {
  const top = getFileId(folder)
  const words = names.map((name) => path.resolve(folder, name))
  const inputs = await findInputs(words, undefined, ...(what === "bills" ? [BILLS] : []))
  return Array.from(inputs, ({ file, unreadable, isEmpty, stream }) => {
    const name = path.relative(folder, file)
    const fromTop = path.relative(top, getFileId(file))
    if (fromTop === ".." || fromTop.startsWith(`..${path.sep}`) || path.isAbsolute(fromTop))
      throw new FreightError("input", `${name} is not in the folder whose files may be read`, {
        hint: "Name files from that folder on. Another is chosen when the server is started: freight mcp --folder.",
      })
    const reason = unreadable ?? (stream && "it is not a file") ?? (isEmpty && `it has no ${what} in it`)
    if (reason) throw new FreightError("input", `cannot read ${name || "the folder"}: ${reason}`)
    return file
  })
}
