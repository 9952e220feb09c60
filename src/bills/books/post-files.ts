/** Posts the bills of files, and writes the import file. */
import { FreightError } from "../../base/errors.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import { asksForProgramFormat, type Deps } from "../../session/index.ts"
import { findInputs, STDIN } from "../../invoice/index.ts"
import { BILL_FILES } from "../source.ts"
import { refuseKeyboard } from "../../output/index.ts"
import { type BillOptions, withBillColumns } from "../ask-columns.ts"
import { openBills } from "../open.ts"
import { type Program, PROGRAMS } from "../programs.ts"
import { isImported, joinBills } from "./formats.ts"
import { type GivenHeading, postOpened } from "./open.ts"
import type { Posted } from "./post.ts"
import { type Rule, readRule, readRules } from "./rules.ts"

interface PostRequest extends BillOptions, GivenHeading {
  for?: Program
  account?: string
  costCentre?: string
  clearing?: string
  rule?: readonly string[]
  rules?: string
  gstCode?: string
  freeCode?: string
  tracking: string
  sum?: boolean
  again?: boolean
  dryRun?: boolean
  /** The import file; `-` is standard output. */
  output: string
}

interface PostedFiles {
  program: Program
  /** In the order of the bills. */
  posted: readonly Posted[]
  /** The import file; undefined if everything has to be typed. */
  file: string | undefined
}

/**
 * Posts audited bills, each once, and writes the import file. If all bills were posted before, it writes the same file
 * again. A dry run writes nothing.
 */
export async function postFiles(
  deps: Deps,
  files: readonly string[],
  request: PostRequest,
): Promise<PostedFiles> {
  const { output, dryRun = false } = request
  const program = request.for ?? chooseProgram(deps.settings)
  if (files.includes(STDIN)) refuseKeyboard(deps.terminal.stdin, "pipe a bill in, or name files")
  if (output === STDIN && !dryRun && asksForProgramFormat(deps.globals))
    throw new FreightError("usage", "the import file goes to standard output: name a file with -o")
  const rules = await gatherRules(deps, request)
  const posted = await post(deps, files, { program, rules, request })
  const isNew = posted.some((each) => each.isNew)
  const written = posted.filter((each) => each.isNew === isNew).map(({ posting }) => posting)
  if (dryRun || !written.some(isImported)) return { program, posted, file: undefined }
  await deps.outputs.write(output, joinBills(program, written))
  return { program, posted, file: output }
}

function chooseProgram(settings: Deps["settings"]): Program {
  const program = PROGRAMS.find((each) => each === settings.value("books"))
  if (program) return program
  throw new FreightError("usage", `--for says which program the file is for: ${PROGRAMS.join(", ")}`, {
    hint: "It is remembered with freight config set books xero.",
  })
}

async function gatherRules(
  { signal, note }: Pick<Deps, "signal" | "note">,
  { rule = [], rules }: PostRequest,
): Promise<Rule[]> {
  return [
    ...rule.map((text) => readRule(text, "--rule")),
    ...(rules === undefined ? [] : await readRules(rules, signal, note)),
  ]
}

interface Job {
  program: Program
  rules: readonly Rule[]
  request: PostRequest
}

async function post(
  deps: Deps,
  files: readonly string[],
  { program, rules, request }: Job,
): Promise<Posted[]> {
  const inputs = [...(await findInputs(files, request.output, BILL_FILES))]
  const opened = await withBillColumns(deps, request, ["post", ...files], (reading) =>
    openBills(inputs, reading),
  )
  const isDryRun = request.dryRun === true
  const { store, scopes } = await (isDryRun ? deps.readLedger() : deps.writeLedger())
  const { settings, sender, clock, warn } = deps
  const account = request.account ?? settings.value("freightAccount")
  const confirm = async (question: string) => (await deps.prompt()).confirm(question, false)
  return postOpened(
    opened,
    {
      ...{ database: store.database, scopes, sender, warn, now: () => wallClockNow(clock.now()) },
      confirm: deps.interactive && !isDryRun ? confirm : undefined,
    },
    request,
    {
      program,
      rules,
      otherwise: account === undefined ? undefined : { account, costCentre: request.costCentre ?? "" },
      clearing: request.clearing ?? settings.value("clearingAccount"),
      isSummed: request.sum === true,
      isAgain: request.again === true,
      isDryRun,
      book: { gstCode: request.gstCode, freeCode: request.freeCode, tracking: request.tracking },
    },
  )
}
