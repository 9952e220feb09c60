/** Writes the bills of the sandbox's carriers into a file. */
import { quoted } from "../../base/parsed.ts"
import { CARRIERS } from "../../carriers/index.ts"
import { grouped } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { isNamed } from "../../base/file-names.ts"
import type { Clock, Ids } from "../../base/ports.ts"
import { formatDate, formatInstant, wallClockNow } from "../../base/wall-clock.ts"
import { readWhen } from "../../base/when.ts"
import { DEFAULT_ZONE } from "../../contract/index.ts"
import type { Carrier } from "../../contract/generated/types.ts"
import type { Outputs } from "../../machine/index.ts"
import { fileError } from "../../output/index.ts"
import { openSandboxContext, SANDBOX_SEED, type SandboxContext } from "../context.ts"
import {
  type Billed,
  type Candidate,
  findLastDelivery,
  readCandidates,
  UNBILLED,
  type Wanted,
} from "./consignments.ts"
import { type Bill, getCompany, makeBills, writeBillSheet, writeCsv, writeInvoices } from "./documents.ts"
import { makeMistakes } from "./mistakes.ts"

interface BillOptions {
  carrier?: Carrier
  /** First and last day of collection, as people write days. */
  since?: string
  until?: string
  /** First moves the sandbox's clock to when everything is delivered. */
  delivered?: boolean
  /** Percentage of consignments that are billed with a mistake. */
  errors?: number
  /** The next bill, which credits open disputes. */
  credits?: boolean
  seed: number
  output?: string
  keyFile: string
}

export interface Disputed {
  consignment: string
  reference: string
  /** As the ledger has it. */
  carrier: string | undefined
  supplier: string
  openCents: number
}

/**
 * Bills consignments that are collected by the sandbox's clock, not cancelled, and paid by the sender.
 * @param format as the command prints: how a bill on standard output is written
 * @param readDisputed the disputes that credits are for
 * @returns the bills, their files, and the number left out, by reason; `mistakes` is null if none are wanted
 * @throws FreightError `usage` if no file is named, or one of another format; `notFound` when there is nothing to bill
 */
export async function billBookings(
  session: { stateDir: string; clock: Clock; ids: Ids; outputs: Outputs; note(text: string): Promise<void> },
  options: BillOptions,
  format: string,
  readDisputed: () => Promise<readonly Disputed[]>,
) {
  const { output: file, errors: percent, seed, keyFile } = options
  if (file === undefined)
    throw new FreightError("usage", "say where the bill goes: -o bill.csv or -o bill.json", {
      hint: "Or -o - for standard output.",
    })
  const write = WRITERS[chooseFormat(format, file)]
  if (options.credits && write === writeInvoices)
    throw new FreightError("usage", "--credits writes a table: name a file that ends in .csv, .xlsx or .pdf")
  if (percent !== undefined && !isNamed(file))
    throw new FreightError("usage", "--errors writes its key beside the bill: name a file with -o")

  const sandbox = openSandbox(session)
  try {
    const wanted = parseWanted(options, sandbox)
    const until = options.delivered ? findLastDelivery(sandbox, wanted) : undefined
    if (until !== undefined) await moveClock(session, sandbox, until)
    const candidates = readCandidates(sandbox, wanted)
    const leftOut = options.credits ? {} : countLeftOut(candidates)
    const right = options.credits
      ? listCredits(await readDisputed(), candidates, formatDate(wallClockNow(sandbox.now())))
      : candidates.filter(({ unbilled }) => unbilled === undefined).map(({ billed }) => billed)
    if (right.length === 0)
      throw options.credits
        ? new FreightError("notFound", "nothing is disputed that could be credited")
        : createNothingToBillError(leftOut)
    const isConsignment = (number: string) => sandbox.state.byConsignment.has(number)
    const mistaken =
      percent === undefined ? undefined : makeMistakes(candidates, { seed, percent, isConsignment })
    const bills = makeBills(mistaken?.billed ?? right)
    await session.outputs.write(file, await write(bills))
    if (mistaken) await session.outputs.write(keyFile, `${JSON.stringify(mistaken.key, null, 2)}\n`)
    return {
      bills,
      file,
      keyFile: mistaken ? keyFile : null,
      mistakes: mistaken?.key.mistakes.length ?? null,
      leftOut: { ...NONE_LEFT_OUT, ...leftOut },
      /** In words; empty if nothing was left out. */
      leftOutText: describeLeftOut(leftOut),
    }
  } finally {
    sandbox.close()
  }
}

