/** Labels of shipments: fetched several at once, waited for together, named so that any file system takes them. */
import { createHash } from "node:crypto"
import type { FreightApi } from "../api/freight.ts"
import { type Attempt, type Failure, several } from "../api/several.ts"
import { labelNotReady, poll, type WaitDeps } from "./waiting.ts"

/** What came of the label of one shipment, by its id. */
export type LabelAttempt<Kept> = Attempt<string, Kept>

/** The labels that failed, by shipment. */
export function failuresIn(attempts: readonly LabelAttempt<unknown>[]): Failure[] {
  return attempts.flatMap((attempt) => (attempt.ok ? [] : [{ name: attempt.item, error: attempt.error }]))
}

/**
 * The label of every shipment, in their order. Those that are not ready are asked for again in rounds with growing
 * pauses, all under one limit (freight behaviour 7: only LABEL_NOT_AVAILABLE means wait).
 * @param limitMs 0 tries once
 * @param keep takes each label as soon as it is there
 */
export async function fetchLabels<Kept>(
  deps: WaitDeps,
  api: Pick<FreightApi, "getLabel">,
  shipmentIds: readonly string[],
  limitMs: number,
  keep: (shipmentId: string, pdf: Uint8Array) => Promise<Kept>,
): Promise<LabelAttempt<Kept>[]> {
  const attempts = new Map<string, LabelAttempt<Kept>>()
  let open = shipmentIds
  let told = false
  await poll(deps, limitMs, async () => {
    for (const attempt of await several(open, async (id) => keep(id, await api.getLabel(id))))
      attempts.set(attempt.item, attempt)
    open = open.filter((id) => isNotReady(attempts.get(id)))
    if (open.length === 0) return true
    if (!told && limitMs > 0) await deps.note(`Waiting for ${labelsOf(open)}…`)
    told = true
    return undefined
  })
  for (const id of open) attempts.set(id, { item: id, ok: false, error: labelNotReady(id) })
  return [...attempts.values()]
}

function isNotReady(attempt: LabelAttempt<unknown> | undefined): boolean {
  return attempt?.ok === false && attempt.error.kind === "notReady"
}

function labelsOf(ids: readonly string[]): string {
  return ids.length === 1 ? `the label of ${ids[0]}` : `the labels of ${ids.length} shipments`
}

const LONGEST_ID = 100

/**
 * A file name for each shipment's label. None leaves its folder, is too long, is a name that Windows keeps for itself,
 * or is another's, whatever the ids hold.
 */
export function labelNames(shipmentIds: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of shipmentIds) {
    const plain = id.replace(/[^\w-]/g, "_").slice(0, LONGEST_ID)
    // Some file systems take `a` and `A` for the same name.
    const alone = plain === id && !taken.has(plain.toLowerCase())
    const mark = createHash("sha256").update(id).digest("hex").slice(0, 8)
    taken.add(plain.toLowerCase())
    names.set(id, `label-${alone ? plain : `${plain}-${mark}`}.pdf`)
  }
  return names
}
