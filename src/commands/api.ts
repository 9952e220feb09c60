import type { RawReply } from "../api/reply.ts"
import { readOpenApi } from "../contract/openapi.ts"
import { typedPath } from "../api/typed-path.ts"
import { readInput } from "../orders/booking/input.ts"
import { checkFields } from "../command/output-fields.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { sandboxMark } from "../machine/config/sandbox-mode.ts"
import type { JsonObject } from "../base/json.ts"
import type { Api } from "../contract/endpoints.ts"
import { applyPlainSets } from "../contract/fields/sets.ts"
import { nextCommand } from "../base/command-line.ts"
import { safeText } from "../base/safe-text.ts"
import type { Memory, Session } from "../command/deps.ts"
import { FreightError } from "../base/errors.ts"
import { anyColumn } from "../output/terminal/columns.ts"
import { print } from "../output/terminal/view.ts"
import { ALLOW_FLAGS, apiFlag, FORCE_FLAG, LOOK_FLAG, OUTPUT, readKey, YES_FLAG } from "../command/flags.ts"
import { rawCreate } from "../orders/booking/raw-create.ts"
import { askAboutDoubts } from "../orders/booking/doubts.ts"

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
  again: { about: "create it even if an equal one was made within 24 hours" },
  openapi: {
    about: "print the description of the API as OpenAPI 3.1 in YAML, and send nothing",
    conflicts: ["file", "set", "key", "again"],
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
      throw new FreightError("usage", `'${safeText(verb, 20)}' is not a method: use ${METHODS.join(", ")}`)
    const { baseUrl } = await deps.endpoint(api)
    const path = typedPath(method, typed, baseUrl)
    const body = await readBody(deps, options)
    if (body && (method === "GET" || method === "HEAD"))
      throw new FreightError("usage", `${method} sends no body: leave out --file and --set`)
    const create = rawCreate(api, method, path)
    if (create) {
      if (deps.output.fields) checkFields(deps.output.fields, [], create.command)
      await askAboutDoubts(deps, options, () =>
        create.send(deps, body ?? {}, options, (reply) =>
          printReply(deps, jsonReply({ ...Object(reply), ...sandboxMark(deps.globals) }), output),
        ),
      )
      return
    }
    if (key !== undefined || again || allowPast || allowDensity || acceptPlaces)
      throw new FreightError(
        "usage",
        "--key, --again, --allow-past, --allow-density and --accept-places are for bookings, pickups and prints",
      )
    const client = api === "freight" ? await deps.freight() : await deps.directPrint()
    await printReply(deps, await client.request(method, path, body && { body }), output)
  },
})

async function printOpenApi(
  deps: Session & Pick<Memory, "outputs">,
  api: Api,
  word: string,
  output: string | undefined,
) {
  if (word !== "" || deps.globals.format !== undefined || deps.globals.json || deps.globals.fields)
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

/** JSON as every command prints it; anything else as it came, but never binary onto a terminal. */
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
  if (json !== undefined) return printJson(deps, json)
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

/** JSON unless another format is asked for; rows are then those of the list that the reply is or holds. */
async function printJson({ terminal, output, globals }: Session, json: unknown): Promise<void> {
  const rows = rowsIn(json)
  const names = rows.flatMap((row) => Object.keys(Object(row)))
  const columns = [...new Set(names)].map((key) => anyColumn(key, key.toUpperCase()))
  const format = globals.format === undefined ? "json" : output.format
  await print(
    { terminal, output: { ...output, format } },
    { json, rows, columns, single: rows.length === 1 && rows[0] === json },
  )
}

function rowsIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json
  const lists = Object.values(Object(json)).filter((value) => Array.isArray(value))
  const [only, ...others] = lists
  return only && others.length === 0 ? only : [json]
}
