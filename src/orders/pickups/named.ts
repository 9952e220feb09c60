/** Books the pickups that a command line names. */
import { toFlagName } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import type { Deps } from "../../session/index.ts"
import { namesFrom, SHIPMENTS } from "../lookup/given.ts"
import { type BookPickupOptions, bookPickup, type ShowPickups } from "./book.ts"

interface NamedPickupOptions extends BookPickupOptions {
  /** The same as naming it. */
  shipment?: string
  /** All shipments booked here that are collected on `date` and have no pickup. */
  open?: boolean
}

/**
 * Books one pickup, or those of several shipments as they were booked.
 * @param ofOne options of a single pickup
 * @throws FreightError `usage` for an option of one pickup if several are meant, and for names beside `open`
 */
export async function bookNamedPickups(
  deps: Deps,
  given: readonly string[],
  options: NamedPickupOptions,
  ofOne: readonly string[],
  show: ShowPickups,
): Promise<void> {
  const named = given.length > 0 ? await namesFrom(deps.terminal, given, SHIPMENTS) : []
  if (options.shipment !== undefined) named.push(options.shipment)
  if (options.open && named.length > 0)
    throw new FreightError(
      "usage",
      "--open collects everything that has no pickup: name no shipments with it",
    )
  const [shipment, ...others] = named
  if (options.open || others.length > 0) {
    const flag = Object.keys(options).find(
      (name) => ofOne.includes(name) && !(name === "date" && options.open),
    )
    if (flag !== undefined)
      throw new FreightError("usage", `${toFlagName(flag)} is for one pickup, and these are several`, {
        hint: "Several shipments are collected where and when they were booked for.",
      })
    const { collectSeveral } = await import("../batch/collect.ts")
    return collectSeveral(deps, named, options, show.booked)
  }
  return bookPickup(deps, shipment === undefined ? options : { ...options, shipment }, show)
}
