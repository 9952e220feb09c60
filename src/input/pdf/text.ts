/** The lines of a PDF, read by a process of its own that is ended by processor time and by memory. */
import { Buffer } from "node:buffer"
import { createInterface } from "node:readline"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { findProgram, IS_EXECUTABLE } from "../../base/assets.ts"
import { grouped } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { tryParseJson } from "../../base/json.ts"
import { createStep } from "../../base/turns.ts"
import type { Line } from "./lines.ts"
import {
  MAX_MS,
  MAX_PAGES,
  type OnPage,
  type PageLines,
  type PageMessage,
  READER,
  type ReadPages,
  type Refusal,
  type Unread,
} from "./messages.ts"

const MAX_BYTES = 100 * 2 ** 20

const REFUSALS: Readonly<Record<Refusal, [what: string, hint: string]>> = {
  encrypted: ["is locked with a password", "Open it, print it as a PDF without a password, and use that."],
  damaged: ["is damaged, and cannot be read as a PDF", "Ask the carrier for it again."],
  memory: [
    "needs too much memory to be read",
    "Ask the carrier for a spreadsheet, or print its pages in parts.",
  ],
  time: ["takes too long to be read", "Ask the carrier for a spreadsheet, or print its pages in parts."],
  long: [
    `has more than ${MAX_PAGES} pages, the most that freight reads`,
    "Print it as several PDFs, each with whole invoices.",
  ],
  dense: [
    "has more text on its pages than any bill, too much to be read",
    "Ask the carrier for a spreadsheet, or print its pages in parts.",
  ],
}

/** Whether these first bytes are those of a PDF. */
export function isPdf(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, 5)).toString("latin1") === "%PDF-"
}

/**
 * The lines of all pages of a PDF.
 * @throws FreightError `input` for a file that cannot be read, is too long, or is a picture; `unavailable` if the
 * process that reads it cannot be started, or ended for another reason; the signal's reason
 */
export async function readLines(
  name: string,
  pdf: Uint8Array,
  signal: AbortSignal,
  readPages = readByProcess(),
  onPage?: OnPage,
): Promise<Line[]> {
  if (!isPdf(pdf)) throw new FreightError("input", `${name} is not a PDF`)
  if (pdf.length > MAX_BYTES)
    throw new FreightError("input", `${name} has ${grouped(pdf.length)} bytes, too many for a bill`, {
      hint: "Ask the carrier for a spreadsheet, or print its pages in parts.",
    })
  const pages = await readPages(pdf, signal, onPage)
  if ("refused" in pages) throw toError(name, pages.refused)
  if ("ended" in pages)
    throw new FreightError("unavailable", `the process that reads ${name} ${pages.ended}; nothing was read`, {
      hint: "Run it again. Where that goes on, freight doctor looks at this machine.",
    })
  if (pages.every(({ hasText }) => !hasText))
    throw new FreightError("input", `${name} has pictures of text, not text`, {
      hint: "Ask the carrier for a CSV file, or for a PDF from their portal. A scan cannot be read.",
    })
  return pages.flatMap(({ lines }) => lines)
}

function toError(name: string, refused: Refusal): FreightError {
  const [what, hint] = REFUSALS[refused]
  return new FreightError("input", `${name} ${what}`, { hint })
}

/**
 * The step for work on the lines of a PDF. Their number is limited by the process that read them, so this process can
 * handle them; but no file may take longer here than there.
 * @param mostMs processor time of this process
 * @returns a function that throws the signal's reason, and FreightError `input` if it takes too long
 */
export function createPdfStep(
  name: string,
  signal: AbortSignal,
  mostMs = MAX_MS,
): () => Promise<void> | undefined {
  const step = createStep(signal)
  const start = process.cpuUsage()
  let lookedAt = performance.now()
  return () => {
    const turn = step()
    // Asking for processor time takes as long as several lines.
    if (!turn || performance.now() - lookedAt < Math.min(LOOK_MS, mostMs)) return turn
    lookedAt = performance.now()
    const { user, system } = process.cpuUsage(start)
    if (user + system <= mostMs * 1000) return turn
    return turn.then(() => {
      throw toError(name, "time")
    })
  }
}

/** How often processor time is looked at. */
const LOOK_MS = 500

/** How a process ends that needs more memory than there is: V8 gives up, or Linux ends it. */
const OUT_OF_MEMORY: readonly unknown[] = ["SIGABRT", "SIGKILL", 134]

/** The end of a process that did not report a result. */
function describeEnd(code: number | null, signal: NodeJS.Signals | null): Unread {
  if (OUT_OF_MEMORY.includes(signal ?? code)) return { refused: "memory" }
  return { ended: signal ? `was ended by ${signal}` : `ended with exit code ${code}` }
}

/**
 * Reads pages in a process of its own.
 * @param options `mostMs` is the processor time that reading may take; `program` runs the reader: Node, or freight's
 * executable
 */
export function readByProcess({ mostMs = MAX_MS, program = process.execPath } = {}): ReadPages {
  return (pdf, signal, onPage) => runReader(pdf, signal, mostMs, program, onPage)
}

async function runReader(
  pdf: Uint8Array,
  signal: AbortSignal,
  mostMs: number,
  program: string,
  onPage: OnPage | undefined,
): Promise<PageLines[] | Unread> {
  signal.throwIfAborted()
  const { spawn } = await import("node:child_process")
  const args = [IS_EXECUTABLE ? READER : fileURLToPath(findProgram(READER)), String(mostMs)]
  // Node checks the version of Windows, and of Wine, before it starts.
  const kept = ["SystemRoot", "NODE_SKIP_PLATFORM_CHECK"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: Object.fromEntries(kept),
  })
  const kill = () => void child.kill("SIGKILL")
  signal.addEventListener("abort", kill)
  const ended = new Promise<Unread>((resolve) => {
    child.once("close", (code, killed) => resolve(describeEnd(code, killed)))
    child.once("error", ({ message }) => resolve({ ended: `cannot be started: ${message}` }))
  })
  // It may end before it has read all.
  child.stdin.on("error", () => {})
  child.stdin.end(pdf)
  const pages: PageLines[] = []
  let last: PageMessage | undefined
  let ending: Unread
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const message = tryParseJson(line) as PageMessage | undefined
      // It was ended in the middle of the line.
      if (!message) continue
      if ("page" in message) {
        pages.push(message)
        await onPage?.(message)
      } else last ??= message
    }
    ending = await ended
  } finally {
    signal.removeEventListener("abort", kill)
    kill()
  }
  signal.throwIfAborted()
  if (!last) return ending
  return "refused" in last ? last : pages
}
