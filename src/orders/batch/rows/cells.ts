/** A row's cells as values by field, each read by its field's kind. */
import {
  dateWarnings,
  decodeHtml,
  DEFAULT_ZONE,
  getKind,
  type KindContext,
  readCell,
  SIDES,
  zoneOfCollection,
  zoneOrDefault,
} from "../../../contract/index.ts"
import { isObject, type Json } from "../../../base/json.ts"
import { quoted, toFinding } from "../../../base/parsed.ts"
import { wallClockNow } from "../../../base/wall-clock.ts"
import { type CellFinding, errorFinding, type UnreadableCell } from "../../../input/index.ts"
import type { BatchField } from "../columns/fields.ts"
import type { RowDefaults } from "./defaults.ts"
import { readUnits } from "./units.ts"
import type { Cell } from "./written-row.ts"

interface DraftValue {
  value: Json
  field: BatchField
  /** The cell as it is written; absent for a part of another cell. */
  written?: Json
}

export interface Draft {
  values: ReadonlyMap<string, DraftValue>
  /** Header by field name, also for empty cells. */
  columns: ReadonlyMap<string, string>
  failed: ReadonlyMap<string, BatchField>
  findings: readonly CellFinding[]
}

/** A cell's text, the value read from it, and what that depends on. */
interface ReadCell extends Pick<KindContext, "state" | "unit"> {
  written: string
  read: ReturnType<typeof readValue>
}

type CellsAbove = WeakMap<BatchField, ReadCell>

/** Reads the cells of rows. Cells often repeat the one above, so repeated text is read once. */
export function createCellReader(defaults: RowDefaults): (cells: readonly Cell[]) => Draft {
  const above: CellsAbove = new WeakMap()
  return (cells) => readCells(cells, defaults, above)
}

function readCells(cells: readonly Cell[], defaults: RowDefaults, above: CellsAbove): Draft {
  const { address, findSize, nowMs } = defaults
  const values = new Map<string, DraftValue>()
  const failed = new Map<string, BatchField>()
  const findings: CellFinding[] = []
  const states = new Map(
    cells
      .filter(({ field }) => field.kind === "state")
      .map(({ field, value }) => [field.name, String(value ?? "")]),
  )
  const units = readUnits(cells)
  findings.push(...units.findings)
  for (const { column, field, value: written, source, unit, unreadable } of cells) {
    if (field.bearing?.as === "unit") continue
    if (unreadable) {
      findings.push({ ...toUnreadableFinding(unreadable), column })
      failed.set(field.name, field)
      continue
    }
    const state = field.kind === "postcode" ? states.get(field.name.replace(/postcode$/, "state")) : undefined
    const choices = field.choices && { choices: field.choices }
    const context = { state, unit: unit ?? units.find(field.kind) }
    let read = readAsAbove(above.get(field), written, context)
    if (!read) {
      let asksTime = false
      const now = () => {
        asksTime = true
        return wallClockNow(nowMs, zoneOfRow(cells, defaults))
      }
      read = readValue(field, written, source, { ...context, nowMs, now, address, findSize, ...choices })
      // The time depends on the zone of the row.
      if (typeof written === "string" && !asksTime) above.set(field, { written, ...context, read })
    }
    findings.push(...read.findings.map((finding) => ({ ...finding, column })))
    if (read.value !== undefined) values.set(field.name, { value: read.value, field, written })
    else if (read.findings.length > 0) failed.set(field.name, field)
  }
  findings.push(...spreadSize(cells, values, failed))
  return {
    values,
    failed,
    findings,
    columns: new Map(
      cells.flatMap(({ column, field }) =>
        field.name === "package.size"
          ? SIDES.map((side) => [`package.${side}`, column] as const)
          : [[field.name, column] as const],
      ),
    ),
  }
}

function spreadSize(
  cells: readonly Cell[],
  values: Map<string, { value: Json; field: BatchField }>,
  failed: Map<string, BatchField>,
): CellFinding[] {
  const cell = cells.find(({ field }) => field.name === "package.size")
  if (!cell) return []
  const { column, field } = cell
  const size = values.get(field.name)?.value
  const findings: CellFinding[] = []
  for (const side of SIDES) {
    const name = `package.${side}`
    if (failed.has(field.name)) failed.set(name, field)
    if (!isObject(size)) continue
    const before = values.get(name)?.value
    if (before !== undefined && before !== size[side])
      findings.push(
        errorFinding("twice", `says ${size[side]} cm, and another column says ${String(before)} cm`, {
          column,
          hint: "leave one of the two out with --map COLUMN=",
        }),
      )
    else values.set(name, { value: size[side] ?? null, field })
  }
  values.delete(field.name)
  return findings.slice(0, 1)
}

