import { findList, parseRaw, type RawReply } from "../api/index.ts"
import { type Api, readOpenApi } from "../contract/index.ts"
import { API_METHODS, callApi } from "../orders/index.ts"
import {
  ALLOW_FLAGS,
  apiFlag,
  command,
  type Flags,
  FORCE_FLAG,
  LOOK_FLAG,
  OUTPUT,
  readKey,
  YES_FLAG,
} from "../command/index.ts"
import { safeText } from "../base/safe-text.ts"
import type { Memory, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { anyColumn, OBJECT_FORMATS, print, valueAt } from "../output/index.ts"

const flags = {
  api: { ...apiFlag("which API").api, default: "freight" },
  file: { takes: "<file>", about: "the body as JSON, or - for standard input", isInput: true },
  set: {
    takes: "<field=value>",
    about: "a field of the body: JSON if it is valid JSON, otherwise text (repeatable)",
    isRepeatable: true,
  },
  output: { ...OUTPUT, about: "write the body to this file, or - for standard output" },
  ...FORCE_FLAG,
  key: {
    takes: "<name>",
    about: "your own name for what it creates: the same key is never sent twice",
    read: readKey,
  },
  again: { about: "create it although an equal one was made within 24 hours" },
  paginate: {
    about: "with GET of a list: read all its pages, and print them as one reply",
    conflicts: ["file", "set", "output"],
  },
  dryRun: {
    about: "print the body that would be sent, once it is checked, and send nothing; not with GET or HEAD",
    formats: OBJECT_FORMATS,
  },
  openapi: {
    about: "print the description of the API as OpenAPI 3.1 in YAML, and send nothing",
    conflicts: ["file", "set", "key", "again", "paginate", "dryRun"],
    formats: [],
  },
  ...ALLOW_FLAGS,
  ...YES_FLAG,
  ...LOOK_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Calls any endpoint with your key, and prints the reply's body. Bookings, pickups and prints are checked and recorded in the ledger, as by their own commands.",
  args: [
    {
      takes: "[method]",
      about: `${API_METHODS.join(", ")}; a path alone is read with GET`,
      unless: "openapi",
    },
    {
      takes: "[path]",
      about: "relative to the API's address, with its query: shipments?limit=5; the first / may be left out",
    },
  ],
  flags,
  examples: [
    "freight api --sandbox GET connectors",
    'freight api --sandbox GET "shipments?limit=5" --format csv --fields "id,carrier"',
    "freight api --sandbox GET devices --api direct-print",
    "freight api --sandbox GET shipments/demo-shipment/label -o label.pdf",
    "freight api --sandbox GET shipments --paginate",
    "freight api --openapi > freight.yaml",
    "freight api --openapi --api direct-print -o direct-print.yaml",
  ],
  async run(deps, first = "", second, options) {
    if (options.openapi) return printOpenApi(deps, options.api, first, options.output)
    await callApi(deps, [first, second], options, (reply) => printReply(deps, reply, options.output))
  },
})

async function printOpenApi(
  deps: Session & Pick<Memory, "outputs">,
  api: Api,
  word: string,
  output: string | undefined,
) {
  if (word !== "" || deps.globals.fields)
    throw new FreightError("usage", "--openapi prints YAML, and takes --api and -o only")
  const body = readOpenApi(api)
  await printReply(deps, { mediaType: "text/yaml", body: new TextEncoder().encode(body) }, output)
  return undefined
}

type Reply = Pick<RawReply, "mediaType" | "body">

/** JSON as every command prints it; other content unchanged, but never binary on a terminal. */
async function printReply(
  deps: Session & Pick<Memory, "outputs">,
  { mediaType, body }: Reply,
  output: string | undefined,
): Promise<void> {
  const { stdout } = deps.terminal
  if (output !== undefined && output !== "-") {
    await deps.outputs.write(output, body)
    await deps.note(`Written: ${output}, ${body.byteLength} bytes.`)
    return
  }
  if (body.byteLength === 0) return
  const isRaw = output === "-" && !stdout.isTTY
  const json = isRaw ? undefined : parseRaw({ mediaType, body })
  if (json !== undefined) return printRows(deps, json)
  if (!stdout.isTTY) return stdout.write(body)
  if (!mediaType.startsWith("text/"))
    throw new FreightError(
      "usage",
      `a reply of ${safeText(mediaType || "no type", 60)} cannot be shown on a terminal`,
      { hint: "Redirect it, or name a file with -o." },
    )
  await stdout.write(`${safeText(Buffer.from(body).toString(), 100_000, { lines: true })}\n`)
}

/** JSON unless another format is given; rows are then those of the reply's list. */
async function printRows(deps: Session, reply: unknown): Promise<void> {
  const { output, globals } = deps
  const rowsAt = findList(reply)
  const rows = [rowsAt === undefined ? reply : valueAt(reply, rowsAt)].flat()
  const names = rows.flatMap((row) => Object.keys(Object(row)))
  const columns = [...new Set(names)].map((key) => anyColumn(key, key.toUpperCase()))
  const format = output.format === "table" && globals.format === undefined ? "json" : output.format
  await print(
    { terminal: deps.terminal, output: { ...output, format }, warnings: deps.warnings },
    { reply, rowsAt, rows, columns },
  )
}
