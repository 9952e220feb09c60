/** Marks texts that carriers wrote, in answers for an assistant, and makes hidden characters visible. */
import { isObject, type Json } from "../base/json.ts"
import { UNSAFE } from "../base/safe-text.ts"

/**
 * Fields with a carrier's own words, by a field beside them that tells the object: an event, a whole journey, a service …
 */
const WRITTEN: readonly (readonly [beside: string, fields: readonly string[]])[] = [
  ["timestamp", ["status", "location", "description"]],
  ["currentStatus", ["currentStatus"]],
  ["signedBy", ["deliveryNotation", "itemsReceived", "signedBy"]],
  ["deliveryNotation", ["deliveryNotation", "itemsReceived", "signedBy"]],
  ["serviceCode", ["description", "serviceDescription"]],
  ["labelWarning", ["labelWarning"]],
  ["success", ["error"]],
  ["code", ["message"]],
]

/** Stands first, so that it is read before the words themselves. */
const MARK = "writtenByCarrier"

/** Lists, in each object with a carrier's words, the fields that hold them, and shows hidden characters in its texts. */
export function markCarriers(value: Json): Json {
  if (typeof value === "string") return showHidden(value)
  if (Array.isArray(value)) return value.map(markCarriers)
  if (!isObject(value)) return value
  const marked = Object.entries(value).map(([name, each]) => [name, markCarriers(each as Json)] as const)
  const fields = WRITTEN.flatMap(([beside, names]) => (beside in value ? names : [])).filter(
    (name) => typeof value[name] === "string" || isObject(value[name]),
  )
  const mark = fields.length > 0 ? [[MARK, [...new Set(fields)]] as const] : []
  return Object.fromEntries([...mark, ...marked]) as Json
}

/** Replaces each invisible character, and each that a terminal obeys, by a visible one. */
export function showHidden(text: string): string {
  return text.replace(UNSAFE, (mark) => (mark === "\n" || mark === "\t" ? mark : "�"))
}
