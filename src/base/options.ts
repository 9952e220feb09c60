import { FreightError } from "./errors.ts"

/**
 * @param call whose options they are, for people
 * @throws FreightError `usage` for an option that it does not know
 */
export function refuseUnknownOptions(call: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new FreightError("usage", `${call}: there is no option '${unknown}'`)
}
