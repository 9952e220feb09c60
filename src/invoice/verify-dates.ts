/** Dates in bytes, as RFC 3339 writes them. Whatever is unusual is no number here, and left to the examiner. */

const PLUS = 43
const DASH = 45
const POINT = 46
const COLON = 58

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Days since 1 January 1970 of the ten characters of a date from the year 1000 on, or NaN. */
export function dayAt(bytes: Uint8Array, at: number): number {
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  if (!(year >= 1000 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN
  if (bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return Number.NaN
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (day > (DAYS[month - 1] as number) + (leap && month === 2 ? 1 : 0)) return Number.NaN
  // Years are counted from March, so that the leap day is a year's last.
  const shifted = month > 2 ? year : year - 1
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  return shifted * 365 + leaps + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719469
}

/** Milliseconds since 1970 of a date-time, fractions cut to milliseconds, or NaN. Leap seconds are refused. */
export function instantOf(bytes: Uint8Array, from: number, end: number): number {
  if (end - from < 20 || bytes[from + 10] !== 84) return Number.NaN
  if (bytes[from + 13] !== COLON || bytes[from + 16] !== COLON) return Number.NaN
  const hour = twoDigits(bytes, from + 11)
  const minute = twoDigits(bytes, from + 14)
  const second = twoDigits(bytes, from + 17)
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN
  let at = from + 19
  let milliseconds = 0
  if (bytes[at] === POINT) {
    const fraction = ++at
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, ++at))
      if (at < fraction + 3) milliseconds += digit * 10 ** (2 - at + fraction)
    if (at === fraction) return Number.NaN
  }
  const time = ((dayAt(bytes, from) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milliseconds
  return bytes[at] === 90 && at + 1 === end ? time : time - offsetAt(bytes, at, end)
}

/** Milliseconds of an offset such as `+10:00`, or NaN. */
function offsetAt(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at] === PLUS ? 1 : bytes[at] === DASH ? -1 : Number.NaN
  if (at + 6 !== end || bytes[at + 3] !== COLON) return Number.NaN
  const hour = twoDigits(bytes, at + 1)
  const minute = twoDigits(bytes, at + 4)
  if (!(hour < 24 && minute < 60) || (sign < 0 && hour + minute === 0)) return Number.NaN
  return sign * (hour * 60 + minute) * 60_000
}

function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] as number) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return digitAt(bytes, at) * 10 + digitAt(bytes, at + 1)
}
