import { failureOf, type FreightApi } from "../api/index.ts"
import {
  createFinder,
  createLabelSaver,
  failuresIn,
  fetchLabels,
  type Finder,
  LABEL_NAME,
  type LabelAttempt,
  type LabelSubject,
  namesOrAsk,
  needsDetails,
  readSubject,
  SHIPMENT_NAMES,
  SHIPMENTS,
  type WaitDeps,
} from "../orders/index.ts"
import {
  command,
  type Flags,
  FORCE_FLAG,
  type OptionsOf,
  OUTPUT,
  WAIT_FLAGS,
  wholeNumber,
} from "../command/index.ts"
import { nextCommand } from "../base/command-line.ts"
import type { Deps } from "../session/index.ts"
import { type CancellationWord, toWord } from "../ledger/index.ts"
import { EXIT, FreightError, type FreightErrorOptions, withOptions } from "../base/errors.ts"
import { BRIEF, type Column, countPlaces, LAYOUT_NAMES, MOST_PLACES, print } from "../output/index.ts"

/** Labels by any name of their shipment. */
type LabelApi = Pick<FreightApi, "getLabel">

interface SavedLabel {
  shipmentId: string
  labelFile: string
  bytes: number
  /** Where it begins in a merged file, counted from 1. */
  page: number | null
  /** On that page, where labels are laid out on sheets, counted from 1. */
  place: number | null
  /** What its carrier said on the phone; null while it stands. */
  cancelled: CancellationWord | null
}

const columns: Column<SavedLabel>[] = [
  { key: "shipmentId", title: "SHIPMENT", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "file", title: "FILE", value: ({ labelFile }) => labelFile },
  { key: "bytes", title: "BYTES", align: "right" },
  { key: "page", title: "PAGE", align: "right", hidden: true },
  { key: "place", title: "PLACE", align: "right", hidden: true },
]

