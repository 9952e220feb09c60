/** Where rows come from, and their text: UTF-8 only, every line ending in LF. */
import { Buffer, isUtf8 } from "node:buffer"
import { FreightError } from "../errors.ts"
import { countMarkBytes, identifyFile, validUtf8Length, wideEncoding } from "../json/bytes.ts"
import { fileError } from "../terminal/files.ts"
import { limited, openStream } from "../terminal/open-stream.ts"
import { createHash, randomBytes } from "node:crypto"
import { closeSync, createReadStream, createWriteStream, openSync, rmSync, statSync } from "node:fs"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { makeFolder } from "../system.ts"

import { type InputStream, refuseKeyboard } from "../terminal/terminal.ts"

/** Opened once for each pass. */
export interface TextSource {
  name: string
  chunks(): AsyncIterable<Uint8Array>
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

const SAVE = 'Save it as "CSV UTF-8 (comma delimited)".'

/**
 * The text of a source, without a byte order mark.
 * @throws FreightError `input` for anything but UTF-8, with byte and line; the source's errors
 */
export async function* decodeText({ name, chunks }: TextSource): AsyncGenerator<string> {
  const decoder = new Decoder(name)
  for await (const chunk of chunks()) yield* decoder.take(chunk)
  yield* decoder.take(new Uint8Array(), true)
}

class Decoder {
  readonly #name: string
  #begun = false
  /** Bytes that wait for more: the start of the file or of a character. */
  #rest: Uint8Array = new Uint8Array()
  #offset = 0
  #line = 1
  #afterReturn = false

  constructor(name: string) {
    this.#name = name
  }

  *take(chunk: Uint8Array, last = false): Generator<string> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = new Uint8Array()
    if (!this.#begun) {
      if (bytes.length < 4 && !last) {
        this.#rest = bytes
        return
      }
      this.#begun = true
      refuseOthers(this.#name, bytes)
      this.#offset = countMarkBytes(bytes)
      bytes = bytes.subarray(this.#offset)
    }
    const whole = last ? bytes.length : bytes.length - unfinished(bytes)
    this.#rest = bytes.subarray(whole)
    const text = this.#decoded(bytes.subarray(0, whole))
    if (text !== "") yield text
  }

  #decoded(bytes: Uint8Array): string {
    if (!isUtf8(bytes)) {
      const good = validUtf8Length(bytes)
      const { length } = this.#lines(bytes.subarray(0, good)).split("\n")
      throw notUtf8(this.#name, bytes[good] ?? 0, this.#offset + good, this.#line + length - 1)
    }
    this.#offset += bytes.length
    const text = this.#lines(bytes)
    this.#line += text.split("\n").length - 1
    return text
  }

  /** CRLF and CR as LF, also across chunks. */
  #lines(bytes: Uint8Array): string {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
    const rest = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text
    if (text !== "") this.#afterReturn = text.endsWith("\r")
    return rest.replace(/\r\n?/g, "\n")
  }
}

/** Number of bytes at the end that begin an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

function refuseOthers(name: string, bytes: Uint8Array): void {
  const other = identifyFile(bytes)
  const wide = wideEncoding(bytes)
  if (other) throw new FreightError("input", `${name} is ${other}, not a text file`, { hint: SAVE })
  if (wide) throw new FreightError("input", `${name} is ${wide}, not UTF-8`, { hint: SAVE })
}

function notUtf8(name: string, byte: number, offset: number, line: number): FreightError {
  const hex = byte.toString(16).toUpperCase().padStart(2, "0")
  return new FreightError(
    "input",
    `${name}, line ${line}: byte ${offset + 1} of the file (0x${hex}) is not UTF-8`,
    { hint: `It may have been saved as Windows-1252 (ANSI, Latin-1). ${SAVE}` },
  )
}

export interface OpenedInput {
  source: TextSource
  /** @throws FreightError `input` when the file is no longer as it was when it was opened */
  refuseChanges(): Promise<void>
  close(): Promise<void>
}

/** Of a file that cannot be read there is none: its reader reports that. */
async function hashFile(source: TextSource): Promise<string | undefined> {
  const hash = createHash("sha256")
  try {
    for await (const chunk of source.chunks()) hash.update(chunk)
  } catch {
    return undefined
  }
  return hash.digest("hex")
}

async function openFile(source: TextSource): Promise<OpenedInput> {
  const before = await hashFile(source)
  return {
    source,
    async refuseChanges() {
      if ((await hashFile(source)) === before) return
      throw new FreightError(
        "input",
        `${source.name} was changed while freight checked it; nothing was sent`,
        {
          hint: "Run the same command again.",
        },
      )
    },
    close: async () => {},
  }
}

/**
 * Opens a file or standard input (`-`). Pipes are copied to a file, because rows are read more than once.
 * @param streams standard input is read once, without a copy
 * @param folder for the copy
 * @throws FreightError `usage` if standard input is the keyboard, `input` if it cannot be copied or is too long
 */
export async function openInput(
  stdin: InputStream,
  file: string,
  streams: boolean,
  folder: string,
  signal: AbortSignal,
): Promise<OpenedInput> {
  if (file !== "-" && !isStream(file)) return openFile(fileSource(file, signal))
  if (file === "-") refuseKeyboard(stdin, "pipe the rows in, or name a file")
  const name = file === "-" ? "standard input" : file
  const chunks = async () => (file === "-" ? stdin.chunks(signal) : await openStream(file, signal))
  const refuseChanges = async () => {}
  if (streams)
    return { source: { name, chunks: () => stdin.chunks(signal) }, refuseChanges, close: async () => {} }

  const kept = path.join(folder, `stdin-${randomBytes(6).toString("hex")}.tmp`)
  const remove = () => rmSync(kept, { force: true })
  try {
    makeFolder(folder)
    await pipeline(limited(name, await chunks()), createWriteStream(kept, { mode: 0o600, flags: "wx" }))
    const fd = openSync(kept, "r")
    // An unlinked file disappears with the process, however that ends.
    remove()
    return {
      source: { name, chunks: () => createReadStream("", { fd, start: 0, autoClose: false }) },
      refuseChanges,
      close: async () => closeSync(fd),
    }
  } catch (error) {
    remove()
    if (signal.aborted) throw signal.reason
    throw error instanceof FreightError ? error : fileError("write", kept, error)
  }
}

/** Pipes and devices can be read only once. Missing files are reported by the reader. */
function isStream(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}
