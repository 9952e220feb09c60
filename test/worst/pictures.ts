/** Pictures, and the worst PNGs of about 1 MB. */
import { crc32, deflateSync } from "node:zlib"

type Chunk = readonly [name: string, data: Uint8Array]

/** A PNG of these chunks, in this order. */
export function pngOf(...chunks: readonly Chunk[]): Buffer {
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    ...chunks.map(([name, data]) => {
      const whole = Buffer.concat([Buffer.from(name), data])
      const ends = Buffer.alloc(8)
      ends.writeUInt32BE(data.length, 0)
      ends.writeUInt32BE(crc32(whole), 4)
      return Buffer.concat([ends.subarray(0, 4), whole, ends.subarray(4)])
    }),
  ])
}

/** The header of a grey picture. */
export function pngHeader(width: number, height: number): Chunk {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return ["IHDR", header]
}

export const PNG_END: Chunk = ["IEND", Buffer.alloc(0)]

/** The rows of a grey picture, packed. */
export const pngRows = (width: number, height: number): Chunk => [
  "IDAT",
  deflateSync(Buffer.alloc((width + 1) * height, 0)),
]

/** A grey picture. */
export function drawPng(width: number, height: number): Buffer {
  return pngOf(pngHeader(width, height), pngRows(width, height), PNG_END)
}

/** 1 MB that unpacks to 1 GB, made in pieces so that it is never whole. */
export function packedZeros(): Buffer {
  const piece = deflateSync(Buffer.alloc(2 ** 20), { finishFlush: 3 })
  // The first two bytes are the head of the stream; a full flush ends each piece where another may begin.
  return Buffer.concat([piece, ...Array.from({ length: 1023 }, () => piece.subarray(2))])
}
