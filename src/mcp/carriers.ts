/** Marks texts that carriers wrote, in answers for an assistant, and makes hidden characters visible. */
import { isObject, type Json } from "../base/json.ts"
import { UNSAFE } from "../base/safe-text.ts"

/** Fields that hold a carrier's own words, by a field that tells what they stand in: an event, where it all is, a service … */
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

/** The value with a list, in each object that holds words of a carrier, of the fields that do; its texts hide nothing. */
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

/** Text in which each sign that nobody sees, or that a terminal obeys, is shown as one that is. */
export function showHidden(text: string): string {
  return text.replace(UNSAFE, (mark) => (mark === "\n" || mark === "\t" ? mark : "�"))
}
