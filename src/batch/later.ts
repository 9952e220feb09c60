/** What is known of booked rows only later: consignment numbers from their carriers, labels from an earlier run. */
import type { FreightApi } from "../api/freight.ts"
import { several } from "../api/several.ts"
import { FreightError } from "../errors.ts"
import type { Store } from "../ledger/store.ts"
import type { Files } from "../terminal/files.ts"
import { RESULT_PREFIX } from "./columns.ts"
import type { Outcome } from "./result.ts"
import { formatOf } from "./results.ts"

/**
 * Asks for the consignment number of each booked row that has none, and keeps it in the ledger and in the outcome. What
 * cannot be read now stays open: the next run asks again.
 * @throws FreightError `interrupted`
 */
export async function fetchConsignments(
  api: Pick<FreightApi, "getShipment">,
  store: Pick<Store, "learnConsignment">,
  outcomes: Iterable<Outcome>,
): Promise<void> {
  const lacking = [...outcomes].filter(
    ({ shipmentId, consignment }) => shipmentId !== "" && consignment === "",
  )
  try {
    await several(lacking, async (outcome) => {
      const { consignmentNumber } = (await api.getShipment(outcome.shipmentId)).shipment
      if (!consignmentNumber) return
      outcome.consignment = consignmentNumber
      await store.learnConsignment(outcome.entryId, consignmentNumber)
    })
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
  }
}

/** The labels that a file of results names, by shipment; none where there is no such file, or it cannot be read. */
export async function labelsIn(
  files: Pick<Files, "has" | "read">,
  file: string,
): Promise<Map<string, string>> {
  if (!(await files.has(file))) return new Map()
  try {
    const text = new TextDecoder().decode(await files.read(file))
    const found = formatOf(file) === "csv" ? await csvLabels(text) : jsonLabels(text)
    return new Map(found.filter((pair): pair is [string, string] => Boolean(pair[0] && pair[1])))
  } catch {
    // It was changed by hand: it is written anew, as it would be without.
    return new Map()
  }
}

type Pair = [shipment: unknown, label: unknown]

async function csvLabels(text: string): Promise<Pair[]> {
  const { parse } = await import("csv-parse/sync")
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true, relax_column_count: true })
  const plain = (cell: string | undefined) => cell?.replace(/^'(?=\s*[=+\-@])/, "")
  return rows.map((row) => [plain(row[`${RESULT_PREFIX}shipment`]), plain(row[`${RESULT_PREFIX}label`])])
}

function jsonLabels(text: string): Pair[] {
  const lines = text.split("\n").filter((line) => line !== "")
  return lines.map((line) => {
    const { shipment, label } = Object(JSON.parse(line)) as Record<string, unknown>
    return [shipment, label]
  })
}
