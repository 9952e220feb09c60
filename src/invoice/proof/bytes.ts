/** Bytes of the document, one at a time. Where something was looked for and not found, the answer is 0. */

export const QUOTE: u32 = 34
export const PLUS: u32 = 43
export const COMMA: u32 = 44
export const DASH: u32 = 45
export const POINT: u32 = 46
export const COLON: u32 = 58
export const AT_SIGN: u32 = 64
export const OPENING_BRACKET: u32 = 91
export const BACKSLASH: u32 = 92
export const CLOSING_BRACKET: u32 = 93
export const OPENING_BRACE: u32 = 123
export const CLOSING_BRACE: u32 = 125

export function byteAt(at: usize): u32 {
  return load<u8>(at)
}

/** What a digit says; ten or more when it is none. */
export function digitAt(at: usize): u32 {
  return byteAt(at) - 48
}

/** Where the next byte is that is no blank. */
export function blankEnd(from: usize): usize {
  let at = from
  let char = byteAt(at)
  while (char === 32 || char === 10 || char === 13 || char === 9) char = byteAt(++at)
  return at
}

export function isSame(one: usize, other: usize, length: usize): bool {
  let at: usize = 0
  for (; at + 8 <= length; at += 8) if (load<u64>(one + at) !== load<u64>(other + at)) return false
  for (; at < length; at++) if (load<u8>(one + at) !== load<u8>(other + at)) return false
  return true
}
