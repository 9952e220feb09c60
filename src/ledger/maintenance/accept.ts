/** Continues with a ledger file that is not the one used last. */
import { FreightError } from "../../base/errors.ts"
import type { Questions } from "../../output/index.ts"
import { type Loss, LedgerLost } from "../lost.ts"
import type { Store } from "../store.ts"

interface Accepted {
  ledger: string
  /** The fault that was found; null if there is none. */
  loss: Loss | null
  outcome: "nothing to accept" | "kept refused" | "accepted"
}

/**
 * Accepts the file as the ledger from the next command on, after a person or `--yes` confirms.
 * @param session how the ledger is opened, and who is asked
 * @throws FreightError `usage` if there is something to accept, and no one to ask; `config` if that cannot be recorded
 */
export async function acceptLedger(
  session: {
    readLedger(): Promise<{ store: Pick<Store, "place"> }>
    interactive: boolean
    warn(text: string): Promise<void>
    prompt(): Promise<Pick<Questions, "confirm">>
  },
  isConfirmed: boolean,
): Promise<Accepted> {
  const found = await session.readLedger().catch((error: unknown) => {
    if (error instanceof LedgerLost) return error
    throw error
  })
  if (!(found instanceof LedgerLost))
    return { ledger: found.store.place, loss: null, outcome: "nothing to accept" }
  const { file: ledger, loss, message, hint } = found
  if (!isConfirmed) {
    if (!session.interactive)
      throw new FreightError("usage", `${message}: add --yes to go on anyway`, { hint })
    await session.warn(message)
    const prompt = await session.prompt()
    if (!(await prompt.confirm("Go on anyway?", false))) return { ledger, loss, outcome: "kept refused" }
  }
  found.accept()
  return { ledger, loss, outcome: "accepted" }
}
