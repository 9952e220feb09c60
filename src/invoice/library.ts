/**
 * Checks invoice documents (document type INV, contract 1.0.7) as `freight invoice validate` does.
 * `validateInvoice` reads from and writes to neither the process, the disk nor the network.
 */
import { quoted } from "../base/parsed.ts"
import { parseDate } from "../base/wall-clock.ts"
import { types } from "node:util"
import { countMarkBytes, decodeJsonBytes } from "../input/index.ts"
import { RULES } from "./accounting/rules.ts"
import { examine } from "./examine.ts"
import type { KnownSupplier as SavedSupplier } from "./accounting/known-supplier.ts"
import type { ExamineOptions, Finding } from "./finding.ts"
import { createByteCounter } from "./fixes/edits.ts"
import type { AddressJudge } from "../contract/index.ts"
export type { Edit, Finding, Fix, Severity } from "./finding.ts"

/** The list of places of Australia, from `loadPlaces`. Its content is not public. */
export type Places = object

/** A supplier whose bank account and email you know, as `freight party` keeps it. */
export interface KnownSupplier {
  supplierName: string
  /** How messages name it; its name when left out. */
  party?: string
  /** Your code for it. */
  supplierId?: string
  abn?: string
  bsb?: string
  accountNumber?: string
  accountName?: string
  email?: string
  /** When its account changed (`2026-11-20`), and the account before, in words; newest last. */
  accountChanges?: readonly { on: string; before: string }[]
}

export interface ValidateOptions {
  /** The document may lack what the service fills in: `docType`, `correlationId`, `timestamp`. Default false. */
  draft?: boolean
  /** Check the accounting rules too; their findings are warnings. Default true. */
  accounting?: boolean
  /** Makes every warning an error. Default false. */
  strict?: boolean
  /** Severities of accounting rules that differ from the usual: `{ "accounting/bsb": "off" }`. */
  rules?: Readonly<Record<string, "off" | "warning" | "error">>
  /** Compares addresses with the list of places (`accounting/address-postcode`). Default: they are not compared. */
  places?: Places
  /** The day of the check, such as `2026-11-20` (`accounting/draft-date`). Default: no date is compared with it. */
  today?: string
  /** Compares bank accounts and emails with these (`accounting/usual-account`). Default: they are not compared. */
  suppliers?: readonly KnownSupplier[]
}

export interface Validation {
  /** Whether there is no error; warnings may remain. */
  valid: boolean
  /** Everything that was found, in the order of the document, each once. */
  findings: Finding[]
}

/** Loads the list of places, once for all documents. It reads a file of this package. */
export async function loadPlaces(): Promise<Places> {
  return (await import("./places.ts")).loadAddressJudge()
}

/**
 * Checks one invoice document. Errors in the document are findings, never thrown.
 *
 * Pass the text or the bytes if you have them: then numbers are checked as they are written, repeated names are found,
 * and lines and columns are those of the text. An object is checked as `JSON.stringify(input, null, 2)` writes it.
 *
 * @param input JSON text; its bytes (UTF-8) in an ArrayBuffer, a SharedArrayBuffer or any view of one; or an object
 * @throws TypeError for an object that JSON cannot hold: one that contains itself, or a Map, a Set, a function or a
 * BigInt. A Date and other objects with a `toJSON` method are checked as the text from this method.
 * @throws RangeError for an unknown option, rule or severity, and for places, a day or a supplier that cannot be used
 */
export function validateInvoice(
  input: string | ArrayBufferLike | ArrayBufferView | object,
  options: ValidateOptions = {},
): Validation {
  const settings = readOptions(options)
  const bytes = toBytes(input)
  const findings = bytes ? examineBytes(bytes, settings) : examine(toText(input), settings)
  return { valid: !findings.some(({ severity }) => severity === "error"), findings }
}

const OPTIONS = ["draft", "accounting", "strict", "rules", "places", "today", "suppliers"]
const SEVERITIES = ["off", "warning", "error"]