function readAsAbove(
  before: ReadCell | undefined,
  written: Json,
  { state, unit }: Pick<KindContext, "state" | "unit">,
): ReadCell["read"] | undefined {
  const isSame = before?.written === written && before.state === state && before.unit === unit
  return isSame ? before.read : undefined
}

export function toUnreadableFinding({ rule, message, hint }: UnreadableCell): CellFinding {
  return errorFinding(rule, message, { hint })
}

/** Time zone of the place of collection, from the row and its defaults: the collection's, otherwise the sender's. */
function zoneOfRow(cells: readonly Cell[], { address, booking }: RowDefaults): string {
  for (const party of ["collection", "sender"]) {
    const getValue = (name: string) => cells.find(({ field, value }) => field.name === name && value)?.value
    const [suburb, state, name] = [`${party}.suburb`, `${party}.state`, party].map(getValue)
    if (typeof state === "string") return zoneOrDefault({ state, suburb: String(suburb ?? "") })
    if (typeof name === "string")
      try {
        return zoneOrDefault(address(name))
      } catch {
        // The name's own cell has the error.
        return DEFAULT_ZONE
      }
    if (booking[party] !== undefined) return zoneOfCollection({ [party]: booking[party] })
  }
  return DEFAULT_ZONE
}

export function errorAt(
  draft: Draft,
  field: string,
  rule: string,
  message: string,
  hint?: string,
): CellFinding {
  const column = draft.columns.get(field)
  return errorFinding(rule, message, {
    ...(column !== undefined && { column }),
    ...(hint !== undefined && { hint }),
  })
}

/** Fields in which people write `1-2` and `3/12`: references, and units of an address. */
const MAY_BE_DATED = /^reference$|\.address[12]$/

/** Fields whose meaning depends on line breaks: `Unit 3` above `1 Main St` is not `Unit 3 1 Main St`. */
const LINES_COUNT = /\.address[123]$|^(?:sender|collection|receiver)$/

function listLines(written: string): string[] {
  return decodeHtml(written)
    .split(/[\n\v\f\u2028\u2029]+/)
    .map((line) => line.trim().replace(/,$/, ""))
    .filter((line) => line !== "")
}

/**
 * @param written text from the file, or a JSON value
 * @param source the text of a JSON number, digit by digit
 * @returns no value for an empty cell, or one with an error
 */
function readValue(
  field: BatchField,
  written: Json,
  source: () => string,
  context: KindContext,
): { value?: Json | undefined; findings: CellFinding[] } {
  if (written === null) return { findings: [] }
  if (typeof written === "number" && (context.unit || !getKind(field.kind).isNumber))
    return readValue(field, source(), source, context)
  if (typeof written !== "string") return { value: written, findings: [] }
  const kind = getKind(field.kind)
  // Between packages a line end is a break like any other.
  if (field.kind === "packages" && /\n/.test(written.trim()))
    return readValue(field, listLines(written).join("; "), source, context)
  const lines = LINES_COUNT.test(field.name) ? listLines(written) : []
  const joined = lines.length > 1 ? lines.join(", ") : written
  const read = readCell(kind, joined, context)
  if (!read.ok) return { findings: [{ ...toFinding(read), severity: "error" }] }
  const { value, repairs = [] } = read
  const text = typeof value === "string" ? value : ""
  const doubts = [
    ...(kind.doubts?.(text) ?? []),
    ...(MAY_BE_DATED.test(field.name) ? dateWarnings(text) : []),
  ]
  const findings = [
    ...(lines.length > 1
      ? [
          {
            rule: "lines",
            message: `has ${lines.length} lines, which are joined as ${quoted(joined)}`,
            severity: "warning" as const,
          },
        ]
      : []),
    ...repairs.map((repair) => ({ ...repair, severity: "repaired" as const })),
    ...doubts.map((doubt) => ({ ...doubt, severity: "warning" as const })),
  ]
  return { value, findings }
}
