import { FreightError } from "../../errors.ts"

/** The flags by which a person says whether something is the same again. */
export interface KeyFlags {
  key?: string
  /** Make it although something equal was made. What was made under the key is given again all the same. */
  again?: boolean
}

/**
 * Refuses a key that says nothing.
 * @throws FreightError `usage`
 */
export function checkKey({ key }: KeyFlags): void {
  if (key?.trim() === "") throw new FreightError("usage", "--key is empty")
}
