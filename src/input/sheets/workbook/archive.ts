/** Zip archives, which workbooks are: their parts, of limited size, and checked as they are unpacked. */
import { Buffer } from "node:buffer"
import { crc32 } from "node:zlib"
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl"
import { grouped } from "../../../base/counted.ts"
import { FreightError } from "../../../base/errors.ts"
import { MAX_PARTS, MAX_COMPRESSION_RATIO, MAX_UNPACKED_BYTES, SMALL_UNPACKED } from "../../../base/limits.ts"

export interface Archive {
  names: readonly string[]
  has(name: string): boolean
  refuseMore(characters: number): void
  read(name: string): AsyncGenerator<Uint8Array>
  /** The whole part as text. */
  readText(name: string, most: number): Promise<string>
}

/** Lists the parts of an archive. Nothing is unpacked yet. */
export async function openArchive(name: string, bytes: Uint8Array): Promise<Archive> {
  const damaged = (error: unknown) =>
    error instanceof FreightError ? error : createDamagedError(name, error)
  const entries = new Map<string, Entry>()
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      autoClose: false,
    })
    if (zip.entryCount > MAX_PARTS) throw createTooMuchError(name, `${grouped(zip.entryCount)} files`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    throw damaged(error)
  }
  const unpacked = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  const most = Math.min(MAX_UNPACKED_BYTES, Math.max(SMALL_UNPACKED, bytes.length * MAX_COMPRESSION_RATIO))
  if (unpacked > most) throw createTooMuchError(name, `${grouped(unpacked)} bytes`)

  async function* read(part: string): AsyncGenerator<Uint8Array> {
    const entry = entries.get(part)
    if (!entry) throw createDamagedError(name, new Error(`${part} is missing`))
    if (entry.isEncrypted())
      throw new FreightError("input", `${name} is protected with a password`, {
        hint: "Save it without one, and run the same command again.",
      })
    try {
      let checksum = 0
      // yauzl checks the number of bytes; their content is checked here.
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        checksum = crc32(chunk, checksum)
        yield chunk
      }
      if (checksum !== entry.crc32) throw new Error(`${part} has other bytes than were packed`)
    } catch (error) {
      throw damaged(error)
    }
  }
  return {
    names: [...entries.keys()],
    refuseMore(characters) {
      if (characters > most) throw createTooMuchError(name, `more than ${grouped(most)} characters`)
    },
    has: (part) => entries.has(part),
    read,
    async readText(part, most) {
      const size = entries.get(part)?.uncompressedSize ?? 0
      if (size > most) throw createTooMuchError(name, `${grouped(size)} bytes in ${part}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of read(part)) chunks.push(chunk)
      return new TextDecoder().decode(Buffer.concat(chunks))
    },
  }
}

/** @param error the cause */
export function createDamagedError(name: string, error: unknown): FreightError {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error)
  return new FreightError("input", `${name} is damaged, or is not complete: ${reason}`, {
    hint: "Open it in a spreadsheet and save it again, or copy it again from where it came.",
  })
}

function createTooMuchError(name: string, what: string): FreightError {
  return new FreightError("input", `${name} would unpack to ${what}, and is not read`, {
    hint: `freight unpacks at most ${grouped(MAX_UNPACKED_BYTES)} bytes, and refuses archives that hold little more than repetition. Is it the right file?`,
  })
}