function readOptions(options: ValidateOptions): ExamineOptions {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw new RangeError(`there is no option ${quoted(name)}`)
  const { draft = false, accounting = true, strict = false, rules = {}, places, today, suppliers } = options
  if (places !== undefined && !isAddressJudge(places))
    throw new RangeError("places takes what loadPlaces gives")
  if (today !== undefined && !parseDate(today).ok)
    throw new RangeError("today takes a day such as 2026-11-20")
  for (const [rule, severity] of Object.entries(rules)) {
    if (!RULES.some(({ id }) => id === rule))
      throw new RangeError(`rules: there is no accounting rule ${quoted(rule)}`)
    if (!SEVERITIES.includes(severity))
      throw new RangeError(`rules: ${rule} takes ${SEVERITIES.join(", ")}, not ${quoted(severity)}`)
  }
  return {
    ...{ stage: draft ? "draft" : "canonical", accounting, strict, rules, ...(places && { places }), today },
    ...(suppliers && { suppliers: suppliers.map(readSupplier) }),
  }
}

const SUPPLIER_FIELDS = [
  ...["party", "supplierId", "supplierName", "abn", "bsb", "accountNumber", "accountName", "email"],
  "accountChanges",
]

/** Refuses a field that there is not: an account would be left out of the comparison. */
function readSupplier(supplier: KnownSupplier): SavedSupplier {
  for (const name of Object.keys(supplier))
    if (!SUPPLIER_FIELDS.includes(name)) throw new RangeError(`suppliers: there is no field ${quoted(name)}`)
  const { supplierId = "", supplierName, party = supplierName } = supplier
  if (typeof supplierName !== "string") throw new RangeError("suppliers: each has a supplierName")
  return { ...supplier, party, supplierId }
}

function isAddressJudge(places: object): places is AddressJudge {
  return "findContradiction" in places && typeof places.findContradiction === "function"
}

function examineBytes(bytes: Uint8Array, settings: ExamineOptions): Finding[] {
  const decoded = decodeJsonBytes(bytes)
  if ("text" in decoded) {
    const toBytes = createByteCounter(decoded.text, countMarkBytes(bytes))
    const inBytes = ({ fix, ...finding }: Finding): Finding =>
      fix ? { ...finding, fix: { ...fix, edits: fix.edits.map(toBytes) } } : finding
    return examine(decoded.text, settings, 0).map(inBytes)
  }
  const { offset: _, ...error } = decoded.error
  return [{ severity: "error", ...error }]
}

/** The bytes of a buffer, or of any view of one; undefined for everything else. */
function toBytes(input: string | object): Uint8Array | undefined {
  if (types.isUint8Array(input)) return input
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
  return types.isAnyArrayBuffer(input) ? new Uint8Array(input) : undefined
}

const INPUTS = "a document is JSON text, its bytes, or an object"

function toText(input: string | object): string {
  if (typeof input === "string") return input
  const text: string | undefined = JSON.stringify(input, refuseLosses(), 2)
  // A Date or a boxed String becomes a text, which is not a document.
  if (text === undefined || text.startsWith('"')) throw new TypeError(INPUTS)
  return text
}

/** A replacer for JSON.stringify that throws for values that JSON.stringify would omit or write as an empty object. */
function refuseLosses() {
  const paths = new Map<unknown, string>()
  return function (this: unknown, name: string, value: unknown): unknown {
    const holder = paths.get(this)
    const path = holder === undefined ? "" : Array.isArray(this) ? `${holder}[${name}]` : `${holder}.${name}`
    const loss = nameLoss(value)
    if (loss !== undefined)
      throw new TypeError(holder === undefined ? INPUTS : `${path.slice(1)}: JSON cannot hold ${loss}`)
    if (typeof value === "object") paths.set(value, path)
    return value
  }
}

/** The type of a value that JSON cannot hold; undefined for one that it can. */
function nameLoss(value: unknown): string | undefined {
  if (typeof value === "bigint") return "a BigInt"
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  if (typeof value !== "object" || value === null || Array.isArray(value) || types.isBoxedPrimitive(value))
    return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || prototype === Object.prototype
  const isEmpty = () => Object.keys(value).length === 0
  const isBinary = types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)
  if (!isBinary && !types.isMap(value) && !types.isSet(value) && (isPlain || !isEmpty())) return undefined
  return `an object of the class ${value.constructor?.name || "without a name"}`
}
