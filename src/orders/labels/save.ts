/** Saves the labels of shipments that a person names. */
import { failureOf, type FreightApi } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { EXIT, FreightError, type FreightErrorOptions, toDetail, withOptions } from "../../base/errors.ts"
import { type CancellationWord, toWord } from "../../ledger/index.ts"
import { countPlaces, type Layout } from "../../output/index.ts"
import type { Deps } from "../../session/index.ts"
import { createLabelSaver, type LabelSubject, needsDetails, readSubject } from "../booking/label-files.ts"
import { failuresIn, fetchLabels, type LabelAttempt } from "../booking/labels.ts"
import { createFinder, type Finder } from "../lookup/find.ts"
import { SHIPMENTS } from "../lookup/given.ts"
import { namesOrAsk } from "../lookup/names.ts"

export interface SavedLabel {
  shipmentId: string
  labelFile: string
  bytes: number
  /** Where it begins in a merged file, counted from 1. */
  page: number | null
  /** On that page, where labels are laid out on sheets, counted from 1. */
  place: number | null
  /** The carrier's word on the phone; null if it is not cancelled. */
  cancelled: CancellationWord | null
}

/** The target of labels: one label to `output`, all to `merge`, or each into `dir`. */
interface SaveOptions {
  output?: string
  /** Default: the current folder. */
  dir?: string
  /** See `label-files.ts`. */
  labelName?: string
  merge?: string
  /** For `merge`: how many labels a sheet has. */
  layout?: Layout
  /** For `layout`: the first free place on the first sheet, counted from 1. */
  start?: number
  /** How long labels are waited for, in milliseconds; false tries once. */
  wait?: number | false
}

interface Saved {
  saved: readonly SavedLabel[]
  count: number
  error?: FreightError | undefined
}

/**
 * GET /shipments/{id}/label for each shipment; if none is named, a person is asked. Every file is written whole or not at
 * all. If some labels fail, the others are kept; a merged file is written only if all came.
 * @throws FreightError `usage` for one file and several labels; an error that ends it before all were tried, as
 * `stepFailed` where its own kind would say that nothing was done; and if a merged file is not complete
 */
export async function saveNamed(deps: Deps, given: readonly string[], options: SaveOptions): Promise<Saved> {
  const { output, merge } = options
  const names = await namesOrAsk(deps, given, SHIPMENTS, "Which shipment's label?")
  const began = deps.clock.now()
  if (output !== undefined && names.length > 1)
    throw new FreightError("usage", "--output takes one shipment's label: use --dir or --merge for several")
  const finder = createFinder(deps, "shipment")
  await finder.checkNames(names)
  const api = await deps.freight()
  /** By any name of a shipment. Two names may be one shipment's. */
  const fetch = async <Kept>(keep: (name: string, pdf: Uint8Array) => Promise<Kept>) => {
    const { clock, signal, note } = deps
    const byName = { getLabel: (name: string) => finder.find(name, (id) => api.getLabel(id)) }
    const fetched = await fetchLabels({ clock, signal, note, began }, byName, names, options.wait || 0, keep)
    return [...new Map(fetched.map((attempt) => [finder.idOf(attempt.item), attempt])).values()]
  }
  const saved =
    merge === undefined
      ? await saveEach(deps, api, finder, names, fetch, options)
      : { saved: await saveMerged(deps, finder, fetch, { ...options, merge }) }
  return { ...saved, count: names.length }
}

type Fetch = <Kept>(keep: (name: string, pdf: Uint8Array) => Promise<Kept>) => Promise<LabelAttempt<Kept>[]>

