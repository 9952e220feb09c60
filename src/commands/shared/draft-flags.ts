/** Whether invoices are checked as drafts: by flags, or by what is in them. */
import type { Command } from "commander"
import { counted, grouped } from "../../contract/counted.ts"
import { FreightError } from "../../errors.ts"
import type { ExamineOptions } from "../../invoice/finding.ts"
import { MANAGED_FIELDS } from "../../invoice/generated/validators.js"

export interface DraftFlags {
  draft?: boolean
  complete?: boolean
}

export function addDraftFlags(command: Command): Command {
  return command
    .option("--draft", "allow what the service fills in to be missing (default: if all of it is missing)")
    .option("--complete", "require what the service fills in")
}

/** @throws FreightError `usage` for both flags */
export function chooseStage({ draft, complete }: DraftFlags): ExamineOptions["stage"] {
  if (draft && complete) throw new FreightError("usage", "give --draft or --complete, not both")
  return draft ? "draft" : complete ? "canonical" : "auto"
}

/** Says that documents were checked as drafts although no flag asked for it. */
export function describeDrafts(drafts: number, documents: number): string {
  const which = documents === 1 ? "The invoice" : `${grouped(drafts)} of ${counted(documents, "document")}`
  const were = drafts === 1 ? "was checked as a draft" : "were checked as drafts"
  return `${which} ${were}: ${MANAGED_FIELDS.join(", ")} are not filled in yet. --complete requires them.`
}
