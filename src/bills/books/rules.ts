/** Chooses account and cost centre for a consignment's charges: the first matching rule, from the top. */
import type { Bill } from "../bill.ts"
import type { BookedPlace } from "../matching/booking.ts"
import { bookingOf, type Consignment, isNumberName } from "../matching/match.ts"
import { quoted } from "../../base/parsed.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import {
  createMapping,
  decodeText,
  fileSource,
  openSheet,
  openTable,
  plainHeader,
  readRecords,
  type SheetColumns,
  toRowError,
} from "../../input/index.ts"

export const WHENS = ["reference", "receiver", "sender", "carrier"] as const
type When = (typeof WHENS)[number]

export interface Target {
  account: string
  costCentre: string
}

export interface Rule extends Target {
  when: When
  /** As typed. */
  matches: string
}

export interface Subject {
  /** Any of them may match. */
  references: readonly string[]
  receiver: BookedPlace | undefined
  sender: BookedPlace | undefined
  /** The booked carrier, and the one that the bill names. */
  carriers: readonly string[]
  costCentre: string | undefined
}

const NAMES = ["when", "matches", "account", "costCentre"] as const

const HEADINGS: Readonly<Record<(typeof NAMES)[number], readonly string[]>> = {
  when: ["when", "by", "field"],
  matches: ["matches", "match", "begins with", "value"],
  account: ["account", "account code", "account number"],
  costCentre: ["cost centre", "cost center", "costCentre", "tracking", "job", "location"],
}

interface RuleField {
  readonly name: (typeof NAMES)[number]
}

const RULE_COLUMNS: SheetColumns<RuleField> = {
  fields: NAMES.map((name) => ({ name })),
  shops: [],
  bearings: [],
  help: {
    hint: "A file of rules has the columns when, matches, account and cost centre.",
    next: "freight help post --all",
  },
  meaning(header) {
    const plain = plainHeader(header)
    const name = NAMES.find((each) => HEADINGS[each].some((heading) => plainHeader(heading) === plain))
    return name ? { field: { name } } : { likely: () => undefined }
  },
}

export async function readRules(
  file: string,
  signal: AbortSignal,
  tell: (note: string) => Promise<void>,
): Promise<Rule[]> {
  const source = await openSheet(fileSource(file, signal), {})
  const { sheet } = source
  const input = sheet ? { sheet } : { text: decodeText(source, tell) }
  const table = await openTable(file, input, createMapping(RULE_COLUMNS, []), {
    ...{ ignoreUnknown: false, signal, tell },
  })
  const column = (name: RuleField["name"]) => table.fields.findIndex((field) => field?.name === name)
  const missing = (["when", "matches", "account"] as const).filter((name) => column(name) < 0)
  if (missing.length > 0)
    throw new FreightError("input", `${file}: no column is ${missing.join(", and none ")}`, RULE_COLUMNS.help)
  const rules: Rule[] = []
  const errors: ErrorDetail[] = []
  const rows = readRecords<RuleField, { rule: Rule | string }>(table, table.records, {
    ...{ what: "a rule", tell },
    read({ cells }) {
      const [when, matches, account, costCentre] = NAMES.map((name) => (cells[column(name)] ?? "").trim())
      return { rule: createRule({ when, matches, account, costCentre }) }
    },
  })
  for await (const { record, row, wrong } of rows) {
    errors.push(...wrong.map((each) => toRowError(record, each)))
    if (wrong.length > 0 || !row) continue
    if (typeof row.rule === "string")
      errors.push({ message: `row ${record.row}: ${row.rule}`, line: record.line })
    else rules.push(row.rule)
  }
  if (errors.length > 0)
    throw new FreightError("input", `some rows of ${file} are not valid rules`, { errors })
  return rules
}

/** Reads `reference,SYD-,429,Sydney`: a row of a file of rules. */
export function readRule(text: string, flag: string): Rule {
  const [when, matches, account, costCentre, ...more] = text.split(",").map((each) => each.trim())
  const rule =
    more.length > 0 ? "it has more than four parts" : createRule({ when, matches, account, costCentre })
  if (typeof rule !== "string") return rule
  throw new FreightError("usage", `${flag} ${quoted(text)}: ${rule}`, {
    hint: 'Write it as "reference,SYD-,429,Sydney": when, matches, account and cost centre.',
  })
}

type Cells = Readonly<Record<keyof Rule, string | undefined>>

function createRule({ when = "", matches = "", account = "", costCentre = "" }: Cells): Rule | string {
  const known = WHENS.find((each) => each === when.toLowerCase())
  if (!known) return `${quoted(when)} is none of ${WHENS.join(", ")}`
  if (matches === "") return "it matches nothing: write * for all"
  if (account === "") return "it has no account"
  return { when: known, matches, account, costCentre }
}

/** @returns the first matching rule; undefined if there is none */
export function findRule(rules: readonly Rule[], subject: Subject): Rule | undefined {
  return rules.find((rule) => listTexts(rule.when, subject).some((text) => fits(rule, text)))
}

function listTexts(when: When, { references, receiver, sender, carriers }: Subject): readonly string[] {
  switch (when) {
    case "reference":
      return references
    case "carrier":
      return carriers
    case "receiver":
    case "sender": {
      const { companyName, suburb, state, postcode } = (when === "receiver" ? receiver : sender) ?? {}
      return [companyName, suburb, state, postcode].flatMap((text) => text ?? [])
    }
  }
}

/** References match by their beginning, other values as a whole. * stands for any text; case is ignored. */
function fits({ when, matches }: Rule, text: string): boolean {
  const pattern = matches
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*")
  return new RegExp(`^${pattern}${when === "reference" ? "" : "$"}`, "is").test(text.trim())
}

/** @param consignment undefined for charges of the whole bill */
export function describeSubject(
  { supplier, supplierName = "" }: Bill,
  consignment: Consignment | undefined,
): Subject {
  const booked = consignment && bookingOf(consignment)
  const names = consignment?.named.flatMap((each) => each.names) ?? []
  const written = names.filter((name) => !isNumberName(name)).map(({ text }) => text)
  const distinct = (texts: readonly string[]) => [...new Set(texts.filter((text) => text !== ""))]
  return {
    references: distinct([booked?.reference ?? "", ...written]),
    receiver: booked?.receiver,
    sender: booked?.sender,
    carriers: distinct([booked?.carrier ?? "", supplier, supplierName]),
    costCentre: booked?.costCentre,
  }
}
