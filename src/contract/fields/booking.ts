/**
 * The parts of a booking's fields that the schema lacks: their flags of `freight book`, and their columns in a batch
 * with the headings that people use. Each field is here once; a field without a flag and a column needs no entry.
 */
import { toFlagName } from "../../base/command-line.ts"
import { ALLOWANCES } from "./allowances.ts"
import { COUNT_HEADINGS } from "../packaging.ts"
import { SHARED_HEADINGS as SHARED } from "./headings.ts"
import type { KindName } from "./kinds.ts"

/** Headings of the help of `book`, in its order. */
export const FLAG_GROUPS = ["What", "From and to", "When", "Which service", "Afterwards", "Safety"] as const
export type FlagGroup = (typeof FLAG_GROUPS)[number]

interface BookingFlag {
  /** `fromResidential` for `--from-residential`. */
  readonly name: string
  /** Absent for a yes or no field: its flag takes no value and means yes. */
  readonly takes?: `<${string}>`
  readonly kind: KindName
  readonly group: FlagGroup
  readonly about: string
  /** An example where the value is missing: `CT`. */
  readonly example?: string
  /** May be repeated; each value is an entry of the list. */
  readonly isRepeatable?: true
}

/** Case, blanks, punctuation and a unit in brackets of a heading do not matter. */
interface BookingColumn {
  /** The name in a header; the path if absent. */
  readonly name?: string
  /** Headings that mean it, separated by commas. */
  readonly headings?: string
  readonly template?: string
  /** How it changes the meaning of other columns. */
  readonly bearing?: "unit" | "currency" | "count" | "state"
  readonly mayRepeat?: true
  /** Headings that also mean other things: such a column counts if its cells fit, and no other column has the field. */
  readonly looseHeadings?: string
  /** A row needs a value unless a flag or the profile gives it for all rows. */
  readonly isNeeded?: true
  /** For a column that the contract does not have; the schema says these for all others. */
  readonly own?: {
    /** The title within a sentence; of a party's field without the party. */
    readonly title: string
    readonly kind: KindName
    readonly about: string
    readonly example: string
    /** The value is not written at the path as it is, but chosen by it. */
    readonly isOpen?: true
  }
}

interface BookingField {
  /** Path in the booking; absent if freight computes the value from it. */
  readonly path?: string
  /** The contract's request has no such field: freight keeps it beside the request. See `own.ts`. */
  readonly beside?: {
    readonly title: string
    /** Places that show it, besides lists that hide it until it is asked for. */
    readonly isShown?: true
    /** The next similar order does not take it over. */
    readonly isOfOneOrder?: true
  }
  /** A service preference, which freight keeps with the order under the column's name. See `own.ts`. */
  readonly wish?: {
    /** Its text in a list of preferences; the value replaces `…`. */
    readonly says: string
    readonly is: "number" | "text" | "list"
    /** For a number: its maximum, and its most decimals. */
    readonly most?: number
    readonly places?: number
    /** The next similar order does not take it over. */
    readonly isOfOneOrder?: true
  }
  /** An allowance for this order alone, under the column's name: a file, a row and `--set` can give it like a flag. */
  readonly allows?: true
  readonly flag?: BookingFlag
  readonly column?: BookingColumn
}

