/** Reads gzip data, recognised by its first two bytes, whatever its name is. */
import type { Readable } from "node:stream"
import { grouped } from "../../base/counted.ts"
import { codeOf } from "../../base/system.ts"
import { MAX_INPUT_BYTES } from "../../base/limits.ts"

/** RFC 1952, section 2.3.1. No text in UTF-8 starts like this. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * The chunks, unpacked if they are packed.
 * @throws Error saying what is wrong with the packed data, or that it is longer than an input may be
 */
export async function* unzipStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    let start: Uint8Array = new Uint8Array()
    let next = await source.next()
    while (!next.done && start.length + next.value.length < 2) {
      start = Buffer.concat([start, next.value])
      next = await source.next()
    }
    const first = next.done ? start : Buffer.concat([start, next.value])
    const all = readRest(first, source)
    if (isGzip(first)) yield* unpack(all)
    else yield* all
  } finally {
    await source.return?.()
  }
}

async function* readRest(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [{ createGunzip }, { pipeline, Readable: readable }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ])
  const unpacked: Readable = pipeline(readable.from(chunks), createGunzip(), () => {})
  let size = 0
  try {
    for await (const chunk of unpacked) {
      size += chunk.length
      if (size > MAX_INPUT_BYTES)
        throw new Error(`it unpacks to more than ${grouped(MAX_INPUT_BYTES)} bytes: split it`)
      yield chunk
    }
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): unknown {
  if (codeOf(error) === "Z_BUF_ERROR")
    return new Error("it is packed with gzip, and its end is missing: get it again")
  if (codeOf(error)?.startsWith("Z_"))
    return new Error("it is packed with gzip, and damaged: get it again, or pack it again")
  return error
}

/** The whole content of a file, unpacked if it is packed. @throws Error as `unzipStream` does */
export async function unzipWhole(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(bytes)) return bytes
  const parts: Uint8Array[] = []
  for await (const part of unzipStream(oneChunk(bytes))) parts.push(part)
  return Buffer.concat(parts)
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
