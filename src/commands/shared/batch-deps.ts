/** What the commands of a batch share: their way to the API, and the numbers of their flags. */
import { createFreightApi } from "../../api/freight.ts"
import { createLimiter } from "../../api/limiter.ts"
import { LONG_RUN } from "../../api/retry.ts"
import type { BatchDeps } from "../../batch/book.ts"
import { isPlanFile, type PlanAccount } from "../../batch/plan/plan.ts"
import { parseAmount } from "../../booking/wishes.ts"
import { checkMapName, flagsToSave, mapText, type SavedMap } from "../../config/maps.ts"
import { nextCommand } from "../../contract/command-line.ts"
import { momentAt } from "../../contract/collection-times.ts"
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import { serviceAddress } from "../../ledger/accounts.ts"
import { parseWholeNumber } from "./flags.ts"

export interface RunFlags {
  concurrency: string
  stopAfter?: string
  maxTotal?: string
  skipInvalid?: boolean
  again?: boolean
  /** False for `--no-rate`. */
  rate?: boolean
  allowPast?: boolean
}

const MOST_AT_ONCE = 64

/** @throws FreightError `usage` */
export function readRunFlags({ concurrency, stopAfter, maxTotal, skipInvalid }: RunFlags) {
  return {
    concurrency: parseWholeNumber(concurrency, "--concurrency", [1, MOST_AT_ONCE]),
    stopAfter:
      stopAfter === undefined ? undefined : parseWholeNumber(stopAfter, "--stop-after", [1, 1_000_000]),
    maxTotalCents: maxTotal === undefined ? undefined : parseAmount(maxTotal, "--max-total"),
    skipInvalid: skipInvalid === true,
  }
}

/** What a batch needs: its own way to the API, whose requests end before the process does. */
export async function createBatchDeps(
  deps: Deps,
  concurrency: number,
  { again, rate, allowPast }: RunFlags,
): Promise<BatchDeps> {
  const limiter = createLimiter(deps.clock, concurrency)
  const [endpoint, ledger] = await Promise.all([deps.endpoint("freight"), deps.ledger("freight")])
  const api = createFreightApi(
    await deps.connect("freight", endpoint, { limiter, finishes: true, rateLimitPolicy: LONG_RUN }),
  )
  const { connectors } = await api.listConnectors()
  await deps.seen.keepConnectors(connectors)
  const moment = momentAt(deps.clock.now(), allowPast)
  const asks = { again: again === true, asksPrice: rate !== false }
  return { ...deps, ...asks, moment, api, ledger, connectors, limiter, shows: deps.globals.quiet !== true }
}

/**
 * Refuses a plan where orders are wanted.
 * @param words the command that takes it
 * @throws FreightError `usage`
 */
export async function refusePlan({ signal }: Deps, file: string, words: readonly string[]): Promise<void> {
  if (file === "-" || !(await isPlanFile(file, signal))) return
  const { next = "" } = nextCommand("freight", ...words, file)
  throw new FreightError("usage", `${file} is a plan, not a file of orders`, { next })
}

export async function findPlanAccount(
  deps: Deps,
  { ledger }: Pick<BatchDeps, "ledger">,
): Promise<PlanAccount> {
  const { scope, account } = ledger
  const service = deps.globals.sandbox ? "sandbox" : serviceAddress((await deps.endpoint("freight")).baseUrl)
  return { service, scope, account }
}

export interface MapFlags {
  saveMap?: string
  useMap?: string
}

/** What `--save-map` is to keep. @throws FreightError `usage` */
export function readMapToSave({ saveMap, ...flags }: MapFlags & SavedMap): SavedMap | undefined {
  if (saveMap === undefined) return undefined
  checkMapName(saveMap)
  return flagsToSave(flags)
}

export async function keepMap({ config, note }: Deps, name: string, saved: SavedMap): Promise<void> {
  await config.update((before) => ({ ...before, maps: { ...before.maps, [name]: saved } }))
  await note(`Saved as '${name}': --use-map ${name} is the same as ${mapText(saved)}`)
}
