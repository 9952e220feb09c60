/** How the goods of an invoice travel. */
import { quoted } from "../../base/parsed.ts"
import { formatMoney } from "./amounts.ts"
import type { Books } from "./books.ts"
import { mayBeOneName } from "./identifiers.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

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
