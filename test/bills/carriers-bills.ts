/**
 * Twelve bills in the shapes that carriers give them, each with mistakes that are planted, and the key of what is right.
 * They were written without sight of the code that reads them. Names are invented.
 */
import { type Booked, csv, money, taxOf, workbookOf } from "./desk.ts"

/** The right result: the verdict for a consignment, and the cents without GST that are not owed for it. */
export interface Planted {
  consignment: string
  verdict: "over" | "billed-twice" | "not-ours" | "wrong-weight" | "wrong-service" | "wrong-gst"
  cents: number
}

export interface CarriersBill {
  bill: string | Uint8Array
  sheets?: readonly string[]
  booked: readonly Booked[]
  key: readonly Planted[]
  number?: string
  day?: string
}

/** Amounts in cents without GST. */
interface Shipped extends Booked {
  receiver: string
  suburb: string
  state: string
  postcode: string
  pieces: number
  kg: number
  freight: number
  fuel: number
  service: string
  /** A further charge, and its label. */
  extra: number
  extraLabel: string
  gst: number
}

const PLACES = [
  ["HUNTER LIGHTING", "Newcastle", "NSW", "2300"],
  ["CAPITAL CABINETS", "Fyshwick", "ACT", "2609"],
  ["BARWON ELECTRICAL", "Geelong", "VIC", "3220"],
  ["EUREKA GLASS", "Ballarat", "VIC", "3350"],
  ["TOP END PARTS", "Darwin City", "NT", "0800"],
  ["GEOGRAPHE BOLTS", "Bunbury", "WA", "6230"],
  ["TOTAL TOOLS HOBART", "Hobart", "TAS", "7000"],
  ["SWAN HARDWARE", "Adelaide", "SA", "5000"],
  ["CREDIT UNION FITOUTS", "Parramatta", "NSW", "2150"],
  ["YARRA TOOLS", "Fortitude Valley", "QLD", "4006"],
] as const

const COUNT = 20

const gstOf = (each: Shipped) => taxOf(each.freight + each.fuel + each.extra)
const ex = ({ freight, fuel, extra }: Shipped) => freight + fuel + extra
const inc = (each: Shipped) => ex(each) + each.gst

/** Bookings and their right charges; in whole tens of cents where the bill's amounts hold GST, so that none is rounded. */
function ship(numberOf: (at: number) => string, salt: number, unit = 1): readonly Shipped[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const [receiver, suburb, state, postcode] = PLACES[(at + salt) % PLACES.length] ?? PLACES[0]
    const kg = 4 + ((at * 7 + salt) % 23)
    const freight = Math.round((1630 + ((at * 1373 + salt * 911) % 9700)) / unit) * unit
    const fuel = Math.round((freight * 0.137) / unit) * unit
    const each = {
      ...{ number: numberOf(at), reference: `SO-${12_000 + salt * 100 + at}`, cents: freight + fuel },
      ...{ grams: kg * 1000, receiver, suburb, state, postcode, pieces: 1 + (at % 3), kg, freight, fuel },
      ...{ service: "STD", extra: 0, extraLabel: "", gst: 0 },
    }
    return { ...each, gst: gstOf(each) }
  })
}

type Mistake =
  | "weight"
  | "zone"
  | "fuel"
  | "tailgate"
  | "residential"
  | "redelivery"
  | "twice"
  | "not ours"
  | "service"
  | "gst"