const flags = {
  output: {
    ...OUTPUT,
    about:
      "write to this file, or - for standard output (default: REFERENCE.pdf, or CONSIGNMENT.pdf without one)",
    writes: "pdf",
    conflicts: ["dir", "merge"],
  },
  dir: { takes: "<dir>", about: "write each label into this folder", writes: "folder", conflicts: "merge" },
  labelName: { ...LABEL_NAME, conflicts: ["output", "merge"] },
  merge: {
    takes: "<file>",
    about: "write all into one PDF in the given order, or - for standard output",
    writes: "pdf",
  },
  sheet: {
    takes: "<layout>",
    about: "with --merge: two or four labels on each sheet of A4, as large as they are",
    choices: LAYOUT_NAMES,
    needs: "merge",
  },
  start: {
    takes: "<n>",
    about: "with --sheet: the first place that is free on the first sheet (default: 1)",
    read: wholeNumber(1, MOST_PLACES),
    needs: "sheet",
  },
  ...FORCE_FLAG,
  ...WAIT_FLAGS,
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

export default command({
  about:
    "Saves the labels of shipments as PDF. On a terminal it asks which, if none is named. Waits for labels that their carrier makes later. Files of an earlier run are overwritten, so run it again to complete what failed.",
  args: [{ takes: "[shipment...]", about: SHIPMENT_NAMES, isAsked: true }],
  flags,
  alsoWrites: (_, { output, dir, merge }) =>
    (output ?? dir ?? merge) === undefined ? [{ flag: "label", file: ".", writes: "folder" }] : [],
  columns,
  examples: [
    "freight label --sandbox demo-shipment -o label.pdf",
    "freight label --sandbox demo-shipment --dir labels --json",
    "freight shipments list --sandbox --format csv --fields id | freight label --sandbox - --merge labels.pdf",
    "freight label --sandbox demo-shipment --merge labels.pdf --sheet a4x4 --start 3",
  ],
  run: saveLabels,
})

/**
 * GET /shipments/{id}/label for each shipment. Every file is written whole or not at all; those that came stand when
 * others fail, and a merged file is written when all came.
 */
async function saveLabels(deps: Deps, given: readonly string[], options: Options): Promise<undefined> {
  const { output, dir, merge, labelName } = options
  const limitMs = options.wait || 0
  const names = await namesOrAsk(deps, given, SHIPMENTS, "Which shipment's label?")
  const waits = { ...pickWaiting(deps), began: deps.clock.now() }
  if (output !== undefined && names.length > 1)
    throw new FreightError("usage", "--output takes one shipment's label: use --dir or --merge for several")
  const finder = createFinder(deps, "shipment")
  await finder.checkNames(names)
  const api = await deps.freight()
  const byName: LabelApi = { getLabel: (name) => finder.find(name, (id) => api.getLabel(id)) }

  if (merge !== undefined)
    return saveMerged(deps, waits, byName, finder, names, limitMs, { ...options, merge })
  const save = createLabelSaver(deps.files, dir ?? ".", labelName)
  const subjectOf = async (name: string): Promise<LabelSubject> => {
    const shipmentId = finder.idOf(name)
    const { reference, consignmentNumber: consignment, scope } = finder.foundAs(name) ?? {}
    // The ledger knows that there is none; the API's list does not.
    const known = { shipmentId, reference: reference ?? (scope && null), consignment }
    return needsDetails(labelName, known) ? readSubject(api, shipmentId) : known
  }
  let count = 0
  const fetched = await fetchLabels(waits, byName, names, limitMs, async (name, pdf): Promise<SavedLabel> => {
    const shipmentId = finder.idOf(name)
    const file = output ?? (await save(await subjectOf(name), pdf))
    if (output !== undefined) await deps.outputs.write(file, pdf)
    count++
    const { cancelled } = finder.foundAs(name) ?? {}
    return {
      ...{ shipmentId, labelFile: file, bytes: pdf.byteLength, page: null, place: null },
      cancelled: cancelled ? toWord(cancelled) : null,
    }
  }).catch((error: unknown) => {
    throw count > 0 ? toPartialError(error, count, names.length) : error
  })
  const attempts = dropRepeated(finder, fetched)
  const saved = attempts.flatMap((attempt) => (attempt.ok ? [attempt.result] : []))
  const printed = output !== "-" && (saved.length > 0 || names.length > 1)
  if (printed) await print(deps, { rows: saved, columns })
  throwFailures(attempts, findNextCommand(deps, attempts, options))
}

/** What ends the command after some labels were saved: exit code 2 would say that nothing was done. */
function toPartialError(error: unknown, saved: number, of: number): unknown {
  if (!(error instanceof FreightError) || error.exitCode !== EXIT.wrongInput) return error
  return new FreightError("stepFailed", `${saved} of ${of} labels were saved; then: ${error.message}`, {
    hint: "Running it again gets the others.",
    cause: error,
  })
}

const pickWaiting = ({ clock, signal, note }: Deps): WaitDeps => ({ clock, signal, note })

async function saveMerged(
  deps: Deps,
  waits: WaitDeps,
  api: LabelApi,
  finder: Finder,
  names: readonly string[],
  limitMs: number,
  { merge: file, sheet, start = 1 }: Pick<Options, "sheet" | "start"> & { merge: string },
): Promise<undefined> {
  if (sheet && start > countPlaces(sheet))
    throw new FreightError("usage", `--start takes 1 to ${countPlaces(sheet)} with ${sheet}, not ${start}`)
  const fetched = await fetchLabels(waits, api, names, limitMs, async (_, pdf) => pdf)
  const attempts = dropRepeated(finder, fetched)
  throwFailures(attempts, {
    hint: `${file === "-" ? "Nothing was" : `${file} was not`} written: it is written whole or not at all.`,
  })
  const labels = attempts.flatMap((attempt) =>
    attempt.ok
      ? [
          {
            id: finder.idOf(attempt.item),
            name: `the label of shipment ${attempt.item}`,
            pdf: attempt.result,
            cancelled: finder.foundAs(attempt.item)?.cancelled,
          },
        ]
      : [],
  )
  const { arrangePdfs, mergePdfs } = await import("../output/paper/merge.ts")
  const { pdf, firstPages, firstPlaces } = sheet
    ? await arrangePdfs(labels, sheet, start)
    : { ...(await mergePdfs(labels)), firstPlaces: [] }
  await deps.outputs.write(file, pdf)
  if (file === "-") return
  const rows = labels.map(
    ({ id: shipmentId, pdf: { byteLength: bytes }, cancelled }, at): SavedLabel => ({
      shipmentId,
      labelFile: file,
      bytes,
      page: firstPages[at] ?? 1,
      place: firstPlaces[at] ?? null,
      cancelled: cancelled ? toWord(cancelled) : null,
    }),
  )
  // Where each is, tells what of a sheet is used.
  const shown = columns.map((column) => (sheet && column.hidden ? { ...column, hidden: false } : column))
  await print(deps, { rows, columns: shown })
  if (sheet) await deps.note(`Print ${file} at 100 %: fitted to the page, its barcodes would be smaller.`)
}

/** Two names may be one shipment's. */
function dropRepeated<Kept>(finder: Finder, attempts: readonly LabelAttempt<Kept>[]): LabelAttempt<Kept>[] {
  return [...new Map(attempts.map((attempt) => [finder.idOf(attempt.item), attempt])).values()]
}

function throwFailures(attempts: readonly LabelAttempt<unknown>[], more: FreightErrorOptions): void {
  const failures = failuresIn(attempts)
  if (failures.length > 0) throw withOptions(failureOf("labels", attempts.length, failures), more)
}

/** Ids that the command to run next repeats. */
const SHOWN_AT_MOST = 10

/** The command that fetches the labels that failed and may still come, where it can be pasted into any shell as it is. */
function findNextCommand(
  { globals }: Deps,
  attempts: readonly LabelAttempt<unknown>[],
  { output, dir }: Options,
) {
  const later = attempts.filter((attempt) => !attempt.ok && attempt.error.retry !== "never")
  const words = [
    ...(globals.sandbox ? ["--sandbox"] : []),
    ...(output === undefined ? [] : ["-o", output]),
    ...(dir === undefined ? [] : ["--dir", dir]),
    ...later.map(({ item }) => item),
  ]
  return later.length > 0 && later.length <= SHOWN_AT_MOST ? nextCommand("freight", "label", ...words) : {}
}
