/**
 * Files for labels: named by the customer's reference where there is one, by the consignment number otherwise, or as
 * `--label-name` says. No label takes another file's place: where there is one of its name, the shipment's id is added.
 */
import path from "node:path"
import type { FreightApi } from "../../api/index.ts"
import { shortId } from "../../base/names.ts"
import { FreightError } from "../../base/errors.ts"
import { MAX_NAME_LENGTH, markOf, toFileName } from "../../base/file-names.ts"
import type { Files } from "../../output/index.ts"

export interface LabelSubject {
  shipmentId: string
  /** Null if there is none, undefined if that is not known. */
  reference?: string | null | undefined
  consignment?: string | null | undefined
}

const PLACEHOLDERS: Readonly<Record<string, (subject: LabelSubject) => string | null | undefined>> = {
  reference: ({ reference }) => reference,
  consignment: ({ consignment }) => consignment,
  shipment: ({ shipmentId }) => shipmentId,
}
const PLACEHOLDER = /\{(\w*)\}/g

/** Checks a pattern of `--label-name`. */
export function parseLabelName(pattern: string): string {
  const used = [...pattern.matchAll(PLACEHOLDER)].map(([, name = ""]) => name)
  const unknown = used.find((name) => !Object.hasOwn(PLACEHOLDERS, name))
  const known = "{reference}, {consignment} and {shipment}"
  if (unknown !== undefined) throw new FreightError("usage", `--label-name takes ${known}, not {${unknown}}`)
  if (used.length === 0)
    throw new FreightError(
      "usage",
      `--label-name needs one of ${known}: every label would have the same name`,
    )
  if (/[/\\]/.test(pattern))
    throw new FreightError("usage", "--label-name is the name of a file, without a folder", {
      hint: "Give the folder separately: label --dir, batch book --labels.",
    })
  return pattern
}

export function needsDetails(pattern: string | undefined, { reference, consignment }: LabelSubject): boolean {
  if (pattern === undefined) return reference === undefined || (!reference && !consignment)
  return (
    (!reference && pattern.includes("{reference}")) || (!consignment && pattern.includes("{consignment}"))
  )
}

/** The API's data about a shipment. */
export async function readSubject(
  api: Pick<FreightApi, "getShipment">,
  shipmentId: string,
): Promise<LabelSubject> {
  const { shipment } = await api.getShipment(shipmentId)
  return { shipmentId, reference: shipment.customerReference, consignment: shipment.consignmentNumber }
}

interface LabelName {
  name: string
  /** It contains the shipment's id: an existing file of that name is this shipment's. */
  isOwn: boolean
}

/** The names that a label may have, the best first. */
export function labelFileNames(subject: LabelSubject, pattern?: string): LabelName[] {
  const { shipmentId, reference, consignment } = subject
  const own = [`label-${plainId(shipmentId)}.pdf`, `label-${plainId(shipmentId)}-${markOf(shipmentId)}.pdf`]
  const last = own.map((name) => ({ name, isOwn: true }))
  const text =
    pattern === undefined
      ? reference || consignment || ""
      : pattern
          .replace(/\.pdf$/i, "")
          .replace(PLACEHOLDER, (_, name: string) => PLACEHOLDERS[name]?.(subject) || shortId(shipmentId))
  const name = toFileName(text, "label-")
  if (name === "") return last
  const marked = { name: `${name}-${plainId(shortId(shipmentId))}.pdf`, isOwn: true }
  return [{ name: `${name}.pdf`, isOwn: false }, marked, ...last]
}

/** An id as a part of a file name that no other id has. */
export function plainId(id: string): string {
  const plain = id.replace(/[^\w-]/g, "_").slice(0, MAX_NAME_LENGTH)
  if (plain === id) return plain
  return `${plain}-${markOf(id)}`
}

type LabelSaver = (subject: LabelSubject, pdf: Uint8Array) => Promise<string>

/**
 * Saves labels into a folder, several at a time.
 * @returns a function that gives the file of each
 */
export function createLabelSaver(files: Files, folder: string, pattern?: string): LabelSaver {
  // Some file systems take `a` and `A` for the same name.
  const owners = new Map<string, string>()
  return async (subject, pdf) => {
    for (const { name, isOwn } of labelFileNames(subject, pattern)) {
      const key = name.toLowerCase()
      if ((owners.get(key) ?? subject.shipmentId) !== subject.shipmentId) continue
      owners.set(key, subject.shipmentId)
      const file = path.join(folder, name)
      if (!isOwn && (await isAnothers(files, file, pdf))) continue
      await files.write(file, pdf)
      return file
    }
    throw new RangeError(`no free file name is left for the label of ${subject.shipmentId}`)
  }
}

/** Whether a file of that name exists with other content, or cannot be read. */
async function isAnothers(files: Files, file: string, pdf: Uint8Array): Promise<boolean> {
  if (!(await files.has(file))) return false
  try {
    return Buffer.compare(await files.read(file), pdf) !== 0
  } catch {
    return true
  }
}
