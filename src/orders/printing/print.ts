/**
 * Prints several targets in several copies, one after the other, so that paper comes out in the order of the command; each
 * through the ledger.
 */
import { type DirectPrintApi, type Failure, failureOf, type FreightApi } from "../../api/index.ts"
import type { Api } from "../../contract/index.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../../contract/generated/types.ts"
import { type ErrorKind, FreightError, withOptions } from "../../base/errors.ts"
import {
  type Created,
  type CreateKey,
  createOnce,
  isRepeated,
  type LedgerDeps,
  type Repeated,
  sentText,
} from "../../ledger/index.ts"
import { type Device, type DeviceDeps, replacementFor } from "./devices.ts"
import type { Pdf } from "./pdf.ts"

export interface Task<Reply> {
  /** Shipment or file, for messages. */
  name: string
  /** As it was named, if that is another name. */
  target?: string | undefined
  /** A person's name for the print of its first copy: see {@link keyOfCopy}. */
  key?: string | undefined
  send(sheet: Sheet): Promise<Created<Reply>>
}

export interface Wanted extends Pick<CreateKey, "again"> {
  /** Copies of each task; every one is a print of its own. */
  copies: number
}

/** A copy in the device's queue. */
export interface Printed<Reply> {
  name: string
  deviceId: string
  copy: number
  reply: Reply
  /** It was printed before, and nothing was sent now. */
  recorded: boolean
}

const APART: readonly ErrorKind[] = ["refused", "input", "notFound", "notReady", "outcomeUnknown"]

/**
 * Prints every task that can be printed.
 * @param first replaced for the rest if it turns out to be stale and a person chooses another
 * @param failed tasks that failed before they could be printed
 * @returns the printed copies, and one error for the others: a failed task does not hide the others
 */
export async function printAll<Reply>(
  deps: DeviceDeps,
  api: Api,
  first: Device,
  tasks: readonly Task<Reply>[],
  wanted: Wanted,
  failed: readonly Failure[] = [],
): Promise<{ printed: Printed<Reply>[]; error: FreightError | undefined }> {
  const run: Run<Reply> = { deps, api, wanted, device: first, printed: [] }
  const failures = [...failed]
  for (const [at, task] of tasks.entries()) {
    try {
      await printCopies(run, task)
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      failures.push({ name: task.name, target: task.target, error })
      if (APART.includes(error.kind) && !isStale(error)) continue
      const told = "not printed: nothing was sent after that"
      // A task that was printed but not recorded says nothing about the others.
      const rest =
        error.kind === "stepFailed"
          ? new FreightError("unavailable", told)
          : new FreightError(error.kind, told, { code: error.code, retry: error.retry })
      failures.push(...tasks.slice(at + 1).map(({ name, target }) => ({ name, target, error: rest })))
      break
    }
  }
  const asked = tasks.length + failed.length
  return { printed: run.printed, error: failures.length > 0 ? sumUpFailures(asked, failures) : undefined }
}

interface Run<Reply> {
  readonly deps: DeviceDeps
  readonly api: Api
  readonly wanted: Wanted
  device: Device
  readonly printed: Printed<Reply>[]
}

/** The copies of one task. Those printed before are left out, unless a person wants them again. */
async function printCopies<Reply>(run: Run<Reply>, task: Task<Reply>): Promise<void> {
  const { deps, wanted, printed } = run
  const before: Repeated[] = []
  let { again } = wanted
  for (let copy = 1; copy <= wanted.copies; copy++) {
    let earlier = await printCopy(run, task, copy, again)
    if (earlier && again === undefined && deps.interactive) {
      again = await confirmAgain(deps, task.name, earlier)
      if (again) earlier = await printCopy(run, task, copy, again)
    }
    if (!earlier) continue
    before.push(earlier)
    const reply = earlier.standing.entry.response as Reply
    printed.push({ name: task.name, deviceId: run.device.id, copy, reply, recorded: true })
  }
  const [first] = before
  if (!first || again === false) return
  if (before.length === wanted.copies) throw first
  await deps.warn(
    `${task.name}: ${before.length} of ${wanted.copies} copies were printed before, and not again`,
  )
}

/** One copy, on another device when this one is stale. @returns the refusal when it was printed before */
async function printCopy<Reply>(
  run: Run<Reply>,
  task: Task<Reply>,
  copy: number,
  again: boolean | undefined,
): Promise<Repeated | undefined> {
  const key = task.key === undefined ? undefined : keyOfCopy(task.key, copy)
  for (;;) {
    const { id: deviceId } = run.device
    try {
      const { response: reply, recorded } = await task.send({ deviceId, copy, key, again })
      run.printed.push({ name: task.name, deviceId, copy, reply, recorded })
      return undefined
    } catch (error) {
      if (isRepeated(error)) return error
      if (!isStale(error)) throw error
      run.device = await replacementFor(run.deps, run.api, run.device)
    }
  }
}

export function keyOfCopy(key: string, copy: number): string {
  return copy > 1 ? `${key}/${copy}` : key
}

async function confirmAgain(
  deps: DeviceDeps,
  name: string,
  { standing: { entry } }: Repeated,
): Promise<boolean> {
  return (await deps.prompt()).confirm(`Print ${name} again? It was printed on ${sentText(entry)}.`, false)
}

export function isStale(error: unknown): error is FreightError {
  return error instanceof FreightError && error.code === "DEVICE_NOT_FOUND"
}

function sumUpFailures(asked: number, failures: readonly Failure[]): FreightError {
  const error = failureOf("prints", asked, failures)
  const worst = failures.map((each) => each.error).filter(({ exitCode }) => exitCode === error.exitCode)
  const advising = worst.find(({ next }) => next !== undefined) ?? worst[0]
  return withOptions(error, {
    hint: advising?.hint,
    next: advising?.next,
  })
}

export interface Sheet extends CreateKey {
  deviceId: string
  copy: number
}

/** POST /shipments/{id}/print. */
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
      facts: { shipmentId, deviceId, about: `label${formatCopy(copy)} on ${deviceId}` },
    },
    (lease) => api.printLabel(shipmentId, request, lease),
  )
}

/** POST /print-jobs. The entry keeps the PDF's hash and size. */
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
      facts: { deviceId, about: `${file}${formatCopy(copy)} on ${deviceId}` },
    },
    (lease) => api.createPrintJob({ deviceId, pdfBase64: pdf.base64() }, lease),
  )
}

function formatCopy(copy: number): string {
  return copy === 1 ? "" : `, copy ${copy}`
}
