/** Writing any field of an invoice by its path: `--set shipping.carrier=Northern Freight`, and a column of that name. */
import { isObject, type Json, type JsonObject, segments } from "../base/json.ts"
import { FreightError } from "../base/errors.ts"
import { type Parsed, parsed, quoted, refused, valueOrThrow } from "../base/parsed.ts"
import { suggest } from "../base/suggest.ts"
import {
  assignFields,
  type Assignment,
  type Fields,
  findNode,
  KINDS,
  listFields,
  readNumber,
  readSets,
  readSignedNumber,
  readTyped,
  type SchemaNode,
  typesOf,
} from "../contract/index.ts"
import { findMeantChoice } from "./explain/choices.ts"
import { explainDateTime } from "./explain/dates.ts"
import { explainEmail } from "./explain/formats.ts"
import { parseBsb } from "./new/payment.ts"
import { parseAbn, parseDay } from "./new/texts.ts"
import { DEFINITIONS, INVOICE } from "./schema.ts"

const listNodes = (node: object) =>
  listFields(node as SchemaNode, DEFINITIONS as Readonly<Record<string, SchemaNode>>)

const DOCUMENT: Fields = listNodes(INVOICE)
/** The fields of `data` and `metadata`; paths begin inside `data`, except for those of `metadata`. */
const DATA: Fields = listNodes(DEFINITIONS.InvoiceData ?? {})

export interface InvoiceLeaf {
  /** `shipping.carrier`, `lineItems.0.batchId`, `metadata.payloadId`; the first element stands for all of a list. */
  path: string
  node: SchemaNode
}

/** Each field of the schema that holds no other and that a sender may give, in the schema's order. */
export function listInvoiceLeaves(): InvoiceLeaf[] {
  return DOCUMENT.leaves()
    .filter(({ node }) => !node["x-managed"])
    .map(({ path, node }) => ({ path: path.join(".").replace(/^data\./, ""), node }))
}

/**
 * Sets fields of an invoice document, in order, on a copy.
 * @param sets as typed: `dueDate=20/12/2026`, `lineItems.0.batchId=LOT-9`, `extrinsics.costCentre=4100`
 * @param today by which days such as `tomorrow` are read: `2026-11-20`
 */
export function setInvoiceFields(document: JsonObject, sets: readonly string[], today: string): JsonObject {
  return assignFields(document, readInvoiceSets(sets, today))
}

/**
 * Reads the assignments of `--set`. A path starts inside `data`, unless it begins with `data.` or `metadata.`.
 * @returns values with their paths in the whole document
 */
export function readInvoiceSets(sets: readonly string[], today: string): Assignment[] {
  const assignments = readSets(sets, (path) => {
    const node = findInvoiceNode(path)
    if (node["x-managed"])
      throw new FreightError("usage", `--set ${path.join(".")}: the service fills this in`)
    return (text) => readInvoiceValue(path.join("."), node, text, today)
  })
  return assignments.map(({ path, value }) => ({ path: toDocumentPath(path), value }))
}

function toDocumentPath(path: readonly string[]): readonly string[] {
  return isOfDocument(path) ? path : ["data", ...path]
}

function isOfDocument([first = ""]: readonly string[]): boolean {
  return Object.hasOwn(INVOICE.properties ?? {}, first)
}

/**
 * The field of a column: `shipping.carrier`, `contacts.role` of the first contact, `lineItems.batchId` of the row's
 * line.
 * @returns undefined if a sender may not set such a field, or it contains others
 */
export function findInvoiceLeaf(text: string): InvoiceLeaf | undefined {
  const path: string[] = []
  for (const part of segments(text.replace(/^data\./, ""))) {
    const holder = (isOfDocument([...path, part]) ? DOCUMENT : DATA).find(path)
    if ("node" in holder && holder.node.items && !/^\d+$/.test(part)) path.push("0")
    path.push(part)
  }
  const found = (isOfDocument(path) ? DOCUMENT : DATA).find(path)
  if (!("node" in found) || found.node["x-managed"]) return undefined
  const { node } = found
  return node.properties || node.items?.$ref ? undefined : { path: path.join("."), node }
}

/** The value of a cell of such a column, as `readInvoiceValue` took it. */
export function toAssignment({ path, node }: InvoiceLeaf, text: string): Assignment {
  return {
    path: toDocumentPath(path.split(".")),
    value: valueOrThrow(readInvoiceValue(path, node, text, ""), path),
  }
}

function findInvoiceNode(path: readonly string[]): SchemaNode {
  return findNode(isOfDocument(path) ? DOCUMENT : DATA, path)
}

/**
 * Reads a field's value as people write it.
 * @param path its last name decides if the schema does not say what a text is: an ABN, a BSB
 */
export function readInvoiceValue(path: string, node: SchemaNode, text: string, today: string): Parsed<Json> {
  const name = path.split(".").at(-1) ?? ""
  const types = typesOf(node)
  if (types.includes("boolean")) return KINDS.yesNo.parse(text)
  if (types.includes("integer")) return readNumber(text, { whole: true })
  if (types.includes("number")) return readSignedNumber(text, { money: true })
  if (node.enum) return chooseFrom(text, node.enum.map(String))
  if (node.format === "date-time") return explainDateTime(text) ? parseDay(text, today, "any") : parsed(text)
  if (node.format === "date") {
    const day = parseDay(text, today, "any")
    return day.ok ? parsed(day.value.slice(0, "2026-11-20".length)) : day
  }
  if (node.format === "email-or-empty") {
    const wrong = text === "" ? undefined : explainEmail(text)
    return wrong ? refused(wrong.message) : parsed(text)
  }
  if (name === "bsb") return parseBsb(text)
  if (name === "state") return KINDS.state.parse(text)
  if (/taxRegistrations\.value$/.test(path)) return parseAbn(text)
  const value = readTyped(node, path, text)
  const isWrong = types.includes("array")
    ? !Array.isArray(value)
    : types.includes("object") && !isObject(value)
  return isWrong
    ? refused(`${quoted(text)} is not ${types.includes("array") ? "a list" : "an object"}`)
    : parsed(value)
}

function chooseFrom(text: string, choices: readonly string[]): Parsed<string> {
  const same = choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase())
  const choice = same ?? findMeantChoice(text, choices)?.choice
  if (choice !== undefined) return parsed(choice)
  const near = suggest(text, choices)
  const few =
    choices.length > MAX_LISTED ? `${choices.slice(0, MAX_LISTED).join(", ")} …` : choices.join(", ")
  return refused(`${quoted(text)} is not one of ${few}${near === undefined ? "" : `; did you mean ${near}?`}`)
}

const MAX_LISTED = 15
