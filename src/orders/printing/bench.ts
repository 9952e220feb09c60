/** A bench: each scan prints its label at once, and a scan never answers a question. */
import { failureOf, type FreightApi } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { describeDetail, FreightError } from "../../base/errors.ts"
import { createQueue } from "../../base/queue.ts"
import {
  type Cancellation,
  describeWord,
  type Entry,
  isInFlight,
  type LedgerDeps,
  NotSent,
  sentText,
} from "../../ledger/index.ts"
import type { InputStream } from "../../output/index.ts"
import type { Deps } from "../../session/index.ts"
import { failuresIn, fetchLabels } from "../booking/labels.ts"
import { createFinder } from "../lookup/find.ts"
import { findNameError, MAX_NAME_LENGTH, SHIPMENTS } from "../lookup/given.ts"
import { type Device, type DeviceDeps, deviceFor } from "./devices.ts"
import { isStale, sendLabelPrint } from "./print.ts"

/** Typed to print the label of the scan before once more. */
const AGAIN = "again"

const OUTCOMES = ["printed", "printed before", "waiting", "not printed"] as const

/** Result of a scan, or of the wait that it began. */
export interface Scan {
  /** As it was read. */
  scan: string
  outcome: (typeof OUTCOMES)[number]
  shipmentId: string | null
  deviceId: string | null
  jobId: string | null
  /** For people. */
  message: string
  error?: FreightError
}

interface Bench {
  api: FreightApi
  ledger: LedgerDeps
  /** The device; asked again after it was revoked. */
  findDevice(): Promise<Device>
  /** How long a label is waited for, in milliseconds. */
  limitMs: number
  show: ScanWriter["show"]
}

export interface ScanWriter {
  /** Takes each scan, and each late label. */
  show(scan: Scan): Promise<void>
  /** Called when the input has ended or is stopped. */
  end(): Promise<void>
}

/**
 * Prints the label of each line of standard input as it comes.
 * @param names those of the command line: only `-`
 * @throws FreightError `usage` for other names; naming all that was not printed, after the input has ended
 */
export async function printAsTheyCome(
  deps: Deps,
  names: readonly string[],
  { device, wait }: { device?: string; wait?: number | false },
  writer: ScanWriter,
): Promise<void> {
  if (names.length !== 1 || names[0] !== "-")
    throw new FreightError("usage", "--as-they-come prints what is typed or scanned: give - and no shipment")
  // The next scan must not answer a question.
  const asked: DeviceDeps = Object.create(deps, { interactive: { value: false } })
  const bench: Bench = {
    api: await deps.freight(),
    ledger: await deps.ledger("freight"),
    findDevice: () => deviceFor(asked, "freight", device),
    limitMs: wait || 0,
    show: writer.show,
  }
  await bench.findDevice()
  const last = new Map<string, Scan>()
  try {
    await printScans(deps, bench, last)
  } finally {
    await writer.end()
    await deps.note(countScans([...last.values()]))
  }
  const failures = [...last.values()].flatMap(({ scan: name, error }) => (error ? [{ name, error }] : []))
  if (failures.length > 0) throw failureOf("scans", last.size, failures)
}

