/** Whether invoices are checked as drafts: by flags, or by their content. */
import type { Flags, OptionsOf } from "../command/index.ts"
import { counted, grouped } from "../base/counted.ts"
import type { ExamineOptions } from "./finding.ts"
import { MANAGED_FIELDS } from "./generated/validators.js"

export const DRAFT_FLAGS = {
  draft: {
    about: "allow what the service fills in to be missing (default: if all of it is missing)",
    conflicts: "complete",
  },
  complete: { about: "require what the service fills in" },
} as const satisfies Flags

export function chooseStage({ draft, complete }: OptionsOf<typeof DRAFT_FLAGS>): ExamineOptions["stage"] {
  return draft ? "draft" : complete ? "canonical" : "auto"
}

/** Says that documents were checked as drafts although no flag asked for it. */
export function describeDrafts(drafts: number, documents: number): string {
  const which = documents === 1 ? "The invoice" : `${grouped(drafts)} of ${counted(documents, "document")}`
  const were = drafts === 1 ? "was checked as a draft" : "were checked as drafts"
  return `${which} ${were}: ${MANAGED_FIELDS.join(", ")} are not filled in yet. --complete requires them.`
}
