/** The flags of a booking's fields, as commands have them. */
import { BOOKING_FLAGS } from "../contract/index.ts"

type FieldFlags = typeof BOOKING_FLAGS

/** Flags of fields of a booking. @param group the command's own heading for them in the help */
export function pickFieldFlags<Name extends keyof FieldFlags>(
  names: readonly Name[],
  group?: string,
): { [N in Name]: Omit<FieldFlags[N], "group"> } {
  const picked = names.map((name) => {
    const { group: _, ...flag } = BOOKING_FLAGS[name]
    return [name, { ...flag, ...(group !== undefined && { group }) }]
  })
  return Object.fromEntries(picked)
}
