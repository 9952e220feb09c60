/** Headers that people use. Case, blanks, punctuation and a unit in brackets do not matter. */
import type { Shop } from "../../sheets/header.ts"

export const PARTIES = ["receiver", "sender", "collection"] as const
export type PartyName = (typeof PARTIES)[number]

function listWords<Name extends string>(
  texts: Record<Name, string>,
): Readonly<Record<Name, readonly string[]>> {
  const lists = Object.entries<string>(texts).map(([name, words]) => [name, words.split(/,\s+/)])
  return Object.fromEntries(lists)
}

/** Prefixes of address columns: `Ship to suburb`. Without a prefix it is the receiver's. */
export const PARTY_WORDS = listWords({
  receiver: `Receiver, Recipient, Consignee, Delivery, Deliver to, Ship to, Shipping, Destination, To,
    Customer`,
  sender: "Sender, Shipper, Consignor, Ship from, From",
  collection: "Collection, Collect from, Pickup, Pickup from",
})

/** Parts of an address. `name`, `firstName`, `lastName`, `country` and `residential` are not in the contract. */
export const PART_WORDS = listWords({
  companyName: "Company, Company name, Business, Business name, Organisation, Organization",
  contactName: "Contact, Contact name, Attention, Attn",
  name: "Name, Full name",
  firstName: "First name, Given name",
  lastName: "Last name, Surname, Family name",
  phoneAreaCode: "Area code",
  phoneNumber: "Phone, Phone number, Telephone, Tel, Mobile",
  address1: "Street, Address, Address 1, Address line 1, Street address, Street 1, Address 1&2",
  address2: "Address 2, Address line 2, Street 2, Unit",
  suburb: "Suburb, City, Town, Locality",
  state: "State, Province, Region, State code, Province code, State/Province",
  postcode: "Postcode, Post code, Zip, Zip code, Postal code, Zip/Postcode",
  email: "Email, E-mail, Email address",
  country: "Country, Country code",
  residential: "Residential",
})

export const FIELD_WORDS = listWords({
  reference: `Reference, Ref, Reference number, Customer reference, Customer ref, Your reference, Order,
    Order number, Order no, Order id, Sales order, PO, PO number, PO no, Purchase order,
    Purchase order number`,
  "package.count": `Qty, Quantity, Count, Pieces, Cartons, Parcels, Number of packages, No of packages,
    Number of parcels`,
  "package.lengthCm": "Length, Length cm, L",
  "package.widthCm": "Width, Width cm, W",
  "package.heightCm": "Height, Height cm, H",
  "package.weightKg": "Weight, Weight kg, Kg, Weight each, Unit weight",
  packages: "Packages, Package",
  packagingCode: "Packaging, Packaging type, Package type",
  service: "Service, Service code, Service level",
  connector: "Connector, Connector id",
  maxPrice: "Max price, Maximum price, Price limit",
  within: "Within days, Deliver within, Max days, Maximum days",
  avoid: "Avoid service, Avoid carrier, Do not use",
  arriveBy: "Arrive by, Deliver by, Required by, Needed by",
  collectionDateTime: `Ready, Ready date, Collection date, Pickup date, Ship date, Shipping date,
    Despatch date, Dispatch date, Date`,
  readyTime: "Ready time, Collection time, Pickup time",
  collectionCloseTime: "Close, Close time, Closing time",
  specialInstructions: `Instructions, Special instructions, Delivery instructions, Delivery notes, Notes,
    Comments, Customer note`,
  payer: "Payer, Charge to",
  "payer.accountNumber": "Account number, Payer account, Billing account",
  dangerousGoods: "Dangerous goods, DG, Hazardous",
})

export const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  Customer: ["receiver.name", "reference"],
  Number: ["reference", "receiver.phoneNumber"],
  ID: ["reference", "connector"],
  Code: ["service", "receiver.postcode"],
  Time: ["readyTime", "collectionCloseTime"],
  Type: ["packagingCode", "service"],
  Carrier: ["connector", "service"],
  Account: ["payer.accountNumber", "connector"],
  "Delivery date": ["arriveBy", "collectionDateTime"],
  "Total weight": ["package.weightKg", "items.totalWeightKg"],
}

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
    own: [],
    meanings: {},
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
