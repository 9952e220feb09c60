/** Flags and values of flags that several commands have. */
import { type Command, Option } from "commander"
import { APIS } from "../../contract/endpoints.ts"
import { FreightError } from "../../errors.ts"
import type { CreateKey } from "../../ledger/create.ts"

/** `--label-name` of every command that saves labels, for help. */
export const LABEL_NAME =
  "how each label's file is named: '{reference}-{consignment}.pdf', or with {shipment}"

/** Gathers a repeatable flag's values. */
export function repeat(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** `Allowances` as flags. */
export function addAllowFlags(command: Command): Command {
  return command
    .option("--allow-past", "accept a collection time that has passed, or that closes before it is ready")
    .addOption(allowDensityOption())
}

/** `--yes`, of every command that spends money. */
export function yesOption(): Option {
  return new Option("--yes", "do not ask before it is booked")
}

export function allowDensityOption(): Option {
  return new Option("--allow-density", "accept packages whose weight does not fit their size")
}

/** `--api`, where a command can mean either or both. */
export function apiOption(
  meaning = "only this API: labels go through the first, PDF files through the second",
): Option {
  return new Option("--api <api>", meaning).choices(APIS)
}

/** The flags that say what a rate has to meet; `--service` is each command's own. */
export function addWishFlags(command: Command): Command {
  return command
    .option("--within <days>", "only services that arrive within this many days of the collection: 3d")
    .option("--arrive-by <time>", "only services that arrive by then: 2026-11-25, or with T12:00")
    .option("--max-price <amount>", "only services up to this quoted price")
    .option(
      "--avoid <name>",
      "avoid this service or carrier: GEN or A; or none, to avoid nothing (repeatable)",
      repeat,
    )
}

/** @throws FreightError `usage` for a key that says nothing */
export function checkKey({ key }: CreateKey): void {
  if (key?.trim() === "") throw new FreightError("usage", "--key is empty")
}

/** `--key` and `--again` among other flags. */
export function pickKey({ key, again }: CreateKey): CreateKey {
  return { key, again }
}

/**
 * A flag's whole number.
 * @param unit ` of days`, for the message
 * @throws FreightError `usage`
 */
export function parseWholeNumber(
  text: string,
  flag: string,
  [least, most]: readonly [number, number],
  unit = "",
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new FreightError(
    "usage",
    `${flag} takes a whole number${unit} from ${least} to ${most}, not '${text}'`,
  )
}

/**
 * A flag's seconds, as milliseconds; a flag given without a value means the default.
 * @throws FreightError `usage`
 */
export function parseDurationMs(value: string | true, flag: string, defaultSeconds: number): number {
  if (value === true) return defaultSeconds * 1000
  const seconds = Number(value)
  if (value.trim() === "" || !(seconds >= 0 && seconds <= 86_400))
    throw new FreightError("usage", `${flag} takes seconds from 0 to 86400, not '${value}'`, {
      hint: `If '${value}' is what the command is for, put it before ${flag}.`,
    })
  return seconds * 1000
}
