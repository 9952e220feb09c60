/** The topics of `freight help TOPIC`, loaded on demand. */
import type { Deps } from "../deps.ts"
import type { Block } from "./page.ts"

interface Topic {
  name: string
  purpose: string
  load(): Promise<{ topic(deps: Deps): Block[] | Promise<Block[]> }>
}

export const TOPICS: readonly Topic[] = [
  {
    name: "exit-codes",
    purpose: "what a script may do after each exit code",
    load: () => import("./exit-codes.ts"),
  },
  {
    name: "environment",
    purpose: "every variable that freight heeds",
    load: () => import("./environment.ts"),
  },
  {
    name: "formats",
    purpose: "tables, JSON, CSV, and errors as JSON",
    load: () => import("./formats.ts"),
  },
  {
    name: "files",
    purpose: "where settings, ledger, labels and the rest are kept",
    load: () => import("./files.ts"),
  },
  {
    name: "time",
    purpose: "whose clock a time is read by, and how to write it",
    load: () => import("./time.ts"),
  },
]
