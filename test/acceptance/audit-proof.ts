/** Whether an audit finds every mistake of the sandbox's bills, and nothing else. */
import { type BillKey, MISTAKES, type Verdict } from "../../src/bills/verdicts.ts"
import type { Rehearsal } from "./rehearsals.ts"

interface Audited {
  totals: { consignments: number }
  items: { consignmentNumber: string; verdict: Verdict; difference: number | null }[]
}

export interface Proof {
  code: number | null
  stderr: string
  key: BillKey
  consignments: number
  /** By kind: how many mistakes there are, how many were found, and how many are told that are none. */
  kinds: Record<string, { made: number; found: number; wrong: number }>
  /** Wrong verdicts, as text for messages. */
  errors: string[]
}

/** Makes a bill with mistakes and audits it. @param percent how many of a hundred consignments get one */
export async function proveAudit(rehearsal: Rehearsal, file: string, percent: number): Promise<Proof> {
  await rehearsal.bill("--errors", `${percent}%`, "-o", file)
  const key = await rehearsal.key(file)
  const ran = await rehearsal.home.binary(["audit", file, "--json", "--no-remember"])
  const { totals, items } = ran.json<Audited>()
  const made = new Map(key.mistakes.map(({ consignment, mistake }) => [consignment, mistake]))
  const told = new Map(items.map(({ consignmentNumber, verdict }) => [consignmentNumber, verdict]))
  const kinds = Object.fromEntries(
    MISTAKES.map((kind) => {
      const of = [...made].filter(([, mistake]) => mistake === kind)
      const as = [...told].filter(([, verdict]) => verdict === kind)
      return [
        kind,
        {
          made: of.length,
          found: of.filter(([consignment]) => told.get(consignment) === kind).length,
          wrong: as.filter(([consignment]) => made.get(consignment) !== kind).length,
        },
      ]
    }),
  )
  const errors = [...new Set([...made.keys(), ...told.keys()])]
    .map((consignment) => ({
      consignment,
      is: made.get(consignment) ?? "agrees",
      told: told.get(consignment),
    }))
    .filter(({ is, told: said }) => is !== said)
    .map(({ consignment, is, told: said }) => `${consignment} is ${is}, told as ${said}`)
  return { code: ran.code, stderr: ran.stderr, key, consignments: totals.consignments, kinds, errors }
}
