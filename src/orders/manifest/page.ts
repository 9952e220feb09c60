/** The manifest as a page for each driver, who signs it. */
import { carrierName } from "../../carriers/index.ts"
import { counted } from "../../base/counted.ts"
import { formatPlace } from "../../contract/index.ts"
import {
  contactOf,
  decimal,
  type Fact,
  type Facts,
  type Page,
  type PlainBlock,
  type Signatures,
  streetOf,
  type TableColumn,
  type TableRow,
} from "../../output/index.ts"
import { type Handover, type ManifestShipment, sumShipments } from "./collections.ts"

export function describeHandover(
  { carrier, date, collection, shipments }: Handover,
  foot: NonNullable<Page["foot"]>,
): Page<PlainBlock | Signatures> {
  const { pieces, weightKg } = sumShipments(shipments)
  const consignments = counted(shipments.length, "consignment")
  const place = [streetOf(collection), formatPlace(collection), contactOf(collection)]
  return {
    title: carrierName(carrier || "not known").toUpperCase(),
    about: "Collection manifest",
    corner: [longDate(date), formatTimes(shipments)],
    blocks: [
      {
        kind: "beside",
        columns: [
          [
            toFacts("Collected from", [
              { text: collection.companyName, style: "strong" },
              ...place.map((text) => ({ text })),
            ]),
          ],
          [
            toFacts("Sender", [
              { text: joinDistinct(shipments, ({ sender }) => sender?.companyName ?? ""), style: "strong" },
            ]),
            toFacts("Account", [
              { text: joinDistinct(shipments, ({ connectorName = "" }) => connectorName) },
            ]),
          ],
        ],
      },
      { kind: "beside", columns: describeSums(shipments) },
      {
        kind: "table",
        isChecklist: true,
        columns: COLUMNS,
        rows: shipments.map(toShipmentRow),
        totals: [`Total: ${consignments}`, "", "", "", "", String(pieces), `${decimal(weightKg)} kg`],
      },
      {
        kind: "signatures",
        claim: `Taken over by the driver: ${consignments}, ${counted(pieces, "piece")}, ${decimal(weightKg)} kg.`,
        sides: ["For the carrier", "For the sender"],
      },
    ],
    foot,
  }
}

function toFacts(title: string, facts: readonly Fact[]): Facts {
  return { kind: "facts", title, facts }
}

function describeSums(shipments: readonly ManifestShipment[]): Facts[][] {
  const { pieces, weightKg } = sumShipments(shipments)
  const dangerous = shipments.filter(({ dangerousGoods }) => dangerousGoods).length
  const sums = {
    Consignments: String(shipments.length),
    Pieces: String(pieces),
    Weight: `${decimal(weightKg)} kg`,
    "Dangerous goods": dangerous === 0 ? "none" : `${dangerous}, marked DG`,
  }
  return Object.entries(sums).map(([title, text]) => [toFacts(title, [{ text, style: "strong" }])])
}

const COLUMNS: readonly TableColumn[] = [
  { title: "Consignment", width: 31 },
  { title: "", width: 9 },
  { title: "Reference", width: 28 },
  { title: "Receiver" },
  { title: "Service", width: 24 },
  { title: "Pieces", width: 12, align: "right" },
  { title: "Weight", width: 18, align: "right" },
]

function toShipmentRow(shipment: ManifestShipment): TableRow {
  const { consignmentNumber, orderNumber, customerReference, receiver, items, dangerousGoods } = shipment
  const { serviceCode, serviceDescription } = shipment
  return {
    cells: [
      { text: consignmentNumber ?? "no number yet", below: orderNumber ?? "" },
      dangerousGoods ? { text: "DG", isMarked: true } : "",
      customerReference ?? "",
      { text: receiver.companyName, below: formatPlace(receiver) },
      { text: serviceCode ?? "", below: serviceDescription ?? "" },
      String(items.count),
      `${decimal(items.totalWeightKg)} kg`,
    ],
  }
}

/** `Monday 23 November 2026` */
function longDate(date: string): string {
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const
  return new Intl.DateTimeFormat("en-AU", format).format(Date.parse(`${date}T00:00:00Z`))
}

/** When all are ready, and when the first premises close. */
function formatTimes(shipments: readonly ManifestShipment[]): string {
  const ready = shipments.map(({ collectionDateTime }) => collectionDateTime.slice(11, 16)).sort()
  const close = shipments.flatMap(({ collectionCloseTime }) => collectionCloseTime ?? []).sort()
  return `ready ${ready.at(-1) ?? ""}, closes ${(close[0] ?? "").replace(/^(\d\d)(\d\d)$/, "$1:$2")}`
}

function joinDistinct(
  shipments: readonly ManifestShipment[],
  nameOf: (shipment: ManifestShipment) => string,
): string {
  return [...new Set(shipments.map(nameOf))].filter(Boolean).join(", ")
}
