import { ALLOW_DENSITY_FLAG, command, FIX_PLACES_FLAG, type Flags, pickFieldFlags } from "../command/index.ts"
import { PREFERENCE_FLAGS, RATE_FIELDS, SORT_KEYS } from "../orders/index.ts"
import { print } from "../output/index.ts"

const flags = {
  from: { takes: "<place>", about: 'collection place: "Alexandria NSW 2015"' },
  to: { takes: "<place>", about: 'delivery place: "Fremantle WA 6160"' },
  ...pickFieldFlags(["fromResidential", "toResidential", "package", "dangerousGoods"]),
  date: {
    takes: "<day>",
    about: "shipping date: 2026-11-23, 23/11, tomorrow (default: today at the collection place)",
  },
  service: {
    takes: "<code>",
    about: "price this service only: a code, cheapest, best-value, fastest or reliable",
  },
  connector: { takes: "<id>", about: "ask this connector only" },
  file: {
    takes: "<file>",
    about: "a rate request as JSON, or - for standard input; flags override it",
    isInput: true,
  },
  set: { takes: "<field=value>", about: "any other field of the request (repeatable)", isRepeatable: true },
  sort: { takes: "<by>", about: "the order", default: "price", choices: SORT_KEYS },
  cheapest: { about: "only the cheapest", conflicts: "fastest" },
  fastest: { about: "only the one that arrives first" },
  ...PREFERENCE_FLAGS,
  ...ALLOW_DENSITY_FLAG,
  ...FIX_PLACES_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Compares the prices and arrivals of all carriers. Asks on a terminal for what is missing. A carrier that does not answer within seconds is left out and named. The quotes are kept for 48 hours; freight book --rate 1 books the first of them.",
  flags,
  daily: ["from", "to", "package", "date", "cheapest", "fastest", "within", "maxPrice", "sort"],
  columns: RATE_FIELDS,
  examples: [
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5',
    'freight rate-shop --sandbox --from "Surry Hills NSW 2010" --to "Hobart TAS 7000" --package 30x20x10@2 --date tomorrow --fastest --json',
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Carlton VIC 3053" --package 30x20x10@2 --cheapest --within 3d --avoid B',
  ],
  /** @returns 1 when no carrier gave a rate */
  async run(deps, options) {
    const { shopForRates, tellShopped } = await import("../orders/rates/shop.ts")
    const shopped = await shopForRates(deps, options)
    const { rows, items, columns, summary } = shopped
    await print(deps, {
      ...{ rows, items, columns, summary },
      dim: ({ visibility }) => visibility === "hidden",
      empty: "No carrier gave a rate.",
    })
    return tellShopped(deps, shopped)
  },
})
