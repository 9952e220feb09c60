/** A picture at the top of a page, as a supplier gives it. */
import { Buffer } from "node:buffer"
import { FreightError } from "../../base/errors.ts"

export interface Logo {
  kind: "png" | "jpeg"
  bytes: Uint8Array
}

/** In bytes, and in pixels of a side: a PNG is unpacked to be drawn. */
const LARGEST = 2_000_000
const WIDEST = 5_000

const HINT = { hint: "Save it as PNG or JPEG, some 1,000 pixels wide." }

/** @throws FreightError `input` for what is neither a PNG nor a JPEG, and for a picture that is too large */
export function readLogo(file: string, bytes: Uint8Array): Logo {
  const kind = findKind(bytes)
  if (!kind) throw new FreightError("input", `the logo ${file} is neither a PNG nor a JPEG`, HINT)
  const sides = kind === "png" ? readPngSides(bytes) : []
  if (bytes.length > LARGEST || sides.some((side) => side > WIDEST))
    throw new FreightError("input", `the logo ${file} is larger than 2 MB, or than 5,000 pixels`, HINT)
  return { kind, bytes }
}

function findKind(bytes: Uint8Array): Logo["kind"] | undefined {
  const begin = Buffer.from(bytes.subarray(0, 8)).toString("hex")
  if (begin === "89504e470d0a1a0a") return "png"
  return begin.startsWith("ffd8ff") ? "jpeg" : undefined
}

/** The width and height of the first part of a PNG, its header. */
function readPngSides(bytes: Uint8Array): number[] {
  const header = Buffer.from(bytes.subarray(0, 24))
  return header.length < 24 ? [] : [header.readUInt32BE(16), header.readUInt32BE(20)]
}
