/** Labels of bookings, one or many: waited for, saved, and printed in their order. */
import path from "node:path"
import type { Globals, Outputs } from "../../machine/index.ts"
import { failureOf, type FreightApi } from "../../api/index.ts"
import type { PrintJobCreated } from "../../contract/generated/types.ts"
import type { LedgerDeps } from "../../ledger/index.ts"
import { shortId } from "../../base/names.ts"
import { type DeviceDeps, deviceFor } from "../printing/devices.ts"
import { printAll, sendLabelPrint, type Sheet } from "../printing/print.ts"
import { createProgress, type Files, type Terminal } from "../../output/index.ts"
import { createLabelSaver, type LabelSubject, needsDetails, readSubject } from "./label-files.ts"
import { failuresIn, fetchLabels, LABEL_LIMIT_MS, type LabelAttempt, type WaitDeps } from "./labels.ts"

export interface LabelDeps extends WaitDeps, DeviceDeps {
  readonly globals: Globals
  files: Files
  outputs: Outputs
  terminal: Pick<Terminal, "stderr" | "unicode">
  shows?: boolean
}

export interface Labelled extends LabelSubject {
  /** The key it was booked under: its print derives a key from it, so that a repeated command prints nothing twice. */
  key: string | undefined
  isElsewhere?: boolean
  isOfToday?: boolean
}

export interface LabelTarget {
  file?: string | undefined
  folder: string
  /** See `label-files.ts`. */
  labelName?: string | undefined
  earlier?: ReadonlyMap<string, string> | undefined
}

/**
 * Saves the labels that an earlier run has not saved into the folder.
 * @param saved gets the file of each label that was saved or was there, by shipment
 */
export async function saveLabels(
  deps: LabelDeps,
  api: FreightApi,
  booked: readonly Labelled[],
  { file, folder, labelName, earlier }: LabelTarget,
  saved: Map<string, string>,
): Promise<void> {
  const missing = new Map<string, Labelled>()
  for (const each of booked) {
    const before = earlier?.get(each.shipmentId)
    const isThere = before !== undefined && path.resolve(path.dirname(before)) === path.resolve(folder)
    if (isThere && (await deps.files.has(before))) saved.set(each.shipmentId, before)
    else missing.set(each.shipmentId, each)
  }
  const save = createLabelSaver(deps.files, folder, labelName)
  const attempts = await fetchWithProgress(deps, api, [...missing.values()], async (id, pdf) => {
    if (file !== undefined) {
      await deps.outputs.write(file, pdf)
      saved.set(id, file)
      return
    }
    const known = missing.get(id) ?? { shipmentId: id }
    const subject = needsDetails(labelName, known) ? await readSubject(api, id) : known
    saved.set(id, await save(subject, pdf))
  })
  throwFailures(attempts)
}

async function fetchWithProgress(
  { clock, signal, terminal, shows, note: plain }: LabelDeps,
  api: FreightApi,
  booked: readonly Labelled[],
  use: (id: string, pdf: Uint8Array) => Promise<void>,
): Promise<LabelAttempt<void>[]> {
  const ids = booked.map(({ shipmentId }) => shipmentId)
  const nameOf = (id: string) => {
    const { consignment, reference } = booked.find(({ shipmentId }) => shipmentId === id) ?? {}
    return consignment ?? reference ?? shortId(id)
  }
  const progress = shows
    ? createProgress(terminal, clock, ids.length, ({ rows }) => `labels: ${rows} of ${ids.length}`)
    : undefined
  // On a terminal the progress bar already shows the wait.
  const note = progress && terminal.stderr.isTTY ? async () => {} : plain
  let rows = 0
  try {
    return await fetchLabels({ clock, signal, note, nameOf }, api, ids, LABEL_LIMIT_MS, async (id, pdf) => {
      await use(id, pdf)
      await progress?.show({ rows: ++rows })
    })
  } finally {
    await progress?.clear()
  }
}

/** Writes all labels into one file, in their order. @param saved those that are saved already, by shipment */
export async function mergeLabels(
  deps: LabelDeps,
  api: FreightApi,
  booked: readonly Labelled[],
  saved: ReadonlyMap<string, string>,
  file: string,
): Promise<void> {
  const ids = booked.map(({ shipmentId }) => shipmentId)
  const pdfs = new Map<string, Uint8Array>()
  const unsaved = booked.filter(({ shipmentId }) => !saved.has(shipmentId))
  const fetched = await fetchWithProgress(deps, api, unsaved, async (id, pdf) => {
    pdfs.set(id, pdf)
  })
  throwFailures(fetched)
  const { mergePdfs } = await import("../../output/paper/merge.ts")
  const parts = []
  for (const id of ids) {
    const kept = saved.get(id)
    const pdf = pdfs.get(id) ?? (kept === undefined ? undefined : await deps.files.read(kept))
    if (pdf) parts.push({ name: `the label of shipment ${id}`, pdf })
  }
  const { pdf } = await mergePdfs(parts)
  await deps.outputs.write(file, pdf)
  await deps.note(`Labels in row order: ${file}.`)
}

/**
 * Prints each under its booking's key.
 * @param ready labels that can be printed now, by shipment
 * @param named a device; true is the workstation's
 */
export async function printLabels(
  deps: LabelDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  booked: readonly Labelled[],
  ready: ReadonlyMap<string, string>,
  named: string | true,
): Promise<void> {
  const device = await deviceFor(deps, "freight", named === true ? undefined : named)
  const unseen = booked.filter(({ shipmentId }) => !ready.has(shipmentId))
  const failed = failuresIn(await fetchWithProgress(deps, api, unseen, async () => {}))
  const missing = new Set(failed.map(({ name }) => name))
  const tasks = booked
    .filter(({ shipmentId }) => !missing.has(shipmentId))
    .map(({ key, shipmentId, reference }) => ({
      name: reference ?? shipmentId,
      send: (sheet: Sheet) =>
        sendLabelPrint(ledger, api, shipmentId, { ...sheet, key: key && `${key} label` }),
    }))
  const once = { copies: 1 }
  const { printed, error } = await printAll<PrintJobCreated>(deps, "freight", device, tasks, once, failed)
  const [first] = printed
  const before = printed.filter(({ recorded }) => recorded).length
  const queued = printed.length - before
  if (booked.length > 1)
    await deps.note(
      `Labels queued on ${device.id}: ${queued}${before > 0 ? `; ${before} were queued before` : ""}.`,
    )
  else if (first)
    await deps.note(
      before > 0
        ? `Its label was already queued on ${first.deviceId}.`
        : `Label queued on ${first.deviceId}.`,
    )
  if (error) throw error
}

function throwFailures(attempts: readonly LabelAttempt<unknown>[]): void {
  const failures = failuresIn(attempts)
  if (failures.length > 0) throw failureOf("labels", attempts.length, failures)
}
