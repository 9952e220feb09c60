import type { Command } from "commander"
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import type { Printed, Wanted } from "../../printing/print.ts"
import { checkKey, type KeyFlags } from "./key-flags.ts"

/** The flags that every kind of print has. */
export interface PrintOptions extends KeyFlags {
  device?: string
  copies: string
}

const MOST_COPIES = 99

/** Gives a command the flags that every kind of print has. */
export function addPrintFlags(command: Command): Command {
  return command
    .option("--device <id>", "the print device (default: this workstation's, or the only one)")
    .option("--copies <n>", "print this many of each", "1")
    .option("--key <name>", "your own name for this print: the same key is never printed twice")
    .option("--again", "print even if the same was printed within 24 hours")
}

/** @param things how many are to be printed: a key names one of them */
export function wantedPrints(options: PrintOptions, things: number): Wanted {
  const { copies, key, again } = options
  const count = /^\d{1,2}$/.test(copies) ? Number(copies) : 0
  if (count < 1)
    throw new FreightError("usage", `--copies takes a whole number from 1 to ${MOST_COPIES}, not '${copies}'`)
  checkKey(options)
  if (key !== undefined && things > 1)
    throw new FreightError("usage", "--key names one print: give one thing to print with it", {
      hint: "Without a key, nothing is printed twice within 24 hours either.",
    })
  return { copies: count, ...(key !== undefined && { key }), ...(again && { again }) }
}

/** Says that queued is not printed: a print API's `DELIVERED` means no more than that. */
export async function noteQueued(deps: Deps, printed: readonly Printed<unknown>[]): Promise<void> {
  const sent = printed.filter(({ recorded }) => !recorded)
  const devices = [...new Set(sent.map(({ deviceId }) => deviceId))]
  if (devices.length === 0) return
  const it = sent.length === 1 ? "it" : "them"
  await deps.note(
    `Queued on ${devices.join(" and ")}: the device prints ${it} when its client takes the job.`,
  )
}
