/** Saved maps: the meanings of columns, saved and used under a name. */
import { quoted } from "../base/parsed.ts"
import type { Flags } from "./command.ts"
import {
  type Band,
  checkNewName,
  type FactPlaces,
  findMapLayout,
  flagsToSave,
  listMapSuppliers,
  mapText,
  type SavedMap,
  withSavedMap,
} from "../machine/index.ts"
import type { Session } from "../session/index.ts"

export const MAP_FLAGS = {
  map: {
    takes: "<column=field>",
    about: "use this column as that field; COLUMN= ignores the column (repeatable)",
    isRepeatable: true,
  },
  saveMap: { takes: "<name>", about: "save --map and the flags you always give under this name" },
  useMap: { takes: "<name>", about: "use what was saved under this name; flags given here override it" },
  ignoreUnknown: { about: "ignore unknown columns, without a note" },
} as const satisfies Flags

interface MapFlags extends SavedMap {
  saveMap?: string
  useMap?: string
  /** The bill's number, under which the map is kept. */
  number?: string
  date?: string
}

/**
 * The flags, overriding those of `--use-map`.
 * @param mayAsk whether a person may be asked what columns are, so that there may be more to keep at the end
 * @throws FreightError `usage` where `--save-map` cannot keep them, and as `withSavedMap` does
 */
export function applySavedMap<Given extends MapFlags>(
  deps: Pick<Session, "config">,
  given: Given,
  mayAsk = false,
): Given {
  const flags = given.useMap === undefined ? given : withSavedMap(deps.config, given.useMap, given)
  if (mayAsk && flags.saveMap !== undefined) checkNewName("maps", flags.saveMap)
  else readMapToSave(flags)
  return flags
}

function readMapToSave({ saveMap, ...flags }: MapFlags): SavedMap | undefined {
  if (saveMap === undefined) return undefined
  checkNewName("maps", saveMap)
  return flagsToSave(flags, flags.number !== undefined || flags.date !== undefined)
}

/**
 * Saves the flags under the name of `--save-map`, if it is given.
 * @param bills the names and ABNs that find the map for bills, and the positions of the columns in a PDF, or of number
 * and day in a spreadsheet
 */
export async function keepMap(
  { config, note }: Pick<Session, "config" | "note">,
  flags: MapFlags,
  bills: {
    suppliers?: readonly string[]
    bands?: readonly Band[] | undefined
    places?: FactPlaces | undefined
  } = {},
): Promise<void> {
  const { saveMap: name } = flags
  const saved = readMapToSave(flags)
  if (name === undefined || saved === undefined) return
  const before = listMapSuppliers(config).find(([each]) => each === name)?.[1] ?? []
  const all = [...new Set([...before, ...(bills.suppliers ?? [])])]
  const layout = findMapLayout(config, name)
  const bands = bills.bands ?? layout.bands
  const places = { ...layout.places, ...bills.places }
  const kept = {
    ...saved,
    ...(Object.keys(places).length > 0 && { places }),
    ...(all.length > 0 && { suppliers: all }),
    ...(bands && bands.length > 0 && { bands }),
  }
  await config.update((stored) => ({ ...stored, maps: { ...stored.maps, [name]: kept } }))
  const found = all.length > 0 ? `. Bills of ${all.join(", ")} are read by it` : ""
  const stand = bills.bands && bills.bands.length > 0 ? `. It keeps where the columns of the PDF are` : ""
  const where = Object.keys(bills.places ?? {}).map((each) => (each === "date" ? "day" : each))
  const head =
    where.length > 0
      ? `. It keeps where the ${where.join(" and the ")} of the bill ${where.length > 1 ? "are" : "is"}`
      : ""
  const flagged = mapText(saved)
  const same = flagged === "" ? "" : `: --use-map ${name} is the same as ${flagged}`
  await note(`Saved as ${quoted(name)}${same}${stand}${head}${found}`)
}
