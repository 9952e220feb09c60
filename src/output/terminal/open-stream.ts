/** The bytes of a file, pipe or device as they come, or whole. */
import { constants, createReadStream, openSync, statSync } from "node:fs"
import { grouped } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { openToRead } from "../../base/system.ts"
import { MAX_INPUT_BYTES } from "../../base/limits.ts"

/**
 * Opens a file for reading until the signal is aborted; a plain file is read to its end, because the results of an
 * interrupted batch are written from its rows. Read errors come while reading.
 * @throws the file system's error if it is not there, or may not be read
 */
export async function openStream(file: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const stats = statSync(file)
  const until = signal && !stats.isFile() ? { signal } : {}
  if (stats.isFile()) return createReadStream(file, { ...until, fd: openToRead(file) })
  if (!stats.isFIFO()) return createReadStream(file, until)
  // To open a pipe waits for its writer, which not even the end of the process can break off; a socket waits as well as it reads.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const { Socket } = await import("node:net")
  return new Socket({ fd, readable: true, writable: false, ...until })
}

/** All of it, in memory. @throws FreightError `input` when it is longer than an input may be; errors of the chunks */
export async function readWhole(name: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of limited(name, chunks)) parts.push(chunk)
  return Buffer.concat(parts)
}

/** The chunks, up to the maximum length of an input. @throws FreightError `input`; errors of the chunks */
export async function* limited(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_INPUT_BYTES)
      throw new FreightError(
        "input",
        `${name} has more than ${grouped(MAX_INPUT_BYTES)} bytes, the most that freight reads from an input`,
      )
    yield chunk
  }
}
