/** The order as its row has it, without values from flags, profile and defaults. */
import { isObject } from "../../../base/json.ts"
import type { Json, JsonObject } from "../../../base/json.ts"
import type { ServicePreference } from "../../booking/preferences.ts"
import type { WrittenOrder } from "../../../ledger/index.ts"
import type { CellFinding } from "../../../input/index.ts"
import type { BatchField } from "../columns/fields.ts"
import { ADDRESS_PARTS, PARTIES } from "../../../contract/index.ts"
import { type ComposedBooking, isSize } from "./booking.ts"
import type { Draft } from "./cells.ts"
import { listPaths } from "./check.ts"

/** @param findings of the row: a cell with an error is not compared */
export function findWritten(
  { values, columns }: Pick<Draft, "values" | "columns">,
  { booking }: Pick<ComposedBooking, "booking">,
  wish: ServicePreference | undefined,
  findings: readonly Pick<CellFinding, "column" | "severity">[],
): WrittenOrder {
  const fields: JsonObject = {}
  for (const { field } of values.values()) {
    const name = getTopName(field)
    const value = name === undefined ? undefined : booking[name]
    if (name !== undefined && value !== undefined) fields[name] = value
  }
  const errors = findings.filter(({ severity }) => severity === "error")
  const bad =
    errors.length === 0
      ? []
      : [...columns].flatMap(([name, at]) => (errors.some(({ column }) => column === at) ? [name] : []))
  const readable = bad.length > 0 ? structuredClone(fields) : fields
  for (const [name, { field }] of values)
    if (bad.includes(name)) for (const path of listPaths(field)) remove(readable, path)
  const damaged = PARTIES.filter(
    (party) => bad.some((name) => name.startsWith(`${party}.`)) || lacksAddress(readable[party]),
  )
  // If a flag gives the package, the row has only its own number and weight.
  if (fields.packages !== undefined && !hasSize(values)) {
    const [{ weightKg } = {}] = fields.packages as { weightKg?: number }[]
    const isWeighed = ["package.weightKg", "package.totalWeightKg"].some((name) => values.has(name))
    readable.packages = [
      {
        count: values.get("package.count")?.value ?? 1,
        ...(isWeighed && weightKg !== undefined && { weightKg }),
      },
    ]
  }
  // A time of day that a flag adds is not the row's.
  const day = values.get("collectionDateTime")?.value
  if (typeof day === "string" && !day.includes("T") && !values.has("readyTime"))
    readable.collectionDateTime = day
  if (wish?.kind === "code" && values.has("service")) readable.serviceCode = wish.serviceCode
  if (wish?.connectorId !== undefined && values.has("connector")) readable.connectorId = wish.connectorId
  const maxPrice = Number(values.get("maxPrice")?.value)
  return {
    fields: readable,
    ...(damaged.length > 0 && { damaged }),
    ...(maxPrice >= 0 && { maxPriceCents: Math.round(maxPrice * 100) }),
  }
}

function lacksAddress(party: Json | undefined): boolean {
  return isObject(party) && ADDRESS_PARTS.some((part) => party[part] === undefined)
}

function hasSize(values: Draft["values"]): boolean {
  return [...values.keys()].some(
    (name) => name.startsWith("packages") || (name.startsWith("package.") && isSize(name)),
  )
}

/** The booking's top-level field of a column; undefined for freight's own. */
function getTopName({ name, path }: BatchField): string | undefined {
  const [first = ""] = path ?? name.split(".")
  if (first === "package") return "packages"
  return path || PARTIES.some((party) => party === first) ? first : undefined
}

/** @param path `receiver.postcode`, `packages[0].weightKg` */
function remove(booking: JsonObject, path: string): void {
  const [last = "", ...above] = path.split(/[.[\]]+/).reverse()
  delete Object(above.reduceRight<unknown>((at, name) => Object(at)[name], booking))[last]
}