/** Each mistake in turn on another consignment, and the others as they were booked. */
function plant(
  shipped: readonly Shipped[],
  mistakes: readonly Mistake[],
  { unit = 1, stranger = "ZZ" }: { unit?: number; stranger?: string } = {},
): { billed: readonly Shipped[]; key: readonly Planted[] } {
  const key: Planted[] = []
  const billed = shipped.flatMap((each, at): readonly Shipped[] => {
    const mistake = at % 2 === 1 ? mistakes[(at - 1) / 2] : undefined
    if (!mistake) return [each]
    const dearer = (changes: Partial<Shipped>, verdict: Planted["verdict"] = "over"): readonly Shipped[] => {
      const changed = { ...each, ...changes }
      key.push({ consignment: each.number, verdict, cents: ex(changed) - ex(each) })
      return [{ ...changed, gst: gstOf(changed) }]
    }
    switch (mistake) {
      case "weight":
        return dearer({ kg: each.kg * 3, freight: each.freight * 2 }, "wrong-weight")
      case "zone":
        return dearer({ freight: each.freight + Math.round((each.freight * 0.31) / unit) * unit })
      case "fuel":
        return dearer({ fuel: each.fuel * 2 + 10 * unit })
      case "tailgate":
        return dearer({ extra: 3850, extraLabel: "Tailgate" })
      case "residential":
        return dearer({ extra: 1240, extraLabel: "Residential Delivery" })
      case "redelivery":
        return dearer({ extra: 2420, extraLabel: "Redelivery" })
      case "service":
        return dearer({ service: "EXP", freight: each.freight + 1910 }, "wrong-service")
      case "twice":
        key.push({ consignment: each.number, verdict: "billed-twice", cents: ex(each) })
        return [each, each]
      case "not ours": {
        const other = { ...each, number: stranger, reference: "" }
        key.push({ consignment: stranger, verdict: "not-ours", cents: ex(other) })
        return [each, other]
      }
      default:
        key.push({ consignment: each.number, verdict: "wrong-gst", cents: 0 })
        return [{ ...each, gst: Math.round(ex(each) * 0.15) }]
    }
  })
  return { billed, key }
}

const sumOf = (billed: readonly Shipped[], of: (each: Shipped) => number) =>
  billed.reduce((all, each) => all + of(each), 0)
const filled = (cents: number) => (cents === 0 ? "" : money(cents))
const padded = (at: number, length: number) => String(at).padStart(length, "0")
const dollars = (cents: number) => `$${money(cents).replace(/\B(?=(\d{3})+\.)/g, ",")}`
const DATES = ["23/11/2026", "24/11/2026"] as const
const dateOf = (at: number) => DATES[at < COUNT / 2 ? 0 : 1]

function expressDetail(): CarriersBill {
  const shipped = ship((at) => `KXSA${padded(4_410_071 + at * 13, 8)}`, 1)
  const { billed, key } = plant(
    shipped,
    ["weight", "zone", "fuel", "tailgate", "twice", "not ours", "service", "gst", "redelivery"],
    { stranger: "KXSA00977003" },
  )
  const headings = [
    ...["Account No", "Invoice No", "Invoice Date", "Despatch Date", "Connote", "Customer Ref", "Service"],
    ...["From Suburb", "To Name", "To Suburb", "To PC", "Items", "Actual Wt", "Cubic", "Charge Wt"],
    ...["Base Charge", "Fuel Surcharge", "Security Fee", "Other Surcharge", "Total Excl GST", "GST"],
    "Total Incl GST",
  ]
  const rows = billed.map((each, at) => [
    ...["10078841", "7100448812", "30/11/2026", dateOf(at), each.number, each.reference, each.service],
    ...["ALEXANDRIA", each.receiver, each.suburb, each.postcode, each.pieces, each.kg, "0.041", each.kg],
    ...[money(each.freight), money(each.fuel), "0.00", money(each.extra), money(ex(each)), money(each.gst)],
    money(inc(each)),
  ])
  return { bill: csv(headings, ...rows), booked: shipped, key, number: "7100448812", day: "2026-11-30" }
}

