/** The tools that read: each is a command that creates nothing. */
import path from "node:path"
import * as z from "zod"
import { FreightError } from "../base/errors.ts"
import { findInputs, getFileId, isPattern, splitPattern } from "../invoice/index.ts"
import { BILL_FILES } from "../bills/index.ts"
import { MAX_ANSWER_LENGTH, MAX_SEARCHED } from "../base/limits.ts"
import type { FlagValue } from "../command/index.ts"
import { capital } from "../output/index.ts"
import {
  describeCommand,
  flagSchemas,
  listOf,
  PACKAGES,
  packageTexts,
  toAssistant,
  tool,
  type Tool,
  toReply,
} from "./tool.ts"

/** A command as a tool: the rest comes from the command's own description. */
interface CommandTool {
  name: string
  command: string
  /** Its purpose for an assistant, who has no terminal and no exit codes. */
  about: string
  /** Instead of the command's own, if the command can do more. */
  title?: string
  /** Flags that an assistant may give, in camel case. */
  flags?: readonly string[]
  needs?: readonly string[]
  /** The name of the command's arguments. */
  args?: string
  /** The arguments are files of the server's folder. */
  files?: "bills" | "invoices"
  /** Takes the text of a file instead of its name. */
  takesText?: true
  always?: Readonly<Record<string, true>>
  /** It sends no request. */
  isLocal?: true
}

const TOOLS: readonly CommandTool[] = [
  {
    name: "list_connectors",
    command: "connectors",
    about: "Lists the carrier accounts and the services that each offers.",
  },
  {
    name: "shop_rates",
    command: "rate-shop",
    about:
      "Compares the prices and arrivals of all carriers for one consignment. A carrier that does not answer within seconds is left out and named. Books nothing; plan_booking asks for the prices again.",
    flags: [
      ...["from", "to", "package", "fromResidential", "toResidential", "dangerousGoods", "allowDensity"],
      ...["date", "connector", "sort", "service", "maxPrice", "within", "arriveBy", "onTime", "avoid"],
    ],
    needs: ["to", "package"],
  },
  // An assistant's look does not count as seen for freight track --new.
  {
    name: "track_consignments",
    command: "track",
    about:
      "Shows where consignments are, newest event first, and proof of delivery where the carrier gives it. Name consignments, or ask with open for everything booked from here that is not delivered.",
    args: "consignments",
    flags: ["open", "carrier"],
    always: { noRemember: true },
  },
  {
    name: "list_shipments",
    command: "shipments list",
    about: "Lists booked shipments, newest first, page by page.",
    flags: ["limit", "offset"],
  },
  {
    name: "show_shipment",
    command: "shipments show",
    about: "Shows everything about one shipment.",
    args: "shipment",
  },
  {
    name: "today",
    command: "today",
    about:
      "Lists what needs someone, worst first, each with the command that a person runs for it. It looks in the ledger, asks the service only about what may be wrong by now, and changes nothing.",
    flags: ["since", "hours", "leaveOut"],
  },
  {
    name: "history",
    command: "history",
    about: "Lists what was sent and its outcome, newest first, from the ledger. It asks no server.",
    flags: ["since", "kind", "state", "search", "spend"],
    isLocal: true,
  },
  {
    name: "audit_bills",
    command: "audit",
    about:
      "Compares carriers' bills with quotes and bookings, consignment by consignment, and says what to dispute. It keeps nothing: a person raises the disputes.",
    args: "files",
    files: "bills",
    flags: ["tolerance", "all", "map", "sheet", "hidden", "offline"],
    always: { noRemember: true },
  },
  {
    name: "bills_to_pay",
    command: "pay",
    title: "List what is to be paid of audited bills",
    about:
      "Lists what is to be paid of audited bills, by the day on which each is due: asked for, less what is disputed and what is credited; and apart, with the reason, what may not be paid. It records no payment: a person does that with freight pay.",
    flags: ["dueBy"],
    always: { list: true },
    isLocal: true,
  },
  {
    name: "validate_invoices",
    command: "invoice validate",
    about:
      "Checks invoices against the contract, and their sums, taxes and dates as an accountant would. Errors break the contract; warnings are worth a look, and leave an invoice valid.",
    args: "files",
    files: "invoices",
    takesText: true,
    flags: ["draft", "complete", "strict", "noAccounting"],
    always: { noRegister: true },
    isLocal: true,
  },
  // It returns the document, and writes no file.
  {
    name: "correct_invoice",
    command: "invoice correct",
    about:
      "Gives the document that corrects an invoice that was sent: it cancels it, changes it, or credits it. Shows what changes and what is due after it. Writes no file and sends nothing.",
    args: "file",
    files: "invoices",
    takesText: true,
    flags: [
      ...["cancel", "changeLine", "addLine", "removeLine", "set", "shippingAmount"],
      ...["credit", "creditLine", "number", "date", "comments", "index"],
    ],
    always: { noRegister: true },
    isLocal: true,
  },
]

