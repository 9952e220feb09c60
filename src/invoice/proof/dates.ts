/** Dates as RFC 3339 writes them. Whatever is unusual is no number here, and left to the examiner. */
import { byteAt, COLON, DASH, digitAt, PLUS, POINT } from "./bytes"

const DAYS = memory.data<u8>([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
/** Two characters that are no digits, and so more than any hour, day or offset. */
const NONE: u32 = 100_000

/** Days since 1 January 1970 of the ten characters of a date from the year 1000 on, or NaN. */
export function dayAt(at: usize): f64 {
  const year: i32 = twoDigits(at) * 100 + twoDigits(at + 2)
  const month: i32 = twoDigits(at + 5)
  const day: i32 = twoDigits(at + 8)
  if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1) return NaN
  if (byteAt(at + 4) !== DASH || byteAt(at + 7) !== DASH) return NaN
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (day > <i32>load<u8>(DAYS + month - 1) + (leap && month === 2 ? 1 : 0)) return NaN
  // Years are counted from March, so that the leap day is a year's last.
  const shifted = month > 2 ? year : year - 1
  const leaps = shifted / 4 - shifted / 100 + shifted / 400
  return <f64>(shifted * 365 + leaps + (153 * ((month + 9) % 12) + 2) / 5 + day - 719469)
}

/** Milliseconds since 1970 of a date-time, fractions cut to milliseconds, or NaN. Leap seconds are refused. */
export function instantOf(from: usize, end: usize): f64 {
  if (end - from < 20 || byteAt(from + 10) !== 84) return NaN
  if (byteAt(from + 13) !== COLON || byteAt(from + 16) !== COLON) return NaN
  const hour = twoDigits(from + 11)
  const minute = twoDigits(from + 14)
  const second = twoDigits(from + 17)
  if (hour > 23 || minute > 59 || second > 59) return NaN
  let at = from + 19
  let milliseconds: u32 = 0
  if (byteAt(at) === POINT) {
    const fraction = ++at
    for (let worth: u32 = 100; digitAt(at) < 10; worth /= 10) milliseconds += digitAt(at++) * worth
    if (at === fraction) return NaN
  }
  const inDay = <f64>(((hour * 60 + minute) * 60 + second) * 1000 + milliseconds)
  const time = dayAt(from) * 86_400_000 + inDay
  return byteAt(at) === 90 && at + 1 === end ? time : time - offsetAt(at, end)
}

/** Milliseconds of an offset such as `+10:00`, or NaN. */
function offsetAt(at: usize, end: usize): f64 {
  const sign = byteAt(at)
  if ((sign !== PLUS && sign !== DASH) || at + 6 !== end || byteAt(at + 3) !== COLON) return NaN
  const hour = twoDigits(at + 1)
  const minute = twoDigits(at + 4)
  if (hour > 23 || minute > 59 || (sign === DASH && hour + minute === 0)) return NaN
  const offset = <f64>((hour * 60 + minute) * 60_000)
  return sign === DASH ? -offset : offset
}

function twoDigits(at: usize): u32 {
  const tens = digitAt(at)
  const ones = digitAt(at + 1)
  return tens < 10 && ones < 10 ? tens * 10 + ones : NONE
}
