/** Bills in six carriers' layouts with a hundred mistakes: the audit finds all of them, and nothing else. */
import { describe, expect, it } from "vitest"
import type { Verdict } from "../../src/bills/verdicts.ts"
import { bookToBill, type Report } from "./audits.ts"
import { saveBill } from "./bills.ts"
import {
  type Billed,
  E_WITH_WRONG_TOTAL,
  F_WITH_WRONG_GST,
  type Kind,
  type Label,
  type Layout,
  LAYOUTS,
} from "./carriers-bills.ts"
import { order } from "./orders.ts"

type Name = keyof typeof LAYOUTS

/** 98 of consignments, a page total, and the GST of a bill. */
const MISTAKES: Readonly<Record<Name, number>> = { A: 17, B: 17, C: 16, D: 16, E: 16, F: 16 }
const RIGHT_EACH = 14

interface Planned {
  layout: Name
  reference: string
  mistake: Kind | undefined
  /** Its number comes after the booking. */
  isLate: boolean
  at: number
}

const PLAN: readonly Planned[] = (Object.keys(LAYOUTS) as Name[]).flatMap((layout) =>
  Array.from({ length: MISTAKES[layout] + RIGHT_EACH }, (_, at): Planned => {
    const { kinds } = LAYOUTS[layout]
    const mistake = at < MISTAKES[layout] ? kinds[at % kinds.length] : undefined
    return {
      layout,
      reference: `${layout}-${at + 1}`,
      mistake,
      isLate: mistake === "late" || at % 5 === 4,
      at,
    }
  }),
)

const EXPECTED: Readonly<Record<Kind, readonly [verdict: Verdict, why?: string]>> = {
  over: ["over"],
  twice: ["billed-twice"],
  foreign: ["not-ours"],
  gst: ["wrong-gst", "GST is"],
  fuel: ["over", "fuel levy is charged twice"],
  residential: ["over", "residential delivery, not booked"],
  futile: ["over", "futile delivery"],
  lift: ["over", "tail lift"],
  weight: ["wrong-weight"],
  service: ["wrong-service"],
  cancelled: ["cancelled"],
  payer: ["payer-is-another"],
  uncollected: ["not-collected"],
  late: ["over"],
}

const CONNECTORS = [
  { connector: "connector-a", service: "76", other: "75" },
  { connector: "connector-b", service: "GEN", other: "EXP" },
  { connector: "connector-c", service: "STD", other: "EXP" },
] as const
const connectorOf = ({ at }: Planned) => CONNECTORS[at % CONNECTORS.length] ?? CONNECTORS[0]

const INSTRUCTIONS: Readonly<Partial<Record<Kind, string>>> = {
  cancelled: "sandbox:cancelled",
  uncollected: "sandbox:not-collected",
}

function toOrder(planned: Planned) {
  const { reference, mistake, isLate, at } = planned
  const { connector, service } = connectorOf(planned)
  const instructions = [mistake && INSTRUCTIONS[mistake], isLate && "sandbox:slow"].filter(Boolean).join(" ")
  return order(reference, {
    connector,
    service,
    packages: `${1 + (at % 3)}x40x30x20@${3 + (at % 7)}`,
    ...(mistake === "payer" && { payer: "receiver:4711" }),
    ...(instructions !== "" && { specialInstructions: instructions }),
  })
}

const { home, get } = await bookToBill(PLAN.map(toOrder))

/** Freight and fuel of what was quoted; every third has a part that was quoted with it. */
function billRightly(planned: Planned): Billed {
  const { consignment, cents, weightKg } = get(planned.reference)
  const fuel = Math.round(cents * 0.145)
  const hasParts = planned.at % 3 === 0
  const home = hasParts ? 300 : 0
  const isInsured =
    hasParts && (planned.layout === "D" || planned.layout === "E") && planned.mistake !== "gst"
  const insurance = isInsured ? 150 : 0
  const charges: [Label, number][] = [
    ["Freight", cents - fuel - home - insurance],
    ["Fuel levy", fuel],
    ["Residential delivery", home],
    ["Insurance", insurance],
  ]
  return {
    consignment,
    // Late numbers are all that these bills have.
    reference: planned.isLate ? "" : planned.reference,
    receiver: planned.at % 2 === 0 ? "Total Tools Fremantle" : "Anybody",
    service: connectorOf(planned).service,
    weightKg,
    charges: charges.flatMap(([label, amount]) => (amount === 0 ? [] : [{ label, cents: amount }])),
    gstPercent: 10,
  }
}

