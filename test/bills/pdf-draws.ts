/** Bills in PDFs whose columns, papers, figures, levies and fonts are drawn by lot, each beside its twin in CSV. */
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib"
import type { Database } from "../../src/ledger/database/database.ts"
import { auditBill, BOOKED, csv, money, taxOf, tryBill } from "./desk.ts"
import { createDraw, type Draw } from "./layouts.ts"

/** A text in a column, or from a place on; a negative place is that of a right edge. */
type Text = readonly [text: string, at: number | string]
type Texts = readonly Text[]

interface Column {
  heading: string
  isAmount: boolean
}

interface Shape {
  columns: readonly Column[]
  /** The rows of a consignment, in the order of the columns. */
  rowsOf(each: Charge): readonly (readonly string[])[]
  /** Where sums stand in columns of their own: without GST, GST, with it. */
  sums?: readonly [exGst: number, gst: number, incGst: number]
  /** Whether amounts hold GST. */
  isInc?: boolean
}

interface Charge {
  number: string
  reference: string
  cents: number
  fuel: number
}

const word = (heading: string): Column => ({ heading, isAmount: false })
const amount = (heading: string): Column => ({ heading, isAmount: true })
const inc = (cents: number) => cents + taxOf(cents)

const SHAPES: Readonly<Record<string, Shape>> = {
  "three amounts": {
    columns: [
      ...["Consignment", "Reference", "Service"].map(word),
      ...["Ex GST", "GST", "Inc GST"].map(amount),
    ],
    rowsOf: ({ number, reference, cents }) => [
      [number, reference, "STD", ...[cents, taxOf(cents), inc(cents)].map(money)],
    ],
    sums: [3, 4, 5],
  },
  "an amount without GST": {
    columns: [...["Date", "Connote", "Your Ref", "To"].map(word), amount("Charge ex GST")],
    rowsOf: ({ number, reference, cents }) => [["24/11/26", number, reference, "GEELONG", money(cents)]],
  },
  "an amount with GST": {
    columns: [...["Connote No", "Ref", "Service", "Qty"].map(word), amount("Total inc GST")],
    rowsOf: ({ number, reference, cents }) => [[number, reference, "STD", "2", money(inc(cents))]],
    isInc: true,
  },
  parts: {
    columns: [
      ...["Con Note", "Reference", "Items", "Kg"].map(word),
      ...["Freight", "Fuel", "Net", "GST", "Gross"].map(amount),
    ],
    rowsOf: ({ number, reference, cents, fuel }) => [
      [number, reference, "3", "12", ...[cents - fuel, fuel, cents, taxOf(cents), inc(cents)].map(money)],
    ],
    sums: [6, 7, 8],
  },
  "charges below": {
    columns: [
      ...["Connote", "Consigned", "Cust Ref", "From", "To", "Item / Charge Description", "Qty"].map(word),
      amount("Charge Amt"),
    ],
    rowsOf: ({ number, reference, cents, fuel }) => [
      [number, "24-Nov-26", reference, "ALEXANDRIA", "PERTH", "GEN 4 CTN 88KG", "4", money(cents - fuel)],
      ["", "", "", "", "", "Fuel Levy @ 6.66%", "", money(fuel)],
    ],
  },
}

const FONTS = [
  StandardFonts.Helvetica,
  StandardFonts.TimesRoman,
  StandardFonts.Courier,
  StandardFonts.HelveticaBold,
]

const HEAD: readonly Texts[] = [
  [["Coral Freight Pty Ltd", 40]],
  [["Tax Invoice", 40]],
  [["Invoice No: CF-1001", 40]],
  [["Invoice Date: 24/11/2026", 40]],
]

/** Texts beside the charges, as lines of a page. @param due with GST @param right edge of its amounts */
const PAPERS: Readonly<Record<string, (due: number, right: number) => readonly Texts[]>> = {
  none: () => [],
  ageing: (due, right) => [
    [
      ["Current", -120],
      ["30 Days", -200],
      ["60 Days", -280],
      ["Total Due", -right],
    ],
    [
      [money(due), -120],
      ["412.10", -200],
      ["0.00", -280],
      [money(due + 41_210), -right],
    ],
  ],
  account: (due, right) =>
    (
      [
        ["Opening balance", 81_210],
        ["Payment received 18/11/2026", -40_000],
        ["This invoice", due],
        ["Total outstanding", due + 41_210],
      ] as const
    ).map(([label, cents]) => [
      [label, -right + 140],
      [money(cents), -right],
    ]),
  slip: (due, right) => [
    [["Remittance slip: please detach and return with your payment", 40]],
    [
      ["Account: HL-2041", 40],
      ["Invoice: CF-1001", 160],
      ["Amount due", -right + 70],
      [money(due), -right],
    ],
  ],
}

