import { command, printChanges, printForPrograms } from "../command/index.ts"
import { quoted, valueOrThrow } from "../base/parsed.ts"
import { checkPlace, formatPlace, isPostBox, parsePlace, type Place } from "../contract/index.ts"
import type { Ledgers } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { addPlace, type KeptPlace, listPlaces, removePlaces } from "../ledger/index.ts"
import { placeOrThrow } from "../machine/index.ts"
import { type Column, print } from "../output/index.ts"

const columns: Column<ReturnType<typeof toPlaceRow>>[] = [
  { key: "suburb", title: "SUBURB", rank: 1, gives: "nothing" },
  { key: "state", title: "STATE", rank: 2 },
  { key: "postcode", title: "POSTCODE", rank: 3, gives: "nothing" },
  { key: "addedAt", title: "ADDED", rank: 4 },
  { key: "person", title: "BY", rank: 5 },
  { key: "workstation", title: "DESK", hidden: true },
]

export const list = command({
  about:
    "Lists the places that your team has added to the list of Australia's suburbs. They are in the ledger: a shared one has them for all workstations.",
  columns,
  examples: ["freight places list --sandbox", "freight places list --sandbox --format csv"],
  async run(deps) {
    const rows = (await readPlaces(deps)).map(toPlaceRow)
    const empty = 'No place was added: freight places add "SUBURB STATE POSTCODE" adds one.'
    await print(deps, { rows, columns, empty })
  },
})

export const add = command({
  about:
    "Adds a suburb that the list of Australia's suburbs does not have, so that nothing warns about it. It is kept in the ledger: a shared one has it for all workstations.",
  args: [{ takes: "<place>", about: 'suburb, state and postcode: "Quarry Siding WA 6160"' }],
  examples: ['freight places add --sandbox "Quarry Siding WA 6160"'],
  async run(deps, text): Promise<undefined> {
    const place = await readPlace(deps, text)
    const name = formatPlace(place)
    if (isPostBox(place.suburb))
      throw new FreightError("input", `${quoted(place.suburb)} is a PO box or the like, not a suburb`, {
        hint: "Carriers cannot collect from it or deliver to it: give the street address in the order.",
      })
    if (!(await deps.places()).findDoubt(place)) {
      await deps.note(`${name} is known already: nothing was added.`)
      return
    }
    const { store, scope } = await deps.writeLedger()
    await addPlace(store.database, scope, place, deps.sender)
    await deps.note(`Added: ${name}. Nothing warns about it any more.`)
    const added = (await listPlaces(store.database, scope)).find((each) => formatPlace(each) === name)
    if (added) await printForPrograms(deps, toPlaceRow(added))
  },
})

export const remove = command({
  about: "Removes places that your team has added. Nothing is removed unless all of them exist.",
  args: [{ takes: "<place...>", about: "places, as freight places list shows them" }],
  columns,
  examples: ['freight places remove --sandbox "Quarry Siding WA 6160"'],
  async run(deps, texts) {
    const kept = await readPlaces(deps)
    const places: Place[] = []
    for (const text of texts) places.push(await readPlace(deps, text))
    const gone = places.map((place) => {
      const found = kept.find((each) => toKey(each) === toKey(place))
      if (found) return found
      throw new FreightError("input", `there is no added place ${quoted(formatPlace(place))}`, {
        hint: kept.length > 0 ? `Added are: ${kept.map(formatPlace).join(", ")}.` : "None was added.",
        next: "freight places list",
      })
    })
    const { store, scope } = await deps.writeLedger()
    await removePlaces(store.database, scope, gone)
    await deps.note(`Removed: ${gone.map(formatPlace).join(", ")}.`)
    await printChanges(deps, gone.map(toPlaceRow), columns)
  },
})

function toPlaceRow({ person, ...place }: KeptPlace) {
  return { ...place, person: person || null }
}

async function readPlaces(deps: Ledgers): Promise<KeptPlace[]> {
  if (!(await deps.hasLedger())) return []
  const { store, scope } = await deps.readLedger()
  return listPlaces(store.database, scope)
}

async function readPlace({ places }: Ledgers, text: string): Promise<Place> {
  const read = await placeOrThrow(parsePlace(text), text, "the place: ", places)
  return valueOrThrow(checkPlace(read), "the place")
}

function toKey(place: Place): string {
  return formatPlace(place).toLowerCase()
}