const WRITERS = {
  csv: writeCsv,
  xlsx: writeBillSheet,
  json: writeInvoices,
  async pdf(bills: readonly Bill[]) {
    const { writeBillPdf } = await import("./pdf.ts")
    return writeBillPdf(bills)
  },
}

/** By the ending of the file; without one, the command's format. */
function chooseFormat(format: string, file: string): keyof typeof WRITERS {
  const ending = /\.(csv|json|xlsx|pdf)$/i.exec(file)?.[1]?.toLowerCase()
  const chosen = ending ?? (format === "table" && file === "-" ? "csv" : format)
  if (chosen === "csv" || chosen === "json" || chosen === "xlsx" || chosen === "pdf") return chosen
  throw new FreightError(
    "usage",
    `a bill is CSV, a workbook, a PDF or JSON, and ${file} does not say which`,
    {
      hint: "Name a file that ends in .csv, .xlsx, .pdf or .json, or add --format csv, xlsx or json.",
    },
  )
}

function openSandbox({ stateDir, clock, ids }: { stateDir: string; clock: Clock; ids: Ids }): SandboxContext {
  const dir = `${stateDir}/sandbox`
  try {
    return openSandboxContext({ dir, clock, newId: ids.uuid, seed: SANDBOX_SEED })
  } catch (error) {
    throw fileError("write", dir, error)
  }
}

function parseWanted({ since, until, carrier }: BillOptions, sandbox: SandboxContext): Wanted {
  const now = () => wallClockNow(sandbox.now(), DEFAULT_ZONE)
  const dayOf = (flag: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const when = readWhen(text, now)
    if (when.ok && when.value.time === undefined) return formatDate(when.value.date)
    throw new FreightError("usage", `${flag} takes a day, such as 2026-11-01 or today, not ${quoted(text)}`)
  }
  return { carrier, since: dayOf("--since", since), until: dayOf("--until", until) }
}

async function moveClock(
  { note }: { note(text: string): Promise<void> },
  sandbox: SandboxContext,
  instant: number,
): Promise<void> {
  const ahead = instant - sandbox.now()
  if (ahead <= 0) return
  sandbox.record({ type: "clock", offsetMs: sandbox.state.clockOffsetMs + ahead })
  const time = formatInstant(new Date(instant).toISOString())
  await note(
    `The sandbox's clock is set to ${time}, when everything is delivered. It stays so until freight sandbox reset.`,
  )
}

function listCredits(disputed: readonly Disputed[], candidates: readonly Candidate[], day: string): Billed[] {
  const billed = new Map(candidates.map((each) => [each.billed.consignment, each.billed]))
  return disputed.flatMap(({ consignment, reference, carrier, supplier, openCents }): Billed[] => {
    const by = CARRIERS.find((each) => each === carrier || getCompany(each) === supplier)
    if (openCents <= 0 || !by) return []
    const charges = [{ charge: "freight" as const, name: "Credit", cents: -openCents }]
    const booked = billed.get(consignment) ?? { serviceCode: "", weightKg: 0 }
    return [{ ...booked, carrier: by, consignment, reference, shipDate: day, charges }]
  })
}

type LeftOut = Partial<Record<keyof typeof UNBILLED, number>>

const NONE_LEFT_OUT = { cancelled: 0, "not-collected": 0, "payer-is-another": 0 } as const satisfies Required<
  Record<keyof LeftOut, number>
>

function countLeftOut(candidates: readonly Candidate[]): LeftOut {
  const counts: LeftOut = {}
  for (const { unbilled } of candidates) if (unbilled) counts[unbilled] = (counts[unbilled] ?? 0) + 1
  return counts
}

function describeLeftOut(leftOut: LeftOut): string {
  return Object.entries(leftOut)
    .map(([reason, count]) => `${grouped(count)} ${UNBILLED[reason as keyof typeof UNBILLED]}`)
    .join(", ")
}

function createNothingToBillError(leftOut: LeftOut): FreightError {
  const what = describeLeftOut(leftOut)
  if (what === "")
    return new FreightError(
      "notFound",
      "there is nothing to bill: nothing was booked in the sandbox for these days",
      { next: "freight book --sandbox" },
    )
  const hint = "--delivered moves the sandbox's clock to when everything is delivered."
  return new FreightError("notFound", `there is nothing to bill: ${what}`, {
    hint: leftOut["not-collected"] === undefined ? undefined : hint,
  })
}
