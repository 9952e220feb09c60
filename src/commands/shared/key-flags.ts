import { FreightError } from "../../errors.ts"

/** The flags by which a person says whether something is the same again. */
export interface KeyFlags {
  key?: string
  /** Make it even if something equal was made. A result recorded under the key is still returned. */
  again?: boolean
}

/**
 * Refuses a key that says nothing.
 * @throws FreightError `usage`
 */
export function checkKey({ key }: KeyFlags): void {
  if (key?.trim() === "") throw new FreightError("usage", "--key is empty")
}
