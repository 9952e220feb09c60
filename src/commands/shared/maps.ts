/** Saved maps: what columns mean, kept under a name, and used by that name or by the supplier of a bill. */
import type { Flags } from "../../command/command.ts"
import {
  flagsToSave,
  listMapSuppliers,
  mapText,
  type SavedMap,
  withSavedMap,
} from "../../machine/config/maps.ts"
import { checkNewName } from "../../machine/config/saved.ts"
import type { SupplierSigns } from "../../bills/supplier.ts"
import type { Asking, Session } from "../../command/deps.ts"
import { FreightError } from "../../base/errors.ts"
import { mayAsk } from "./doubts.ts"

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

/** The flags over those of `--use-map`. @throws FreightError `usage` where `--save-map` cannot keep them */
export function applySavedMap<Given extends MapFlags>(deps: Pick<Session, "config">, given: Given): Given {
  const flags = given.useMap === undefined ? given : withSavedMap(deps.config, given.useMap, given)
  readMapToSave(flags)
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
 * @param suppliers names and ABNs by which the map is found for bills
 */
export async function keepMap(
  { config, note }: Needs,
  flags: MapFlags,
  suppliers: readonly string[] = [],
): Promise<void> {
  const { saveMap: name } = flags
  const saved = readMapToSave(flags)
  if (name === undefined || saved === undefined) return
  const before = listMapSuppliers(config).find(([each]) => each === name)?.[1] ?? []
  const all = [...new Set([...before, ...suppliers])]
  const kept = { ...saved, ...(all.length > 0 && { suppliers: all }) }
  await config.update((stored) => ({ ...stored, maps: { ...stored.maps, [name]: kept } }))
  const found = all.length > 0 ? `. Bills of ${all.join(", ")} are read by it` : ""
  await note(`Saved as '${name}': --use-map ${name} is the same as ${mapText(saved)}${found}`)
}

/** ABNs of this business, as the saved suppliers of its own invoices have them. */
export function listOwnAbns({ config }: Pick<Session, "config">): string[] {
  return Object.values(config.read().parties ?? {}).flatMap(({ abn }) =>
    typeof abn === "string" ? [abn.replaceAll(" ", "")] : [],
  )
}

/**
 * The saved map for bills of a supplier; a person chooses between several.
 * @throws FreightError `input` where several fit and nobody can be asked
 */
export async function findSupplierMap(
  deps: Asking & Session,
  signs: SupplierSigns,
  file: string,
): Promise<SavedMap | undefined> {
  const kept = listMapSuppliers(deps.config)
  if (kept.length === 0) return undefined
  const { isSupplierOf } = await import("../../bills/supplier.ts")
  const own = listOwnAbns(deps)
  const fitting = kept.filter(([, suppliers]) => isSupplierOf(suppliers, signs, own))
  const [first, ...others] = fitting.map(([name]) => name)
  if (first === undefined) return undefined
  const name = others.length === 0 ? first : await chooseMap(deps, [first, ...others], file)
  if (name === undefined) return undefined
  await deps.note(`${file} is read by the map '${name}', which was saved for this supplier.`)
  return withSavedMap(deps.config, name, {})
}

async function chooseMap(
  deps: Asking & Session,
  names: readonly string[],
  file: string,
): Promise<string | undefined> {
  if (!mayAsk(deps))
    throw new FreightError(
      "input",
      `several saved maps are for the supplier of ${file}: ${names.join(", ")}`,
      {
        hint: `Say which: ${names.map((name) => `--use-map ${name}`).join(" or ")}.`,
        next: "freight batch maps",
      },
    )
  return (await deps.prompt()).choose(
    `Several saved maps are for the supplier of ${file}. Which one is for this bill?`,
    [
      ...names.map((name) => ({ name, value: name as string | undefined })),
      { name: "None of them", value: undefined },
    ],
  )
}
