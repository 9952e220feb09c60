/**
 * Invoices as carriers lay them out, for the programs that printed them as PDFs: pages, sheets, and sources for a
 * typesetter. Each charges what the CSV twins charge.
 */
import { csv, money, taxOf } from "./desk.ts"
import { CHARGED, type Charged } from "./layouts.ts"

type Cell = string | number

/** Cents: as a thousand is written, and what is given back with its sign. */
const dollars = (cents: number) => money(cents).replace(/\B(?=(\d{3})+\.)/g, ",")
const signed = (cents: number) => (cents < 0 ? `-$${dollars(-cents)}` : `$${dollars(cents)}`)
const bracketed = (cents: number) => (cents < 0 ? `(${dollars(-cents)})` : dollars(cents))
const credited = (cents: number) => (cents < 0 ? `${dollars(-cents)} CR` : dollars(cents))

const all = ({ freight, fuel }: Charged) => freight + fuel
const inc = (cents: number) => cents + taxOf(cents)
const TOTAL = CHARGED.reduce((sum, each) => sum + all(each), 0)
const GST = taxOf(TOTAL)
const sumOf = (some: readonly Charged[]) => some.reduce((sum, each) => sum + all(each), 0)
/** The second word of a row's place in the bill, where carriers print days, suburbs and weights. */
const SUBURBS = ["ALEXANDRIA NSW 2015", "FREMANTLE WA 6160", "TRUGANINA VIC 3029", "WACOL QLD 4076"]
/** Prints everything twice that is charged twice. */
const placeOf = ({ number }: Charged) => Number(number.slice(-2))
const suburb = (each: Charged, more = 0) => SUBURBS[(placeOf(each) + more) % SUBURBS.length] ?? ""
const day = (each: Charged) => dayAt(placeOf(each))
const dayAt = (at: number) => `${String(20 + (at % 5)).padStart(2, "0")}/11/2026`
const kilograms = (each: Charged) => String(2 + placeOf(each))

const tag = (name: string, text: string, attributes = "") =>
  `<${name}${attributes && ` ${attributes}`}>${text}</${name}>`

interface Table {
  /** A line break in one is written as `|`. A heading that ends with ">" has amounts below it. */
  headings: readonly string[]
  rows: readonly (readonly Cell[])[]
  write?: (cents: number) => string
  attributes?: string
  foot?: readonly (readonly Cell[])[]
  isHeadRepeated?: boolean
}

function table({
  headings,
  rows,
  write = dollars,
  attributes = "",
  foot = [],
  isHeadRepeated = true,
}: Table): string {
  const isRight = headings.map((heading) => heading.endsWith(">"))
  const cellsOf = (name: string, cells: readonly Cell[]) =>
    tag(
      "tr",
      cells
        .map((cell, at) =>
          tag(
            name,
            typeof cell === "number" ? write(cell) : cell.replace(/>$/, "").replaceAll("|", "<br>"),
            isRight[at] ? 'class="r"' : "",
          ),
        )
        .join(""),
    )
  const head = cellsOf("th", headings)
  const body = tag(
    "tbody",
    [...(isHeadRepeated ? [] : [head]), ...rows.map((row) => cellsOf("td", row))].join(""),
  )
  const lines = foot.map((row) => cellsOf("td", row)).join("")
  return tag(
    "table",
    (isHeadRepeated ? tag("thead", head) : "") + body + tag("tbody", lines, 'class="foot"'),
    attributes,
  )
}

/** Sums beside their words, as they stand below or beside a table. */
const sums = (
  some: readonly (readonly [label: string, cents: number])[],
  write = signed,
  attributes = 'class="sums"',
) =>
  tag(
    "table",
    some.map(([label, cents]) => tag("tr", tag("td", label) + tag("td", write(cents), 'class="r"'))).join(""),
    attributes,
  )

