/** The collections of a day by carrier, and the page that each driver signs. */
import {
  type Flags,
  FORCE_FLAG,
  type OptionsOf,
  OUTPUT,
  readLedgerOrWarn,
  wholeNumber,
} from "../../command/index.ts"
import type { FreightApi } from "../../api/index.ts"
import { describeHandover } from "./page.ts"
import {
  findCollections,
  groupByHandover,
  type ManifestShipment,
  selectCollections,
  sumShipments,
} from "./collections.ts"
import { namesFrom, readShipments, SHIPMENTS } from "../lookup/given.ts"
import { noConnector } from "../booking/connector.ts"
import { CARRIERS } from "../../carriers/index.ts"
import { counted } from "../../base/counted.ts"
import { valueOrThrow, quoted } from "../../base/parsed.ts"
import { type CalendarDate, formatClock, formatDate, parseDate, wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"
import { DEFAULT_ZONE, type NamedShipment, nameShipment, zoneOfCollection } from "../../contract/index.ts"
import type { Deps } from "../../session/index.ts"
import { FreightError } from "../../base/errors.ts"
import { findCollected, findUncollected } from "../../ledger/index.ts"
import { BRIEF, type Column, print } from "../../output/index.ts"

export const MANIFEST_COLUMNS: Column<ManifestShipment>[] = [
  { key: "carrier", title: "CARRIER", rank: 9, brief: BRIEF.carrier },
  { key: "consignmentNumber", title: "CONSIGNMENT", rank: 2, gives: "nothing" },
  { key: "customerReference", title: "REFERENCE", rank: 1 },
  { key: "receiver.companyName", title: "RECEIVER", rank: 3 },
  { key: "receiver.suburb", title: "SUBURB", rank: 6 },
  { key: "receiver.state", title: "STATE", rank: 7 },
  { key: "receiver.postcode", title: "POSTCODE", rank: 8 },
  { key: "items.count", title: "PIECES", rank: 4, align: "right" },
  { key: "items.totalWeightKg", title: "KG", rank: 5, align: "right" },
  { key: "serviceCode", title: "SERVICE", rank: 11 },
  {
    key: "dangerousGoods",
    title: "DG",
    rank: 10,
    show: ({ dangerousGoods }) => (dangerousGoods ? "DG" : ""),
  },
  { key: "collectionDateTime", title: "READY", hidden: true },
  { key: "collectionCloseTime", title: "CLOSES", hidden: true },
  { key: "collection.companyName", title: "FROM", hidden: true },
  { key: "collection.suburb", title: "FROM SUBURB", hidden: true },
  { key: "connectorName", title: "CONNECTOR", hidden: true },
  { key: "orderNumber", title: "ORDER", hidden: true },
  { key: "pickupStatus", title: "PICKUP", hidden: true },
  { key: "id", title: "SHIPMENT", hidden: true },
]

export const MANIFEST_FLAGS = {
  date: {
    takes: "<day>",
    about: "the day of collection: 2026-11-23, 23/11, tomorrow (default: today at each collection address)",
    read: readDay,
  },
  carrier: { takes: "<carrier>", about: "this carrier only", choices: CARRIERS },
  connector: { takes: "<id>", about: "this carrier account only: its id or its name" },
  bookedWithin: {
    takes: "<days>",
    about: "look for bookings made this many days before the collection",
    default: "14",
    read: wholeNumber(0, 365, " of days"),
  },
  output: { ...OUTPUT, about: "write a PDF to this file, or - for standard output", writes: "pdf" },
  ...FORCE_FLAG,
} as const satisfies Flags

/**
 * GET /shipments, and the details of possible ones.
 * @throws FreightError `notFound` if a PDF is asked for and nothing is collected on the day
 */
export async function showManifest(
  deps: Deps,
  args: readonly string[],
  options: OptionsOf<typeof MANIFEST_FLAGS>,
): Promise<undefined> {
  const { output, carrier, date, bookedWithin: bookedWithinDays } = options
  const names = args.length > 0 ? await namesFrom(deps.terminal, args, SHIPMENTS) : []
  const api = await deps.freight()
  const connectorName =
    options.connector === undefined ? undefined : await findConnectorName(deps, api, options.connector)
  const wanted = { date, carrier, connectorName, bookedWithinDays }
  const shipments =
    names.length > 0
      ? selectCollections(
          (await readShipments(deps, names)).flatMap(({ shipment, isCancelled }) =>
            isCancelled ? [] : [shipment],
          ),
          wanted,
        )
      : await findCollections(
          { ...deps, findUncollected: (ids) => findKnownUncollected(deps, ids) },
          api,
          wanted,
        )

  const unnumbered = shipments.filter(({ consignmentNumber }) => !consignmentNumber).length
  if (unnumbered > 0)
    await deps.warn(
      `${counted(unnumbered, "consignment")} of these ${unnumbered === 1 ? "has" : "have"} no number from the carrier yet: run this again later`,
    )
  const when = date ? ` on ${formatDate(date(DEFAULT_ZONE))}` : names.length > 0 ? "" : " today"
  if (output === undefined) {
    const empty = `${names.length > 0 ? "None of these" : "Nothing"} is collected${when}.`
    await print(deps, { rows: shipments, items: shipments.map(toItem), columns: MANIFEST_COLUMNS, empty })
    if (deps.output.format === "table" && shipments.length > 0) await deps.note(formatSummary(shipments))
  } else {
    if (shipments.length === 0)
      throw new FreightError("notFound", `nothing is collected${when}: no PDF was made`, {
        next: "freight shipments list",
      })
    await savePdf(deps, shipments, output)
  }
}

function toItem(shipment: ManifestShipment): NamedShipment {
  return nameShipment(shipment)
}

/** A manifest is made even if the ledger is lost; a note then says that it leaves nothing out. */
async function findKnownUncollected(deps: Deps, shipments: readonly string[]): Promise<Set<string>> {
  if (shipments.length === 0) return new Set()
  const missing = "what carriers have cancelled on the phone, or is brought to them, is not left out"
  const entries = await readLedgerOrWarn(deps, missing, [], async ({ store: { database }, scopes }) => {
    // A driver comes for goods that were to be dropped off if they have a pickup after all.
    const collected = await findCollected(database, scopes, shipments)
    return (await findUncollected(database, scopes, shipments)).filter(
      ({ cancelledAt, facts }) => cancelledAt !== undefined || !collected.has(facts.shipmentId ?? ""),
    )
  })
  return new Set(entries.map(({ facts }) => facts.shipmentId ?? ""))
}

function readDay(text: string, flag: string, now: number): (zone: string) => CalendarDate {
  const dayAt = (zone: string) => {
    const day = valueOrThrow(
      parseDay(text, () => wallClockNow(now, zone), "any"),
      flag,
    )
    return valueOrThrow(parseDate(day), flag)
  }
  dayAt(DEFAULT_ZONE)
  return dayAt
}

async function savePdf(deps: Deps, shipments: readonly ManifestShipment[], file: string): Promise<void> {
  const groups = groupByHandover(shipments)
  const { renderPdf } = await import("../../output/pages/pdf.ts")
  const now = wallClockNow(deps.clock.now(), zoneOfCollection(groups[0] ?? {}))
  const foot = {
    text: `Made ${formatDate(now)} ${formatClock(now)}`,
    ...(deps.globals.sandbox && { warning: "SANDBOX – not for carriage" }),
  }
  const pages = groups.map((group) => describeHandover(group, foot))
  const { pdf, sheets } = await renderPdf("Collection manifest", pages)
  await deps.outputs.write(file, pdf)
  if (file === "-") return
  const saved = { file, pages: sheets, consignments: shipments.length, ...sumShipments(shipments) }
  await print(deps, { rows: [saved], columns: savedColumns, single: true })
}

interface SavedManifest {
  file: string
  pages: number
  consignments: number
  pieces: number
  weightKg: number
}

const savedColumns: Column<SavedManifest>[] = [
  { key: "file", title: "FILE" },
  { key: "pages", title: "PAGES", align: "right" },
  { key: "consignments", title: "CONSIGNMENTS", align: "right" },
  { key: "pieces", title: "PIECES", align: "right" },
  { key: "weightKg", title: "KG", align: "right" },
]

async function findConnectorName(deps: Deps, api: FreightApi, connector: string): Promise<string> {
  const { connectors } = await api.listConnectors()
  const found = connectors.find(({ id, name }) => id === connector || name === connector)
  if (!found) throw noConnector(connector, connectors)
  if (connectors.filter(({ name }) => name === found.name).length > 1)
    await deps.warn(
      `several connectors are called ${quoted(found.name)}: the manifest cannot tell their shipments apart`,
    )
  return found.name
}

function formatSummary(shipments: readonly ManifestShipment[]): string {
  const { pieces, weightKg } = sumShipments(shipments)
  return `${counted(shipments.length, "consignment")}, ${counted(pieces, "piece")}, ${weightKg} kg`
}