function allowanceColumn<const Name extends keyof typeof ALLOWANCES>(
  name: Name,
  title: string,
  headings: string,
) {
  const about = ALLOWANCES[name]
  const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}, for this order (no).`
  return { name, headings, own: { title, kind: "yesNo", about: sentence, example: "no" } } as const
}

const PARTY_EXAMPLE = 'NAME, FILE.json or "ADDRESS"'

/** In the order of the help, of the template and of `--columns`. */
export const BOOKING_FIELDS = [
  {
    path: "sender",
    flag: {
      name: "sender",
      takes: "<name|file>",
      kind: "party",
      group: "From and to",
      about: "who sends the goods: a saved address, a FILE.json, or an address in quotes",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "collection",
    flag: {
      name: "collection",
      takes: "<name|file>",
      kind: "party",
      group: "From and to",
      about: "where it is collected: a saved address, a FILE.json, or an address in quotes",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "receiver",
    flag: {
      name: "receiver",
      takes: "<name|file>",
      kind: "party",
      group: "From and to",
      about: "who the goods are for: a saved address, a FILE.json, or an address in quotes",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "collection.residential",
    beside: { title: "From a home" },
    flag: {
      name: "fromResidential",
      kind: "yesNo",
      group: "From and to",
      about: "the goods are collected from a home",
    },
  },
  {
    path: "receiver.residential",
    beside: { title: "To a home" },
    flag: {
      name: "toResidential",
      kind: "yesNo",
      group: "From and to",
      about: "the goods are delivered to a home",
    },
  },
  {
    path: "packages",
    flag: {
      name: "package",
      takes: "<spec>",
      kind: "package",
      group: "What",
      about:
        "2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each; or a saved package's name; several with ; between (repeatable)",
      example: "2x40x30x20@5.5",
      isRepeatable: true,
    },
    column: {
      headings: "Packages, Package",
      isNeeded: true,
      own: {
        title: "the packages",
        kind: "packages",
        about:
          "Count x length x width x height in cm @ kg each, or a saved package's name; several with ; between.",
        example: "2x40x30x20@5.5; 1x10x10x10@1",
      },
    },
  },
  {
    column: {
      name: "package.count",
      headings: [SHARED.quantity, ...COUNT_HEADINGS].join(", "),
      template: "Qty",
      bearing: "count",
      // A sheet may have one for cartons and one for pallets.
      mayRepeat: true,
      own: {
        title: "the number of packages",
        kind: "count",
        about: "Number of packages, if all packages of the row are alike (1).",
        example: "2",
      },
    },
  },
  {
    column: {
      name: "package.lengthCm",
      headings:
        "Length, Length cm, L, Package length, Parcel length, Carton length, Box length, Pallet length",
      template: "Length",
      own: { title: "the length of a package", kind: "cm", about: "Length of each in cm.", example: "40" },
    },
  },
  {
    column: {
      name: "package.widthCm",
      headings: "Width, Width cm, W, Package width, Parcel width, Carton width, Box width, Pallet width",
      template: "Width",
      own: { title: "the width of a package", kind: "cm", about: "Width of each in cm.", example: "30" },
    },
  },
  {
    column: {
      name: "package.heightCm",
      headings:
        "Height, Height cm, H, Package height, Parcel height, Carton height, Box height, Pallet height",
      template: "Height",
      own: { title: "the height of a package", kind: "cm", about: "Height of each in cm.", example: "20" },
    },
  },
  {
    column: {
      name: "package.size",
      looseHeadings: `Size, Dimensions, Dimension, L x W x H, Dims L x W x H, Dimensions L x W x H,
      Size L x W x H, Measurements, Package size, Package dimensions, Parcel size,
      Parcel dimensions, Carton size, Carton dimensions, Box size, Box dimensions, Pallet size`,
      own: {
        title: "the size of a package",
        kind: "size",
        about: "Length x width x height of each in cm, in one cell.",
        example: "40x30x20",
      },
    },
  },
  {
    column: {
      name: "package.weightKg",
      headings: `${SHARED.weight}, Weight each, Unit weight, Weight per package, Package weight, Parcel weight,
      Carton weight, Weight per carton, Weight per item`,
      template: "Weight",
      own: {
        title: "the weight of each package",
        kind: "kg",
        about: "Weight of each in kg, not the total.",
        example: "5.5",
      },
    },
  },
  {
    column: {
      name: "package.totalWeightKg",
      headings: `${SHARED.totalWeight}, Total weight kg, Total wt, Consignment weight, Shipment weight,
      Order weight, Order total weight`,
      own: {
        title: "the weight of all packages",
        kind: "kg",
        about: "Weight of all packages of the row in kg; each has its share.",
        example: "11",
      },
    },
  },
  {
    column: {
      name: "weightUnit",
      headings: `${SHARED.weightUnit}, Weight measure`,
      bearing: "unit",
      own: {
        title: "the unit of the weights",
        kind: "unit",
        about: "Unit of the weights: kg, g, t, lb or oz (kg).",
        example: "kg",
      },
    },
  },
  {
    column: {
      name: "sizeUnit",
      headings: `Dimension unit, Dimensions unit, Dimension units, Dimensions units, Dim unit, Dim units,
        Dims unit, Dimension UOM, Dim UOM, Size unit, Length unit, Length units, Length UOM, Measurement unit,
        Unit of dimensions, Unit of length, Cm/in, Cm or in`,
      bearing: "unit",
      own: {
        title: "the unit of the sizes",
        kind: "unit",
        about: "Unit of the sizes: cm, mm, m, in or ft (cm).",
        example: "cm",
      },
    },
  },
  {
    column: {
      name: "unit",
      headings: `${SHARED.unitOfMeasure}, Units of measure, Unit system, Measurement system, Measurement units`,
      mayRepeat: true,
      bearing: "unit",
      own: {
        title: "the unit of weights or sizes",
        kind: "unit",
        about: "Unit of the weights or of the sizes; metric, or imperial for lb and in.",
        example: "metric",
      },
    },
  },
  {
    column: {
      name: "currency",
      headings: SHARED.currency,
      bearing: "currency",
      own: {
        title: "the currency",
        kind: "currency",
        about: "Currency of amounts: AUD (AUD).",
        example: "AUD",
      },
    },
  },
  {
    column: {
      name: "status",
      headings: `${SHARED.status}, ${SHARED.documentStatus}, Order status, Shipping status, Shipment status,
      Delivery status, Dispatch status, Despatch status, Fulfilment status, Fulfillment status,
      ${SHARED.paymentStatus}, Current status, State of order, Order state, Stage, Order stage, Sales status,
      Item status, Lineitem fulfillment status`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how far the order is",
        kind: "text",
        about: "How far the order is: cancelled, on hold, shipped. Only those to be shipped are booked.",
        example: "open",
      },
    },
  },
  {
    column: {
      name: "cancelled",
      headings: `Cancelled, Canceled, Cancelled at, Canceled at, Cancelled on, Date cancelled, Cancelled date,
        Is cancelled, Voided, Void`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether it is cancelled",
        kind: "text",
        about: "Anything but no: the order is cancelled.",
        example: "no",
      },
    },
  },
  {
    column: {
      name: "onHold",
      headings: "On hold, Hold, Held, Is on hold",
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether it waits",
        kind: "text",
        about: "Anything but no: the order waits.",
        example: "no",
      },
    },
  },
  {
    column: {
      name: "shipped",
      headings: `Shipped, Shipped at, Shipped on, Shipped on date, Shipped date, Date shipped, Is shipped,
        Dispatched, Dispatched at, Dispatched on, Date dispatched, Dispatched date, Despatched, Despatched at,
        Despatched on, Date despatched, Despatched date, Sent, Sent on, Date sent, Booked, Booked on,
        Delivered, Delivered on, Date delivered, Fulfilled, Fulfilled at, Fulfilled on, Date fulfilled`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether it was sent",
        kind: "text",
        about: "Anything but no: the order was sent already.",
        example: "no",
      },
    },
  },
  {
    column: {
      name: "trackingNumber",
      headings: `${SHARED.tracking}, ${SHARED.consignment}`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "the tracking number",
        kind: "reference",
        about: "Not empty: the order was sent already.",
        example: "",
      },
    },
  },
  {
    column: {
      name: "paid",
      headings:
        "Paid on, Paid on date, Paid at, Date paid, Paid date, Paid, Payment date, Payments date, Payment received",
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether it is paid",
        kind: "text",
        about: "Empty or no, beside others that are not: the order waits.",
        example: "",
      },
    },
  },
  {
    column: {
      name: "toSend",
      headings: `Ship?, Send?, Dispatch?, Despatch?, Book?, To ship, To send, To dispatch, To despatch, To book,
        Ship it, Send it, Ship now, Send now`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether it is to be sent",
        kind: "text",
        about: "Yes or no; no and empty: the order is left out.",
        example: "yes",
      },
    },
  },
  {
    column: {
      name: "deliveryMethod",
      headings: `Delivery method, Delivery option, Shipping method, Shipping method title,
        Shipping option, Ship method, Shipping service, Ship service level, Postage service, Fulfilment method, Fulfillment method, Fulfilment type,
        Fulfillment type, Pickup or delivery, Delivery or pickup`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how it is delivered",
        kind: "text",
        about: "Local pickup, click and collect, local delivery: the order is left out.",
        example: "Standard",
      },
    },
  },
  {
    column: {
      name: "paymentMethod",
      headings: "Payment method, Payment method title, Payment gateway, Gateway",
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how it is paid",
        kind: "text",
        about: "A bogus gateway: the order is a test, and left out.",
        example: "PayID",
      },
    },
  },
  {
    column: {
      name: "clickAndCollect",
      headings:
        "Click and collect, Click & collect, Local pickup, Store pickup, In-store pickup, Customer pickup",
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "whether the customer fetches it",
        kind: "text",
        about: "Anything but no: the customer fetches it.",
        example: "no",
      },
    },
  },
  {
    column: {
      name: "orderedQuantity",
      headings: `${SHARED.orderedQuantity}, Quantity purchased, Purchased quantity, Qty purchased, Item qty ordered`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how many of an item were ordered",
        kind: "text",
        about: "How many of an item were ordered; 0: there is nothing to send.",
        example: "1",
      },
    },
  },
  {
    column: {
      name: "openQuantity",
      headings: `Quantity to ship, Qty to ship, Quantity remaining, Remaining quantity, Qty remaining,
        Quantity outstanding, Outstanding quantity, Qty outstanding`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how many of an item are still to be sent",
        kind: "text",
        about: "How many of an item are still to be sent.",
        example: "1",
      },
    },
  },
  {
    column: {
      name: "shippedQuantity",
      headings: `${SHARED.shippedQuantity}, Shipped quantity, Shipped qty, Quantity sent, Qty sent,
      Quantity dispatched, Qty dispatched, Qty despatched, Quantity fulfilled, Qty fulfilled,
      Item qty shipped`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how many of an item were sent",
        kind: "text",
        about: "How many of an item were sent already.",
        example: "0",
      },
    },
  },
  {
    column: {
      name: "returnedQuantity",
      headings: `Quantity refunded, Refunded quantity, Qty refunded, Quantity returned, Qty returned,
        Quantity cancelled, Quantity canceled, Qty cancelled, Qty canceled, Item qty refunded, Item refunded qty,
        Item qty cancelled, Item qty canceled, SKU quantity of return`,
      mayRepeat: true,
      bearing: "state",
      own: {
        title: "how many of an item came back",
        kind: "text",
        about: "How many of an item were refunded or cancelled.",
        example: "0",
      },
    },
  },
  {
    path: "packagingCode",
    flag: {
      name: "packaging",
      takes: "<code>",
      kind: "packaging",
      group: "What",
      about: "carton (CT), box, satchel, pallet, envelope, crate, drum, roll, bag or piece",
      example: "CT",
    },
    column: {
      headings: `Packaging, Packaging type, Package type, Packing, Packing type, Pack type, Packed in, Packed as,
      Type of packaging, Type of package`,
      template: "Packaging",
      isNeeded: true,
    },
  },
  {
    path: "serviceCode",
    flag: {
      name: "service",
      takes: "<code>",
      kind: "text",
      group: "Which service",
      about: "the service to book: a code, cheapest, best-value, fastest or reliable",
      example: "CODE or cheapest, or --rate RATEID",
    },
    column: {
      name: "service",
      headings: `${SHARED.service}, ${SHARED.serviceLevel}`,
      template: "Service",
      isNeeded: true,
      own: {
        title: "the service",
        kind: "text",
        about: "A service code, or cheapest, best-value, fastest or reliable.",
        example: "cheapest",
        isOpen: true,
      },
    },
  },
  {
    wish: { says: "account …", is: "text" },
    column: {
      name: "connector",
      headings: "Connector, Connector id",
      own: {
        title: "the carrier account",
        kind: "text",
        about: "The carrier account to book with; needed only if several offer the service.",
        example: "connector-a",
      },
    },
  },
  {
    wish: { says: "up to AUD … with GST", is: "number", most: 1e9, places: 2 },
    column: {
      name: "maxPrice",
      headings: "Max price, Maximum price, Price limit",
      template: "Max price",
      own: {
        title: "the highest price",
        kind: "money",
        about: "Book only up to this price with GST.",
        example: "50.00",
      },
    },
  },
  {
    wish: { says: "there by …", is: "text", isOfOneOrder: true },
    column: {
      name: "arriveBy",
      headings: `Arrive by, Deliver by, Delivery by, Required by, Needed by, Due by, Must arrive by, Required date,
      Date required, Latest delivery date`,
      own: {
        title: "the day by which it arrives",
        kind: "when",
        about: "Book only a service that arrives by this day, or day and time.",
        example: "2026-11-27",
      },
    },
  },
  {
    wish: { says: "within … days", is: "number", most: 999, places: 0 },
    column: {
      name: "within",
      headings: "Within days, Deliver within, Max days, Maximum days",
      own: {
        title: "the days that it may take",
        kind: "days",
        about: "Book only a service that arrives within this many days of the collection.",
        example: "3",
      },
    },
  },
  {
    wish: { says: "in time …%", is: "number", most: 100, places: 3 },
    column: {
      name: "onTime",
      headings: "On time percent, In time percent",
      own: {
        title: "how often a service has to be in time",
        kind: "text",
        about: "Book only a service that arrived in time this often, where that is known.",
        example: "90%",
      },
    },
  },
  {
    wish: { says: "avoiding …", is: "list" },
    column: {
      name: "avoid",
      headings: "Avoid service, Avoid carrier, Do not use",
      own: {
        title: "the services to avoid",
        kind: "names",
        about: "Services and carriers to avoid, separated by commas; or none.",
        example: "GEN, A",
      },
    },
  },
  {
    path: "collectionDateTime",
    flag: {
      name: "ready",
      takes: "<time>",
      kind: "moment",
      group: "When",
      about: 'ready for collection, local time there: 2026-11-23T10:00, "tomorrow 10am"',
      example: '"tomorrow 10am"',
    },
    column: {
      headings: `Ready, ${SHARED.shipDate}, Ready date`,
      template: "Ready",
      isNeeded: true,
    },
  },
  {
    column: {
      name: "readyTime",
      headings: "Ready time, Collection time, Pickup time",
      own: {
        title: "the time of day when it is ready",
        kind: "clock",
        about: "Time when the goods are ready, if collectionDateTime is only a day.",
        example: "10:00",
      },
    },
  },
  {
    path: "collectionCloseTime",
    flag: {
      name: "close",
      takes: "<time>",
      kind: "closeTime",
      group: "When",
      about: "the premises close, local time there: 17:00",
      example: "17:00",
    },
    column: { headings: "Close, Close time, Closing time", template: "Close", isNeeded: true },
  },
  {
    path: "payer",
    flag: {
      name: "payer",
      takes: "<who>",
      kind: "payer",
      group: "From and to",
      about: "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (default: sender)",
      example: "sender",
    },
    column: {
      headings: "Payer, Charge to",
      own: {
        title: "who pays",
        kind: "payer",
        about: "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (sender).",
        example: "sender",
      },
    },
  },
  { path: "payer.accountNumber", column: { headings: "Account number, Payer account, Billing account" } },
  {
    path: "customerReference",
    flag: { name: "reference", takes: "<text>", kind: "text", group: "What", about: "your own reference" },
    column: {
      name: "reference",
      headings: `Order, ${SHARED.reference}, ${SHARED.orderNumber}, ${SHARED.purchaseOrder}, Order id, Sales order,
      Order ref, Order reference, No`,
      looseHeadings:
        "Our ref, Our reference, Sales order no, SO, SO no, Job, Job no, Docket, Docket no, Delivery docket, Web order",
      template: "Order",
      isNeeded: true,
      own: {
        title: "your own reference",
        kind: "reference",
        about:
          "Your own name for the consignment, different in each row: the same reference is never booked twice.",
        example: "SO-10442",
      },
    },
  },
  {
    path: "specialInstructions",
    flag: {
      name: "instructions",
      takes: "<text>",
      kind: "text",
      group: "What",
      about: "special instructions for the driver",
    },
    column: {
      headings: `Instructions, ${SHARED.notes}, Special instructions, Delivery instructions, Delivery instruction,
      Delivery notes, Customer note`,
      looseHeadings:
        "Note, Remarks, Driver notes, Driver instructions, Courier instructions, Delivery comments",
      template: "Instructions",
    },
  },
  {
    path: "costCentre",
    beside: { title: "Cost centre", isShown: true },
    flag: {
      name: "costCentre",
      takes: "<name>",
      kind: "text",
      group: "What",
      about: "who pays for it in your own books; it is not sent",
    },
    column: {
      headings: "Cost centre, Cost center, Dept, Department",
      own: {
        title: "the cost centre",
        kind: "text",
        about: "Who pays for it in your own books: a department. It is not sent.",
        example: "Sales",
        isOpen: true,
      },
    },
  },
  {
    path: "returnOf",
    beside: { title: "Return of", isOfOneOrder: true },
    flag: {
      name: "returnOf",
      takes: "<order>",
      kind: "text",
      group: "What",
      about: "it brings back this booking: the two parties change places; all of it, or what --package says",
    },
    column: {
      headings: "Return of, Return of order",
      own: {
        title: "the order that it brings back",
        kind: "reference",
        about: "The booking that it brings back: sender and receiver change places, the goods are the same.",
        example: "SO-10442",
      },
    },
  },
  {
    path: "dropOff",
    beside: { title: "Dropped off", isOfOneOrder: true },
    flag: {
      name: "dropOff",
      kind: "yesNo",
      group: "When",
      about: "the goods are brought to the carrier: no pickup is booked",
    },
    column: {
      headings: "Drop off, Dropped off",
      own: {
        title: "whether it is brought to the carrier",
        kind: "yesNo",
        about: "The goods are brought to the carrier: no pickup is booked (no).",
        example: "no",
      },
    },
  },
  {
    path: "dangerousGoods",
    flag: {
      name: "dangerousGoods",
      kind: "yesNo",
      group: "What",
      about: "the consignment contains dangerous goods",
    },
    column: { headings: SHARED.dangerousGoods },
  },
  { allows: true, column: allowanceColumn("allowPast", "whether a past time is accepted", "Allow past") },
  {
    allows: true,
    column: allowanceColumn("allowDensity", "whether an unusual weight is accepted", "Allow density"),
  },
  {
    allows: true,
    column: allowanceColumn("acceptPlaces", "whether an unknown place is accepted", "Accept places"),
  },
  {
    allows: true,
    column: allowanceColumn("withoutMissing", "whether a carrier may be missing", "Without missing"),
  },
] as const satisfies readonly BookingField[]

type Entry = (typeof BOOKING_FIELDS)[number]
type FlagEntry = Extract<Entry, { flag: object }>

export type FieldOptions = {
  [Flag in FlagEntry["flag"] as Flag["name"]]?: Flag extends { takes: string }
    ? Flag extends { isRepeatable: true }
      ? string[]
      : string
    : boolean
}

export const FLAG_FIELDS: readonly FlagEntry[] = BOOKING_FIELDS.filter((field) => "flag" in field)

/** The flags of the fields, by their names: a command spreads them into its own. */
export const BOOKING_FLAGS = Object.fromEntries(FLAG_FIELDS.map(({ flag }) => [flag.name, flag])) as {
  readonly [F in FlagEntry["flag"] as F["name"]]: F
}

/**
 * The flag of each field that can be missing. Totals are computed from the packages, and the account from the payer.
 */
export const MISSING_FLAGS: readonly { path: string; flag: string }[] = [
  {
    path: "payer.accountNumber",
    flag: `${toFlagName(BOOKING_FLAGS.payer.name)} receiver:ACCOUNT (or thirdparty:ACCOUNT)`,
  },
  ...FLAG_FIELDS.flatMap(({ path, flag }) => {
    if (!("example" in flag)) return []
    const given = { flag: `${toFlagName(flag.name)} ${flag.example}` }
    return path === "packages"
      ? [
          { path, ...given },
          { path: "items", ...given },
        ]
      : [{ path, ...given }]
  }),
]

/** The columns of fields, without those of parties. */
export const COLUMN_FIELDS: readonly (BookingField & { readonly column: BookingColumn })[] =
  BOOKING_FIELDS.filter((field) => "column" in field)

/**
 * The parties, and the words before the headings of their columns: `Ship to suburb`. Without them a column is the
 * receiver's.
 */
export const PARTY_HEADINGS = {
  receiver:
    "Receiver, Recipient, Consignee, Delivery, Deliver to, Ship to, Ship, Shipping, Destination, To, Customer, Client",
  sender: "Sender, Shipper, Consignor, Ship from, From",
  collection: "Collection, Collect from, Pickup, Pickup from",
} as const

export type PartyName = keyof typeof PARTY_HEADINGS
export const PARTIES = Object.keys(PARTY_HEADINGS) as readonly PartyName[]

/** The fields that every address needs. */
export const ADDRESS_PARTS = ["companyName", "address1", "suburb", "state", "postcode"] as const

/** The columns of a party: the parts of its address, and texts that freight splits into them. */
export const PARTY_COLUMNS: readonly (BookingColumn & {
  readonly name: string
  readonly isOfSender?: true
  readonly parties?: readonly PartyName[]
})[] = [
  {
    name: "companyName",
    headings: `${SHARED.company}, Business, Business name, Organisation, Organization`,
    template: "Company",
    isOfSender: true,
  },
  {
    name: "contactName",
    headings: "Contact, Contact name, Contact person, Attention, Attention to, Attn, Attn to, Att, FAO",
    template: "Contact",
    isOfSender: true,
  },
  {
    name: "name",
    headings: `${SHARED.name}, Full name`,
    own: {
      title: "the name",
      kind: "text",
      about: "The company's name, or the contact's if the company has its own column.",
      example: "Lee Watson",
    },
  },
  {
    name: "firstName",
    headings: "First name, Given name",
    own: { title: "the first name", kind: "text", about: "First name.", example: "Lee" },
  },
  {
    name: "lastName",
    headings: "Last name, Surname, Family name",
    own: { title: "the last name", kind: "text", about: "Last name.", example: "Watson" },
  },
  { name: "phoneAreaCode", headings: "Area code" },
  {
    name: "phoneNumber",
    headings: `Phone, Phone number, Telephone, Tel, Mobile, Mobile phone, Mob, Cell, Cell phone, Ph, Ph no, Phone no,
    Contact phone, Contact number, Contact no, Contact mobile`,
    template: "Phone",
  },
  { name: "email", headings: "Email, E-mail, Email address", template: "Email", isOfSender: true },
  {
    name: "address1",
    headings: `${SHARED.street}, Address, Street address, Street line 1, Address 1&2, Detail address`,
    template: "Street",
    isOfSender: true,
  },
  {
    name: "streetNumber",
    headings: `Street number, Street no, Street num, St no, House, House number, House no, House num,
    Building number, Building no, Address number, Address no`,
    own: {
      title: "the number in the street",
      kind: "text",
      about: "The number in the street; it goes in front of the street.",
      example: "8",
    },
  },
  {
    name: "address2",
    headings: `${SHARED.street2}, Street line 2, Unit`,
    template: "Address 2",
  },
  {
    name: "address3",
    headings: "Address 3, Address line 3, Street 3, Street line 3",
    own: {
      title: "the third line of the address",
      kind: "text",
      about: "A third line of the address; it goes into the second.",
      example: "Dock 3",
    },
  },
  { name: "suburb", headings: `${SHARED.suburb}, Locality`, template: "Suburb", isOfSender: true },
  {
    name: "state",
    headings: `${SHARED.state}, Province, State code, Province code`,
    template: "State",
    isOfSender: true,
  },
  {
    name: "postcode",
    headings: `${SHARED.postcode}, Zip code, P/code`,
    looseHeadings: "P/C",
    template: "Postcode",
    isOfSender: true,
  },
  {
    name: "country",
    headings: `${SHARED.country}, Country code`,
    own: { title: "the country", kind: "country", about: "Australia, or empty.", example: "Australia" },
  },
  {
    name: "residential",
    headings: "Residential",
    template: "Residential",
    looseHeadings: `Is residential, Residential delivery, Residential address, Resi, Home, Home delivery,
    Delivery type, Address type, Delivery address type, Residential indicator, Residential flag, Resi flag`,
    parties: ["receiver", "collection"],
    own: {
      title: "the mark for a home",
      kind: "home",
      about: "A home, not a business; some carriers charge more for it (no).",
      example: "no",
    },
  },
]

/** `Qty, Quantity` as its headings. */
export function splitHeadings(headings = ""): string[] {
  return headings.split(/,\s+/).filter((each) => each !== "")
}
