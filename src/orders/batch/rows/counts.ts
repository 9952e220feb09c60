/** Columns of a row that count its packages, or the goods in them. */
import { quoted } from "../../../base/parsed.ts"
import { findPackagingInHeading } from "../../../contract/index.ts"
import { type CellFinding, errorFinding, toWords } from "../../../input/index.ts"
import { namesPackage } from "../columns/judge.ts"
import type { Cell, WrittenRow } from "./written-row.ts"

/** Keeps the filled-in column of several that count a row's packages; an error if two differ. */
export function mergeCounts(cells: readonly Cell[]): { cells: readonly Cell[]; findings: CellFinding[] } {
  const counts = cells.filter(({ field }) => field.bearing?.as === "count")
  if (counts.length < 2) return { cells, findings: [] }
  const textOf = ({ value }: Cell) => (value === null ? "" : String(value).trim())
  const filled = counts.filter((cell) => !/^(?:0*|-)$/.test(textOf(cell)))
  const [first = counts[0], ...others] = filled
  const isOther = (cell: Cell) => first && (textOf(cell) !== textOf(first) || packsOtherwise(cell, first))
  const other = others.find(isOther)
  const merged = cells.filter((cell) => cell === first || !counts.includes(cell))
  if (!first || !other) return { cells: merged, findings: [] }
  const message = `is ${textOf(other)}, and ${quoted(first.column)} is ${textOf(first)}: both count the packages`
  const hint = packsOtherwise(other, first)
    ? "a booking has one packaging for all its packages: give each a row and a reference of its own, and each is a booking"
    : "leave the one that counts goods out with --map COLUMN=, or write packages of several kinds in a column Packages: 2x40x30x20@5; 1x120x100x150@300"
  return { cells: merged, findings: [errorFinding("twice", message, { column: other.column, hint })] }
}

/** Two cartons and two pallets are four packages. */
function packsOtherwise(cell: Cell, first: Cell): boolean {
  const [one, other] = [first, cell].map(({ column }) => findPackagingInHeading(column))
  return one !== undefined && other !== undefined && one !== other
}

/** Words that mark a weight as that of one of the goods. If each package is one item, there are as many packages. */
const OF_GOODS = /\b(?:items?|pieces?|units?|products?|articles?|skus?|goods)\b/
const GOODS =
  /^(?:(?:no|number|count) of )?(?:(?:items?|order(?:ed)?|line ?items?|products?|pieces?|units?|goods) )?(?:qty|quantity|pieces|pcs|items?|units?)(?: (?:ordered|purchased|count))?(?: (per|in) (?:each |a )?(?:cartons?|ctns?|packages?|box|parcels?))?$/

/**
 * The weight of one item is not that of a package that holds several, whatever column it is taken for. Columns that are
 * left out count too.
 */
export function checkWeightOfGoods({ cells, written }: Pick<WrittenRow, "cells" | "written">): CellFinding[] {
  const weight = cells.find(({ field }) => field.name === "package.weightKg")
  const heading = weight?.column ?? ""
  if (!weight || !OF_GOODS.test(toWords(heading)) || namesPackage(heading)) return []
  const numberOf = (value: unknown) => Number(String(value ?? "").trim() || Number.NaN)
  const counted = cells.find(({ field }) => field.name === "package.count")
  const packages = numberOf(counted?.value) || 1
  for (const [at, column] of written.columns.entries()) {
    const [says, inEach] = GOODS.exec(toWords(column)) ?? []
    const goods = numberOf(written.texts[at])
    if (says === undefined || !(goods > (inEach ? 1 : packages))) continue
    const message = `is the weight of one of the goods, and ${quoted(column)} is ${goods}${inEach ? "" : `, for ${packages === 1 ? "one package" : `${packages} packages`}`}`
    const hint =
      "write the weight of each package in a column Weight per package, or that of all in a column Total weight, and leave this one out with --map COLUMN="
    return [errorFinding("weight-of-goods", message, { column: heading, hint })]
  }
  return []
}
