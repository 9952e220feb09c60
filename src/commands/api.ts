import { quoted } from "../base/parsed.ts"
import { type RawReply, typedPath } from "../api/index.ts"
import { type Api, applyPlainSets, readOpenApi } from "../contract/index.ts"
import { askAboutDoubts, rawCreate, readInput } from "../orders/index.ts"
import {
  ALLOW_FLAGS,
  apiFlag,
  checkFields,
  command,
  type Flags,
  FORCE_FLAG,
  LOOK_FLAG,
  type OptionsOf,
  OUTPUT,
  readKey,
  YES_FLAG,
} from "../command/index.ts"
import type { JsonObject } from "../base/json.ts"
import { nextCommand } from "../base/command-line.ts"
import { safeText } from "../base/safe-text.ts"
import type { Memory, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { grouped } from "../base/counted.ts"
import { anyColumn, jsonText, OBJECT_FORMATS, print, printJson, valueAt } from "../output/index.ts"
import { MAX_PAGE_SIZE, MAX_SHIPMENTS } from "../base/limits.ts"

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

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
    { takes: "[method]", about: `${METHODS.join(", ")}; a path alone is read with GET`, unless: "openapi" },
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
    const { api, output, key, again, allowPast, allowDensity, acceptPlaces } = options
    if (options.openapi) return printOpenApi(deps, api, first, output)
    const isPathAlone = second === undefined && !METHODS.includes(first.toUpperCase())
    const [verb, typed] = isPathAlone ? ["GET", first] : [first, second]
    const method = verb.toUpperCase()
    if (typed === undefined)
      throw new FreightError("usage", `freight api ${method} needs PATH, such as shipments?limit=5`, {
        ...nextCommand("freight", "help", "api"),
      })
    if (!METHODS.includes(method))
      throw new FreightError("usage", `${quoted(verb)} is not a method: use ${METHODS.join(", ")}`)
    const { baseUrl } = await deps.endpoint(api)
    const path = typedPath(method, typed, baseUrl)
    const body = await readBody(deps, options)
    const isReading = method === "GET" || method === "HEAD"
    if (body && isReading)
      throw new FreightError("usage", `${method} sends no body: leave out --file and --set`)
    if (options.paginate && method !== "GET")
      throw new FreightError("usage", "--paginate reads a list: it is for GET")
    if (options.dryRun && isReading)
      throw new FreightError("usage", `--dry-run is for what changes something: ${method} only reads`)
    const create = rawCreate(api, method, path)
    if (options.dryRun) {
      await create?.check(deps, body ?? {})
      await printJson(deps, body ?? {})
      await deps.note(`Nothing was sent. It would go to ${method} ${path}.`)
      return
    }
    if (create) {
      if (deps.output.fields) checkFields(deps.output.fields, [], create.command)
      await askAboutDoubts(deps, options, () =>
        create.send(deps, body ?? {}, options, (reply) =>
          printReply(
            deps,
            jsonReply({ ...Object(reply), ...(deps.globals.sandbox && { sandbox: true }) }),
            output,
          ),
        ),
      )
      return
    }
    if (key !== undefined || again || allowPast || allowDensity || acceptPlaces)
      throw new FreightError(
        "usage",
        "--key, --again, --allow-past, --allow-density and --allow-places are for bookings, pickups and prints",
      )
    const client = api === "freight" ? await deps.freight() : await deps.directPrint()
    const reply = options.paginate
      ? jsonReply(await readPages(async (page) => parseReply(await client.request(method, page)), path))
      : await client.request(method, path, body && { body })
    await printReply(deps, reply, output)
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

async function readBody(
  deps: Session,
  { file, set = [] }: OptionsOf<typeof flags>,
): Promise<JsonObject | undefined> {
  if (file === undefined && set.length === 0) return undefined
  const input = file === undefined ? {} : (await readInput(deps, file)).value
  return applyPlainSets(input, set)
}

type Reply = Pick<RawReply, "mediaType" | "body">

function jsonReply(reply: unknown): Reply {
  return { mediaType: "application/json", body: Buffer.from(`${JSON.stringify(reply, null, 2)}\n`) }
}

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
  const json = isRaw ? undefined : parseJson(mediaType, body)
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

function parseJson(mediaType: string, body: Uint8Array): unknown {
  if (!/^application\/(.+\+)?json$/.test(mediaType)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** JSON unless another format is given; rows are then those of the reply's list. */
async function printRows(deps: Session, reply: unknown): Promise<void> {
  const { output, globals } = deps
  const rowsAt = findRows(reply)
  const rows = [rowsAt === undefined ? reply : valueAt(reply, rowsAt)].flat()
  const names = rows.flatMap((row) => Object.keys(Object(row)))
  const columns = [...new Set(names)].map((key) => anyColumn(key, key.toUpperCase()))
  const format = output.format === "table" && globals.format === undefined ? "json" : output.format
  await print(
    { terminal: deps.terminal, output: { ...output, format }, warnings: deps.warnings },
    { reply, rowsAt, rows, columns },
  )
}

function parseReply({ mediaType, body }: Reply): unknown {
  const json = parseJson(mediaType, body)
  if (json !== undefined) return json
  throw new FreightError("usage", "--paginate reads lists, and this reply is not JSON")
}

/** All pages of a list as one reply: GET /shipments. */
async function readPages(read: (path: string) => Promise<unknown>, path: string): Promise<unknown> {
  const [place = "", query = ""] = path.split("?", 2)
  // A row that is added meanwhile moves all others by one: the last of a page comes again with the next.
  const rows = new Map<string, unknown>()
  for (let offset = 0; ; ) {
    const asked = new URLSearchParams(query)
    asked.set("limit", String(MAX_PAGE_SIZE))
    asked.set("offset", String(offset))
    const reply = Object(await read(`${place}?${asked}`))
    const name = findRows(reply)
    if (name === undefined || typeof reply.total !== "number")
      throw new FreightError("usage", `${place} has no pages: leave out --paginate`)
    const before = rows.size
    for (const row of reply[name]) {
      // It may have changed since it was first read.
      const known = typeof row?.id === "string" ? row.id : jsonText(row)
      if (!rows.has(known)) rows.set(known, row)
    }
    offset += reply[name].length
    const isLast = offset >= reply.total
    if (isLast) return { ...reply, total: rows.size, limit: rows.size, offset: 0, [name]: [...rows.values()] }
    if (rows.size === before)
      throw new FreightError(
        "unreadable",
        `the list ends early or repeats itself: ${rows.size} of ${reply.total} rows were read`,
      )
    if (offset >= MAX_SHIPMENTS)
      throw new FreightError(
        "unreadable",
        `the list has more than ${grouped(offset)} rows, the most that freight reads at once`,
      )
  }
}

/** The name of the only list in a reply. */
function findRows(json: unknown): string | undefined {
  if (Array.isArray(json)) return undefined
  const lists = Object.entries(Object(json)).filter(([, value]) => Array.isArray(value))
  return lists.length === 1 ? lists[0]?.[0] : undefined
}
