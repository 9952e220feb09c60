/** Print jobs, each through the ledger: what was printed is not printed again by a repeated command. */
import type { DirectPrintApi } from "../api/direct-print.ts"
import type { FreightApi } from "../api/freight.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../contract/generated/types.ts"
import { type Created, createOnce, type LedgerDeps } from "../ledger/create.ts"
import type { Pdf } from "./pdf.ts"

/** One copy on one device. */
export interface Sheet {
  deviceId: string
  /** Counted from 1. */
  copy: number
  key?: string
  again?: boolean
}

/** POST /shipments/{id}/print. @throws what `createOnce` and `printLabel` throw */
export function sendLabelPrint(
  ledger: LedgerDeps,
  api: FreightApi,
  shipmentId: string,
  { deviceId, copy, ...claim }: Sheet,
): Promise<Created<PrintJobCreated>> {
  const request = { deviceId }
  return createOnce(
    ledger,
    {
      kind: "label-print",
      ...claim,
      content: { shipmentId, deviceId, copy },
      call: `POST /shipments/${shipmentId}/print`,
      request,
      facts: { shipmentId, deviceId, about: `label${copyOf(copy)} on ${deviceId}` },
    },
    (lease) => api.printLabel(shipmentId, request, lease),
  )
}

/** POST /print-jobs. The entry keeps the PDF's hash and size. @throws what `createOnce` and `createPrintJob` throw */
export function sendPdfPrint(
  ledger: LedgerDeps,
  api: DirectPrintApi,
  pdf: Pdf,
  { deviceId, copy, ...claim }: Sheet,
): Promise<Created<DirectPrintJobCreated>> {
  const { name: file, sha256, size } = pdf
  return createOnce(
    ledger,
    {
      kind: "pdf-print",
      ...claim,
      content: { sha256, deviceId, copy },
      call: "POST /print-jobs",
      request: { deviceId, file, sha256, size },
      facts: { deviceId, about: `${file}${copyOf(copy)} on ${deviceId}` },
    },
    (lease) => api.createPrintJob({ deviceId, pdfBase64: pdf.base64() }, lease),
  )
}

function copyOf(copy: number): string {
  return copy === 1 ? "" : `, copy ${copy}`
}