function byDay(): CarriersBill {
  const shipped = ship((at) => `TWL${padded(900_412 + at * 7, 9)}`, 2)
  const { billed, key } = plant(
    shipped,
    ["zone", "weight", "redelivery", "fuel", "gst", "twice", "not ours", "service", "residential"],
    { stranger: "TWL000100555" },
  )
  const total = (label: string, some: readonly Shipped[]) => [
    ...[label, "", "", "", "", "", "", "", sumOf(some, ({ kg }) => kg), "", ""],
    ...[sumOf(some, ({ freight }) => freight), sumOf(some, ({ fuel }) => fuel)].map(money),
    ...[sumOf(some, ({ extra }) => extra), sumOf(some, ex), sumOf(some, ({ gst }) => gst)].map(money),
    money(sumOf(some, inc)),
  ]
  const days = DATES.map((date) => {
    const some = billed.filter((_, at) => at < 11 === (date === DATES[0]))
    return [
      [`Despatched ${date}`],
      ...some.map((each) => [
        ...[each.number, date, each.reference, each.receiver, each.suburb.toUpperCase(), each.postcode],
        ...[each.service, each.pieces, each.kg, "0.0520", Math.max(each.kg, 13)],
        ...[money(each.freight), money(each.fuel), filled(each.extra), money(ex(each)), money(each.gst)],
        money(inc(each)),
      ]),
      total(`Total for ${date}`, some),
    ]
  })
  const bill = csv(
    ["TWINLINE ROAD EXPRESS PTY LTD", "", "", "", "TAX INVOICE", "ABN 51 004 118 220"],
    ["PO Box 77", "", "", "", "Page 1 of 1"],
    ["To: Harbour Lighting Pty Ltd", "", "", "", "Invoice:", "TR-0044871"],
    ["Account: 20449", "", "", "", "Invoice date:", "29 Nov 2026"],
    ["", "", "", "", "Payment due:", "13 Dec 2026"],
    [],
    [
      ...["Con Note", "Date", "Sender's Ref", "Receiver", "Town", "Pcode", "Serv", "Items", "Kilos", "Vol"],
      ...["Chg Kilos", "Freight", "Fuel", "Sundry", "Net", "GST", "Gross"],
    ],
    ...days.flat(),
    total("INVOICE TOTAL", billed),
  )
  return { bill, booked: shipped, key, number: "TR-0044871", day: "2026-11-29" }
}

function chargeLines(): CarriersBill {
  const shipped = ship((at) => `${padded(81_220_417 + at * 3, 10)}`, 3)
  const { billed, key } = plant(
    shipped,
    ["tailgate", "zone", "twice", "not ours", "weight", "fuel", "residential", "redelivery", "zone"],
    { stranger: "0081999001" },
  )
  const rows = billed.flatMap((each) => {
    const row = (code: string, label: string, cents: number) => [
      ...["INV5520187", "20261129", each.number, each.reference, code, label, each.pieces, each.kg],
      ...[money(cents), "S10"],
    ]
    return [
      row("FRT", "Road Freight", each.freight),
      row("FAF", "Fuel Adjustment Factor", each.fuel),
      ...(each.extra > 0 ? [row("ANC", each.extraLabel, each.extra)] : []),
    ]
  })
  const bill = csv(
    ["Charges by consignment. Prices are exclusive of GST."],
    [
      ...["Invoice Number", "Invoice Date", "Connote", "Reference", "Charge Code", "Charge Description"],
      ...["Qty", "Kg", "Amount", "Tax Code"],
    ],
    ...rows,
  )
  return { bill, booked: shipped, key, number: "INV5520187", day: "2026-11-29" }
}

