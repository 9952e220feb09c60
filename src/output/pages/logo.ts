/** A picture at the top of a page, as a supplier gives it. */
import { Buffer } from "node:buffer"
import { inflateSync } from "node:zlib"
import { FreightError } from "../../base/errors.ts"

export interface Logo {
  kind: "png" | "jpeg"
  bytes: Uint8Array
}

/** In bytes, in pixels of a side, and in all pixels: a PNG is unpacked to be drawn. */
const MAX_BYTES = 2_000_000
const MAX_WIDTH = 5_000
const MAX_PIXELS = 10_000_000

const HINT = { hint: "Save it as PNG or JPEG, some 1,000 pixels wide." }

export function readLogo(file: string, bytes: Uint8Array): Logo {
  const kind = findKind(bytes)
  if (!kind) throw new FreightError("input", `the logo ${file} is neither a PNG nor a JPEG`, HINT)
  if (bytes.length > MAX_BYTES) throw createTooLarge(file)
  return { kind, bytes: kind === "png" ? readPng(file, Buffer.from(bytes)) : bytes }
}

const createTooLarge = (file: string) =>
  new FreightError(
    "input",
    `the logo ${file} is larger than 2 MB, or than 5,000 pixels, or has more than 10 million of them`,
    HINT,
  )

const SIGNATURE = "89504e470d0a1a0a"

function findKind(bytes: Uint8Array): Logo["kind"] | undefined {
  const begin = Buffer.from(bytes.subarray(0, 8)).toString("hex")
  if (begin === SIGNATURE) return "png"
  return begin.startsWith("ffd8ff") ? "jpeg" : undefined
}

/** Chunks that are drawn. Others hold texts, profiles and further pictures, and may unpack to any size. */
const DRAWN: readonly string[] = ["IHDR", "PLTE", "tRNS", "sRGB", "gAMA", "cHRM", "IDAT", "IEND"]
const HEADER_BYTES = 13
/** Bytes of a chunk besides its data: length, name, check. */
const CHUNK_BYTES = 12
const SLACK_BYTES = 65_536
/** Samples of a pixel, by the type of colour. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Checks a PNG's single header and the size of its packed data, and returns the chunks that are drawn. */
function readPng(file: string, bytes: Buffer): Buffer {
  const chunks = listChunks(bytes)
  const [header, ...others] = chunks ?? []
  const isDamaged = header?.name !== "IHDR" || header.data.length !== HEADER_BYTES
  if (!header || isDamaged || others.some(({ name }) => name === "IHDR")) throw createDamaged(file)
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const [depth = 0, colour = 0] = header.data.subarray(8)
  if (width === 0 || height === 0)
    throw new FreightError(
      "input",
      `the logo ${file} is ${width} × ${height} pixels: there is nothing to draw`,
      HINT,
    )
  if (width > MAX_WIDTH || height > MAX_WIDTH || width * height > MAX_PIXELS) throw createTooLarge(file)
  const row = Math.ceil((width * depth * (SAMPLES[colour] ?? 0)) / 8)
  // Each row has a byte more, of a picture in passes each row of a pass; some programs leave a few behind them.
  const most = row * height + 4 * height + SLACK_BYTES
  const packed = others.filter(({ name }) => name === "IDAT").map(({ data }) => data)
  try {
    inflateSync(Buffer.concat(packed), { maxOutputLength: most })
  } catch (cause) {
    throw createDamaged(file, cause)
  }
  const drawn = (chunks ?? []).filter(({ name }) => DRAWN.includes(name))
  return Buffer.concat([Buffer.from(SIGNATURE, "hex"), ...drawn.map(({ whole }) => whole)])
}

const createDamaged = (file: string, cause?: unknown) =>
  new FreightError("input", `the logo ${file} is damaged: it cannot be drawn`, { ...HINT, cause })

/** The chunks of a PNG up to its end; undefined if one is longer than the rest of the file. */
function listChunks(bytes: Buffer): { name: string; data: Buffer; whole: Buffer }[] | undefined {
  const chunks: { name: string; data: Buffer; whole: Buffer }[] = []
  for (let at = SIGNATURE.length / 2; at + CHUNK_BYTES <= bytes.length; ) {
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const name = bytes.toString("latin1", at + 4, at + 8)
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (name === "IEND") return chunks
    at = end
  }
  return undefined
}