const FIGURES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  thousands: (text) => text.replace(/\B(?=(?:\d{3})+\.)/g, ","),
  "$ before": (text) => text.replace(/^(-?)/, "$1$$"),
  "$ and a blank": (text) => text.replace(/^(-?)/, "$1$$ "),
  "AUD before": (text) => `AUD ${text}`,
  "AUD after": (text) => `${text} AUD`,
  brackets: (text) => text.replace(/^-(.*)/, "($1)"),
  "minus after": (text) => text.replace(/^-(.*)/, "$1-"),
  "CR after": (text) => text.replace(/^-(.*)/, "$1 CR"),
}

const LEVIES = ["none", "none", "levy", "rebate", "levy in columns", "levy in a table", "levy after GST"]
const WRONGS = ["", "", "", "", "", "a row", "amounts due", "sub total"]

const AMOUNT = /^-?\d+\.\d\d$/

export interface DrawnBill {
  what: string
  pdf: Uint8Array
  twin: string
  /** The error in it, because of which it may not be read. Empty if it is right. */
  wrong: string
  /** If the bill is read, a note matches this or the levy is a charge. */
  told?: RegExp
  /** The bill's, in cents. */
  levy: number
}

/** A bill that is drawn by lot. @param rename how a heading is called in the PDF, and not in its twin */
export async function drawBill(
  seed: number,
  rename = (heading: string, _draw: Draw) => heading,
): Promise<DrawnBill> {
  const draw = createDraw(seed * 7919)
  const pick = <Each>(some: readonly Each[]) => some[draw(some.length)] as Each
  const pickName = <Each>(some: Readonly<Record<string, Each>>) => pick(Object.keys(some))
  const shapeName = pickName(SHAPES)
  const shape = SHAPES[shapeName] as Shape
  const charges = Array.from({ length: 2 + draw(11) }, (_, at): Charge => {
    const { number, reference, cents: booked } = BOOKED[at] as (typeof BOOKED)[number]
    const own = Math.round(booked / 10) * 10
    const cents = own + pick([0, 0, 0, 0, 1000, 20_000])
    return { number, reference, cents, fuel: Math.round(cents / 77) * 10 }
  })
  const exSum = charges.reduce((sum, { cents }) => sum + cents, 0)
  let levy = pick(LEVIES)
  if (levy === "levy in columns" && !shape.sums) levy = "levy"
  const isAfter = levy === "levy after GST"
  const levyLabel = levy === "rebate" ? "Volume rebate" : pick(["Fuel levy 4.5%", "Fuel levy on sub total"])
  const levyCents = levy === "none" ? 0 : Math.round((exSum * (levy === "rebate" ? -3 : 4.5)) / 1000) * 10
  const isIncLevy = shape.isInc === true
  const taxed = exSum + (isAfter ? 0 : levyCents)
  const due = inc(taxed) + (isAfter ? levyCents : 0)
  const drawnWrong = pick(WRONGS)
  const mark = pick(["none", "none", "none", "$ at the left", "raised", "apart"])
  // Where columns and letters stand equally far apart, a sub total cannot be read.
  const hasSubTotal = levy !== "none" && mark !== "apart"
  const wrong = drawnWrong === "sub total" && !hasSubTotal ? "" : drawnWrong
  // Not by as much as the levy.
  const subOff = wrong === "sub total" ? 777 + (Math.abs(levyCents - 777) < 50 ? 200 : 0) : 0
  const figures = pickName(FIGURES)
  const paper = pickName(PAPERS)
  const place = pick(["above", "between", "below"])
  const isNarrow = pick([true, false, false, false])
  const isSplitHeading = pick([true, false, false])
  const size = pick([6, 7, 8, 9])
  const gap = pick([2, 3, 4, 6, 12])
  const align = pick(["cells", "left", "centre"])
  const fontName = pick(FONTS)
  const most = pick([6, 40, 40])
  const totals = shape.sums ? pick(["block", "columns"]) : "block"
  const what = [
    ...[
      shapeName,
      `${charges.length} rows`,
      levy,
      wrong,
      figures,
      paper === "none" ? "" : `${paper} ${place}`,
    ],
    ...[mark === "none" ? "" : mark, isNarrow ? "narrow" : "", isSplitHeading ? "split heading" : ""],
    ...[`gap ${gap}`, align, fontName, `size ${size}`, most < 40 ? "pages" : "", totals],
  ]
    .filter((each) => each !== "")
    .join(", ")

  // Rows and sums, as cells.
  const rows = charges.flatMap((each) => shape.rowsOf(each))
  const misprinted = draw(charges.length)
  const printed = charges.flatMap((each, at) =>
    shape.rowsOf(wrong === "a row" && at === misprinted ? { ...each, cents: each.cents + 1000 } : each),
  )
  const { columns, sums } = shape
  const inColumns = (label: string, exGst: number) =>
    columns.map((_, at) => {
      const found = sums?.indexOf(at) ?? -1
      return at === 0 ? label : found < 0 ? "" : money([exGst, taxOf(exGst), inc(exGst)][found] ?? 0)
    })
  const sum = (label: string, cents: number): readonly [string, number] => [label, cents]
  const block = [
    // One that stands twice may be of parts.
    ...(levy === "none" || levy === "levy in columns"
      ? []
      : [sum("Sub total", (isIncLevy ? inc(exSum) : exSum) + subOff)]),
    ...(levy === "levy" || levy === "rebate" ? [sum(levyLabel, isIncLevy ? inc(levyCents) : levyCents)] : []),
    ...(isIncLevy ? [] : [sum("Total ex GST", taxed), sum("GST", taxOf(taxed))]),
    sum("Total inc GST", inc(taxed)),
    ...(isAfter ? [sum("Fuel levy", levyCents), sum("Amount due", due)] : []),
  ]
  const levyTable: readonly (readonly string[])[] = [
    [
      pick(["Charge", "Description", "Surcharge"]),
      "Rate",
      "On",
      isIncLevy ? "Total inc GST" : "Amount ex GST",
    ],
    ["Fuel levy", "4.5%", money(exSum), money(isIncLevy ? inc(levyCents) : levyCents)],
  ]
  const last = (label: string, cents: number) =>
    columns.map((_, at) => (at === 0 ? label : at === columns.length - 1 ? money(cents) : ""))
  const twin = csv(
    columns.map(({ heading }) => heading),
    ...rows,
    ...(levy === "none" || isAfter
      ? []
      : [
          last("Sub total", isIncLevy ? inc(exSum) : exSum),
          sums ? inColumns(levyLabel, levyCents) : last(levyLabel, isIncLevy ? inc(levyCents) : levyCents),
        ]),
    ...(isIncLevy ? [] : [last("Total ex GST", taxed), last("GST", taxOf(taxed))]),
    last("Total inc GST", inc(taxed)),
  )

  // The page.
  const pdf = await PDFDocument.create()
  const font = pdf.embedStandardFont(fontName)
  const write = FIGURES[figures] as (text: string) => string
  const widthOf = (text: string) => font.widthOfTextAtSize(text, size)
  const bodies = printed.map((row) => row.map((cell) => (AMOUNT.test(cell) ? write(cell) : cell)))
  const inColumnSums =
    totals === "columns"
      ? [
          ...(levy === "none" ? [] : [inColumns("Sub total", exSum + subOff)]),
          ...(levy === "none" || isAfter || levy === "levy in a table"
            ? []
            : [inColumns(levyLabel, levyCents)]),
          inColumns("Total", taxed),
        ]
      : levy === "levy in columns"
        ? [inColumns("Sub total", exSum + subOff), inColumns(levyLabel, levyCents)]
        : []
  const sumCells = inColumnSums.map((row) => row.map((cell) => (AMOUNT.test(cell) ? write(cell) : cell)))
  const renaming = createDraw(seed * 104_729)
  const headings = columns.map((column) => {
    const heading = rename(column.heading, renaming)
    const words = heading.split(" ")
    const half = Math.ceil(words.length / 2)
    return isSplitHeading && words.length > 1
      ? [words.slice(0, half).join(" "), words.slice(half).join(" ")]
      : ["", heading]
  })
  const numbers = columns.findIndex((_, at) => rows[0]?.[at] === charges[0]?.number)
  const narrowTo = widthOf("SBC00000")
  const widths = columns.map((_, at) => {
    const cells = bodies.map((row) => (isNarrow && at === numbers ? "SBC00000" : (row[at] ?? "")))
    const own = sumCells.map((row) => (at === 0 ? "" : (row[at] ?? "")))
    const wide = Math.max(...[...cells, ...own, ...(headings[at] ?? [])].map(widthOf))
    return wide + (mark === "$ at the left" && columns[at]?.isAmount ? widthOf("$") + 6 : 0)
  })
  const lefts = widths.map((_, at) => 40 + widths.slice(0, at).reduce((all, each) => all + each + gap, 0))
  const right = Math.max(420, ...lefts.map((left, at) => left + (widths[at] ?? 0)))
  const leading = size * 1.4
  let page = pdf.addPage([right + 40, 842])
  let y = 800
  const put = (text: string, x: number) => page.drawText(text, { x, y, size, font })
  /** An amount at its right edge, as it is marked. */
  const putRight = (text: string, edge: number) => {
    const isFigure = /\d\.\d\d/.test(text)
    const [, whole = "", cents = "", rest = ""] = /^(.*)\.(\d\d)(.*)$/.exec(text) ?? []
    if (mark === "raised" && isFigure && rest === "") {
      const small = font.widthOfTextAtSize(cents, size * 0.65)
      put(whole, edge - small - widthOf(whole))
      page.drawText(cents, { x: edge - small, y: y + size * 0.33, size: size * 0.65, font })
    } else if (mark === "apart" && isFigure) {
      let at = edge - widthOf(text) - 0.12 * size * (text.length - 1)
      for (const letter of text) {
        put(letter, at)
        at += widthOf(letter) + 0.12 * size
      }
    } else put(text, edge - widthOf(text))
  }
  const next = (lines = 1) => {
    y -= leading * lines
  }
  const putCells = (cells: readonly string[], left: number) => {
    for (const [at, cell] of cells.entries()) {
      if (cell === "") continue
      const [from = 0, wide = 0] = [lefts[at], widths[at]]
      if (columns[at]?.isAmount && at >= left) {
        if (mark === "$ at the left") put("$", from)
        putRight(cell, from + wide)
      } else if (isNarrow && at === numbers && widthOf(cell) > narrowTo + 1 && cell.startsWith("SBC")) {
        put(cell.slice(0, 8), from)
        y -= size * 1.1
        put(cell.slice(8), from)
        y += size * 1.1
      } else put(cell, from)
    }
    next(isNarrow ? 2.2 : 1)
  }
  const putHeadings = () => {
    const lines = headings.some(([above]) => above !== "") ? [0, 1] : [1]
    for (const part of lines) {
      for (const [at, texts] of headings.entries()) {
        const text = texts[part] ?? ""
        const spare = (widths[at] ?? 0) - widthOf(text)
        const share = align === "centre" ? 0.5 : align === "cells" && columns[at]?.isAmount ? 1 : 0
        if (text !== "") put(text, (lefts[at] ?? 0) + spare * share)
      }
      next(part === 0 ? 0.85 : 1.3)
    }
  }
  const putLines = (lines: readonly Texts[]) => {
    for (const line of lines) {
      for (const [text, at] of line) {
        const isFigure = AMOUNT.test(text)
        const shown = isFigure ? write(text) : text
        const edge = Number(at)
        if (edge >= 0) put(text, edge)
        else if (isFigure) putRight(shown, -edge)
        else put(shown, -edge - widthOf(shown))
      }
      next()
    }
  }
  const paperLines = (PAPERS[paper] as (typeof PAPERS)[string])(due, right)
  const dueLine = (cents: number): Texts => [
    ["Amount due", 40],
    [money(cents), -200],
  ]
  putLines(HEAD)
  if (wrong === "amounts due") putLines([dueLine(due)])
  if (place === "above") putLines(paperLines)
  next()
  putHeadings()
  for (const [at, cells] of bodies.entries()) {
    if (at > 0 && at % most === 0) {
      page = pdf.addPage([right + 40, 842])
      y = 800
      putHeadings()
    }
    putCells(cells, 0)
  }
  putCellsOf(sumCells)
  function putCellsOf(lines: readonly (readonly string[])[]) {
    for (const cells of lines) putCells(cells, 1)
  }
  next()
  if (place === "between") putLines(paperLines)
  if (levy === "levy in a table") {
    for (const cells of levyTable) {
      putLines([cells.map((cell, at): Text => [cell, [40, 150, -270, -right][at] ?? 0])])
    }
    next()
  }
  if (totals === "block")
    putLines(
      block.map(
        ([label, cents]): Texts => [
          [label, -right + 150 < 0 ? right - 200 : 40],
          [money(cents), -right],
        ],
      ),
    )
  else
    putLines(
      (isAfter ? block.slice(-3) : block.slice(-1)).map(
        ([label, cents]): Texts => [
          [label, right - 200],
          [money(cents), -right],
        ],
      ),
    )
  next()
  if (place === "below") putLines(paperLines)
  if (wrong === "amounts due") putLines([[["Remittance advice", 40]], dueLine(due + 900)])
  return {
    what,
    pdf: await pdf.save(),
    twin,
    wrong: paper === "account" || paper === "ageing" ? wrong.replace("amounts due", "") : wrong,
    ...(isAfter && { told: /in no row/ }),
    levy: levyCents,
  }
}

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

