/** A team's own places, which the list of localities does not have. */
import type { Place } from "../../contract/index.ts"
import { describeColumns, SENDER_COLUMNS } from "../database/columns.ts"
import type { Database } from "../database/database.ts"
import { insertRows } from "../database/sql.ts"
import type { Sender } from "../entry.ts"

export interface KeptPlace extends Place, Sender {
  /** ISO 8601, UTC. */
  addedAt: string
}

export const PLACES = describeColumns<KeptPlace & { scope: string }>({
  scope: "text not null",
  suburb: "text not null",
  state: "text not null",
  postcode: "text not null",
  addedAt: "text not null",
  ...SENDER_COLUMNS,
})

/** Places kept before the account is known apply to every account. */
const ANY_ACCOUNT = ""

/** The places of an account, by their names. */
export async function listPlaces(database: Database, scope: string | undefined): Promise<KeptPlace[]> {
  const rows = await database.all(
    "select * from places where scope in (?, ?) order by suburb, postcode, state",
    [scope ?? ANY_ACCOUNT, ANY_ACCOUNT],
  )
  return rows.map((row) => {
    const { scope: _, ...place } = PLACES.read(row)
    return place
  })
}

/** Keeps a place; an existing one stays as it is. */
export async function addPlace(
  database: Database,
  scope: string | undefined,
  place: Place,
  sender: Sender,
): Promise<void> {
  const addedAt = new Date(await database.now()).toISOString()
  const row = PLACES.write({ ...place, ...sender, addedAt, scope: scope ?? ANY_ACCOUNT })
  await database.transaction((transaction) =>
    insertRows(transaction, "places", [row], " on conflict do nothing"),
  )
}

export async function removePlaces(
  database: Database,
  scope: string | undefined,
  places: readonly Place[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const { suburb, state, postcode } of places)
      await transaction.run(
        "delete from places where scope in (?, ?) and suburb = ? and state = ? and postcode = ?",
        [scope ?? ANY_ACCOUNT, ANY_ACCOUNT, suburb, state, postcode],
      )
  })
}
