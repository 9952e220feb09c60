/** Shows everything about one shipment, as text, as data or as a PDF. */
import { formatMoment, wallClockNow, zoneHere } from "../../base/wall-clock.ts"
import { type Flags, FORCE_FLAG, type OptionsOf, OUTPUT } from "../../command/index.ts"
import { asksForProgramFormat } from "../../session/index.ts"
import type { Ledgers, Memory, Services, Session } from "../../session/index.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import { type NamedShipment, namePickup, nameShipment } from "../../contract/index.ts"
import { toWord } from "../../ledger/index.ts"
import { type Evidence, gatherEvidence, type Sources } from "./gather.ts"
import { describeEvidence } from "./page.ts"
import { createFinder } from "../../orders/index.ts"
import {
  type Column,
  type Page,
  type PlainBlock,
  print,
  renderTerminal,
  type ReportLayout,
} from "../../output/index.ts"

type Needs = Ledgers & Memory & Services & Session

export const PAGE_FLAGS = {
  output: { ...OUTPUT, about: "write a PDF to this file, or - for standard output", writes: "pdf" },
  ...FORCE_FLAG,
} as const satisfies Flags

interface EvidenceRow {
  part: string
  name: string
  text: string
}

export const evidenceColumns: Column<EvidenceRow>[] = [
  { key: "part", title: "PART" },
  { key: "name", title: "NAME" },
  { key: "text", title: "TEXT", gives: "words" },
]

/**
 * @throws FreightError `notFound` when there is no such shipment; `usage` if the page and the data would both go to
 * standard output
 */
export async function showEvidence(
  deps: Needs,
  name: string,
  { output: file }: OptionsOf<typeof PAGE_FLAGS>,
): Promise<void> {
  const { output, globals } = deps
  if (file === "-" && asksForProgramFormat(globals))
    throw new FreightError("usage", `-o - and --format ${output.format} both use standard output`)
  const { evidence, label } = await gather(deps, name)
  if (file !== undefined) {
    const { renderPdf } = await import("../../output/pages/pdf.ts")
    const page = describeEvidence(evidence, {
      label,
      madeAt: formatMoment(wallClockNow(deps.clock.now())),
      zone: zoneHere(),
      ...(globals.sandbox && { warning: "SANDBOX – nothing here is real" }),
    })
    const { pdf, hasPictures } = await renderPdf(`Evidence for ${page.title}`, [page])
    await deps.outputs.write(file, pdf)
    if (!hasPictures)
      await deps.warn(
        `the label cannot be drawn, so the page is without it. Save it beside the page: freight label ${evidence.shipmentId}`,
      )
  }
  if (file === "-") return
  if (file !== undefined && output.format === "table") {
    await deps.note(`Saved as ${file}.`)
  } else {
    const page = describeEvidence(evidence)
    const text = () => renderTerminal(page, getLayout(deps))
    await print(deps, {
      json: toJson(evidence),
      single: true,
      rows: toRows(page),
      columns: evidenceColumns,
      text,
    })
  }
}

function toJson({ quote, booking, request, shipment, pickup, missing, ...evidence }: Evidence) {
  const orNull = <T>(value: T | undefined) => value ?? null
  return {
    ...evidence,
    quote: !quote
      ? null
      : {
          price: quote.price,
          priceGst: orNull(quote.gst),
          priceIncGst: orNull(quote.priceIncGst),
          currency: orNull(quote.currency),
          gstBasis: orNull(quote.gstBasis),
          eta: orNull(quote.eta),
          transitDays: orNull(quote.transitDays),
          rateId: orNull(quote.rateId),
          quoteId: orNull(quote.quoteId),
          quotedAt: orNull(quote.quotedAt),
        },
    booking: booking && {
      ...booking,
      settledAt: orNull(booking.settledAt),
      key: booking.key || null,
      connectorId: orNull(booking.connectorId),
      orderNumber: orNull(booking.orderNumber),
      cancelled: booking.cancelled && toWord(booking.cancelled),
    },
    request: (request ?? null) as object | null,
    shipment: shipment ? toNamed(shipment) : null,
    pickup: pickup && {
      status: pickup.status,
      orderNumber: pickup.orderNumber,
      detail: pickup.detail ? namePickup(pickup.detail) : null,
      bookedAt: orNull(pickup.bookedAt),
      workstation: orNull(pickup.workstation),
      person: orNull(pickup.person),
    },
    missing: {
      quote: orNull(missing.quote),
      booking: orNull(missing.booking),
      request: orNull(missing.request),
      shipment: orNull(missing.shipment),
      label: orNull(missing.label),
      pickup: orNull(missing.pickup),
      tracking: orNull(missing.tracking),
      proof: orNull(missing.proof),
      charges: orNull(missing.charges),
    },
  }
}

function toNamed(shipment: ShipmentDetail): NamedShipment {
  return nameShipment(shipment)
}

async function gather(deps: Needs, name: string) {
  const finder = createFinder(deps, "shipment")
  await finder.checkNames([name])
  const sources = { api: await deps.freight(), finder, quotes: deps.quotes, ...(await openLedger(deps)) }
  return gatherEvidence(sources, name)
}

/** The page about a shipment, without its label. */
export async function describeShipment(deps: Needs, name: string): Promise<Page<PlainBlock>> {
  return describeEvidence((await gather(deps, name)).evidence)
}

/** Lines in a pipe are not wrapped. */
function getLayout({ terminal: { stdout, unicode } }: Needs): ReportLayout {
  const columns = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
  return { colour: stdout.colour, unicode, columns }
}

/** If the ledger cannot be read, show the rest. */
async function openLedger(deps: Needs): Promise<Pick<Sources, "ledger" | "ledgerError">> {
  try {
    const ledger = (await deps.hasLedger()) ? await deps.readLedger() : undefined
    return { ledger, ledgerError: undefined }
  } catch (error) {
    return { ledger: undefined, ledgerError: toStepError(error).message }
  }
}

function toRows({ blocks, aside }: Page<PlainBlock>): EvidenceRow[] {
  return [...blocks, ...(aside?.facts ?? [])].flatMap((block) =>
    block.kind === "facts"
      ? block.facts.map(({ name = "", text }) => ({ part: block.title ?? "", name, text }))
      : [],
  )
}
