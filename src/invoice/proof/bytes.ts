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
  return byteAt(from) > 32 ? from : blanksEnd(from)
}

/** The same, sixteen bytes at a time: whoever indents, indents far. */
function blanksEnd(from: usize): usize {
  let at = from
  let others: u32 = 0
  while (true) {
    const part = v128.load(at)
    const ends = v128.or(i8x16.eq(part, i8x16.splat(10)), i8x16.eq(part, i8x16.splat(13)))
    const gaps = v128.or(i8x16.eq(part, i8x16.splat(32)), i8x16.eq(part, i8x16.splat(9)))
    others = i8x16.bitmask(v128.or(ends, gaps)) ^ SIXTEEN
    if (others !== 0) break
    at += 16
  }
  return at + ctz(others)
}

/** A bit for each of sixteen bytes. */
const SIXTEEN: u32 = 0xffff

/** Reads up to fifteen bytes more than it compares. */
export function isSame(one: usize, other: usize, length: usize): bool {
  let at: usize = 0
  let differ: u32 = 0
  while (true) {
    differ = i8x16.bitmask(i8x16.ne(v128.load(one + at), v128.load(other + at)))
    if (length - at <= 16 || differ !== 0) break
    at += 16
  }
  const rest = length - at
  return rest >= 16 ? differ === 0 : (differ & ((1 << rest) - 1)) === 0
}