/** `12 scanned: 10 printed, 1 printed before, 1 not printed.` */
function countScans(scans: readonly Scan[]): string {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = scans.filter((scan) => scan.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return counts.length === 0 ? "Nothing was scanned." : `${scans.length} scanned: ${counts.join(", ")}.`
}

/**
 * Prints the label of each scanned name, once on any device (POST /shipments/{id}/print), until the input ends and no
 * label is waited for.
 * @param last gets the last result of each name; that of a printed one stays
 */
async function printScans(deps: Deps, bench: Bench, last: Map<string, Scan>): Promise<void> {
  /** Scanned names by shipment, while its label is waited for. */
  const open = new Map<string, Set<string>>()
  const waits: Promise<void>[] = []
  // Paper comes out in this order.
  const queue = createQueue()
  const print = createPrinter(bench)

  const add = (scan: string, shipmentId: string | null, work: () => Promise<Scan | undefined>) =>
    queue.add(async () => {
      const done = await work().catch((error: unknown) => toUnprinted(deps.signal, scan, shipmentId, error))
      if (done) await bench.show(done)
      return done
    })
  const keep = (scan: string, done: Scan) => {
    if (done.outcome !== "printed before" || last.get(scan)?.outcome !== "printed")
      last.set(scan, { ...done, scan })
  }
  /** A printed label is waited for no more, whatever name it was scanned by. */
  const close = (done: Scan) => {
    for (const scan of open.get(done.shipmentId ?? "") ?? []) keep(scan, done)
    open.delete(done.shipmentId ?? "")
  }
  /** Others are printed meanwhile. */
  const wait = async (scan: string, shipmentId: string) => {
    const label = async () => true
    const [failure] = failuresIn(await fetchLabels(deps, bench.api, [shipmentId], bench.limitMs, label))
    const done = await add(scan, shipmentId, async () => {
      if (!open.has(shipmentId)) return undefined
      if (failure) throw failure.error
      return print(scan, shipmentId)
    })
    if (done) close(done)
  }
  const take = async (scan: string): Promise<Scan> => {
    const { shipmentId, printed, missing } = await findLabel(deps, bench.api, scan)
    if (printed) return toPrintedBefore(scan, shipmentId, printed)
    if (missing === undefined) return print(scan, shipmentId)
    if (bench.limitMs === 0) throw missing
    const names = open.get(shipmentId)
    if (names) names.add(scan)
    else {
      open.set(shipmentId, new Set([scan]))
      const waiting = wait(scan, shipmentId)
      waits.push(waiting)
      // If it fails while others are read, that is reported when the input has ended.
      waiting.catch(() => {})
    }
    const message = "its label is not there yet: it is printed when it comes"
    return { ...createScan(scan, shipmentId, "waiting"), message }
  }
  const takeAgain = async (printed: Scan | undefined): Promise<Scan> => {
    if (printed?.shipmentId == null) throw new FreightError("input", NOTHING_AGAIN)
    return print(printed.scan, printed.shipmentId, true)
  }

  /** The scan that the line before found printed; a late label does not change it. */
  let before: Scan | undefined
  try {
    for await (const line of readLines(deps.terminal.stdin, deps.signal)) {
      if (line === "") continue
      const isAgain = line.toLowerCase() === AGAIN
      const printed = isAgain ? before : undefined
      const { scan, shipmentId } = printed ?? { scan: line, shipmentId: null }
      const done = await add(scan, shipmentId, () => (isAgain ? takeAgain(printed) : take(line)))
      before = done?.outcome === "printed before" ? done : undefined
      if (!done || isAgain !== (printed !== undefined)) continue
      keep(scan, done)
      if (done.outcome === "printed" || done.outcome === "printed before") close(done)
    }
    await Promise.all(waits)
  } finally {
    // Let running prints end first, so that they are counted.
    await Promise.allSettled(waits)
    await queue.idle()
  }
}

const NOTHING_AGAIN = `nothing is printed again: scan a label that was printed before, then type ${AGAIN}`

/** The state of a scan's label: `printed` is its print, on any device; `missing` means that its carrier makes it later. */
interface FoundLabel {
  shipmentId: string
  printed?: Entry
  missing?: FreightError
}

async function findLabel(deps: Deps, api: FreightApi, scan: string): Promise<FoundLabel> {
  const fault = findNameError(scan, SHIPMENTS)
  if (fault !== undefined) throw new FreightError("input", fault)
  const finder = createFinder({ ...deps, note: async () => {} }, "shipment")
  const byName = { getLabel: (each: string) => finder.find(each, (id) => api.getLabel(id)) }
  const [failure] = failuresIn(await fetchLabels(deps, byName, [scan], 0, async () => true))
  if (failure && failure.error.kind !== "notReady") throw failure.error
  const shipmentId = finder.idOf(scan)
  const { cancelled } = finder.foundAs(scan) ?? {}
  if (cancelled) throw createCancelledError(shipmentId, cancelled)
  const { store, scopes } = await deps.readLedger()
  const entry = await store.labelPrintOf(scopes, shipmentId)
  if (entry?.state === "done") return { shipmentId, printed: entry }
  // The claim under the key of a scan waits for that.
  if (entry && entry.key !== `key:${scanKey(shipmentId)}`)
    throw new NotSent({ kind: isInFlight(entry, deps.clock.now()) ? "sending" : "unknown", entry })
  return { shipmentId, ...(failure && { missing: failure.error }) }
}

/** A cancelled shipment's label would be a number on a parcel that nobody collects. */
function createCancelledError(shipmentId: string, cancelled: Cancellation): FreightError {
  return new FreightError("refused", `it was ${describeWord(cancelled)}`, {
    code: "CANCELLED",
    shipmentId,
    ...nextCommand("freight", "print", "label", shipmentId),
  })
}

/** One key for all benches and devices. */
function scanKey(shipmentId: string): string {
  return `scan ${shipmentId}`
}

/** @returns prints one label, or reports that another bench has printed it meanwhile */
function createPrinter({ api, ledger, findDevice }: Bench) {
  let found: Device | undefined
  return async (scan: string, shipmentId: string, again?: true): Promise<Scan> => {
    found ??= await findDevice()
    const { id: deviceId, label } = found
    const key = again ? { again } : { key: scanKey(shipmentId), isKeyGenerated: true }
    try {
      const sheet = { deviceId, copy: 1, ...key }
      const { response, recorded, entry } = await sendLabelPrint(ledger, api, shipmentId, sheet)
      if (recorded) return toPrintedBefore(scan, shipmentId, entry)
      const printed = createScan(scan, shipmentId, "printed")
      return { ...printed, deviceId, jobId: response.jobId, message: `queued on ${label}` }
    } catch (error) {
      if (isStale(error)) found = undefined
      const entry = error instanceof NotSent && "entry" in error.standing ? error.standing.entry : undefined
      if (entry?.state === "done") return toPrintedBefore(scan, shipmentId, entry)
      throw error
    }
  }
}

function toPrintedBefore(scan: string, shipmentId: string, entry: Entry): Scan {
  const { deviceId = null } = entry.facts
  const { jobId = null } = Object(entry.response) as { jobId?: string }
  const message = `printed on ${sentText(entry)} at ${entry.sender.workstation}; ${AGAIN} prints it once more`
  return { ...createScan(scan, shipmentId, "printed before"), deviceId, jobId, message }
}

/** Ctrl-C and bugs end the session. */
function toUnprinted(signal: Deps["signal"], scan: string, shipmentId: string | null, error: unknown): Scan {
  signal.throwIfAborted()
  if (!(error instanceof FreightError)) throw error
  const details = (error.errors ?? []).map((detail) => `; ${describeDetail(detail)}`).join("")
  // Advice to list all shipments is useless at a bench.
  const advice = error.next === undefined || error.kind === "notFound" ? "" : `; next: ${error.next}`
  const message = `${error.message}${details}${advice}`
  return { ...createScan(scan, shipmentId, "not printed"), message, error }
}

function createScan<Outcome extends Scan["outcome"]>(
  scan: string,
  shipmentId: string | null,
  outcome: Outcome,
) {
  return { scan, outcome, shipmentId, deviceId: null, jobId: null }
}

/** The lines as they come, trimmed; each cut to a length that no name has. */
async function* readLines(stdin: InputStream, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const cut = (line: string) => line.trimStart().slice(0, MAX_NAME_LENGTH + 1)
  let rest = ""
  for await (const chunk of stdin.chunks(signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\r|\n/)
    rest = cut(lines.pop() ?? "")
    for (const line of lines) yield cut(line).trimEnd()
  }
  yield cut(rest + decoder.decode()).trimEnd()
}
