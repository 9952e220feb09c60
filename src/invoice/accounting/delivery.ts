/** How the goods of an invoice travel. */
import { quoted } from "../../base/parsed.ts"
import { formatMoney, readFigure, subtract, toPlain, ZERO } from "./amounts.ts"
import type { Books } from "./books.ts"
import { hasText } from "./glance.ts"
import { mayBeOneName } from "./identifiers.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

const BY_WORDS =
  "The contract: comments and shipping instructions are for people, the other fields for programs."

export const DELIVERY_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/incoterms",
    title: "who collects the goods pays no shipping",
    about: "With the incoterm exw the buyer has the goods collected: the supplier charges no shipping.",
    basis: "Incoterms 2020: EXW.",
    judges: "references",
    mayBeMeant: true,
    needs: ["data.shipping"],
    check: checkIncoterms,
  },
  {
    id: "accounting/free-delivery",
    title: "delivery that is free costs nothing",
    about:
      "Comments or shipping instructions that say free delivery, freight included, or no freight charge, beside an amount of shipping or a line of it.",
    basis: BY_WORDS,
    judges: "references",
    mayBeMeant: true,
    needs: [["data.comments", "data.shipping"]],
    passes: ({ data }) => {
      const { shippingInstructions } = Object(data.shipping) as Record<string, unknown>
      return ![data.comments, shippingInstructions].some((text) => hasText(text, FREE_DELIVERY))
    },
    check: checkFreeDelivery,
  },
  {
    id: "accounting/carrier",
    title: "shipping and shipment details name one carrier",
    about: "A carrier of the shipping and another one of the shipment details, for one consignment.",
    basis: "The contract: both fields are the carrier of the goods.",
    judges: "references",
    mayBeMeant: true,
    needs: ["data.shipping", "data.shipmentDetails"],
    passes: ({ data }) => {
      const [one, other] = [data.shipping, data.shipmentDetails].map(
        (part) => (Object(part) as Record<string, unknown>).carrier,
      )
      return one === undefined || one === other
    },
    check: checkCarrier,
  },
]

const FREE_DELIVERY =
  /\bfree (?:delivery|freight|shipping)\b|\b(?:delivery|freight|shipping)(?: charges?)? (?:is |are )?(?:free\b(?! on board)|included\b)|\bno (?:delivery|freight|shipping) charges?\b/i
const OTHER_DELIVERY =
  /\b(?:next|future|except|metro|only|other|not|excess|second|if|when)\b|\bover \$?(?<least>\d[\d,]*)/gi

const DELIVERY = /\b(?:delivery|freight|shipping)\b/i
/** A line that bills delivery, and nothing else. */
const DELIVERY_LINE = /^\s*(?:local |standard )?(?:delivery|freight|shipping)(?: (?:charge|fee|cost)s?)?\s*$/i

function checkFreeDelivery({ data, summary, lines }: Books): RuleFinding[] {
  const shipping = data.part("shipping")
  const isWaived = lines.some(
    (line) => (line.subtotal ?? ZERO) < ZERO && DELIVERY.test(line.text("description") ?? ""),
  )
  const billed = isWaived
    ? undefined
    : lines.find((line) => DELIVERY_LINE.test(line.text("description") ?? ""))?.subtotal
  const amount = summary.amount("shippingAmount") ?? shipping.amount("amount") ?? billed
  const texts = [
    [data, "comments"],
    [shipping, "shippingInstructions"],
  ] as const
  if (!amount || amount < ZERO) return []
  return texts.flatMap(([part, field]) => {
    const said = (part.text(field) ?? "").split(/[.;](?=\s|$)|\n/).find((each) => FREE_DELIVERY.test(each))
    if (said === undefined) return []
    const subtotal = toPlain(subtract(summary.amount("subtotal") ?? ZERO, billed ?? ZERO))
    const isOther = [...said.matchAll(OTHER_DELIVERY)].some(
      ({ groups }) => groups?.least === undefined || subtotal < readFigure(groups.least),
    )
    if (isOther) return []
    return [
      {
        pointer: part.at(field),
        message: `${quoted(said.trim())}, but ${formatMoney(amount)} of shipping is charged`,
        hint: "take the shipping out and correct the totals, or correct the words",
      },
    ]
  })
}

function checkCarrier({ data }: Books): RuleFinding[] {
  const [shipping, shipment] = [data.part("shipping"), data.part("shipmentDetails")]
  const [one = "", other = ""] = [shipping, shipment].map((part) => part.text("carrier")?.trim())
  const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, "")
  const [first, second] = [fold(one), fold(other)]
  // A list, a code and a short name may be one carrier.
  if (first === "" || second === "" || first.includes(second) || second.includes(first)) return []
  // Carriers carry for each other: short names such as TNT and Toll are left alone.
  if (/[,;/&_\d]/.test(one + other) || !/\S \S/.test(one) || !/\S \S/.test(other)) return []
  if (mayBeOneName(one, other) || mayBeOneName(other, one)) return []
  return [
    {
      pointer: shipment.at("carrier"),
      message: `${quoted(other)} carried the goods, but the shipping is by ${quoted(one)}`,
      hint: "correct the one that is wrong",
    },
  ]
}

function checkIncoterms({ data }: Books): RuleFinding[] {
  const shipping = data.part("shipping")
  const amount = shipping.amount("amount")
  if (shipping.text("incoTerms") !== "exw" || !amount || amount < 0) return []
  return [
    {
      pointer: shipping.at("incoTerms"),
      message: `the buyer collects the goods (exw), but ${formatMoney(amount)} of shipping is charged`,
      hint: "correct the incoterm, or take the shipping out",
    },
  ]
}
