/**
 * The program of the process that reads the lines of a PDF: bytes on standard input, a page as JSON on each line of standard
 * output; its last argument is the processor time that it may take (ms). Its main thread only watches, so that it can end
 * the process while the other thread reads.
 */
import { Buffer } from "node:buffer"
import { writeSync } from "node:fs"
import { getAsset, isSea } from "node:sea"
import process from "node:process"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { type TextItem, toLines } from "./lines.ts"
import {
  MOST_MEMORY_BYTES,
  MOST_MS,
  MOST_PAGES,
  MOST_PIECES,
  MOST_WORDS,
  type PageMessage,
  READER,
} from "./messages.ts"

/** How often memory and processor time are looked at (ms). */
const WATCH_MS = 50
const STDOUT = 1

function send(message: PageMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(STDOUT, bytes, at)
    } catch (error) {
      // The pipe is full until its reader takes something.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.exit(1)
    }
}

function end(message: PageMessage): never {
  send(message)
  process.exit(0)
}

async function watch(): Promise<void> {
  const most = Number(process.argv.at(-1)) || MOST_MS
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > most * 1000) end({ refused: "time" })
    if (process.memoryUsage.rss() > MOST_MEMORY_BYTES) end({ refused: "memory" })
  }, WATCH_MS)
  const pieces: Uint8Array[] = []
  for await (const piece of process.stdin) pieces.push(piece)
  const pdf = new Uint8Array(Buffer.concat(pieces))
  const worker = new Worker(isSea() ? getAsset(READER, "utf8") : __filename, {
    eval: isSea(),
    workerData: pdf,
    transferList: [pdf.buffer],
    // What the library prints is nobody's business.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_BYTES / 2 ** 20 },
  })
  worker.on("message", (message: PageMessage) => {
    if ("page" in message) send(message)
    else end(message)
  })
  worker.on("error", (error: NodeJS.ErrnoException) =>
    end({ refused: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "damaged" }),
  )
  worker.on("exit", () => end({ refused: "damaged" }))
}

async function read(pdf: Uint8Array): Promise<PageMessage> {
  // What the library draws with, which is not needed for text.
  for (const name of ["DOMMatrix", "ImageData", "Path2D"])
    (globalThis as Record<string, unknown>)[name] ??= class {}
  const worker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs")
  Object.assign(globalThis, { pdfjsWorker: worker })
  const { getDocument, Util } = await import("pdfjs-dist/legacy/build/pdf.mjs")
  const task = getDocument({
    data: pdf,
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
  })
  task.onPassword = () => {
    parentPort?.postMessage({ refused: "encrypted" })
  }
  const document = await task.promise
  if (document.numPages > MOST_PAGES) return { refused: "long", pages: document.numPages }
  let words = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { width, height, transform } = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    const found = items.flatMap((item): TextItem[] => {
      if (!("str" in item) || item.str.trim() === "") return []
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(transform, item.transform) as number[]
      const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI)
      return [{ text: item.str, x, y, width: item.width, height: Math.hypot(c, d), turn }]
    })
    page.cleanup()
    if (found.length > MOST_PIECES) return { refused: "dense" }
    const lines = toLines({ page: number, width, height, items: found })
    words += lines.reduce(
      (sum, { phrases }) => sum + phrases.reduce((all, each) => all + each.words.length, 0),
      0,
    )
    if (words > MOST_WORDS) return { refused: "dense" }
    parentPort?.postMessage({ page: number, hasText: found.length > 0, lines })
  }
  return { done: true }
}

if (isMainThread) void watch()
else
  read(workerData).then(
    (message) => parentPort?.postMessage(message),
    () => parentPort?.postMessage({ refused: "damaged" }),
  )
