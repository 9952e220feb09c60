import { type Parsed, parsed, refused } from "../base/parsed.ts"

/** A key as a person gives it, by a flag or an answer: without the blanks and line ends around it. */
export function parseKey(text: string): Parsed<string> {
  const key = text.trim()
  if (key === "") return refused("is empty")
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(key)
    ? refused("has a line end or another control character in it")
    : parsed(key)
}
