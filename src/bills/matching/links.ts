/** People's links from bill numbers to shipments, for bills whose names are unknown. */
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import { plainName, type Statements } from "../../ledger/index.ts"
import { findLinks, hasLinks, type Link } from "../records/links.ts"
import type { Bill, BillName, NamedLines } from "../bill.ts"
import type { Consignment, Links } from "./match.ts"

/** A link as given by a person. */
export interface GivenLink {
  /** As it stands on bills. */
  number: string
  /** Any name of a shipment; empty removes a link. */
  shipment: string
  /** Keep it for all later bills. */
  isAlways: boolean
}

/** A link as it is kept, without who gave it and when; without a file it applies to all bills. */
export type LinkDraft = Omit<Link, "id" | "at" | "workstation" | "person">

const ON_ALL_BILLS = { supplier: "", billNumber: "", billDate: "", file: "" }

export interface Linked {
  /** Lines that are linked on one bill only are kept separate. */
  named: readonly NamedLines[]
  links: Links
  drafts: readonly LinkDraft[]
}

/** Finds the links of these lines: first the given ones, then the kept ones, newest first. */
export async function linkNames(
  named: readonly NamedLines[],
  statements: Statements,
  given: readonly GivenLink[] = [],
): Promise<Linked> {
  const isAnyKept = await hasLinks(statements)
  if (!isAnyKept && given.length === 0) return { named, links: new Map(), drafts: [] }
  const numbers = named.flatMap(listNumbers)
  for (const { number } of given)
    if (!numbers.includes(plainName(number)))
      throw new FreightError("usage", `--link: none of these bills names ${quoted(number)}`, {
        hint: "Nothing was audited. Give the number as the bill has it.",
      })
  const kept = isAnyKept ? await findLinks(statements, numbers) : []
  const byNumber = new Map<string, LinkDraft[]>()
  const add = (link: LinkDraft) => byNumber.set(link.number, [...(byNumber.get(link.number) ?? []), link])
  for (const { number, shipment } of given) add({ number: plainName(number), shipment, ...ON_ALL_BILLS })
  for (const each of kept) add(each)
  const links = new Map<NamedLines, BillName>()
  const split = named.flatMap((lines) => {
    const own = listNumbers(lines).flatMap((number) => byNumber.get(number) ?? [])
    if (own.length === 0) return [lines]
    const bills = [...new Set(lines.lines.map(({ bill }) => bill))]
    return bills.map((bill): NamedLines => {
      const link = own.find((each) => each.file === "" || isOnBill(each, bill))
      const some =
        bills.length === 1
          ? lines
          : {
              ...lines,
              key: `${lines.key} ${bill.file} ${bill.number}`,
              lines: lines.lines.filter((line) => line.bill === bill),
            }
      if (link && link.shipment !== "") links.set(some, { text: link.shipment, field: "link" })
      return some
    })
  })
  return { named: split, links, drafts: toDrafts(given, named) }
}

/** The numbers by which a link is found, including one that a spreadsheet shortened. */
function listNumbers({ names, damaged }: NamedLines): string[] {
  return [...names.map(({ text }) => plainName(text)), ...(damaged === undefined ? [] : [plainName(damaged)])]
}

function isOnBill({ supplier, billNumber, file }: LinkDraft, bill: Bill): boolean {
  if (bill.number === "") return billNumber === "" && file === path.basename(bill.file)
  return billNumber === bill.number && supplier === bill.supplier
}

/** For each bill that has the number, or for all bills. */
function toDrafts(given: readonly GivenLink[], named: readonly NamedLines[]): LinkDraft[] {
  return given.flatMap(({ number: written, shipment, isAlways }) => {
    const number = plainName(written)
    if (isAlways) return [{ number, shipment, ...ON_ALL_BILLS }]
    const lines = named.filter((each) => listNumbers(each).includes(number)).flatMap((each) => each.lines)
    return Array.from(new Set(lines.map(({ bill }) => bill)), (bill) => ({
      ...{ number, shipment, supplier: bill.supplier, billNumber: bill.number, billDate: bill.date },
      file: path.basename(bill.file),
    }))
  })
}

export function checkLinks(consignments: readonly Consignment[], given: readonly GivenLink[]): void {
  for (const { number, shipment } of given) {
    const linked = consignments.filter((each) => each.named.some(({ link }) => link?.text === shipment))
    const found = linked.every(({ match }) => match.is === "booked")
    if (shipment !== "" && !found)
      throw new FreightError(
        "notFound",
        `--link ${number}=${shipment}: no shipment ${quoted(shipment)} is known`,
        {
          hint: "Name it by its id, consignment number, order number or reference. Nothing was audited.",
          next: "freight history",
        },
      )
  }
}
