import { FreightError } from "../../errors.ts"

/** The flags by which a person says whether something is the same again. */
export interface KeyFlags {
  key?: string
  again?: boolean
}

/**
 * Refuses a key that says nothing, or that `--again` contradicts.
 * @param hint how to have it made a second time
 * @throws FreightError `usage`
 */
export function checkKey({ key, again }: KeyFlags, made: "booked" | "printed" | "used", hint: string): void {
  if (key !== undefined && again)
    throw new FreightError("usage", `--key and --again contradict each other: a key is never ${made} twice`, {
      hint,
    })
  if (key?.trim() === "") throw new FreightError("usage", "--key is empty")
}