export function readingTools(): Tool[] {
  return TOOLS.map(createTool)
}

function createTool(made: CommandTool): Tool {
  const {
    name,
    command,
    about: purpose,
    flags = [],
    needs = [],
    args,
    files,
    takesText,
    always,
    isLocal,
    title,
  } = made
  const described = describeCommand(command)
  const shape: Record<string, z.ZodType> = flagSchemas(described, flags)
  if (shape.package) shape.package = PACKAGES.describe("Packages of the consignment.")
  for (const each of needs) shape[each] = z.nonoptional(shape[each] ?? z.string())
  const [argument] = described.arguments
  if (args !== undefined && argument) {
    const { isVariadic, isRequired, description } = argument
    const inFolder = isVariadic
      ? "Files, folders or patterns in the server's folder."
      : "A file in the server's folder."
    const about = files ? inFolder : `${capital(toAssistant(description))}.`
    const schema = isVariadic ? listOf(z.array(z.string()).min(1).max(1000)) : z.string()
    shape[args] = (isRequired && !takesText ? schema : schema.optional()).describe(about)
  }
  if (takesText)
    shape.text = z
      .string()
      .optional()
      .describe("Instead of files: the JSON of an invoice, or of a list of them.")
  const input = z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([key, schema]) => [key === "package" ? "packages" : key, schema]),
    ),
  )
  const annotations = { readOnlyHint: true, openWorldHint: !isLocal }
  const about = { name, title: title ?? capital(described.purpose), description: purpose }
  return tool({ ...about, annotations, input }, async (given, context) => {
    const { packages, text, ...values } = given as Record<string, FlagValue>
    const named = args === undefined ? [] : [values[args] ?? []].flat().map(String)
    if (args !== undefined) delete values[args]
    if (takesText && (named.length === 0) === (text === undefined))
      throw new FreightError("usage", `give either ${args} or text`)
    const found = files && text === undefined ? await findFilesIn(context.folder, named, files) : named
    const ran = await context.run({
      command,
      flags: {
        ...values,
        ...(packages !== undefined && { package: packageTexts(packages as z.infer<typeof PACKAGES>) }),
        ...always,
      },
      args: text === undefined ? found : ["-"],
      ...(text !== undefined && { input: String(text) }),
      most: MAX_ANSWER_LENGTH,
    })
    return toReply(ran)
  })
}

/**
 * The files behind some names, wherever links point.
 * @param names files, folders or patterns, relative to the folder
 */
async function findFilesIn(
  folder: string,
  names: readonly string[],
  what: "bills" | "invoices",
): Promise<string[]> {
  const top = getFileId(folder)
  const refuseOutside = (name: string, file: string) => {
    const fromTop = path.relative(top, getFileId(file))
    if (fromTop === ".." || fromTop.startsWith(`..${path.sep}`) || path.isAbsolute(fromTop))
      throw new FreightError("input", `${name} is not in the folder whose files may be read`, {
        hint: "Name files from that folder on. Another is chosen when the server is started: freight mcp --folder.",
      })
  }
  const words = names.map((name) => path.resolve(folder, name))
  // Check before looking: the names of files elsewhere stay unknown, too.
  for (const [at, word] of words.entries())
    refuseOutside(names[at] ?? word, isPattern(word) ? splitPattern(word).folder : word)
  const documents = what === "bills" ? BILL_FILES : undefined
  const inputs = await findInputs(words, undefined, documents, MAX_SEARCHED)
  return Array.from(inputs, ({ file, unreadable, isEmpty, stream }) => {
    const name = path.relative(folder, file)
    refuseOutside(name, file)
    const reason = unreadable ?? (stream && "it is not a file") ?? (isEmpty && `it has no ${what} in it`)
    if (reason) throw new FreightError("input", `cannot read ${name || "the folder"}: ${reason}`)
    return file
  })
}
