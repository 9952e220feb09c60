/** The source of rows, and its text, with LF at the end of every line. */
import { Buffer, isAscii, isUtf8 } from "node:buffer"
import { createHash, randomBytes } from "node:crypto"
import { closeSync, createReadStream, createWriteStream, openSync, rmSync, statSync } from "node:fs"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import {
  countMarkBytes,
  identifyFile,
  toText,
  validUtf8Length,
  WEB_PAGE,
  wideEncoding,
} from "../json/bytes.ts"
import { makeFolder } from "../../base/system.ts"
import type { SheetRecords } from "./table.ts"
import { fileError, type InputStream, limited, openStream, refuseKeyboard } from "../../output/index.ts"

/** Opened once for each pass. */
export interface TextSource {
  name: string
  chunks(): AsyncIterable<Uint8Array>
  /** The sheet of a workbook: `chunks` is not text then. */
  sheet?: SheetRecords
  /** The name of that sheet, if several are read. */
  sheetName?: string
  /** The name of that sheet, if the workbook shows others. */
  amongSheets?: string
  /** The row of the headings, if a person says so. */
  headerRow?: number | undefined
}

export function fileSource(file: string, signal?: AbortSignal): TextSource {
  return {
    name: file,
    async *chunks() {
      try {
        yield* await openStream(file, signal)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        throw fileError("read", file, error)
      }
    },
  }
}

const SAVE_AS_WORKBOOK = "Open it in a spreadsheet, and save it as an Excel workbook (.xlsx)."
const SAVE = 'Save it as "CSV UTF-8 (comma delimited)".'

/**
 * The text of a source, without a byte order mark: UTF-8, UTF-16, or Windows-1252, which spreadsheets call ANSI.
 * @param note called if the encoding was a guess
 * @throws FreightError `input` for anything else; the source's errors
 */
export async function* decodeText(
  { name, chunks }: TextSource,
  note: (text: string) => Promise<void> = async () => {},
): AsyncGenerator<string> {
  const decoder = new Decoder(name, note)
  for await (const chunk of chunks()) yield* decoder.take(chunk)
  yield* decoder.take(new Uint8Array(), true)
}

class Decoder {
  readonly #name: string
  readonly #note: (text: string) => Promise<void>
  #begun = false
  /** Bytes that wait for more: the start of the file or of a character. */
  #rest: Uint8Array = new Uint8Array()
  #offset = 0
  #line = 1
  #afterReturn = false
  #isAscii = true
  /** The decoder of an encoding other than UTF-8. */
  #other: { decode(bytes: Uint8Array, options: { stream: boolean }): string } | undefined

  constructor(name: string, note: (text: string) => Promise<void>) {
    this.#name = name
    this.#note = note
  }

  async *take(chunk: Uint8Array, last = false): AsyncGenerator<string> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = new Uint8Array()
    if (!this.#begun) {
      const least = bytes[0] === OPENING_TAG ? MAX_TAG_LENGTH : 4
      if (bytes.length < least && !last) {
        this.#rest = bytes
        return
      }
      this.#begun = true
      const wide = readWideEncoding(this.#name, bytes)
      if (wide) await this.#switchTo(wide)
      this.#offset = countMarkBytes(bytes)
      bytes = bytes.subarray(this.#offset)
    }
    const whole = last || this.#other ? bytes.length : bytes.length - unfinished(bytes)
    this.#rest = bytes.subarray(whole)
    const text = await this.#decoded(bytes.subarray(0, whole), last)
    if (text !== "") yield text
  }

  async #decoded(bytes: Uint8Array, last: boolean): Promise<string> {
    if (this.#other) return this.#lines(this.#other.decode(bytes, { stream: !last }))
    if (!isUtf8(bytes)) return this.#decodedAnsi(bytes, last)
    this.#isAscii &&= isAscii(bytes)
    this.#offset += bytes.length
    return this.#lines(toText(bytes))
  }

  /** ASCII is the same in both encodings: the text read before does not change. */
  async #decodedAnsi(bytes: Uint8Array, last: boolean): Promise<string> {
    const good = validUtf8Length(bytes)
    const before = this.#lines(toText(bytes.subarray(0, good)))
    if (!this.#isAscii || !isAscii(bytes.subarray(0, good)) || bytes.includes(0))
      throw notUtf8(this.#name, bytes[good] ?? 0, this.#offset + good, this.#line)
    await this.#switchTo("windows-1252")
    const line = this.#line
    const after = this.#lines(this.#other?.decode(bytes.subarray(good), { stream: !last }) ?? "")
    const [start = ""] = /(?<!\p{L})\p{L}*$/u.exec(before) ?? []
    const [end = ""] = /^.\p{L}*/u.exec(after) ?? []
    const example = start.slice(-20) + end.slice(0, 20)
    await this.#note(
      `${this.#name} is not UTF-8: it is read as Windows-1252, with ${quoted(example)} on line ${line}. Look at the letters with accents.`,
    )
    return before + after
  }

  async #switchTo(encoding: string): Promise<void> {
    // Node's own reads Windows-1252 as Latin-1.
    const { TextDecoder } = await import("@exodus/bytes/encoding-lite.js")
    this.#other = new TextDecoder(encoding)
  }

