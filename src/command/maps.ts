/** Saved maps: what columns mean, kept under a name, and used by that name. */
import type { Flags } from "./command.ts"
import {
  type Band,
  findMapBands,
  flagsToSave,
  listMapSuppliers,
  mapText,
  type SavedMap,
  withSavedMap,
} from "../machine/config/maps.ts"
import { checkNewName } from "../machine/config/saved.ts"
import type { Session } from "./deps.ts"

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

type Needs = Pick<Session, "config" | "note">

interface MapFlags extends SavedMap {
  saveMap?: string
  useMap?: string
}

/**
 * The flags over those of `--use-map`.
 * @param mayAsk whether a person may be asked what columns are, so that there may be more to keep at the end
 * @throws FreightError `usage` where `--save-map` cannot keep them
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

/** What `--save-map` is to keep. @throws FreightError `usage` */
function readMapToSave({ saveMap, ...flags }: MapFlags): SavedMap | undefined {
  if (saveMap === undefined) return undefined
  checkNewName("maps", saveMap)
  return flagsToSave(flags)
}

/**
 * Saves the flags under the name of `--save-map`, if it is given.
 * @param bills by what names and ABNs the map is found for bills, and where the columns of one in a PDF stand
 */
export async function keepMap(
  { config, note }: Needs,
  flags: MapFlags,
  bills: { suppliers?: readonly string[]; bands?: readonly Band[] | undefined } = {},
): Promise<void> {
  const { saveMap: name } = flags
  const saved = readMapToSave(flags)
  if (name === undefined || saved === undefined) return
  const before = listMapSuppliers(config).find(([each]) => each === name)?.[1] ?? []
  const all = [...new Set([...before, ...(bills.suppliers ?? [])])]
  const bands = bills.bands ?? findMapBands(config, name)
  const kept = {
    ...saved,
    ...(all.length > 0 && { suppliers: all }),
    ...(bands && bands.length > 0 && { bands }),
  }
  await config.update((stored) => ({ ...stored, maps: { ...stored.maps, [name]: kept } }))
  const found = all.length > 0 ? `. Bills of ${all.join(", ")} are read by it` : ""
  const places = bills.bands && bills.bands.length > 0 ? `. It keeps where the columns of the PDF stand` : ""
  await note(`Saved as '${name}': --use-map ${name} is the same as ${mapText(saved)}${places}${found}`)
}