function extraCharges(): CarriersBill {
  const shipped = ship((at) => `77${padded(4_400_188 + at * 31, 8)}`, 4)
  const { billed, key } = plant(
    shipped,
    ["fuel", "gst", "weight", "zone", "not ours", "twice", "tailgate", "residential", "redelivery"],
    { stranger: "7799000321" },
  )
  const head = ["GEB", "PERR00098127", "20261128", "961004471"]
  const facts = (each: Shipped, line: string) => [
    ...[line, ...head, each.number, "20261124", each.reference, each.receiver, "DOMESTIC EXPRESS"],
    ...[each.pieces, each.kg, "AUD", money(ex(each)), money(inc(each)), money(each.gst)],
    ...[money(each.freight), "FF", "FUEL SURCHARGE", money(each.fuel)],
    ...(each.extra > 0 ? ["YB", each.extraLabel.toUpperCase(), money(each.extra)] : ["", "", ""]),
    money(each.fuel + each.extra),
  ]
  const sum = [
    ...["I", ...head, "", "", "", "", "", sumOf(billed, ({ pieces }) => pieces)],
    ...[sumOf(billed, ({ kg }) => kg), "AUD", money(sumOf(billed, ex)), money(sumOf(billed, inc))],
    ...[money(sumOf(billed, ({ gst }) => gst)), money(sumOf(billed, ({ freight }) => freight))],
    ...["", "", "", "", "", "", money(sumOf(billed, ({ fuel, extra }) => fuel + extra))],
  ]
  const headings = [
    ...["Line Type", "Billing Source", "Invoice Number", "Invoice Date", "Billing Account"],
    ...["Shipment Number", "Shipment Date", "Shipment Reference 1", "Receivers Name", "Product Name"],
    ...["Pieces", "Weight (kg)", "Currency", "Total amount (excl. VAT)", "Total amount (incl. VAT)"],
    ...["Total Tax", "Weight Charge", "XC1 Code", "XC1 Name", "XC1 Charge", "XC2 Code", "XC2 Name"],
    ...["XC2 Charge", "Total Extra Charges (XC)"],
  ]
  const bill = csv(headings, sum, ...billed.map((each) => facts(each, "S")))
  return { bill, booked: shipped, key, number: "PERR00098127", day: "2026-11-28" }
}

function manySurcharges(): CarriersBill {
  const shipped = ship((at) => `DRF${padded(31_044_120 + at * 9, 9)}`, 5)
  const { billed, key } = plant(
    shipped,
    ["residential", "tailgate", "gst", "zone", "weight", "redelivery", "twice", "not ours", "fuel"],
    { stranger: "DRF099111222" },
  )
  const headings = [
    ...["Connote No.", "Date", "Ref", "Receiver", "Suburb", "State", "P/C", "Service", "Items", "Weight"],
    ...["Cubic", "Freight", "FAF", "Tailgate", "Resi", "Redelivery", "Total ex. GST", "GST", "Total"],
  ]
  const rows = billed.map((each, at) => [
    ...[each.number, dateOf(at), each.reference, each.receiver, each.suburb, each.state, each.postcode],
    ...["General", each.pieces, each.kg.toFixed(1), "0.080", money(each.freight), money(each.fuel)],
    each.extraLabel === "Tailgate" ? money(each.extra) : "-",
    each.extraLabel === "Residential Delivery" ? money(each.extra) : "-",
    each.extraLabel === "Redelivery" ? money(each.extra) : "-",
    ...[money(ex(each)), money(each.gst), money(inc(each))],
  ])
  const bill = csv(
    ["Direfirst Freight Lines"],
    ["Tax Invoice No: 88120431   Date: 27/11/2026   Terms: 14 days   Phone: 1300 555 218"],
    headings,
    ...rows,
    [
      ...["", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "Amount payable"],
      ...[sumOf(billed, ex), sumOf(billed, ({ gst }) => gst), sumOf(billed, inc)].map(money),
    ],
  )
  return { bill, booked: shipped, key, number: "88120431", day: "2026-11-27" }
}

