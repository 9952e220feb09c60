/** Letters to carriers about what is open on their bills, each with its pages of evidence. */
import path from "node:path"
import { quoteBlanks } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import { toFileName } from "../base/file-names.ts"
import { groupBy } from "../base/grouping.ts"
import { quoted } from "../base/parsed.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import type { Deps } from "../session/index.ts"
import { type Dispute, readDisputes } from "../ledger/index.ts"
import { gatherPages, LETTER_ENDINGS, type LetterFormat, renderPages } from "./letter-pages.ts"
import {
  chooseDisputes,
  describeLetter,
  findAccount,
  findSender,
  findTaxed,
  isOpen,
  isToBeSent,
  type LetterHead,
  nameWithSupplier,
  type Standing,
  standingsOf,
} from "../bills/index.ts"

interface LetterOptions {
  /** The file of the one letter, its format by its ending; `-` is text on standard output. */
  output?: string
  /** The folder of a letter for each bill, as PDF. */
  dir?: string
  /** Name of the saved party that writes. */
  as?: string
  hasEvidence: boolean
  force: boolean
}

/** A letter about one bill. */
export interface SavedLetter {
  /** One of its disputes. */
  dispute: Dispute
  /** All that is open on the bill. */
  standings: readonly Standing[]
  file: string
}

/**
 * Writes a letter about all that is open on each bill that is named; where none is, on each that has something to be sent.
 * @returns those that went into files
 * @throws FreightError `usage` for several bills and no folder; `notFound` where nothing is open
 */
export async function writeLetters(
  deps: Deps,
  names: readonly string[],
  { output = "-", dir, as: party, hasEvidence, force }: LetterOptions,
): Promise<SavedLetter[]> {
  const format = chooseFormat(output)
  const all = standingsOf(await readDisputes((await deps.readLedger()).store.database))
  const bills = listOpenBills(all, names)
  if (dir === undefined && bills.length > 1) throw severalBills(bills)
  const letters = bills.map((standings): SavedLetter => {
    const [{ dispute }] = standings
    const file =
      dir === undefined ? output : path.join(dir, `${toFileName(nameWithSupplier(dispute), "bill")}.pdf`)
    return { standings, dispute, file }
  })
  if (dir !== undefined) for (const { file } of letters) deps.outputs.check({ file, writes: "pdf", force })
  const from = await findSender(deps, party)
  const day = formatDate(wallClockNow(deps.clock.now()))
  const saved: SavedLetter[] = []
  for (const letter of letters) {
    const { dispute, file, standings } = letter
    const head = { day, from, account: await findAccount(deps, dispute) }
    const written = await renderLetter(deps, standings, {
      head,
      hasEvidence,
      format: dir === undefined ? format : "pdf",
    })
    if (file === "-") await deps.terminal.stdout.write(written)
    else {
      await deps.outputs.write(file, written)
      const sent = `freight disputes sent ${quoteBlanks(nameBillAlone(dispute, all))}`
      await deps.note(`Saved as ${file}. When it is sent: ${sent}`)
      saved.push(letter)
    }
  }
  return saved
}

function chooseFormat(output: string): LetterFormat {
  const format =
    output === "-" ? "txt" : LETTER_ENDINGS.find((each) => output.toLowerCase().endsWith(`.${each}`))
  if (format !== undefined) return format
  throw new FreightError(
    "usage",
    `a letter is PDF, HTML or text: -o takes a name that ends in .pdf, .html or .txt, not '${output}'`,
  )
}

type OpenBill = readonly [Standing, ...Standing[]]

/** All that is open on each bill of what is named, or is to be sent where nothing is named. */
function listOpenBills(all: readonly Standing[], names: readonly string[]): OpenBill[] {
  const chosen = names.length > 0 ? chooseDisputes(all, names) : all.filter(isToBeSent)
  const bills = new Set(chosen.map(({ dispute }) => toBillKey(dispute)))
  const open = all.filter((each) => isOpen(each) && bills.has(toBillKey(each.dispute)))
  const grouped = [...groupBy(open, ({ dispute }) => toBillKey(dispute)).values()] as unknown as OpenBill[]
  if (grouped.length > 0) return grouped
  throw new FreightError("notFound", names.length > 0 ? "nothing is open there" : "nothing is to be sent", {
    next: "freight disputes --all",
  })
}

function toBillKey({ supplier, billNumber, file }: Dispute): string {
  return JSON.stringify([supplier, billNumber || file])
}

function severalBills(bills: readonly OpenBill[]): FreightError {
  return new FreightError(
    "usage",
    `these are ${bills.length} bills, and a letter is about one: name one of them, or a folder with --dir`,
    {
      hint: `They are ${bills.map(([{ dispute }]) => quoted(nameWithSupplier(dispute))).join(", ")}.`,
      next: "freight disputes",
    },
  )
}

/** The bill's number, with its supplier where another's bill has that number too. */
function nameBillAlone(dispute: Dispute, all: readonly Standing[]): string {
  const bill = dispute.billNumber || dispute.file
  const isAlone = all.every(
    (each) => each.dispute.billNumber !== bill || toBillKey(each.dispute) === toBillKey(dispute),
  )
  return isAlone ? bill : nameWithSupplier(dispute)
}

async function renderLetter(
  deps: Deps,
  standings: readonly Standing[],
  { head, hasEvidence, format }: { head: LetterHead; hasEvidence: boolean; format: LetterFormat },
): Promise<string | Uint8Array> {
  const taxedIds = await findTaxed((await deps.readLedger()).store.database, standings)
  const page = describeLetter(standings, taxedIds, head)
  return renderPages(page, hasEvidence ? await gatherPages(deps, standings) : [], format)
}
