/** Copies a ledger, with its bills and disputes. */
import path from "node:path"
import { FreightError } from "../base/errors.ts"
import { copyLedger, migrate, openDatabase } from "../ledger/index.ts"
import type { Deps } from "../session/index.ts"
import { readAuthor } from "./disputes/author.ts"
import { settleDisputes } from "./disputes/settle.ts"
import { describeOtherPayments } from "./pay/copied.ts"

/**
 * Copies the ledger in use, or the one in `from`, to another place. Warns of each bill that both ledgers record as
 * paid, and settles disputes in the target.
 * @param places as typed: an address of a database or a file; `./NAME` counts from the current folder
 * @returns the full names of the places, how many entries the source has and how many of them were new
 * @throws FreightError `usage` if both are one place
 */
export async function copyWithBills(
  deps: Pick<Deps, "readLedger" | "ledgerPorts" | "warn" | "sender" | "clock">,
  places: { to: string; from?: string | undefined },
): Promise<{ from: string; to: string; entries: number; copied: number }> {
  const place = resolve(places.to)
  const other =
    places.from === undefined
      ? undefined
      : await openDatabase(resolve(places.from), "--from-ledger", deps.ledgerPorts)
  if (other) await migrate(other)
  const source = other ?? (await deps.readLedger()).store.database
  const target = await openDatabase(place, "--to-ledger", deps.ledgerPorts)
  try {
    if (target.place === source.place)
      throw new FreightError("usage", `the ledger is already in ${source.place}`)
    await migrate(target)
    const others = await describeOtherPayments(source, target)
    const copied = await copyLedger(source, target)
    for (const other of others) await deps.warn(other)
    await settleDisputes(target, readAuthor(deps))
    return { from: source.place, to: target.place, ...copied }
  } finally {
    await other?.close()
    await target.close()
  }
}

function resolve(text: string): string {
  return /^\.{1,2}[/\\]/.test(text) ? path.resolve(text) : text
}