function fuelAsPercent(): CarriersBill {
  const shipped = ship((at) => `HUNX${padded(60_311 + at * 17, 7)}`, 6)
  const { billed, key } = plant(
    shipped,
    ["zone", "tailgate", "twice", "weight", "not ours", "zone", "redelivery", "residential", "weight"],
    { stranger: "HUNX0991827" },
  )
  const headings = [
    ...["Job Date", "Consignment Note", "Cust Reference", "Deliver To", "Locality", "Pcs", "Chargeable KG"],
    ...["Cartage $", "FL %", "Fuel Levy $", "Accessorials $", "Accessorial Type", "Charge $ (excl GST)"],
  ]
  const rows = billed.map((each, at) => [
    ...[dateOf(at), each.number, each.reference, each.receiver, `${each.suburb} ${each.state}`],
    ...[each.pieces, `${each.kg}kg`, money(each.freight), "13.70%", money(each.fuel), filled(each.extra)],
    ...[each.extraLabel, money(ex(each))],
  ])
  const net = sumOf(billed, ex)
  const bill = [
    "Hunterfield Express\tTax Invoice",
    "Invoice Number\t0005519",
    "Week Ending\t29/11/2026",
    "Issued\t30/11/2026",
    "",
    headings.join("\t"),
    ...rows.map((row) => row.join("\t")),
    `${"\t".repeat(11)}Sub Total\t${money(net)}`,
    `${"\t".repeat(11)}GST\t${money(taxOf(net))}`,
    `${"\t".repeat(11)}Total Due\t${money(net + taxOf(net))}`,
    "",
  ].join("\n")
  return { bill, booked: shipped, key, number: "0005519", day: "2026-11-30" }
}

function twoDepots(): CarriersBill {
  const shipped = ship((at) => `BDX${padded(7_700_120 + at * 11, 8)}`, 7)
  const { billed, key } = plant(
    shipped,
    ["weight", "fuel", "twice", "zone", "tailgate", "gst", "not ours", "redelivery", "residential"],
    { stranger: "BDX00101010" },
  )
  const headings = [
    ...["Con", "Date", "Your Reference", "Receiver", "To", "PC", "Items", "Kgs", "Freight", "Fuel Levy"],
    ...["Other Chgs", "Nett", "GST", "Total"],
  ]
  const depots = [billed.slice(0, 11), billed.slice(11)] as const
  const depot = (some: readonly Shipped[], at: number) => [
    headings,
    ...some.map((each) => [
      ...[each.number, DATES[at] ?? "", each.reference, each.receiver, each.suburb, each.postcode],
      ...[each.pieces, each.kg, money(each.freight), money(each.fuel), money(each.extra)],
      ...[money(ex(each)), money(each.gst), money(inc(each))],
    ]),
    [
      ...["Total", "", "", "", "", "", sumOf(some, ({ pieces }) => pieces), sumOf(some, ({ kg }) => kg)],
      ...[sumOf(some, ({ freight }) => freight), sumOf(some, ({ fuel }) => fuel)].map(money),
      ...[sumOf(some, ({ extra }) => extra), sumOf(some, ex), sumOf(some, ({ gst }) => gst)].map(money),
      money(sumOf(some, inc)),
    ],
  ]
  const line = (name: string, some: readonly Shipped[]) => [
    name,
    String(some.length),
    ...[sumOf(some, ex), sumOf(some, ({ gst }) => gst), sumOf(some, inc)].map(money),
  ]
  const bill = workbookOf([
    [
      "Summary",
      [
        ["Bordermark Freight", "TAX INVOICE", "BM-2026-1187"],
        ["Invoice date", "30 November 2026"],
        ["Depot", "Consignments", "Amount ex GST", "GST", "Amount inc GST"],
        line("Sydney", depots[0]),
        line("Melbourne", depots[1]),
        line("Amount payable", billed),
      ],
    ],
    ["Sydney", depot(depots[0], 0)],
    ["Melbourne", depot(depots[1], 1)],
  ])
  return { bill, booked: shipped, key, number: "BM-2026-1187", day: "2026-11-30" }
}

