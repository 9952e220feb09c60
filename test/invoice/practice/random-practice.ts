/** Sound invoices at random, as clerks put them together: none gets a finding. Made without the schema. */
import { expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { loadAddressJudge } from "../../../src/invoice/places.ts"
import { makeInvoice } from "./setup.ts"

const UNITS = ["EA", "PK", "BX", "KGM", "HUR", ""]
const PLACES = [
  ...["Sydney NSW 2000", "Melbourne VIC 3000", "Darwin NT 0800", "Perth WA 6000", "Hobart TAS 7000"],
  ...["Queanbeyan NSW 2620", "Brisbane QLD 4000", "Adelaide SA 5000", "Melbourne VIC 8001"],
]

/** @param count how many invoices are tried */
export function acceptsSound(count: number): void {
  it(`finds nothing in ${count} sound invoices`, async () => {
    const places = await loadAddressJudge()
    const options = { stage: "auto", accounting: true, strict: false, rules: {}, places } as const
    const next = createRandom(54)
    for (let made = 0; made < count; made++) {
      const words = makeWords(next)
      const findings = examine(JSON.stringify(makeInvoice(words)), options)
      expect({ words, findings }).toEqual({ words, findings: [] })
    }
  }, 600_000)
}

type Random = (below: number) => number

function makeWords(next: Random): string {
  const isCredit = next(5) === 0
  const isMixed = next(3) === 0
  const sign = isCredit ? "-" : ""
  const lines = Array.from({ length: 1 + next(8) }, () => {
    const unit = UNITS[next(UNITS.length)]
    const quantity = unit === "EA" ? 1 + next(40) : (1 + next(4000)) / 100
    const free = isMixed && next(2) === 0 ? " free" : ""
    return `${sign}${quantity}${unit && ` ${unit}`} @ ${(1 + next(90_000)) / (next(2) ? 100 : 1000)}${free}`
  })
  const words = [`lines ${lines.join(", ")}`]
  if (isCredit) words.push("purpose creditMemo", 'documentReference = {"invoiceId":"INV-0990"}')
  if (!isCredit && next(2) === 0) words.push(`shipping ${(100 + next(9000)) / 100}`)
  if (!isCredit && next(4) === 0) words.push(`handling ${(100 + next(900)) / 100}`)
  if (!isCredit && next(4) === 0) words.push(`deposit 0.${10 + next(80)}`)
  if (next(2) === 0) words.push(`place shipTo ${PLACES[next(PLACES.length)]}`)
  if (next(2) === 0) {
    const days = [0, 7, 14, 30, 60][next(5)] ?? 0
    const due = new Date(Date.UTC(2026, 10, 20 + days))
    // Due on a weekend is due on Monday.
    if (next(2) === 0) due.setUTCDate(due.getUTCDate() + ([1, 0, 0, 0, 0, 0, 2][due.getUTCDay()] ?? 0))
    words.push(
      `paymentTerms.netDays = ${days}`,
      `dueDate = "${due.toISOString().slice(0, 10)}T09:00:00+11:00"`,
    )
  }
  if (next(3) === 0) words.push('remitTo.bankDetails = {"bsb":"062-000","accountNumber":"12345678"}')
  return words.join(" ; ")
}

/** Whole numbers, always the same for a seed. */
function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