async function saveEach(
  { files, outputs, globals }: Pick<Deps, "files" | "outputs" | "globals">,
  api: FreightApi,
  finder: Finder,
  names: readonly string[],
  fetch: Fetch,
  options: SaveOptions,
): Promise<Omit<Saved, "count">> {
  const { output, dir = ".", labelName } = options
  const save = createLabelSaver(files, dir, labelName)
  const subjectOf = async (name: string): Promise<LabelSubject> => {
    const shipmentId = finder.idOf(name)
    const { reference, consignmentNumber: consignment, scope } = finder.foundAs(name) ?? {}
    // The ledger knows if there is none; the API's list does not.
    const known = { shipmentId, reference: reference ?? (scope && null), consignment }
    return needsDetails(labelName, known) ? readSubject(api, shipmentId) : known
  }
  let count = 0
  const attempts = await fetch(async (name, pdf): Promise<SavedLabel> => {
    const labelFile = output ?? (await save(await subjectOf(name), pdf))
    if (output !== undefined) await outputs.write(labelFile, pdf)
    count++
    return { ...toSaved(finder, name, pdf), labelFile }
  }).catch((error: unknown) => {
    throw count > 0 ? toPartialError(error, count, names.length) : error
  })
  return {
    saved: attempts.flatMap((attempt) => (attempt.ok ? [attempt.result] : [])),
    error: findFailure(attempts, findNextCommand(globals.sandbox === true, attempts, options)),
  }
}

/** An error that ends the command after some labels were saved: exit code 2 would say that nothing was done. */
function toPartialError(error: unknown, saved: number, of: number): unknown {
  if (!(error instanceof FreightError) || error.exitCode !== EXIT.wrongInput) return error
  return new FreightError("stepFailed", `${saved} of ${of} labels were saved; then: ${error.message}`, {
    hint: "Running it again gets the others.",
    errors: [toDetail(undefined, error, error.message)],
    cause: error,
  })
}

async function saveMerged(
  { outputs }: Pick<Deps, "outputs">,
  finder: Finder,
  fetch: Fetch,
  { merge: file, layout, start = 1 }: SaveOptions & { merge: string },
): Promise<SavedLabel[]> {
  if (layout && start > countPlaces(layout))
    throw new FreightError("usage", `--start takes 1 to ${countPlaces(layout)} with ${layout}, not ${start}`)
  const attempts = await fetch(async (_, pdf) => pdf)
  const failure = findFailure(attempts, {
    hint: `${file === "-" ? "Nothing was" : `${file} was not`} written: it is written whole or not at all.`,
  })
  if (failure) throw failure
  const labels = attempts.flatMap((attempt) =>
    attempt.ok
      ? [{ item: attempt.item, name: `the label of shipment ${attempt.item}`, pdf: attempt.result }]
      : [],
  )
  const { arrangePdfs, mergePdfs } = await import("../../output/paper/merge.ts")
  const { pdf, firstPages, firstPlaces } = layout
    ? await arrangePdfs(labels, layout, start)
    : { ...(await mergePdfs(labels)), firstPlaces: [] }
  await outputs.write(file, pdf)
  return labels.map(({ item, pdf: label }, at) => ({
    ...toSaved(finder, item, label),
    labelFile: file,
    page: firstPages[at] ?? 1,
    place: firstPlaces[at] ?? null,
  }))
}

function toSaved(finder: Finder, name: string, pdf: Uint8Array) {
  const { cancelled } = finder.foundAs(name) ?? {}
  return {
    ...{ shipmentId: finder.idOf(name), labelFile: "", bytes: pdf.byteLength, page: null, place: null },
    cancelled: cancelled ? toWord(cancelled) : null,
  }
}

function findFailure(
  attempts: readonly LabelAttempt<unknown>[],
  more: FreightErrorOptions,
): FreightError | undefined {
  const failures = failuresIn(attempts)
  return failures.length > 0 ? withOptions(failureOf("labels", attempts.length, failures), more) : undefined
}

/** Maximum number of ids in the command to run next. */
const MAX_SHOWN = 10

/** The command that fetches the labels that failed and may still come, if it can be pasted into any shell as it is. */
function findNextCommand(
  isSandbox: boolean,
  attempts: readonly LabelAttempt<unknown>[],
  { output, dir }: SaveOptions,
) {
  const later = attempts.filter((attempt) => !attempt.ok && attempt.error.retry !== "never")
  const words = [
    ...(isSandbox ? ["--sandbox"] : []),
    ...(output === undefined ? [] : ["-o", output]),
    ...(dir === undefined ? [] : ["--dir", dir]),
    ...later.map(({ item }) => item),
  ]
  return later.length > 0 && later.length <= MAX_SHOWN ? nextCommand("freight", "label", ...words) : {}
}
