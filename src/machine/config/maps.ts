/**
 * Saved maps: the meanings of a batch's columns and the flags that go with them, under a name. All profiles share them.
 */
import { quoted } from "../../base/parsed.ts"
import { toFlagName } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import type { ConfigStore } from "./file.ts"
import { findSaved, listSaved } from "./saved.ts"

const LISTS = ["map", "mapService", "mapPackage", "package", "include", "leaveOut", "sheet"] as const
const ADDITIVE_FLAGS = ["map", "mapService", "mapPackage"] as const
const TEXTS = ["sender", "packaging", "service", "connector", "close"] as const

const KEPT = [...LISTS, ...TEXTS, "ignoreUnknown", "headerRow"] as const

export type SavedMap = Partial<Record<(typeof LISTS)[number], string[]>> &
  Partial<Record<(typeof TEXTS)[number], string>> & { ignoreUnknown?: boolean; headerRow?: number }

/** Names and ABNs of those whose bills a map is for. */
const SUPPLIERS = "suppliers"
const BANDS = "bands"

/** The places of a bill's number and day above its headings. */
const PLACES = "places"

export interface Place {
  /** As a spreadsheet numbers it. */
  row: number
  /** The number of the cell, from 0. */
  cell: number
  before: string
  /** The words of the cell to its left, if nothing stands before it. */
  label?: string | undefined
}

export type FactPlaces = Partial<Record<"number" | "date", Place>>

/** A column of a PDF, by the texts of its rows. */
export interface Band {
  /** Its heading; `Column 2` if it has none. */
  heading: string
  /** Shares of the page's width. */
  from: number
  to: number
  /** Whether each of its texts was an amount. */
  amounts: boolean
}

/**
 * The flags that a map keeps: not those that differ from day to day.
 * @param hasMore the map keeps other data, too
 * @throws FreightError `usage` if there is nothing to keep
 */
export function flagsToSave(flags: SavedMap, hasMore = false): SavedMap {
  const kept = KEPT.flatMap((flag) => {
    const value = flags[flag]
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[flag, value] as const]
  })
  if (kept.length === 0 && !hasMore)
    throw new FreightError("usage", "--save-map has nothing to save", {
      hint: "It keeps --map, --ignore-unknown, --sheet, --header-row, --include, --leave-out, --map-service, --map-package, --package, --sender, --packaging, --service, --connector and --close.",
    })
  return Object.fromEntries(kept)
}

/**
 * These flags over those of a saved map.
 * @throws FreightError `input` for an unknown name, `config` for a map that is damaged, or of a newer version
 */
export function withSavedMap<Flags extends SavedMap>(store: ConfigStore, name: string, flags: Flags): Flags {
  const saved = findSaved(store, "maps", name)
  const { [SUPPLIERS]: _, [BANDS]: __, [PLACES]: ___, ...rest } = saved
  // Earlier versions kept one sheet.
  const kept = { ...rest, ...(typeof rest.sheet === "string" && { sheet: [rest.sheet] }) }
  const [unknown] = Object.keys(kept).filter((flag) => !(KEPT as readonly string[]).includes(flag))
  if (unknown !== undefined)
    throw new FreightError(
      "config",
      `the map ${quoted(name)} was saved by a newer version of freight: this one does not know its ${quoted(unknown)}`,
      {
        hint: "Update freight on this machine; or remove the map, and save it again with --save-map.",
        next: `freight batch maps --remove ${name}`,
      },
    )
  if (!isSavedMap(kept) || !isBands(saved[BANDS]) || !isPlaces(saved[PLACES]))
    throw new FreightError(
      "config",
      `the map ${quoted(name)} in the settings file ${store.file} is damaged`,
      {
        hint: "Remove it, and save it again with --save-map.",
        next: `freight batch maps --remove ${name}`,
      },
    )
  const added = ADDITIVE_FLAGS.flatMap((flag) => {
    const all = [...(kept[flag] ?? []), ...(flags[flag] ?? [])]
    return all.length > 0 ? [[flag, all] as const] : []
  })
  // Statuses given today override the saved ones.
  const join = (one: "include" | "leaveOut", other: "include" | "leaveOut") => [
    ...(kept[one] ?? []).filter((status) => !flags[other]?.includes(status)),
    ...(flags[one] ?? []),
  ]
  return {
    ...kept,
    ...flags,
    ...Object.fromEntries(added),
    include: join("include", "leaveOut"),
    leaveOut: join("leaveOut", "include"),
  }
}

/** The suppliers of each saved map that has some, by its name. */
export function listMapSuppliers(store: ConfigStore): [name: string, suppliers: readonly string[]][] {
  return listSaved(store.read().maps).flatMap(([name, saved]): [string, readonly string[]][] => {
    const { [SUPPLIERS]: suppliers } = Object(saved) as Readonly<Record<string, unknown>>
    const texts = Array.isArray(suppliers) ? suppliers.filter((each) => typeof each === "string") : []
    return texts.length > 0 ? [[name, texts]] : []
  })
}

/** The places of a PDF's columns, and of the number and day of bills, in a map; undefined if it has none. */
export function findMapLayout(
  store: ConfigStore,
  name: string,
): { bands: Band[] | undefined; places: FactPlaces | undefined } {
  const saved = listSaved(store.read().maps).find(([each]) => each === name)?.[1]
  const { [BANDS]: bands, [PLACES]: places } = Object(saved) as Readonly<Record<string, unknown>>
  return { bands: isBands(bands) ? bands : undefined, places: isPlaces(places) ? places : undefined }
}

const isPlaces = (value: unknown): value is FactPlaces | undefined =>
  value === undefined ||
  (typeof value === "object" &&
    Object.values(value ?? {}).every((each: unknown) => {
      const { row, cell, before, label } = Object(each) as Partial<Record<keyof Place, unknown>>
      const isTexts = typeof before === "string" && ["string", "undefined"].includes(typeof label)
      return Number.isInteger(row) && Number.isInteger(cell) && isTexts
    }))

const isBands = (value: unknown): value is Band[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isBand))

function isBand(value: unknown): value is Band {
  const { heading, from, to, amounts } = Object(value) as Partial<Record<keyof Band, unknown>>
  return [typeof heading, typeof from, typeof to, typeof amounts].join() === "string,number,number,boolean"
}

/** A map as flags, for a shell. */
export function mapText(saved: SavedMap): string {
  return Object.entries(saved)
    .flatMap(([flag, value]) => {
      if (flag === SUPPLIERS || flag === BANDS || flag === PLACES) return []
      const name = toFlagName(flag)
      if (typeof value === "boolean") return value ? [name] : []
      return [value]
        .flat()
        .map((text) => `${name} ${/^[\w.,:@=-]+$/.test(String(text)) ? text : `"${text}"`}`)
    })
    .join(" ")
}

function isSavedMap(saved: Readonly<Record<string, unknown>>): saved is SavedMap {
  const isText = (value: unknown) => typeof value === "string"
  return (
    LISTS.every(
      (flag) => saved[flag] === undefined || (Array.isArray(saved[flag]) && saved[flag].every(isText)),
    ) &&
    TEXTS.every((flag) => saved[flag] === undefined || isText(saved[flag])) &&
    (saved.ignoreUnknown === undefined || typeof saved.ignoreUnknown === "boolean") &&
    (saved.headerRow === undefined || Number.isInteger(saved.headerRow))
  )
}
