/** The units that columns of a row give to the numbers in others. */
import { getKind, readCell } from "../../../contract/index.ts"
import { quoted, toFinding } from "../../../base/parsed.ts"
import { COUNTED_UNIT, findUnit, isOwnUnit, type Measure, type Unit } from "../../../base/units.ts"
import { type CellFinding, errorFinding, measureOf } from "../../../input/index.ts"
import type { Cell } from "./written-row.ts"

/** The measures of a column of units; a column of all units may be either. */
const MEASURES: Readonly<Record<string, readonly Measure[]>> = { weightUnit: ["kg"], sizeUnit: ["cm"] }

const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  metric: ["kg", "cm"],
  imperial: ["lb", "in"],
  [COUNTED_UNIT]: [],
}

/** @returns the unit for numbers of a kind, and errors of the columns of units */
export function readUnits(cells: readonly Cell[]): {
  find(kind: string): Unit | undefined
  findings: CellFinding[]
} {
  const found = new Map<Measure, Unit>()
  const findings: CellFinding[] = []
  const isFilled = ({ value }: Cell) => value !== null && String(value).trim() !== ""
  const measured = cells.filter(
    (cell) => ["kg", "cm", "size", "packages"].includes(cell.field.kind) && isFilled(cell),
  )
  for (const { column, field, value } of cells) {
    if (field.bearing?.as !== "unit") continue
    const measures = MEASURES[field.name] ?? (["kg", "cm"] as const)
    const bearsOn = measured.filter(
      ({ field: { kind } }) => kind === "packages" || measures.includes(measureOf(kind) as Measure),
    )
    const [first] = bearsOn
    if (!first) continue
    const read = readCell(getKind("unit"), String(value ?? ""), {})
    const wrong = (message: string, hint: string) =>
      findings.push(errorFinding("unit", message, { column, hint }))
    if (!read.ok) {
      findings.push({ ...toFinding(read), column, severity: "error" })
      continue
    }
    if (read.value === undefined) {
      wrong(
        `is empty, so the unit of ${quoted(first.column)} is not known`,
        "fill it in as in the other rows",
      )
      continue
    }
    const name = String(read.value)
    for (const each of SYSTEMS[name] ?? [name]) {
      const unit = findUnit(each)
      if (!unit) continue
      const before = found.get(unit.measure)
      const packages = bearsOn.find(({ field: { kind } }) => kind === "packages")
      if (!measures.includes(unit.measure))
        wrong(`${quoted(name)} is not a unit of ${quoted(first.column)}`, "fix it")
      else if (before && before !== unit)
        wrong(`is ${name}, and another column says ${before.name}`, "leave one out with --map COLUMN=")
      else if (packages && !isOwnUnit(unit))
        wrong(
          `is ${name}, but ${quoted(packages.column)} is in cm and kg`,
          "write the units in it: 400x300x200mm@600g",
        )
      else found.set(unit.measure, unit)
    }
  }
  return {
    find(kind) {
      const measure = measureOf(kind)
      const unit = measure === "kg" || measure === "cm" ? found.get(measure) : undefined
      return unit && !isOwnUnit(unit) ? unit : undefined
    },
    findings,
  }
}
