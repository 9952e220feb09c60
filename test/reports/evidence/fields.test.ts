/** The page of evidence has all that was booked: each field of the contract, whichever carrier reads it. */
import { describe, expect, it } from "vitest"
import { describeEvidence } from "../../../src/reports/evidence/page.ts"
import { type Json, type JsonObject, put } from "../../../src/base/json.ts"
import { fieldsOf, type SchemaNode } from "../../../src/contract/fields/schema.ts"
import { LINK_FIELDS } from "../../../src/contract/rate-link.ts"

const LEAVES = fieldsOf("ConsignmentBookingRequest")
  .leaves()
  .filter(({ path: [first = ""] }) => !(LINK_FIELDS as readonly string[]).includes(first))

/** Two values of a field that are not the same. */
function valuesOf(path: readonly string[], { enum: words, type }: SchemaNode): [Json, Json] {
  const name = path.join(".")
  if (name === "collectionDateTime") return ["2026-11-23T10:00:00", "2026-11-24T10:00:00"]
  if (name === "collectionCloseTime") return ["1700", "1800"]
  if (words) return [String(words[0]), String(words[1])]
  if (type === "boolean") return [true, false]
  if (type === "integer" || type === "number") return [3, 4]
  return [`${name} one`, `${name} two`]
}

function pageOf(request: JsonObject): string {
  const nothing = { quote: null, booking: null, shipment: null, label: null, pickup: null }
  return JSON.stringify(
    describeEvidence({
      ...{ shipmentId: "shp-1", consignmentNumber: null, barcodes: [], request },
      ...{ ...nothing, tracking: null, charges: null, missing: {} },
    }),
  )
}

function requestWith(changed: readonly string[]): JsonObject {
  const request: JsonObject = {}
  for (const { path, node } of LEAVES) {
    const [one, other] = valuesOf(path, node)
    put(request, path, path === changed ? other : one)
  }
  return request
}

describe("the page of evidence", () => {
  it.each(
    LEAVES.map(({ path }) => [path.join("."), path] as const),
  )("has what was booked as %s", (_, path) => {
    expect(pageOf(requestWith(path))).not.toBe(pageOf(requestWith([])))
  })
})
