/** Lists the current invoices: an update replaces its number, and a cancellation removes it. */
import { safeText } from "../../base/safe-text.ts"
import { keyInvoice, nameKey } from "../accounting/duplicates.ts"
import { type DocumentResult, formatFileName, type Reporter } from "../finding.ts"

/** Documents that are kept until the last one was read. Of longer lists, those before are written as they are. */
const MAX_ROWS = 2 ** 16

/**
 * Leaves out each valid document that another one in the list replaces or cancels, and notes it in the summary. An
 * invalid update or cancellation replaces nothing. The order of several updates is unknown, so all are listed.
 */
export function listStanding(reporter: Reporter, most = MAX_ROWS): Reporter {
  let held: DocumentResult[] = []
  const replacing = new Map<string, DocumentResult[]>()
  const notes: string[] = []
  let left = 0

  const add = (result: DocumentResult) => {
    const { identity, valid } = result
    if (!identity || !valid || !(identity.isUpdate || identity.isDeletion)) return
    const key = keyOf(identity)
    replacing.set(key, [...(replacing.get(key) ?? []), result])
  }

  function* write(results: readonly DocumentResult[]): Generator<string> {
    for (const result of results) {
      const by = findReplacing(result, replacing)
      if (by) {
        left++
        if (notes.length < MAX_NOTED) notes.push(describe(result, by))
      } else yield* reporter.document(result)
    }
  }

  return {
    ...reporter,
    *document(result) {
      add(result)
      if (held.push(result) < most) return
      const flushed = held
      held = []
      yield* write(flushed)
    },
    end(summary) {
      const rest = [...write(held)].join("")
      held = []
      for (const [, updates] of replacing)
        if (
          updates.length > 1 &&
          updates.every(({ identity }) => identity?.isUpdate) &&
          notes.length < MAX_NOTED
        )
          notes.push(
            `${nameOf(updates[0])} has ${updates.length} updates, and nothing says which is the last: all are listed`,
          )
      if (notes.length > 0) summary.replaced = { documents: left, notes }
      return rest + reporter.end(summary)
    },
  }
}

/** Maximum number of lines about omitted documents. */
const MAX_NOTED = 20

type Identity = NonNullable<DocumentResult["identity"]>

function keyOf(identity: Identity): string {
  return nameKey(keyInvoice(identity))
}

function findReplacing(
  { identity, valid }: DocumentResult,
  replacing: ReadonlyMap<string, readonly DocumentResult[]>,
): DocumentResult | undefined {
  // Invalid documents are there to be fixed.
  if (!identity || !valid || identity.isDeletion) return undefined
  const others = replacing.get(keyOf(identity)) ?? []
  const cancels = others.find((other) => other.identity?.isDeletion)
  return cancels ?? (identity.isUpdate ? undefined : others[0])
}

function nameOf(result: DocumentResult | undefined): string {
  return safeText(result?.identity?.invoiceNumber ?? "", 60)
}

function describe(result: DocumentResult, by: DocumentResult): string {
  const [one, other] = [result, by].map(
    ({ file, index }) => `${formatFileName(file)}${index === undefined ? "" : `, index ${index}`}`,
  )
  return by.identity?.isDeletion
    ? `${nameOf(result)} is cancelled by ${other}: ${one} is left out`
    : `${nameOf(result)} is updated by ${other}: ${one} is left out`
}
