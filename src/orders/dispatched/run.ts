/** Connects exporting with the files of this workstation, and the person at it. */
import { nextCommand } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { EXIT, FreightError } from "../../base/errors.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { type Parsed, parsed, refused, quoted } from "../../base/parsed.ts"
import { carrierLetter } from "../../carriers/index.ts"
import type { Deps, Session } from "../../session/index.ts"
import type { Store } from "../../ledger/index.ts"
import { parseCarrierNames, withProfile } from "../../machine/index.ts"
import { type CarrierNames, findCarrierName, formatCarrierNames, refuseUnnamed } from "./carrier-names.ts"
import type { BatchRow } from "../batch/rows/row.ts"
import type { LedgerReader } from "../booking/standings.ts"
import { findBookedOrders } from "./orders.ts"
import { type DispatchShopName, getDispatchShop, listItemColumns } from "./shops.ts"
import {
  addKnownOrders,
  askService,
  type Dispatched,
  type DispatchJob,
  dispatchOrders,
  type ShopOrder,
} from "./dispatch.ts"
import { mayAsk, type OptionsOf, type SHEET_FLAGS } from "../../command/index.ts"

export function dispatch(
  deps: Deps,
  store: Store,
  orders: readonly ShopOrder[],
  job: DispatchJob,
): Promise<Dispatched> {
  // A dry run neither asks nor refuses yet.
  const isUnasked = job.isDryRun === true && mayAsk(deps)
  return dispatchOrders(
    {
      ...{ store, sender: deps.sender, ids: deps.ids, outputs: deps.outputs },
      readText: async (file) =>
        (await deps.files.has(file)) ? Buffer.from(await deps.files.read(file)).toString("utf8") : undefined,
      async confirmOverwrite(file, findNext) {
        if (!isUnasked) await confirmOverwrite(deps, file, findNext)
      },
      nameCarriers: (carriers) => nameCarriers(deps, carriers, isUnasked),
    },
    orders,
    job,
  )
}

async function confirmOverwrite(
  deps: Deps,
  file: string,
  findNext: () => Promise<{ next?: string }>,
): Promise<void> {
  const question = `${file} holds the orders of an earlier run. Were they imported, so that it may be overwritten?`
  if (mayAsk(deps) && (await (await deps.prompt()).confirm(question, false))) return
  throw new FreightError("input", `${file} holds the orders of an earlier run; nothing was written`, {
    hint: "Import it and remove it, name another file, or overwrite it with --force.",
    ...(await findNext()),
  })
}

/** Asks for each carrier without a name once, and saves the answer. @param isUnasked leaves them without one */
async function nameCarriers(
  deps: Deps,
  carriers: readonly string[],
  isUnasked: boolean,
): Promise<CarrierNames> {
  const kept = parseCarrierNames(deps.settings.value("carrierNames") ?? "") ?? new Map<string, string>()
  const missing = carriers.filter((carrier) => findCarrierName(kept, carrier) === undefined)
  if (missing.length === 0 || isUnasked) return kept
  if (!mayAsk(deps)) {
    refuseUnnamed(kept, missing)
    return kept
  }
  const names = new Map(kept)
  const prompt = await deps.prompt()
  for (const carrier of missing) {
    const check = (text: string): Parsed<unknown> =>
      parseCarrierNames(`${carrierLetter(carrier)}=${text}`)
        ? parsed(text)
        : refused("Enter a name without = and commas.")
    const name = await prompt.text(`How do your shop's customers know ${carrier}?`, { check })
    names.set(carrierLetter(carrier), name)
  }
  const { name: profile } = deps.settings.profile()
  const carrierNames = formatCarrierNames(names)
  await deps.config.update((config) => withProfile(config, profile, { carrierNames }))
  await deps.note(`carrierNames is saved in profile ${quoted(profile)}: ${carrierNames}.`)
  return names
}

/** The flags that choose the orders, as a person would type them again. */
export function listOrderWords({
  orders,
  since,
  map = [],
  exportAgain = [],
  sheet = [],
  hidden,
  headerRow,
}: OptionsOf<typeof SHEET_FLAGS> & {
  orders?: string
  since?: string
  map?: string[]
  exportAgain?: string[]
}): string[] {
  return [
    ...Object.entries({
      "--orders": orders,
      "--since": since,
      "--hidden": hidden,
      "--header-row": headerRow,
    }),
    ...map.map((each) => ["--map", each] as const),
    ...sheet.map((each) => ["--sheet", each] as const),
    ...exportAgain.map((each) => ["--export-again", each] as const),
  ].flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]))
}

