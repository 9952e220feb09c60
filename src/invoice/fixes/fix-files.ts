/** Fixes invoices in place, for `invoice validate --fix`: shows the changes, asks, and writes. */
import { hash } from "node:crypto"
import { counted } from "../../base/counted.ts"
import type { Asking, Session } from "../../session/index.ts"
import { toStepError } from "../../base/errors.ts"
import type { InputKind } from "../documents.ts"
import type { Edit } from "../finding.ts"
import { formatDiff } from "./diff.ts"
import { type FixSettings, fixFile } from "./fix.ts"
import { applyToBytes } from "./splice.ts"
import { isGzip, type ReportLayout } from "../../output/index.ts"
import { type Input, STDIN } from "../sources/files.ts"

export interface FixOptions extends FixSettings {
  input: InputKind | undefined
  yes: boolean
}

/** The text to write into a file, if the file is still as it was. */
interface Plan {
  file: string
  edits: readonly Edit[]
  digest: string
}

/** Fixes findings with one right answer. Unreadable files are left to the check that follows. */
export async function fixInvoices(
  deps: Asking & Session,
  inputs: Iterable<Input>,
  options: FixOptions,
): Promise<void> {
  const plans: Plan[] = []
  for (const { file, stream, unreadable, isEmpty } of inputs) {
    if (stream || unreadable !== undefined || isEmpty) continue
    deps.signal.throwIfAborted()
    const plan = await planFile(deps, file, options)
    if (plan) plans.push(plan)
  }
  if (plans.length === 0) return deps.note("There is nothing that freight can fix by itself.")
  const count = plans.reduce((sum, { edits }) => sum + edits.length, 0)
  const all = `${counted(count, "change")} in ${counted(plans.length, "file")}`
  if (!options.yes) {
    if (!deps.interactive)
      return deps.warn(`${all} not written, because there is nobody to ask: add --yes to write them`)
    if (!(await (await deps.prompt()).confirm(`Write ${all}?`, true)))
      return deps.note("Nothing was changed.")
  }
  await writePlans(deps, plans)
}

async function planFile(
  deps: Asking & Session,
  file: string,
  options: FixOptions,
): Promise<Plan | undefined> {
  let bytes: Buffer
  try {
    bytes = Buffer.from(await deps.files.read(file))
  } catch (error) {
    const { cause, message } = toStepError(error)
    // Why it cannot be read, the check tells.
    if (cause === undefined) await deps.warn(`not fixed: ${message}`)
    return undefined
  }
  if (isGzip(bytes)) return void (await deps.warn(`not fixed: ${file} is packed with gzip; unpack it first`))
  const edits = fixFile(file, bytes, options, options.input)
  if (edits.length === 0) return undefined
  if (!deps.globals.quiet) await deps.show(formatDiff(file, bytes, edits, getLayout(deps)))
  return { file, edits, digest: hash("sha256", bytes) }
}

async function writePlans(deps: Asking & Session, plans: readonly Plan[]): Promise<void> {
  let fixes = 0
  let files = 0
  for (const { file, edits, digest } of plans) {
    try {
      const isWritten = await deps.files.change(file, (bytes) =>
        hash("sha256", bytes) === digest ? applyToBytes(bytes, edits) : undefined,
      )
      if (isWritten) {
        fixes += edits.length
        files++
      } else await deps.warn(`${file} was changed by someone else meanwhile, and is left as it is`)
    } catch (error) {
      await deps.warn(`not fixed: ${toStepError(error).message}`)
    }
  }
  if (files > 0) await deps.note(`${counted(fixes, "change")} written in ${counted(files, "file")}.`)
}

/** Fixes standard input, and writes all of it to standard output. @returns the written text */
export async function fixStream(deps: Asking & Session, options: FixOptions): Promise<Uint8Array> {
  const bytes = Buffer.from(await deps.terminal.stdin.readAll())
  const edits = fixFile(STDIN, bytes, options, options.input)
  const fixed = applyToBytes(bytes, edits)
  await deps.terminal.stdout.write(fixed)
  await deps.note(`${counted(edits.length, "change")} in standard input.`)
  return fixed
}

function getLayout({ terminal: { stderr, unicode } }: Asking & Session): ReportLayout {
  return { colour: stderr.colour, unicode, columns: stderr.columns }
}
