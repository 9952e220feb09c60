/** The packaging codes of the contract, and the words that people use for them. */

export const PACKAGING = [
  ["CT", "carton"],
  ["BX", "box"],
  ["SA", "satchel"],
  ["PA", "pallet"],
  ["EN", "envelope"],
  ["CR", "crate"],
  ["DR", "drum"],
  ["RO", "roll"],
  ["BG", "bag"],
  ["PC", "piece"],
] as const

/** Words for counted goods, with their short forms and plurals. */
const COUNTED =
  `ctn ctns, carton cartons, box boxes, pallet pallets, plt plts, skid skids, satchel satchels, bag bags,
  crate crates, drum drums, roll rolls, envelope envelopes, piece pieces, pc pcs, pce pces, parcel parcels,
  package packages, pkg pkgs, packet packets, item items, label labels, unit units, ea each`
    .split(/,\s+/)
    .map((words) => words.split(" ") as [one: string, several: string])

/** Headings of a column that counts packages: `Boxes`, `No. of boxes`, `Qty (boxes)`, `Box count`. */
export const COUNT_HEADINGS: readonly string[] = COUNTED.slice(0, -1).flatMap(([one, several]) =>
  listCountHeadings(one, several).map((heading) => heading.charAt(0).toUpperCase() + heading.slice(1)),
)

function listCountHeadings(one: string, several: string): string[] {
  return [
    // `Packages` and `Unit` have another meaning, and an order's items are its goods.
    ...(["packages", "units"].includes(several) ? [] : [several]),
    ...["No of", "No", "Number of", "Num of", "# of", "Qty of", "Qty", "Count of", "Total"].flatMap(
      (before) => (several === "items" && before === "Total" ? [] : [`${before} ${several}`]),
    ),
    ...[one, several].map((word) => `Qty (${word})`),
    ...(several === "items" ? [] : [`${one} qty`, `${one} count`, `${several} qty`]),
  ]
}

/** All words, as part of a pattern; the longest first. */
export const COUNTED_WORDS = COUNTED.flat().sort(byLength).join("|")
const COUNTED_BEHIND = new RegExp(`^([\\d.,]+)\\s*(?:${COUNTED_WORDS})\\.?$`, "i")

function byLength(one: string, other: string): number {
  return other.length - one.length
}

/** `3 ctns` → `3`; any other text as it is. */
export function removeCounted(text: string): string {
  return COUNTED_BEHIND.exec(text.trim())?.[1] ?? text
}

/** Short forms that people use, by the names of `PACKAGING`. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  ctn: "carton",
  ctns: "carton",
  skid: "pallet",
  skids: "pallet",
  plt: "pallet",
  plts: "pallet",
}

const CODES: ReadonlyMap<string, string> = new Map(
  PACKAGING.flatMap(([code, name]) => [
    [code.toLowerCase(), code],
    [name, code],
    [name === "box" ? "boxes" : `${name}s`, code],
  ]),
)

/**
 * The packaging in the heading of a count: `No of cartons` → `CT`. Undefined if it names none or several, and for
 * `Pieces`, which can be packed in anything.
 */
export function findPackagingInHeading(heading: string): string | undefined {
  const words = heading.toLowerCase().match(/[a-z]+/g) ?? []
  const codes = new Set(
    words.filter((word) => word.length > 2).flatMap((word) => CODES.get(SHORT_FORMS[word] ?? word) ?? []),
  )
  codes.delete("PC")
  const [only, ...others] = codes
  return others.length === 0 ? only : undefined
}

/** `CT` → `carton` */
export function packagingName(code: string): string {
  return PACKAGING.find(([each]) => each === code)?.[1] ?? "package"
}

/** `carton`, `Cartons`, `ct` → `CT`. Other text stays as it is, for the contract's check to reject. */
export function packagingCode(text: string): string {
  const word = text.trim().toLowerCase()
  return CODES.get(SHORT_FORMS[word] ?? word) ?? text
}
