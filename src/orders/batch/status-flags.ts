/** Flags about orders by their shop's status. */
import { plainStatus } from "./columns/states.ts"
import type { Flags } from "../../command/index.ts"

export const STATUS_FLAGS = {
  include: {
    takes: "<status>",
    about: "book the shop's orders with this status too: fulfilled, pending (repeatable, or with commas)",
    isRepeatable: true,
    read: readStatuses,
  },
  leaveOut: {
    takes: "<status>",
    about: "leave out orders with this status or shipping method",
    isRepeatable: true,
    read: readStatuses,
  },
} as const satisfies Flags

function readStatuses(text: string): string[] {
  return text.split(",").map(plainStatus).filter(Boolean)
}
