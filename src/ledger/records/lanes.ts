/** The indexes that find bookings of a lane: statements with exactly these expressions are fast. */
import type { Database } from "../database/database.ts"

type Dialect = Database["dialect"]

/** A text of the request's place of collection, otherwise of its sender. */
function readFrom(dialect: Dialect, field: string): string {
  const read = (party: string) =>
    dialect === "sqlite"
      ? `(request ->> '$.${party}.${field}')`
      : // PostgreSQL refuses escapes of what its texts cannot hold, wherever they stand.
        `(replace(request, '\\u', '/')::json #>> '{${party},${field}}')`
  return `coalesce(${read("collection")}, ${read("sender")})`
}

/** When it was promised, as its rate said it; otherwise when it was booked. */
const DUE = "coalesce(eta, created_at)"
const OF_SERVICE = ["scope", "carrier", "service_code"]

function listLanes(dialect: Dialect) {
  const area = (postcode: string) => `substr(${postcode}, 1, 2)`
  return {
    area: [...OF_SERVICE, area(readFrom(dialect, "postcode")), area("receiver_postcode"), DUE],
    state: [...OF_SERVICE, readFrom(dialect, "state"), "receiver_state", DUE],
    all: [...OF_SERVICE, DUE],
  } as const
}

export const LANES = {
  sqlite: listLanes("sqlite"),
  postgres: listLanes("postgres"),
  due: DUE,
  // Because of its last part, no other statement uses this index and sorts its result.
  condition: "kind = 'shipment' and state = 'done' and service_code is not null",
} as const

const createIndexes = (dialect: Dialect) =>
  Object.entries(LANES[dialect]).map(
    ([lane, columns]) =>
      `create index sends_lane_${lane} on sends (${columns.map((column) => (/\W/.test(column) ? `(${column})` : column)).join(", ")})
        where ${LANES.condition}`,
  )

/** As version 17 made them. */
export const LANE_INDEXES = { sqlite: createIndexes("sqlite"), postgres: createIndexes("postgres") } as const
