/** Flags about orders that a shop calls shipped, or that were booked before. */
import type { Command } from "commander"
import { plainStatus } from "../../batch/shipping.ts"

export const AGAIN_FOR =
  "book a second consignment of this order, which was booked and has changed since (repeatable)"

/** Statuses that a person decides about, with commas or repeated. */
export function addShippingFlags(command: Command): Command {
  return command
    .option(
      "--include <status>",
      "book the shop's orders with this status too: fulfilled, pending (repeatable, or with commas)",
      gatherStatuses,
    )
    .option("--leave-out <status>", "leave out orders with this status or shipping method", gatherStatuses)
}

function gatherStatuses(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), ...value.split(",").map(plainStatus).filter(Boolean)]
}
