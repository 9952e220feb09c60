/** Ways to write a document down, and ways to break what was written. */
import fc from "fast-check"

/** A document written with its keys in any order and blanks of any kind, or in none. */
export const writer = fc
  .record({ seed: fc.integer({ min: 1 }), shuffle: fc.boolean(), indent: fc.constantFrom("", "  ", "\t") })
  .map(({ seed, shuffle, indent }) => (document: unknown) => {
    const next = randomFrom(seed)
    return JSON.stringify(shuffle ? shuffled(document, next) : document, undefined, indent)
  })

function shuffled(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, next))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => ({ name, each, rank: next() }))
  entries.sort((one, other) => one.rank - other.rank)
  return Object.fromEntries(entries.map(({ name, each }) => [name, shuffled(each, next)]))
}

/** Numbers from 0 to 1, always the same for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 0) / 2 ** 32
  }
}

const HOSTILE = [
  "null",
  "true",
  "{}",
  "[]",
  '""',
  "0",
  "-0.00",
  "1e2",
  "1E400",
  "0.005",
  "1.10",
  "30.0",
  "30.5",
  "01",
  "+1",
  ".5",
  "1.",
  "9007199254740993",
  "99999999999999.99",
  "0.30000000000000004",
  "NaN",
  '"\\ud800"',
  '"\\u0000"',
  '"\u0001"',
  '"2026-02-29T00:00:00Z"',
  '"2026-11-20"',
  '"2026-11-20T24:00:00Z"',
  '"2016-12-31T23:59:60Z"',
  '"2026-11-20t09:30:00z"',
  '"2026-11-20T09:30:00-00:00"',
  '"a@b"',
  '"a..b@c.de"',
  '"AUd"',
  '"creditMemo"',
  '"debitMemo"',
  '"lineLevelCreditMemo"',
  '"51824753557"',
  '"delete"',
  "-5",
  "10.00",
  "5",
  '{"a":1,"a":2}',
  "[1,2,]",
]
const NAMES = /"[A-Za-z]+"(?=\s*:)/g
const VALUES = /(?<=:\s*)("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null)/g

/** One fault in a text: a value or a name replaced, repeated, left out, a number changed, a piece or a byte. */
export const fault = fc
  .record({ kind: fc.integer({ min: 0, max: 9 }), at: fc.nat(), other: fc.nat() })
  .map(({ kind, at, other }) => (source: string): string => {
    const names = [...source.matchAll(NAMES)]
    const values = [...source.matchAll(VALUES)]
    const name = names[at % names.length]
    const value = values[at % values.length]
    const second = values[other % values.length]
    const put = (match: RegExpMatchArray | undefined, by: (found: string) => string) =>
      match
        ? source.slice(0, match.index) + by(match[0]) + source.slice((match.index ?? 0) + match[0].length)
        : source
    const place = at % (source.length + 1)
    switch (kind) {
      case 0:
      case 1:
        return put(value, () => HOSTILE[other % HOSTILE.length] ?? "")
      case 2:
        return put(value, () => second?.[0] ?? "")
      case 3:
        return put(name, () => names[other % names.length]?.[0] ?? "")
      case 4:
        return put(name, (found) => `${found}:${HOSTILE[other % HOSTILE.length]},${found}`)
      case 5:
        return put(value, (found) =>
          /\d/.test(found) ? found.replace(/\d(?=\D*$)/, String(other % 10)) : `${found}0`,
        )
      case 6:
        return source.slice(0, place) + source.slice(place + 1 + (other % 3))
      case 7:
        return source.slice(0, place) + String.fromCharCode(other % 128) + source.slice(place)
      case 8:
        return source.slice(0, place) + String.fromCharCode(other % 128) + source.slice(place + 1)
      default:
        return put(value, (found) =>
          /^-?[\d.]+$/.test(found) ? String((Number(found) * 100 + (other % 3) - 1) / 100) : found,
        )
    }
  })