function withGst(): CarriersBill {
  const shipped = ship((at) => `CPQ${padded(2_231_008 + at * 4, 10)}`, 8, 10)
  const { billed, key } = plant(
    shipped,
    ["zone", "residential", "weight", "redelivery", "twice", "fuel", "not ours", "tailgate", "zone"],
    { unit: 10, stranger: "CPQ0009990007" },
  )
  const gross = (cents: number) => money(cents + taxOf(cents))
  const bill = csv(
    ["Couriers Prompt", "", "", "All amounts include GST"],
    ["Invoice #", "CP1022873", "Issue Date", "2026-11-26"],
    [
      ...["Label", "Lodged", "Customer Reference", "Recipient", "Destination", "Zone", "Weight (kg)"],
      ...["Delivery Charge", "Fuel", "Extras", "Charge"],
    ],
    ...billed.map((each, at) => [
      ...[each.number, dateOf(at), each.reference, each.receiver, `${each.suburb} ${each.postcode}`],
      ...[each.state === "NSW" ? "METRO" : "EZY", each.kg.toFixed(2), gross(each.freight), gross(each.fuel)],
      ...[gross(each.extra), gross(ex(each))],
    ]),
    ["Total", "", "", "", "", "", "", "", "", "", money(sumOf(billed, inc))],
    ["includes GST of", "", "", "", "", "", "", "", "", "", money(sumOf(billed, ({ gst }) => gst))],
  )
  return { bill, booked: shipped, key, number: "CP1022873", day: "2026-11-26" }
}

function gstBelow(): CarriersBill {
  const shipped = ship((at) => `AX${padded(5_510_334 + at * 23, 10)}`, 9)
  const { billed, key } = plant(
    shipped,
    ["redelivery", "twice", "zone", "not ours", "tailgate", "weight", "zone", "residential", "fuel"],
    { stranger: "AX0009001002" },
  )
  const net = sumOf(billed, ex)
  const bill = csv(
    ["Armada Parcel Franchise 114", "", "", "", "", "", "", ""],
    ["ABN: 77 120 006 431", "", "Ph (02) 5550 1899"],
    ["Customer", "Harbour Lighting", "", "Tax Invoice", "114-20811", "", "Date", "28-Nov-26"],
    [],
    [
      ...["Tracking No", "Pickup Date", "Reference", "Receiver", "Suburb", "Weight", "Parcels"],
      ...["Base", "Fuel Surcharge", "Surcharge", "Line Total"],
    ],
    ...billed.map((each, at) => [
      ...[each.number, dateOf(at), each.reference, each.receiver, each.suburb, `${each.kg} kg`, each.pieces],
      ...[dollars(each.freight), dollars(each.fuel), dollars(each.extra), dollars(ex(each))],
    ]),
    [],
    ["", "", "", "", "", "", "", "", "", "Subtotal", dollars(net)],
    ["", "", "", "", "", "", "", "", "", "GST 10%", dollars(taxOf(net))],
    ["", "", "", "", "", "", "", "", "", "Total inc GST", dollars(net + taxOf(net))],
    ["Bank: BSB 062-000 Account 1122 3344"],
  )
  return { bill, booked: shipped, key, number: "114-20811", day: "2026-11-28" }
}

function blocks(): CarriersBill {
  const shipped = ship((at) => `MFT${padded(120_077 + at * 19, 8)}`, 10)
  const { billed, key } = plant(
    shipped,
    ["fuel", "zone", "not ours", "residential", "tailgate", "twice", "weight", "redelivery", "zone"],
    { stranger: "MFT00888001" },
  )
  const rows = billed.flatMap((each, at) => [
    [
      ...[each.number, dateOf(at), each.reference, each.receiver, each.suburb, each.pieces, each.kg],
      ...["Freight", money(each.freight)],
    ],
    ["", "", "", "", "", "", "", "Fuel Recovery", money(each.fuel)],
    ...(each.extra > 0 ? [["", "", "", "", "", "", "", each.extraLabel, money(each.extra)]] : []),
    ["", "", "", "", "", "", "", `Total ${each.number}`, money(ex(each))],
  ])
  const net = sumOf(billed, ex)
  const bill = csv(
    ["MAINFIELD TRANSPORT", "", "", "", "", "", "", "Tax Invoice", "M0098812"],
    ["", "", "", "", "", "", "", "Invoice Date", "30/11/2026"],
    ["", "", "", "", "", "", "", "Customer Code", "HARBLI"],
    ["House Bill", "Date", "Shipper Ref", "Consignee", "Destination", "Pkgs", "Weight", "Charge", "AUD"],
    ...rows,
    ["", "", "", "", "", "", "", "Total excluding GST", money(net)],
    ["", "", "", "", "", "", "", "GST", money(taxOf(net))],
    ["", "", "", "", "", "", "", "Invoice Total", money(net + taxOf(net))],
  )
  return { bill, booked: shipped, key, number: "M0098812", day: "2026-11-30" }
}

