/** The shops whose exports of orders freight knows: an entry for each. */
import type { Shop } from "../../input/columns/notation.ts"

/** The customer fetches it: not a carrier's pickup point, to which it is shipped. */
const PICKUP =
  /^(?!.*\b(?:points?|lockers?|parcel|courier|deliver\w*)\b).*(?:\bpick[ -]?up\b|local_pickup|pickup_location|click (?:&|and|\+) collect|\bcollect(?:ion)? (?:in|from|at)\b|\bin[ -]store\b)/i

const WOOCOMMERCE_STATUSES = {
  ship: ["processing"],
  waits: ["pending", "on-hold"],
  leftOut: ["completed", "cancelled", "refunded", "failed", "trash", "draft", "checkout-draft", "auto-draft"],
}

export const SHOPS: readonly Shop[] = [
  {
    name: "Shopify",
    all: ["Name", "Shipping Name"],
    oneOf: ["Lineitem name", "Lineitem quantity", "Financial status", "Fulfillment status", "Billing name"],
    own: ["Financial status", "Fulfillment status"],
    meanings: { Name: "reference" },
    yielding: ["Name", "Shipping street", "Phone", "Email"],
    unused: ["Id"],
    statuses: {
      "Financial status": {
        ship: ["paid"],
        waits: ["pending", "authorized", "partially-paid", "overdue", "unpaid", "expired"],
        leftOut: ["refunded", "voided"],
        partly: ["partially-refunded"],
      },
      "Fulfillment status": {
        ship: ["unfulfilled", "open"],
        leftOut: ["fulfilled", "restocked", "not-required", "fulfillment-not-required"],
        partly: ["partial", "partially-fulfilled"],
      },
    },
    signs: [
      { header: "Cancelled at", says: /./, status: "cancelled" },
      {
        header: "Lineitem requires shipping",
        says: /^(?:false|no|0)$/i,
        status: "no-shipping",
        onEveryLine: true,
      },
      { header: "Shipping method", says: PICKUP, status: "pickup" },
    ],
  },
  {
    name: "WooCommerce",
    all: ["Shipping city", "Shipping postcode"],
    oneOf: ["Billing city", "Billing postcode", "Item name", "Item #", "Order status", "Order total amount"],
    yielding: ["Order id", "Email", "Phone"],
    unused: ["Quantity"],
    statuses: { "Order status": WOOCOMMERCE_STATUSES, Status: WOOCOMMERCE_STATUSES },
    signs: [
      { header: "Shipping method title", says: PICKUP, status: "pickup" },
      { header: "Shipping method", says: PICKUP, status: "pickup" },
      // A refund of a part leaves the order in its status.
      { header: "Order refund amount", says: /[1-9]/, status: "partially-refunded", means: "partly" },
    ],
  },
]
