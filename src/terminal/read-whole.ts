import { grouped } from "../contract/counted.ts"
import { FreightError } from "../errors.ts"
import { MOST_INPUT_BYTES } from "../limits.ts"

/** All there is, into memory. @throws FreightError `input` when it is longer than an input may be; what the chunks throw */
export async function readWhole(name: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of limited(name, chunks)) parts.push(chunk)
  return Buffer.concat(parts)
}

/** The chunks, as long as there are no more than an input may have. @throws FreightError `input`; what the chunks throw */
export async function* limited(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MOST_INPUT_BYTES)
      throw new FreightError(
        "input",
        `${name} has more than ${grouped(MOST_INPUT_BYTES)} bytes, and freight reads no more of an input`,
      )
    yield chunk
  }
}