const STYLE = `
  body { font: 8pt Liberation Sans, Arial, sans-serif; margin: 0 }
  table { border-collapse: collapse; width: 100% }
  th { text-align: left; border-bottom: 1px solid #333; vertical-align: bottom }
  td, th { padding: 1.5pt 4pt; vertical-align: top }
  .r { text-align: right }
  .sums { width: 45%; margin: 8pt 0 8pt auto }
  .left { float: left; width: 55% } .right { float: right; width: 40% } .clear { clear: both }
  .small { font-size: 6pt } .band th { background: #003366; color: white } h1 { font-size: 16pt; margin: 0 }
  .box td, .box th { border: 1px solid #999 }
  .stamp { position: fixed; top: 300pt; left: 60pt; font-size: 90pt; color: #ddd; transform: rotate(-40deg); z-index: -1 }
  .new { page-break-before: always }`

const page = (body: string, style = "@page { size: A4; margin: 12mm }") =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Tax invoice</title><style>${style}${STYLE}</style></head><body>${body}</body></html>`

const OUR = "Port Fittings Pty Ltd<br>ABN 53 004 085 616<br>14 Bourke Road<br>ALEXANDRIA NSW 2015"
const ABN = "51 824 753 556"

const facts = (number: string, some: readonly (readonly [string, string])[] = []) =>
  sumsOfText([["Invoice No", number], ["Invoice Date", "24/11/2026"], ["Account", "10012345"], ...some])
const sumsOfText = (some: readonly (readonly [string, string])[]) =>
  tag(
    "table",
    some.map(([label, text]) => tag("tr", tag("td", label) + tag("td", text, 'class="r"'))).join(""),
  )

const letterhead = (name: string, number: string, more = "") =>
  `<div class="left"><h1>${name}</h1><p>ABN ${ABN}<br>PO Box 4321, Botany NSW 1455<br>Phone 13 12 13 &nbsp; accounts@example.com</p></div>
   <div class="right"><b>TAX INVOICE</b>${facts(number)}${more}</div><div class="clear"></div><p>Bill to:<br>${OUR}</p>`

/** A row of a consignment with parts, total and GST, and what the carrier prints beside it. */
const wideRow = (each: Charged): Cell[] => [
  day(each),
  each.number,
  each.reference,
  suburb(each),
  suburb(each, 1),
  "EXP",
  "1",
  `${kilograms(each)}.0`,
  each.freight,
  each.fuel,
  all(each),
  taxOf(all(each)),
]

const chargesOf = (each: Charged) =>
  (
    [
      ["Freight", each.freight],
      ["Fuel levy", each.fuel],
    ] as const
  ).filter(([, cents]) => cents !== 0)

const thirds = [CHARGED.slice(0, 5), CHARGED.slice(5, 11), CHARGED.slice(11)]

/** The pages were laid out before anybody looked at how they are read. */
const BLIND: Readonly<Record<string, string>> = {
  "landscape with twelve columns": page(
    `${letterhead("Eastern Star Express", "7700123")}${table({
      headings: [
        "Date",
        "Consignment",
        "Reference",
        "From",
        "To",
        "Service",
        "Items>",
        "Weight>",
        "Freight>",
        "Fuel Surcharge>",
        "Total (Ex GST)>",
        "GST>",
      ],
      rows: CHARGED.map(wideRow),
      attributes: 'class="band"',
    })}${sums([
      ["Total charges excluding GST", TOTAL],
      ["GST", GST],
      ["Total amount payable (including GST)", inc(TOTAL)],
    ])}
    <p class="small">Fuel surcharge this month: 14.50%. Please pay within 14 days to BSB 062-000 Account 1234 5678.</p>`,
    "@page { size: A4 landscape; margin: 10mm }",
  ),
  "headings of two lines and details below each row": page(
    `${letterhead("Tri National Transport", "TN-55018")}${table({
      headings: [
        "Con Note|Number",
        "Pickup|Date",
        "Customer|Reference",
        "Base|Charge>",
        "Fuel|Surcharge>",
        "Total|Excl. GST>",
      ],
      rows: CHARGED.flatMap((each) => [
        [each.number, day(each), each.reference, each.freight, each.fuel, all(each)],
        [`Sender: Port Fittings, ${suburb(each)}`, "", `Receiver: ${each.receiver}`, "", "", ""],
      ]),
    })}${sums(
      [
        ["Sub-total", TOTAL],
        ["Plus GST", GST],
        ["Invoice total", inc(TOTAL)],
      ],
      dollars,
    )}`,
  ),
  "a summary on a page of its own": page(
    `${letterhead("Tollway Priority", "P-2211009")}<h3>Summary of charges</h3>${table({
      headings: ["Description", "Amount>"],
      rows: [
        ["Freight charges", CHARGED.reduce((sum, { freight }) => sum + freight, 0)],
        ["Fuel surcharge", CHARGED.reduce((sum, { fuel }) => sum + fuel, 0)],
        ["Total excluding GST", TOTAL],
        ["GST", GST],
        ["Total including GST", inc(TOTAL)],
      ],
    })}<p>Due date: 08/12/2026</p><h3 class="new">Details of consignments</h3>${table({
      headings: [
        "Consignment No.",
        "Your reference",
        "Receiver",
        "Freight $>",
        "Fuel $>",
        "GST $>",
        "Total inc GST $>",
      ],
      rows: CHARGED.map((each) => [
        each.number,
        each.reference,
        each.receiver,
        each.freight,
        each.fuel,
        taxOf(all(each)),
        inc(all(each)),
      ]),
    })}`,
  ),
  "sums of each day": page(
    `${letterhead("Direct Linehaul", "DL901177")}${table({
      headings: ["Connote", "Sender", "Receiver", "Qty>", "Kg>", "Charge>", "FAF>", "GST>", "Total>"],
      rows: thirds.flatMap((some, at) => [
        [dayAt(at), "", "", "", "", "", "", "", ""],
        ...some.map((each): Cell[] => [
          each.number,
          "Port Fittings",
          each.receiver,
          "1",
          kilograms(each),
          each.freight,
          each.fuel,
          taxOf(all(each)),
          inc(all(each)),
        ]),
        [
          `Total for ${dayAt(at)}`,
          "",
          "",
          "",
          "",
          some.reduce((sum, { freight }) => sum + freight, 0),
          some.reduce((sum, { fuel }) => sum + fuel, 0),
          taxOf(sumOf(some)),
          inc(sumOf(some)),
        ],
      ]),
      foot: [
        [
          "Invoice total",
          "",
          "",
          "",
          "",
          CHARGED.reduce((sum, { freight }) => sum + freight, 0),
          CHARGED.reduce((sum, { fuel }) => sum + fuel, 0),
          GST,
          inc(TOTAL),
        ],
      ],
    })}`,
  ),
  "a charge on each line, and brackets": page(
    `${letterhead("Followlink Regional", "FR-3120")}${table({
      headings: ["Consignment", "Description", "Ex GST>", "GST>", "Inc GST>"],
      rows: CHARGED.flatMap((each) =>
        chargesOf(each).map(([label, cents], index): Cell[] => [
          each.number,
          index === 0
            ? `${label === "Freight" ? "Freight" : label} ALEXANDRIA to ${suburb(each)}, ${each.receiver}, ref ${each.reference}, 1 pallet`
            : label,
          cents,
          taxOf(cents),
          inc(cents),
        ]),
      ),
      write: bracketed,
      attributes: 'style="table-layout: fixed"',
    })}${sums([
      ["Total ex GST", TOTAL],
      ["GST", GST],
      ["Total inc GST", inc(TOTAL)],
    ])}`,
  ),
  "a box around each cell, and labels": page(
    `<p style="text-align:center"><b>ARROW COURIERS</b> ABN ${ABN}</p>${sumsOfText([
      ["Tax Invoice", "A0098"],
      ["Date of issue", "24 Nov 2026"],
      ["Customer", "Port Fittings Pty Ltd"],
    ])}${table({
      headings: ["Label No", "Sent to", "Order No", "Qty>", "Price ex GST>", "GST>", "Amount inc GST>"],
      rows: CHARGED.map((each) => [
        each.number,
        each.receiver,
        each.reference,
        "1",
        all(each),
        taxOf(all(each)),
        inc(all(each)),
      ]),
      write: signed,
      attributes: 'class="box"',
    })}${sums([
      ["Subtotal", TOTAL],
      ["GST 10%", GST],
      ["TOTAL DUE", inc(TOTAL)],
    ])}`,
  ),
  "two invoices, each with its pages": page(
    [CHARGED.slice(0, 7), CHARGED.slice(7)]
      .map((some, at) => {
        const cents = sumOf(some)
        return `<div class="${at ? "new" : ""}">${letterhead("Parcel Please", `PP${4410 + at}`)}${table({
          headings: ["Date", "Consignment", "Ref", "Description", "Charges>", "GST>", "Total>"],
          rows: some.map((each): Cell[] => [
            day(each),
            each.number,
            each.reference,
            "Road express",
            all(each),
            taxOf(all(each)),
            inc(all(each)),
          ]),
        })}${sums([
          ["Total (excl GST)", cents],
          ["GST", taxOf(cents)],
          ["Total (incl GST)", inc(cents)],
        ])}<p class="small">Page 1 of 1</p></div>`
      })
      .join(""),
  ),
  "amounts with GST, and a stamp": page(
    `<div class="stamp">DUPLICATE</div>${letterhead("Hi-Way Haulage", "88213")}${table({
      headings: ["Docket", "Day", "From", "To", "Reference", "GST incl.>", "Amount incl. GST>"],
      rows: CHARGED.map((each) => [
        each.number,
        day(each).slice(0, 5),
        "Sydney",
        "Perth",
        each.reference,
        taxOf(all(each)),
        inc(all(each)),
      ]),
      write: credited,
    })}<p>All amounts are in Australian dollars.</p>${sums([
      ["Total including GST", inc(TOTAL)],
      ["GST included in total", GST],
    ])}`,
  ),
  "an accounting program's invoice": page(
    `<h1>TAX INVOICE</h1><div class="left"><p>${OUR}</p></div><div class="right"><b>Invoice Date</b><br>24 Nov 2026<br><b>Invoice Number</b><br>INV-0451<br><b>Reference</b><br>November freight<br><b>ABN</b><br>${ABN}<br>Local Carriers Pty Ltd</div><div class="clear"></div>${table(
      {
        headings: ["Description", "Quantity>", "Unit Price>", "GST>", "Amount AUD>"],
        rows: CHARGED.flatMap((each) =>
          chargesOf(each).map(([label, cents]): Cell[] => [
            `${each.number} ${label} - ${each.reference}`,
            "1.00",
            cents,
            "10%",
            cents,
          ]),
        ),
      },
    )}${sums(
      [
        ["Subtotal", TOTAL],
        ["TOTAL GST 10%", GST],
        ["TOTAL AUD", inc(TOTAL)],
      ],
      dollars,
    )}<p><b>Due Date: 8 Dec 2026</b></p>`,
  ),
  "jobs of a taxi truck": page(
    `${letterhead("Capital Couriers", "CC-10777")}${table({
      headings: ["Job", "Date", "Con Note", "Pick up", "Deliver", "Vehicle", "Rate>", "Fuel Levy>", "Total>"],
      rows: CHARGED.map((each, at) => [
        String(660_100 + at),
        day(each),
        each.number,
        suburb(each),
        suburb(each, 1),
        "1T",
        each.freight,
        each.fuel,
        all(each),
      ]),
    })}${sums([
      ["Total Jobs (ex GST)", TOTAL],
      ["G.S.T.", GST],
      ["Amount Payable", inc(TOTAL)],
    ])}`,
  ),
  "ages of the account below": page(
    `${letterhead("Borderline Express", "BX 60031")}${table({
      headings: ["Consignment", "Consignee", "Weight>", "Freight>", "Fuel>", "Net>", "GST>", "Gross>"],
      rows: CHARGED.map((each) => [
        each.number,
        each.receiver,
        kilograms(each),
        each.freight,
        each.fuel,
        all(each),
        taxOf(all(each)),
        inc(all(each)),
      ]),
      foot: [
        [
          "Totals",
          "",
          "",
          CHARGED.reduce((sum, { freight }) => sum + freight, 0),
          CHARGED.reduce((sum, { fuel }) => sum + fuel, 0),
          TOTAL,
          GST,
          inc(TOTAL),
        ],
      ],
    })}${sums([
      ["Opening balance", 123_456],
      ["Payments received", -123_456],
      ["This invoice", inc(TOTAL)],
      ["Closing balance", inc(TOTAL)],
    ])}${table({
      headings: ["90+ days>", "60 days>", "30 days>", "Current>", "Total due>"],
      rows: [[0, 0, 0, inc(TOTAL), inc(TOTAL)]],
      attributes: 'class="box"',
    })}`,
  ),
  "a sum below each consignment": page(
    `${letterhead("Mainroad Freight", "MF778")}${table({
      headings: ["Consignment", "Reference", "Charge", "Amount>", "GST>"],
      rows: CHARGED.flatMap((each) => [
        ...chargesOf(each).map(([label, cents], at): Cell[] => [
          at === 0 ? each.number : "",
          at === 0 ? each.reference : "",
          label,
          cents,
          taxOf(cents),
        ]),
        ["", "", "Consignment total", all(each), taxOf(all(each))],
      ]),
      foot: [
        ["", "", "Total", TOTAL, GST],
        ["", "", "Total payable inc GST", inc(TOTAL), ""],
      ],
    })}`,
  ),
  "many pages, each with a letterhead": page(
    [0, 4, 8, 12]
      .map((from, at) => {
        const some = CHARGED.slice(from, from + 4)
        return `<div class="${at ? "new" : ""}">${letterhead("Long Road Lines", "LRL-2026-11")}<p>Page ${at + 1} of 4</p>${table(
          {
            headings: [
              "Consignment",
              "Customer Ref",
              "Service",
              "Pallets>",
              "Freight>",
              "Fuel Levy>",
              "GST>",
              "Line Total>",
            ],
            rows: [
              ...(at > 0
                ? [["Brought forward", "", "", "", "", "", "", inc(sumOf(CHARGED.slice(0, from)))] as Cell[]]
                : []),
              ...some.map((each): Cell[] => [
                each.number,
                each.reference,
                "General",
                "1",
                each.freight,
                each.fuel,
                taxOf(all(each)),
                inc(all(each)),
              ]),
              [
                at < 3 ? "Carried forward" : "Total this invoice",
                "",
                "",
                "",
                "",
                "",
                "",
                inc(sumOf(CHARGED.slice(0, from + 4))),
              ],
            ],
          },
        )}</div>`
      })
      .join("") +
      sums([
        ["Total ex GST", TOTAL],
        ["GST", GST],
        ["Total inc GST", inc(TOTAL)],
      ]),
  ),
  "the sums above the table": page(
    `${letterhead(
      "Northern Line",
      "NL-190",
      sums(
        [
          ["Total ex GST", TOTAL],
          ["GST", GST],
          ["Total due", inc(TOTAL)],
        ],
        signed,
        "",
      ),
    )}${table({
      headings: [
        "Con Note",
        "PO Number",
        "Deliver to",
        "Cubic>",
        "Dead wt>",
        "Freight Charge>",
        "Fuel Levy>",
        "Total ex GST>",
      ],
      rows: CHARGED.map((each) => [
        each.number,
        each.reference,
        `${each.receiver}, ${suburb(each)}`,
        "0.12",
        `${kilograms(each)} kg`,
        each.freight,
        each.fuel,
        all(each),
      ]),
      isHeadRepeated: false,
    })}<p class="small">Terms and conditions: all goods are carried subject to our conditions of carriage. Interest of 1.5% per month applies. Page 1</p>`,
  ),
}

/** More, laid out by somebody who knew how they are read. */
const SEEN: Readonly<Record<string, string>> = {
  "amounts before what they are for": page(
    `${letterhead("Back to Front Freight", "BF-9")}${table({
      headings: ["Net $>", "GST $>", "Gross $>", "Connote", "Reference", "Receiver"],
      rows: CHARGED.map((each) => [
        all(each),
        taxOf(all(each)),
        inc(all(each)),
        each.number,
        each.reference,
        each.receiver,
      ]),
    })}${sums([
      ["Total net", TOTAL],
      ["Total GST", GST],
      ["Total gross", inc(TOTAL)],
    ])}`,
  ),
  "ten pages": page(
    `${letterhead("Slow and Steady Transport", "SST-1010")}${table({
      headings: ["Consignment", "Your Ref", "Freight>", "Fuel Levy>", "Total ex GST>"],
      rows: CHARGED.map((each) => [each.number, each.reference, each.freight, each.fuel, all(each)]),
    })}${sums([
      ["Total ex GST", TOTAL],
      ["GST", GST],
      ["Total inc GST", inc(TOTAL)],
    ])}`,
    "@page { size: A4; margin: 12mm } tbody tr { break-inside: avoid } tbody td { padding-bottom: 400px !important }",
  ),
  "a small sheet in small letters": page(
    `<p><b>Corner Couriers</b> ABN ${ABN}</p><p>Tax invoice no. 771</p><p>Date 24/11/2026</p>${table({
      headings: ["Con No.", "Ref", "Nett>", "GST>"],
      rows: CHARGED.map((each) => [each.number, each.reference, all(each), taxOf(all(each))]),
    })}${sums([
      ["Total nett", TOTAL],
      ["GST", GST],
      ["Total", inc(TOTAL)],
    ])}`,
    "@page { size: A5; margin: 8mm } body { font-size: 5.5pt !important }",
  ),
  "groups with headings of their own": page(
    `${letterhead("Grouped Goods", "GG-7")}${table({
      headings: ["Consignment", "Reference", "Description", "Amount (ex GST)>"],
      rows: ["Sydney", "Perth"].flatMap((place, at) => {
        const some = at === 0 ? CHARGED.slice(0, 8) : CHARGED.slice(8)
        return [
          [`Depot: ${place}`, "", "", ""] as Cell[],
          ...some.flatMap((each) =>
            chargesOf(each).map(([label, cents]): Cell[] => [each.number, each.reference, label, cents]),
          ),
          [`Sub-total ${place}`, "", "", sumOf(some)] as Cell[],
        ]
      }),
    })}${sums([
      ["Total (ex GST)", TOTAL],
      ["GST", GST],
      ["Total (inc GST)", inc(TOTAL)],
    ])}`,
  ),
  "adjustments in a table of their own": page(
    `${letterhead("Two Table Transport", "TT-22")}${[
      ["Charges", CHARGED.filter((each) => all(each) > 0)] as const,
      ["Adjustments", CHARGED.filter((each) => all(each) < 0)] as const,
    ]
      .map(
        ([title, some]) =>
          `<h3>${title}</h3>${table({
            headings: ["Consignment", "Reference", "Freight>", "Fuel>", "Total ex GST>", "GST>"],
            rows: some.map((each) => [
              each.number,
              each.reference,
              each.freight,
              each.fuel,
              all(each),
              taxOf(all(each)),
            ]),
            write: bracketed,
          })}`,
      )
      .join("")}${sums([
      ["Total ex GST", TOTAL],
      ["GST", GST],
      ["Total inc GST", inc(TOTAL)],
    ])}`,
  ),
  "charges below each other in one cell": page(
    `${letterhead("Stacked Services", "SS-31")}${table({
      headings: ["Con note", "Reference", "Charge", "Ex GST>", "GST>"],
      rows: CHARGED.map((each) => {
        const some = chargesOf(each)
        const cells = (write: (cents: number) => string) => some.map(([, cents]) => write(cents)).join("|")
        return [
          each.number,
          each.reference,
          some.map(([label]) => label).join("|"),
          cells(dollars),
          cells((cents) => dollars(taxOf(cents))),
        ]
      }),
    })}${sums([
      ["Total ex GST", TOTAL],
      ["GST", GST],
      ["Total inc GST", inc(TOTAL)],
    ])}`,
  ),
  "headings in the middle of wide cells": page(
    `${letterhead("Centred Cartage", "CCC-8")}${table({
      headings: ["Consignment", "Customer reference", "Cartage", "Fuel surcharge", "GST", "Total incl. GST"],
      rows: CHARGED.map((each) => [
        each.number,
        each.reference,
        each.freight,
        each.fuel,
        taxOf(all(each)),
        inc(all(each)),
      ]),
      attributes: 'class="box middle"',
    })}${sums([
      ["Total excl. GST", TOTAL],
      ["GST", GST],
      ["Total incl. GST", inc(TOTAL)],
    ])}`,
    "@page { size: A4; margin: 12mm } .middle td, .middle th { text-align: center !important }",
  ),
}

/** As a spreadsheet holds a bill: facts, rows and sums. */
const SHEETS: Readonly<Record<string, readonly (readonly Cell[])[]>> = {
  "a sheet with its sums below": [
    ["Outback Overnight Pty Ltd"],
    [`ABN ${ABN}`],
    ["Invoice No", "OO-5561"],
    ["Invoice date", "24/11/2026"],
    [],
    ["Consignment", "Reference", "Freight", "Fuel levy", "Total ex GST", "GST"],
    ...CHARGED.map((each) => [
      each.number,
      each.reference,
      each.freight,
      each.fuel,
      all(each),
      taxOf(all(each)),
    ]),
    [],
    ["Total ex GST", "", "", "", TOTAL],
    ["GST", "", "", "", GST],
    ["Total inc GST", "", "", "", inc(TOTAL)],
  ],
  "a sheet with a row of totals": [
    ["Tax invoice", "RR-17"],
    ["Date", "24/11/2026"],
    ["Connote", "Sent to", "Amount ex GST", "GST", "Amount inc GST"],
    ...CHARGED.map((each) => [each.number, each.receiver, all(each), taxOf(all(each)), inc(all(each))]),
    ["Total", "", TOTAL, GST, inc(TOTAL)],
  ],
  "a sheet with a charge on each row": [
    ["Invoice No: KK-3"],
    ["Con note", "Charge Description", "Amount ex GST", "GST Amount"],
    ...CHARGED.flatMap((each) =>
      chargesOf(each).map(([label, cents]) => [each.number, label, cents, taxOf(cents)]),
    ),
    ["Grand total", "", TOTAL, GST],
  ],
  "a sheet with debits and credits": [
    ["Invoice number", "DC-90"],
    ["Consignment", "Debit", "Credit", "GST"],
    ...CHARGED.map((each) => [
      each.number,
      all(each) < 0 ? "" : all(each),
      all(each) < 0 ? -all(each) : "",
      taxOf(all(each)),
    ]),
    [],
    ["Total ex GST", TOTAL],
    ["GST", GST],
    ["Total inc GST", inc(TOTAL)],
  ],
}

const fill = (text: Cell, width: number) =>
  typeof text === "number" ? money(text).padStart(width) : text.padEnd(width)
const typed = (widths: readonly number[], rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => row.map((cell, at) => fill(cell, widths[at] ?? 10)).join("  ")).join("\n")

/** As a line printer or a typesetter takes them: the source of groff, with tables for tbl. */
const TYPESET: Readonly<Record<string, string>> = {
  "a list of a line printer": `.nf\n.ft C\n.ps 8\n.vs 10\n.ll 7i\nOLD MAINFRAME CARRIERS PTY LTD      ABN ${ABN}\nTAX INVOICE NO: OM-44812            DATE: 24/11/2026\n${"=".repeat(78)}\n${typed(
    [12, 10, 12, 12, 12],
    [
      ["CONSIGNMENT", "REFERENCE", "     FREIGHT", "   FUEL LEVY", "TOTAL EX GST"],
      ["-----------", "---------", "------------", "------------", "------------"],
      ...CHARGED.map((each) => [each.number, each.reference, each.freight, each.fuel, all(each)]),
      ["", "", "", "", "============"],
      ["TOTAL EX GST", "", "", "", TOTAL],
      ["GST", "", "", "", GST],
      ["TOTAL INC GST", "", "", "", inc(TOTAL)],
    ],
  )}\n`,
  "boxes around all": `.ps 9\n.vs 11\n.nf\nBoxed Logistics\nInvoice No: BL-2\n.fi\n.TS\nallbox tab(;);\nl l r r.\nConsignment;Your Ref;Amount ex GST;GST\n${CHARGED.map((each) => [each.number, each.reference, money(all(each)), money(taxOf(all(each)))].join(";")).join("\n")}\nTotal;;${money(TOTAL)};${money(GST)}\n.TE\n`,
  "cells that wrap": `.ps 9\n.vs 11\n.nf\nWrapped Wares Express\nInvoice No: WW-61\n.fi\n.TS\ntab(;);\nl lw(1.6i) r r r.\nConsignment;Sent to;Freight;Fuel;Total ex GST\n${CHARGED.map((each) => `${each.number};T{\n${each.receiver}, ${suburb(each)}\nT};${money(each.freight)};${money(each.fuel)};${money(all(each))}`).join("\n")}\n.TE\n.nf\nTotal ex GST: $${money(TOTAL)}\nGST: $${money(GST)}\nTotal inc GST: $${money(inc(TOTAL))}\n`,
  "an invoice in Times": `.ps 10\n.vs 12\n.nf\n\\s14\\fBTimes Freight\\fP\\s0\nTax invoice TF-1\nInvoice date: 24/11/2026\n.fi\n.TS\ntab(;);\nl l n n n.\nConnote;Description;Nett;GST;Gross\n_\n${CHARGED.flatMap((each) => chargesOf(each).map(([label, cents]) => [each.number, label, money(cents), money(taxOf(cents)), money(inc(cents))].join(";"))).join("\n")}\n_\nTotal;;${money(TOTAL)};${money(GST)};${money(inc(TOTAL))}\n.TE\n`,
}

const plain = (name: string) => name.replace(/[ ,']+/g, "-")
const named = (some: Readonly<Record<string, string>>, ending: string) =>
  Object.entries(some).map(([name, text]) => [`${plain(name)}.${ending}`, text] as const)

/** The files that were printed, by name. */
export function listSources(): ReadonlyMap<string, string> {
  const sheets = Object.entries(SHEETS).map(([name, rows]) => {
    const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? money(cell) : cell)))
    return [name, csv(...cells)] as const
  })
  return new Map([
    ...named({ ...BLIND, ...SEEN }, "html"),
    ...named(Object.fromEntries(sheets), "csv"),
    ...named(TYPESET, "ms"),
  ])
}

/** Those that were laid out without sight of the reader. */
export const BLIND_NAMES: ReadonlySet<string> = new Set(Object.keys(BLIND).map(plain))

/** The rows of two invoices in one file, in which each line says what it is for. */
export const TWO_INVOICES_TWIN = csv(
  ["Consignment", "Ref", "Description", "Charges", "GST", "Total"],
  ...CHARGED.map((each) => [
    ...[each.number, each.reference, "Road express"],
    ...[all(each), taxOf(all(each)), inc(all(each))].map(money),
  ]),
)