/** The verdict of the audit on each consignment, in cents. A number of a PDF that nobody knows cannot be told. */
const describeRows = (rows: Rows) =>
  rows
    .map(({ consignmentNumber: consignment, verdict, billed, disputed, gstBasis: gst }) => {
      const cents = [billed, disputed].map((each) => Math.round(each * 100))
      return [consignment, verdict.replace("not-ours", "cannot-tell"), ...cents, gst].join(" ")
    })
    .sort()

export const describeBilled = (rows: Rows) =>
  rows
    .map(({ consignmentNumber: consignment, billed }) => `${consignment} ${Math.round(billed * 100)}`)
    .sort()

/** Draws bills, and has each read. @returns what is wrong, and how many were read, asked about and refused */
export async function tryDrawnBills(
  database: Database,
  { from = 1, count }: { from?: number; count: number },
) {
  const counts = { read: 0, asked: 0, refused: 0, wronglyMade: 0 }
  const wrong: string[] = []
  const refusals: string[] = []
  for (let seed = from; seed < from + count; seed++) {
    const bill = await drawBill(seed)
    const outcome = await tryBill(database, { bill: bill.pdf })
    if (bill.wrong !== "") counts.wronglyMade++
    if (outcome.asked || outcome.refused) {
      if (bill.wrong === "") {
        counts[outcome.asked ? "asked" : "refused"]++
        const why = outcome.refused?.message ?? JSON.stringify(outcome.asked)
        refusals.push(`seed ${seed}: ${bill.what}: ${why}`)
      }
      continue
    }
    if (bill.wrong !== "") {
      wrong.push(`seed ${seed}: ${bill.what}: read, with what is wrong in it`)
      continue
    }
    counts.read++
    // A charge below the GST has no stated basis, so less of it may be disputed: only billed amounts are compared.
    const describe = bill.told ? describeBilled : describeRows
    const twin = describe((await auditBill(database, { bill: bill.twin })).rows)
    const own = describe(outcome.rows)
    const [extra, missing] = [
      own.filter((each) => !twin.includes(each)),
      twin.filter((each) => !own.includes(each)),
    ]
    const notes = "notes" in outcome ? outcome.notes : []
    const isTold = bill.told !== undefined && notes.some((each) => bill.told?.test(each))
    // A levy below the GST is either a charge of the bill or named in a note.
    const isCharged =
      extra.length === 1 && missing.length === 0 && extra[0]?.endsWith(` ${bill.levy}`) === true
    const isRight = extra.length + missing.length === 0
    if (bill.told ? !isTold && !isCharged : !isRight || own.length !== twin.length)
      wrong.push(`seed ${seed}: ${bill.what}: ${extra.join("; ")} and not ${missing.join("; ")}`)
  }
  return { wrong, counts, refusals }
}
