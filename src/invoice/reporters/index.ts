/** The reporters: one for each output format. */
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { Reporter } from "../finding.ts"
import type { ReportLayout } from "../../output/index.ts"

const LOADERS = {
  table: async () => {
    const { createTableReporter } = await import("./table.ts")
    return (layout, areSeveral) => createTableReporter(layout, areSeveral)
  },
  json: async () => (await import("./data.ts")).createJsonReporter,
  ndjson: async () => (await import("./data.ts")).createNdjsonReporter,
  csv: async () => (await import("./data.ts")).createCsvReporter,
  xlsx: async () => (await import("./data.ts")).createWorkbookReporter,
  sarif: async () => (await import("./ci.ts")).createSarifReporter,
  junit: async () => (await import("./ci.ts")).createJunitReporter,
  github: async () => (await import("./ci.ts")).createGithubReporter,
  rdjson: async () => (await import("./ci.ts")).createRdjsonReporter,
  html: async () => (await import("./html.ts")).createHtmlReporter,
} satisfies Record<
  string,
  () => Promise<(layout: ReportLayout, areSeveral: boolean, warnings: readonly string[]) => Reporter>
>

export const REPORT_FORMATS = Object.keys(LOADERS) as readonly (keyof typeof LOADERS)[]

/**
 * @param areSeveral whether the run has several inputs
 * @param warnings all warnings until the end
 * @throws FreightError `usage` for an unknown format
 */
export async function createReporter(
  format: string,
  layout: ReportLayout,
  areSeveral = false,
  warnings: readonly string[] = [],
): Promise<Reporter> {
  const known = REPORT_FORMATS.find((each) => each === format)
  if (!known)
    throw new FreightError("usage", `--format takes ${REPORT_FORMATS.join(", ")}, not ${quoted(format)}`)
  const create = await LOADERS[known]()
  return create(layout, areSeveral, warnings)
}