/** The bill of a consignment, with its mistake. */
function bill(planned: Planned): Billed[] {
  const right = billRightly(planned)
  const { mistake, at } = planned
  const cents = right.charges.reduce((sum, each) => sum + each.cents, 0)
  const withCharge = (label: Label, amount: number) => ({
    ...right,
    charges: [...right.charges, { label, cents: amount }],
  })
  const times = (share: number) => ({
    ...right,
    charges: right.charges.map((each) => ({ ...each, cents: Math.round(each.cents * share) })),
  })
  const fuel = right.charges.filter(({ label }) => label === "Fuel levy")
  const billed: Partial<Record<Kind, Billed[]>> = {
    over: [times(1.25)],
    late: [times(3)],
    twice: [right, right],
    foreign: [right, { ...right, consignment: `SBA9${String(at).padStart(7, "0")}`, reference: "" }],
    gst: [{ ...right, gstPercent: 12.5 }],
    fuel: [right, { ...right, charges: fuel }],
    residential: [withCharge("Residential delivery", Math.round(cents * 0.3))],
    futile: [withCharge("Futile delivery", Math.round(cents * 0.4))],
    lift: [withCharge("Tail lift", Math.round(cents * 0.2))],
    weight: [{ ...times(1.3), weightKg: right.weightKg * 3 }],
    service: [{ ...right, service: connectorOf(planned).other }],
  }
  if (mistake) return billed[mistake] ?? [right]
  return at % 4 === 0 ? withCredit(right, planned) : [right]
}

/** Charged, given back, and charged again: lawful, where the layout has a row for each charge. */
function withCredit(right: Billed, { layout }: Planned): Billed[] {
  if (layout !== "D" && layout !== "E") return [right]
  const back = { ...right, charges: right.charges.map((each) => ({ ...each, cents: -each.cents })) }
  return [right, back, right]
}

async function audit(name: Name, layout: Layout) {
  const planned = PLAN.filter((each) => each.layout === name)
  const file = await saveBill(home.folder, `${name}.csv`, layout.write(planned.flatMap(bill)))
  const ran = await home.freight(["audit", file, "--json", "--no-remember"])
  if (ran.stdout === "") throw new Error(ran.stderr)
  const report = ran.json<Report>()
  const expected = new Map(
    planned.map((each) => {
      const { consignment } = bill(each).at(-1) ?? { consignment: "" }
      return [(consignment ?? "").toUpperCase(), each.mistake]
    }),
  )
  const errors: string[] = []
  let found = 0
  const told = new Set<string>()
  for (const { consignmentNumber: consignment, verdict, why, reference } of report.items) {
    const plain = (consignment ?? "").toUpperCase().replace(/[ -]/g, "")
    const mistake = expected.get(plain)
    const [wanted, reason = ""] = mistake ? EXPECTED[mistake] : (["agrees"] as const)
    // Layouts without names of charges cannot name them.
    const isNamed = name === "A" || name === "B" || why.includes(reason)
    if (verdict !== wanted || !isNamed)
      errors.push(`${plain} ${reference}: ${mistake ?? "right"}, told as ${verdict}: ${why}`)
    else if (mistake) found++
    told.add(plain)
  }
  for (const plain of expected.keys()) if (!told.has(plain)) errors.push(`${plain}: not told at all`)
  return { ...ran, errors, found, planned, report }
}

describe("bills as six carriers write them", () => {
  it.each(
    Object.keys(LAYOUTS) as Name[],
  )("%s: every mistake is found, and nothing else is told", async (name) => {
    const { errors, found, code, stderr, report } = await audit(name, LAYOUTS[name])
    expect(errors).toEqual([])
    expect([found, code, report.totals.billsWithWrongGst]).toEqual([MISTAKES[name], 1, 0])
    // Columns that no carrier's bill is judged by are told with their sums.
    expect(stderr.replaceAll(/^warning: \S+: amounts that are not used: .*$/gm, "")).not.toContain("warning")
  })

  it("E: a page total that is not the sum of its page is reported, and changes nothing else", async () => {
    const { errors, found, stderr } = await audit("E", E_WITH_WRONG_TOTAL)
    expect(errors).toEqual([])
    expect(found).toBe(MISTAKES.E)
    expect(stderr.match(/which is not the sum of the rows above it/g)).toHaveLength(1)
  })

  it("F: GST of an eighth below the rows is reported, and changes nothing else", async () => {
    const { errors, found, stderr, report } = await audit("F", F_WITH_WRONG_GST)
    expect(errors).toEqual([])
    expect([found, report.totals.billsWithWrongGst]).toEqual([MISTAKES.F, 1])
    expect(stderr).toContain("12.5 %")
  })

  it("are a hundred mistakes of every kind", () => {
    const planted = PLAN.flatMap(({ mistake }) => mistake ?? [])
    expect(planted.length + 2).toBe(100)
    expect([...new Set(planted)].sort()).toEqual(Object.keys(EXPECTED).sort())
  })
})
