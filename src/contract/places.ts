/** A place as people write it on one line: `Alexandria NSW 2015`. */
import type { Address } from "./generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"
import { repairPostcode, statesOfPostcode } from "./postcodes.ts"
import { type StateCode, stateCode } from "./zones.ts"

export interface Place {
  suburb: string
  state: StateCode
  postcode: string
}

/**
 * Reads a suburb, then state and postcode in either order. Commas, case, full state names and a lost zero of the
 * postcode are no matter; a missing part is never filled in, at most suggested.
 */
export function parsePlace(text: string): Parsed<Place> {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  const last = takeDigits(words)
  const state = takeState(words)
  const digits = last ?? takeDigits(words)
  const suburb = words.join(" ")
  if (suburb && state && digits) {
    const postcode = repairPostcode(digits, state)
    return postcode
      ? parsed({ suburb, state, postcode })
      : refused(`${quoted(text)} ends in no postcode: ${quoted(digits)} must have four digits`)
  }
  const missing = [!suburb && "suburb", !state && "state", !digits && "postcode"].filter(Boolean)
  const [likely] = digits && suburb && !state ? statesOfPostcode(digits) : []
  const example = likely && digits ? `${suburb} ${likely} ${digits}` : "Alexandria NSW 2015"
  return refused(`${quoted(text)} has no ${missing.join(" and no ")}: write a place as ${quoted(example)}`)
}

/** The way in which parsePlace reads it. */
export function formatPlace({ suburb, state, postcode }: Omit<Address, "residential">): string {
  return `${suburb} ${state} ${postcode}`
}

function takeDigits(words: string[]): string | undefined {
  return /^\d+$/.test(words.at(-1) ?? "") ? words.pop() : undefined
}

/** Takes a state from the end; names have up to three words. */
function takeState(words: string[]): StateCode | undefined {
  for (const length of [3, 2, 1]) {
    const state = stateCode(words.slice(-length).join(" "))
    if (!state) continue
    words.splice(-length)
    return state
  }
  return undefined
}
