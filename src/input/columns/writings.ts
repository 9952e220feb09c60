/** How the columns of a table write their numbers and their days, by their first cells and by `--map`. */
import { quoted } from "../../base/parsed.ts"
import { judgeDays } from "./days.ts"
import { judgeDecimals } from "./decimals.ts"
import type { Mapping } from "./mapping.ts"
import type { ColumnField } from "./notation.ts"
import type { WrittenColumn, WrittenRecord } from "./readings.ts"

/** Kinds of fields that are numbers with decimals. */
const NUMBERS: readonly (string | undefined)[] = ["kg", "cm", "number", "money"]
/** Kinds of fields that are days, with a time or without. */
const DAYS: readonly (string | undefined)[] = ["day", "when", "moment", "zonedMoment"]

/**
 * @param names as `--map` tells columns with one heading apart
 * @param cellsOf the first cells of a column
 */
export function judgeWritings<Field extends ColumnField>(
  { columns, writingsOf }: Mapping<Field>,
  {
    headers,
    names,
    fields,
  }: { headers: readonly string[]; names: readonly string[]; fields: readonly (Field | undefined)[] },
  cellsOf: (index: number) => readonly string[],
) {
  const { holdsNumbers, holdsDays, isStrict } = columns
  const written = (index: number, field: Field | undefined): WrittenColumn => {
    const name = names[index] ?? ""
    const own = writingsOf(name)
    return {
      ...{ name, cells: cellsOf(index), isStrict: field ? (isStrict?.(field) ?? false) : false },
      writings: own.length > 0 ? own : writingsOf(headers[index] ?? ""),
    }
  }
  const pick = (holds: (field: Field) => boolean) =>
    new Map(
      fields.flatMap((field, index) =>
        field && holds(field) ? [[index, written(index, field)] as const] : [],
      ),
    )
  const numbers = pick((field) => holdsNumbers?.(field) ?? NUMBERS.includes(field.kind))
  const dated = pick((field) => holdsDays?.(field) ?? DAYS.includes(field.kind))
  const decimals = judgeDecimals(numbers)
  const days = judgeDays(dated)
  const useless = names.flatMap((name, index) => {
    const { writings } = written(index, undefined)
    const isUseless = writings.some((each) => !(each.startsWith("decimal") ? numbers : dated).has(index))
    return isUseless
      ? [`--map ${quoted(`${name}=${writings[0]}`)} changes nothing: freight reads no such cells there`]
      : []
  })
  return {
    notes: [...decimals.notes, ...days.notes, ...useless],
    listQuestions: () => [...decimals.listQuestions(), ...days.listQuestions()],
    settle: <Each extends WrittenRecord>(record: Each): Each => days.settle(decimals.settle(record)),
  }
}
