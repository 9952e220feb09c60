/** What `freight-cli/invoice` exports. Its types, as published, are `library-types.d.ts`. */
import { parseDate } from "../base/wall-clock.ts"
import { types } from "node:util"
import { countMarkBytes, decodeJsonBytes } from "../input/json/bytes.ts"
import { RULES } from "./accounting/rules.ts"
import { examine } from "./examine.ts"
import type { KnownSupplier } from "./accounting/known-supplier.ts"
import type { ExamineOptions, Finding } from "./finding.ts"
import { createByteCounter } from "./fixes/edits.ts"
import type { AddressJudge } from "../contract/place-doubts.ts"
import type * as published from "./library-types.d.ts"

/** The list of places; see the published types. */
export const loadPlaces: typeof published.loadPlaces = async () =>
  (await import("./places.ts")).loadAddressJudge()

/** Checks one invoice document; see the published types for input, options and errors. */
export const validateInvoice: typeof published.validateInvoice = (input, options = {}) => {
  const settings = readOptions(options)
  const bytes = toBytes(input)
  const findings = bytes ? examineBytes(bytes, settings) : examine(toText(input), settings)
  return { valid: !findings.some(({ severity }) => severity === "error"), findings }
}

const OPTIONS = ["draft", "accounting", "strict", "rules", "places", "today", "suppliers"]
const SEVERITIES = ["off", "warning", "error"]

function readOptions(options: published.ValidateOptions): ExamineOptions {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw new RangeError(`there is no option '${name}'`)
  const { draft = false, accounting = true, strict = false, rules = {}, places, today, suppliers } = options
  if (places !== undefined && !isAddressJudge(places))
    throw new RangeError("places takes what loadPlaces gives")
  if (today !== undefined && !parseDate(today).ok)
    throw new RangeError("today takes a day such as 2026-11-20")
  for (const [rule, severity] of Object.entries(rules)) {
    if (!RULES.some(({ id }) => id === rule))
      throw new RangeError(`rules: there is no accounting rule '${rule}'`)
    if (!SEVERITIES.includes(severity))
      throw new RangeError(`rules: ${rule} takes ${SEVERITIES.join(", ")}, not '${severity}'`)
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

/** @throws RangeError for a field that there is not, which would leave an account out of the comparison */
function readSupplier(supplier: published.KnownSupplier): KnownSupplier {
  for (const name of Object.keys(supplier))
    if (!SUPPLIER_FIELDS.includes(name)) throw new RangeError(`suppliers: there is no field '${name}'`)
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

/** A replacer for JSON.stringify. It throws at what JSON.stringify would leave out or write as an empty object. */
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

/** What a value is that JSON cannot hold; undefined for one that it can. */
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
