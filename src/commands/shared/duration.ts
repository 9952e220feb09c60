import { FreightError } from "../../errors.ts"

/**
 * A flag's seconds as milliseconds; a flag given without a value means the default.
 * @throws FreightError `usage`
 */
export function duration(value: string | true, flag: string, defaultSeconds: number): number {
  if (value === true) return defaultSeconds * 1000
  const seconds = Number(value)
  if (value.trim() === "" || !(seconds >= 0 && seconds <= 86_400))
    throw new FreightError("usage", `${flag} takes seconds from 0 to 86400, not '${value}'`, {
      hint: `If '${value}' is what the command is for, put it before ${flag}.`,
    })
  return seconds * 1000
}
