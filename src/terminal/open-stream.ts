/** The bytes of a file, pipe or device as they come. */
import { constants, createReadStream, openSync, statSync } from "node:fs"

/**
 * Opens it to be read until the signal is aborted; a plain file to its end, for the results of a batch that was
 * interrupted are written from its rows. Errors come as it is read.
 * @throws what the file system says, where it is not there
 */
export async function openStream(file: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const stats = statSync(file)
  const until = signal && !stats.isFile() ? { signal } : {}
  if (!stats.isFIFO()) return createReadStream(file, until)
  // To open a pipe waits for its writer, which not even the end of the process can break off; a socket waits as well as it reads.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const { Socket } = await import("node:net")
  return new Socket({ fd, readable: true, writable: false, ...until })
}