function broker(): CarriersBill {
  const shipped = ship((at) => `EQW${padded(88_012 + at * 5, 7)}`, 11)
  const { billed, key } = plant(
    shipped,
    ["zone", "weight", "twice", "tailgate", "zone", "not ours", "gst", "residential", "redelivery"],
    { stranger: "EQW0777123" },
  )
  const bill = csv(
    [
      ...["Invoice", "Invoiced On", "Booking Ref", "Your Order #", "Carrier", "Carrier Con Note"],
      ...["Pickup", "Delivery", "Booked Kg", "Charged Kg", "Carrier Charge", "Adjustments"],
      ...["Adjustment Reason", "Sub Total ex GST", "GST", "Total inc GST"],
    ],
    ...billed.map((each, at) => [
      ...["EQ-40188", "2026-11-30", `Q${990_120 + at}`, each.reference, "Tasway Couriers", each.number],
      ...[
        "Alexandria NSW",
        `${each.suburb} ${each.state}`,
        shipped.find((s) => s.number === each.number)?.kg ?? each.kg,
      ],
      ...[each.kg, dollars(each.freight + each.fuel), dollars(each.extra), each.extraLabel],
      ...[dollars(ex(each)), dollars(each.gst), dollars(inc(each))],
    ]),
  )
  return { bill, booked: shipped, key, number: "EQ-40188", day: "2026-11-30" }
}

function lostZeros(): CarriersBill {
  const shipped = ship((at) => `00${34_118_200 + at * 7}`, 12)
  const { billed, key } = plant(
    shipped,
    ["twice", "zone", "weight", "not ours", "tailgate", "fuel", "gst", "zone", "redelivery"],
    { stranger: "0039000111" },
  )
  const rows = billed.map((each, at) => [
    ...[dateOf(at), String(Number(each.number)), each.reference, each.receiver, each.suburb, each.kg],
    ...[money(each.freight), money(each.fuel), filled(each.extra), each.extraLabel],
    ...[money(ex(each)), money(each.gst), money(inc(each))],
  ])
  const bill = workbookOf([
    [
      "Nov 26",
      [
        ["Jim & Sons Cartage".replace("&", "and"), "", "", "Invoice no. 311"],
        ["Date: 30/11/2026"],
        [
          ...["Day", "Docket", "Your PO", "Delivered to", "Town", "KG", "Freight", "Fuel", "Extras"],
          ...["What for", "Amount", "GST", "Total"],
        ],
        ...rows,
        [
          ...["", "", "", "", "", "", "", "", "", "Amount payable"],
          ...[sumOf(billed, ex), sumOf(billed, ({ gst }) => gst), sumOf(billed, inc)].map(money),
        ],
      ],
    ],
  ])
  // Known consignments are listed by their whole number, unknown ones as the bill writes it.
  const written = key.map((each) =>
    each.verdict === "not-ours" ? { ...each, consignment: String(Number(each.consignment)) } : each,
  )
  return { bill, booked: shipped, key: written, number: "311", day: "2026-11-30" }
}

export const CARRIERS_BILLS: Readonly<Record<string, () => CarriersBill>> = {
  "an export with all on each row": expressDetail,
  "days with their totals": byDay,
  "a row for each charge": chargeLines,
  "extra charges in pairs of columns, below their sum": extraCharges,
  "a column for each surcharge": manySurcharges,
  "fuel as a percentage and as an amount, with tabs": fuelAsPercent,
  "two depots and a summary": twoDepots,
  "all amounts with GST": withGst,
  "GST below the rows": gstBelow,
  "blocks with their own totals": blocks,
  "a broker of many carriers": broker,
  "a workbook that lost its zeros": lostZeros,
}
