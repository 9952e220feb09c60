/** Input that was compressed with gzip, told by its first bytes. */
import { Readable, pipeline } from "node:stream"
import { MOST_INPUT_BYTES } from "../limits.ts"

/** Whether bytes begin as a gzip file does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** What is compressed is unpacked as it comes; anything else goes through as it is. @throws Error where it is damaged */
export async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array()
  while (head.length < 2) {
    const { done, value } = await source.next()
    if (done) break
    head = head.length === 0 ? value : Buffer.concat([head, value])
  }
  const all = (async function* () {
    yield head
    yield* { [Symbol.asyncIterator]: () => source }
  })()
  if (!isGzip(head)) return yield* all
  const { createGunzip } = await import("node:zlib")
  const gunzip = createGunzip()
  // An error of the source ends the unpacking with that error.
  pipeline(Readable.from(all), gunzip, () => {})
  try {
    yield* gunzip
  } catch (error) {
    throw inOwnWords(error)
  }
}

/** The same of what is in memory. @throws Error where it is damaged or unpacks to more than an input may have */
export async function unpackWhole(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(bytes)) return bytes
  const { gunzipSync } = await import("node:zlib")
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_INPUT_BYTES })
  } catch (error) {
    throw inOwnWords(error)
  }
}

function inOwnWords(error: unknown): unknown {
  const { code } = Object(error) as { code?: unknown }
  if (code === "ERR_BUFFER_TOO_LARGE")
    return new Error("it is too large when it is unpacked", { cause: error })
  return typeof code === "string" && code.startsWith("Z_")
    ? new Error("it is compressed (gzip), and damaged or cut short", { cause: error })
    : error
}
