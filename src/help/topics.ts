/** The topics of `freight help TOPIC`, loaded on demand. */
import type { Deps } from "../deps.ts"
import type { Block } from "./page.ts"

interface Topic {
  name: string
  purpose: string
  load(): Promise<(deps: Deps) => Block[] | Promise<Block[]>>
}

export const TOPICS: readonly Topic[] = [
  {
    name: "exit-codes",
    purpose: "what a script may do after each exit code",
    load: async () => (await import("./pages.ts")).exitCodesPage,
  },
  {
    name: "environment",
    purpose: "environment variables",
    load: async () => (await import("./pages.ts")).environmentPage,
  },
  {
    name: "formats",
    purpose: "tables, JSON, CSV, and errors as JSON",
    load: async () => (await import("./pages.ts")).formatsPage,
  },
  {
    name: "files",
    purpose: "where settings, ledger, labels and the rest are kept",
    load: async () => (await import("./pages.ts")).filesPage,
  },
  {
    name: "wishes",
    purpose: "how a service is chosen: cheapest, in time, below a price",
    load: async () => (await import("./pages.ts")).wishesPage,
  },
  {
    name: "time",
    purpose: "whose local time counts, and how to write times",
    load: async () => (await import("./pages.ts")).timePage,
  },
]