  /** CRLF and CR as LF, also across chunks. */
  #lines(text: string): string {
    const rest = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text
    if (text !== "") this.#afterReturn = text.endsWith("\r")
    const lines = rest.replace(/\r\n?/g, "\n")
    this.#line += lines.split("\n").length - 1
    return lines
  }
}

const OPENING_TAG = 0x3c
/** Bytes that tell a web page from a cell that begins with `<`. */
const MAX_TAG_LENGTH = 16

/** Number of bytes at the end that begin an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

function readWideEncoding(name: string, bytes: Uint8Array): string | undefined {
  const other = identifyFile(bytes) ?? identifyMarkup(bytes)
  const wide = wideEncoding(bytes)
  if (other)
    throw new FreightError("input", `${name} is ${other.kind}, not a text file`, {
      hint: chooseHint(name, other),
    })
  if (wide === "UTF-32") throw new FreightError("input", `${name} is ${wide}, not UTF-8`, { hint: SAVE })
  // The mark, or the zero beside the first character.
  return wide && (bytes[0] === 0xfe || bytes[0] === 0 ? "utf-16be" : "utf-16le")
}

/** Exports "to Excel" are often XML, or no more than the table of a page. */
function identifyMarkup(bytes: Uint8Array): { kind: string } | undefined {
  const [, tag] =
    /^\s*<(\?xml|table)\b/i.exec(toText(bytes.subarray(countMarkBytes(bytes), MAX_TAG_LENGTH))) ?? []
  if (tag === undefined) return undefined
  return tag.toLowerCase() === "table" ? WEB_PAGE : { kind: "XML" }
}

function chooseHint(name: string, other: { kind: string }): string {
  if (other.kind === "XML" || (other === WEB_PAGE && /\.xls[xm]?$/i.test(name))) return SAVE_AS_WORKBOOK
  if (other.kind === "a PDF")
    return "Ask for it as a spreadsheet. Of PDFs, only bills are read: freight audit, freight post."
  return other === WEB_PAGE ? `S${WEB_PAGE.hint.slice(1)}.` : SAVE
}

function notUtf8(name: string, byte: number, offset: number, line: number): FreightError {
  const hex = byte.toString(16).toUpperCase().padStart(2, "0")
  return new FreightError(
    "input",
    `${name}, line ${line}: byte ${offset + 1} of the file (0x${hex}) is not UTF-8`,
    { hint: `It seems to have several encodings, or to be no text. ${SAVE}` },
  )
}

export interface OpenedInput {
  source: TextSource
  /** @throws FreightError `input` when the file has changed since it was opened */
  refuseChanges(): Promise<void>
  close(): Promise<void>
}

/** Undefined for a file that cannot be read: its reader reports that. */
async function hashFile(source: TextSource): Promise<string | undefined> {
  const hash = createHash("sha256")
  try {
    for await (const chunk of source.chunks()) hash.update(chunk)
  } catch {
    return undefined
  }
  return hash.digest("hex")
}

/**
 * Opens a file or standard input (`-`). Pipes are copied to a file, because rows are read more than once.
 * @param streams standard input is read once, without a copy
 * @param folder for the copy
 * @throws FreightError `usage` if standard input is the keyboard, `input` if it cannot be copied or is too long; the
 * signal's reason
 */
export async function openInput(
  stdin: InputStream,
  file: string,
  streams: boolean,
  folder: string,
  signal: AbortSignal,
): Promise<OpenedInput> {
  const opened = (source: TextSource) => ({ source, refuseChanges: async () => {}, close: async () => {} })
  if (file !== "-" && !isStream(file)) {
    const source = fileSource(file, signal)
    const before = await hashFile(source)
    const refuseChanges = async () => {
      if ((await hashFile(source)) === before) return
      throw new FreightError("input", `${file} was changed while freight checked it; nothing was sent`, {
        hint: "Run the same command again.",
      })
    }
    return { ...opened(source), refuseChanges }
  }
  if (file === "-") refuseKeyboard(stdin, "pipe the rows in, or name a file")
  const name = file === "-" ? "standard input" : file
  if (streams) return opened({ name, chunks: () => stdin.chunks(signal) })
  const kept = path.join(folder, `stdin-${randomBytes(6).toString("hex")}.tmp`)
  try {
    makeFolder(folder)
    const chunks = file === "-" ? stdin.chunks(signal) : await openStream(file, signal)
    await pipeline(limited(name, chunks), createWriteStream(kept, { mode: 0o600, flags: "wx" }))
    const fd = openSync(kept, "r")
    const source = { name, chunks: () => createReadStream("", { fd, start: 0, autoClose: false }) }
    return { ...opened(source), close: async () => closeSync(fd) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof FreightError ? error : fileError("write", kept, error)
  } finally {
    // An unlinked file disappears with the process, however that ends.
    rmSync(kept, { force: true })
  }
}

/** Pipes and devices can be read only once. Missing files are reported by the reader. */
function isStream(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

/** Whether these first bytes are those of a workbook, an archive, or an old workbook. */
export function isPacked(start: Uint8Array): boolean {
  const signature = Buffer.from(start.subarray(0, SIGNATURE_BYTES)).toString("hex")
  return signature === ZIP || signature === CONTAINER
}

/** How zip archives begin, workbooks among them, and how the containers of old and of encrypted ones do. */
export const ZIP = "504b0304"

export const CONTAINER = "d0cf11e0"

export const SIGNATURE_BYTES = 4