/**
 * Reports what was exported and what was not, or would be. @param output empty for a dry run without a file
 * @returns the exit code
 */
export async function tellDispatched(
  { note, warn, globals }: Session,
  shop: DispatchShopName,
  output: string,
  { rows, waiting, earlier, from, left, isWritten, unnamed }: Dispatched,
  isDryRun = false,
): Promise<number> {
  const { title, how, unchecked, canWithdraw, withoutItems } = getDispatchShop(shop)
  const orders = counted(rows.length, "order")
  const done = {
    new: `${orders} in ${output} for ${title}. ${how}`,
    unfinished: `${output} was begun before and not finished: it is written as it was to be, ${orders}. ${how}`,
    same: `Nothing is new: ${output} is the same file again.`,
  }
  const planned = {
    new: `Nothing was written: ${orders} would be handed to ${title}.`,
    unfinished: `Nothing was written: ${output} was begun before and not finished, and would be written as it was to be, ${orders}.`,
    same: `Nothing is new: ${output} would be the same file again.`,
  }
  if (isWritten) await note((isDryRun ? planned : done)[from])
  if (left > 0)
    await note(`${counted(left, "more order")} for the next file: run this again with another -o.`)
  if (waiting.length > 0)
    await note(
      `${counted(waiting.length, "order")} without a number yet, for the next file: ${waiting.map(({ order }) => order).join(", ")}.`,
    )
  if (isWritten && unnamed > 0) {
    const columns = listItemColumns(getDispatchShop(shop)).map(([heading]) => heading)
    await note(
      `${counted(unnamed, "order")} without ${columns.join(" and ")}, which no export has: ${withoutItems}.`,
    )
  }
  if (isWritten && !isDryRun && from !== "same" && unchecked !== undefined)
    await note(`Not checked: ${unchecked}. Import a file with one order before the others.`)
  const begun = groupBy(
    earlier.flatMap(({ dispatch }) => (dispatch.writtenAt === undefined ? [dispatch] : [])),
    ({ file = "", workstation }) => JSON.stringify([file, workstation]),
  )
  for (const [first, ...others] of begun.values()) {
    const { file = "", workstation = "" } = first ?? {}
    const sandbox = globals.sandbox ? ["--sandbox"] : []
    const { next } = nextCommand("freight", "dispatched", ...sandbox, "--for", shop, "-o", file)
    await note(
      `${counted(1 + others.length, "order")} in ${file}, which ${workstation} began and did not finish.${next === undefined ? "" : ` At ${workstation}: ${next}`}`,
    )
  }
  const handedOut = earlier.filter(({ dispatch }) => dispatch.writtenAt !== undefined)
  if (!isWritten && handedOut.length > 0) {
    const newest = handedOut.reduce((one, other) =>
      one.dispatch.at > other.dispatch.at ? one : other,
    ).dispatch
    await note(
      `${counted(handedOut.length, "order")} exported before, last on ${formatInstant(newest.at)} by ${newest.workstation} in ${newest.file}. If that file was lost: --export-again ORDER.`,
    )
  }
  for (const { order, number, numberBefore, event } of rows)
    if (event === "changed" && number !== numberBefore)
      await warn(`${order} has another number: ${number}, not ${numberBefore}`)
  const cancelled = rows.filter(({ event }) => event === "cancelled")
  for (const { order, numberBefore } of cancelled)
    await warn(
      `${order}: its shipment ${numberBefore} was cancelled${canWithdraw ? "" : `; the import of ${title} cannot say so: change it in the shop`}`,
    )
  return cancelled.length > 0 && !canWithdraw ? EXIT.no : EXIT.done
}

/** Exports a batch's bookings to the shop that its rows come from. The others wait for `freight dispatched`. */
export async function dispatchBatch(
  deps: Deps,
  { store, owner }: LedgerReader & { store: Store },
  rows: readonly BatchRow[],
  job: Pick<DispatchJob, "file" | "force" | "words">,
): Promise<void> {
  const { shop, orders: given } = await findBookedOrders({ store, owner }, rows)
  const orders = await addKnownOrders({ store, scopes: owner && [owner.scope] }, given, shop)
  const { found } = await askService(store, await deps.freight(), orders)
  const done = await dispatch(deps, store, orders, { ...job, shop, again: new Set(), found })
  await tellDispatched(deps, shop, job.file, done)
}
