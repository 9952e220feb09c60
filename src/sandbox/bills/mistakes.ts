/** Mistakes for a bill, chosen by a seed: the same seed and bookings give the same mistakes. */
import { type BillKey, MISTAKES } from "../../bills/verdicts.ts"
import { consignmentNumber, type Service, TARIFFS } from "../carriers.ts"
import { fraction } from "../faults.ts"
import { type Billed, type Candidate, toCharges } from "./consignments.ts"

type Mistake = (typeof MISTAKES)[number]

interface Mistaken {
  readonly billed: Billed[]
  readonly key: BillKey
}

interface Options {
  readonly seed: number
  /** Percentage of consignments that get a mistake; at least one does. */
  readonly percent: number
  isConsignment(number: string): boolean
}

/** A bill with mistakes of each kind in turn, as far as there are consignments for them: each mistake has its own. */
export function makeMistakes(candidates: readonly Candidate[], options: Options): Mistaken {
  const { seed, percent, isConsignment } = options
  const chance = (name: string, { billed }: Candidate) => fraction(`${seed}:${name}:${billed.consignment}`)
  const shuffled = [...candidates].sort((a, b) => chance("order", a) - chance("order", b))
  const wanted = Math.max(Math.round((candidates.length * percent) / 100), 1)

  const made = new Map<Candidate, { mistake: Mistake; billed: readonly Billed[]; consignment: string }>()
  const numbers = new Set<string>()
  const makers: Record<Mistake, Maker> = {
    ...MAKERS,
    "not-ours": forCorrectlyBilled(({ billed }, amount) => {
      const isTaken = (number: string) => isConsignment(number) || numbers.has(number)
      const consignment = findForeignNumber(billed, amount, isTaken)
      numbers.add(consignment)
      return [billed, { ...billed, consignment, reference: "" }]
    }),
  }
  const make = (mistake: Mistake): boolean => {
    for (const candidate of shuffled) {
      if (made.has(candidate)) continue
      const billed = makers[mistake](candidate, chance(mistake, candidate))
      const consignment = billed?.at(-1)?.consignment
      if (!billed || consignment === undefined) continue
      made.set(candidate, { mistake, billed, consignment })
      return true
    }
    return false
  }
  let kinds: readonly Mistake[] = MISTAKES
  while (made.size < wanted && kinds.length > 0)
    kinds = kinds.filter((mistake) => made.size >= wanted || make(mistake))

  const billed = candidates.flatMap((candidate) => {
    const lines = made.get(candidate)?.billed
    return lines ?? (candidate.unbilled === undefined ? [candidate.billed] : [])
  })
  return {
    billed,
    key: {
      seed,
      consignments: new Set(billed.map(({ consignment }) => consignment)).size,
      mistakes: candidates.flatMap((candidate) => {
        const one = made.get(candidate)
        return one ? [{ consignment: one.consignment, mistake: one.mistake }] : []
      }),
    },
  }
}

/** Makes wrong charges for a consignment; undefined if it does not allow the mistake. `chance` is from 0 to 1. */
type Maker = (candidate: Candidate, chance: number) => readonly Billed[] | undefined

const unbilledBecause =
  (reason: Candidate["unbilled"]): Maker =>
  ({ billed, unbilled }) =>
    unbilled === reason ? [billed] : undefined

const forCorrectlyBilled =
  (change: (candidate: Candidate, chance: number) => readonly Billed[] | undefined): Maker =>
  (candidate, chance) =>
    candidate.unbilled === undefined ? change(candidate, chance) : undefined

const MAKERS: Record<Exclude<Mistake, "not-ours">, Maker> = {
  "billed-twice": forCorrectlyBilled(({ billed }) => [billed, billed]),
  cancelled: unbilledBecause("cancelled"),
  "payer-is-another": unbilledBecause("payer-is-another"),
  "not-collected": (candidate) =>
    candidate.hasPickup ? undefined : unbilledBecause("not-collected")(candidate, 0),
  "wrong-service": forCorrectlyBilled(billOtherService),
  "wrong-weight": forCorrectlyBilled(billMoreWeight),
  over: forCorrectlyBilled(({ billed, carriage, surcharges }, chance) => {
    // More than a tenth, so that GST does not explain it, and above any tolerance of a small bill.
    const more = Math.max(Math.round(getTotal(billed) * (0.15 + chance * 0.25)), 250)
    return [{ ...billed, charges: toCharges(billed.carrier, carriage + more, surcharges) }]
  }),
  under: forCorrectlyBilled(({ billed }, chance) => {
    // Less by more than an eleventh: a quote including GST would not explain it.
    const share = 0.7 - chance * 0.15
    const charges = billed.charges.map((each) => ({ ...each, cents: Math.round(each.cents * share) }))
    return getTotal(billed) < 500 ? undefined : [{ ...billed, charges }]
  }),
}

function billOtherService({ billed, dangerousGoods, carriage, surcharges }: Candidate, chance: number) {
  const { carrier, serviceCode } = billed
  const { services } = TARIFFS[carrier]
  const booked = services.find((service) => service.serviceCode === serviceCode)
  const others = services.filter(
    (service) =>
      service !== booked && service.visibility === "shown" && (service.dangerousGoods || !dangerousGoods),
  )
  const other: Service | undefined = others[Math.floor(chance * others.length)]
  if (!booked || !other) return undefined
  const charges = toCharges(carrier, Math.round((carriage * other.percent) / booked.percent), surcharges)
  return [{ ...billed, serviceCode: other.serviceCode, charges }]
}

/** As if the goods had been weighed again, in tenths of a kilogram, with the price of that weight. */
function billMoreWeight({ billed, carriage, surcharges }: Candidate, chance: number) {
  const { base, perKg } = TARIFFS[billed.carrier]
  const weightKg = Math.ceil((billed.weightKg * (1.3 + chance * 0.7) + 1) * 10) / 10
  const ratio = (base + perKg * weightKg) / (base + perKg * billed.weightKg)
  const charges = toCharges(billed.carrier, Math.round(carriage * ratio), surcharges)
  return [{ ...billed, weightKg, charges }]
}

/** First consignment number that the sandbox never issues. */
const FOREIGN_FROM = 90_000_000
const FOREIGN_COUNT = 9_999_999

function findForeignNumber(
  { carrier }: Billed,
  chance: number,
  isTaken: (number: string) => boolean,
): string {
  for (let n = Math.floor(chance * FOREIGN_COUNT); ; n++) {
    const number = consignmentNumber(carrier, FOREIGN_FROM + n)
    if (!isTaken(number)) return number
  }
}

function getTotal({ charges }: Billed): number {
  return charges.reduce((sum, { cents }) => sum + cents, 0)
}
