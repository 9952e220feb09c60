/** Any request with a person's key: `freight api`. What creates something is made like any other order, pickup or print. */
import { type RawReply, readWholeList, typedPath } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import type { JsonObject } from "../../base/json.ts"
import { quoted } from "../../base/parsed.ts"
import { checkFields } from "../../command/index.ts"
import { type Api, applyPlainSets } from "../../contract/index.ts"
import { printJson } from "../../output/index.ts"
import type { Deps } from "../../session/index.ts"
import { askAboutDoubts } from "./doubts.ts"
import { readInput } from "./input.ts"
import { type RawFlags, rawCreate } from "./raw-create.ts"

export const API_METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

interface CallOptions extends RawFlags {
  api: Api
  /** The body as JSON. */
  file?: string | undefined
  /** `field=value`, over the file. */
  set?: readonly string[] | undefined
  paginate?: boolean | undefined
  dryRun?: boolean | undefined
}

type Reply = Pick<RawReply, "mediaType" | "body">

/**
 * Sends a request, and gives its reply to `show`. With `dryRun` its body is checked and printed instead.
 * @param words as typed: a method and a path, or a path alone, which is read
 * @throws FreightError `usage` for what fits no such request; `input` for a body that is wrong; by the reply's status
 */
export async function callApi(
  deps: Deps,
  words: readonly [string, string | undefined],
  options: CallOptions,
  show: (reply: Reply) => Promise<void>,
): Promise<void> {
  const { api, key, again, allowPast, allowDensity, acceptPlaces } = options
  const { method, typed } = readWords(words)
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
    const isSandbox = deps.globals.sandbox && { sandbox: true }
    await askAboutDoubts(deps, options, () =>
      create.send(deps, body ?? {}, options, (reply) => show(toReply({ ...Object(reply), ...isSandbox }))),
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
    ? toReply(await readWholeList((page) => client.request(method, page), path))
    : await client.request(method, path, body && { body })
  await show(reply)
}

function readWords([first, second]: readonly [string, string | undefined]) {
  const isPathAlone = second === undefined && !API_METHODS.includes(first.toUpperCase())
  const [verb, typed] = isPathAlone ? ["GET", first] : [first, second]
  const method = verb.toUpperCase()
  if (typed === undefined)
    throw new FreightError("usage", `freight api ${method} needs PATH, such as shipments?limit=5`, {
      ...nextCommand("freight", "help", "api"),
    })
  if (!API_METHODS.includes(method))
    throw new FreightError("usage", `${quoted(verb)} is not a method: use ${API_METHODS.join(", ")}`)
  return { method, typed }
}

async function readBody(
  deps: Deps,
  { file, set = [] }: Pick<CallOptions, "file" | "set">,
): Promise<JsonObject | undefined> {
  if (file === undefined && set.length === 0) return undefined
  const input = file === undefined ? {} : (await readInput(deps, file)).value
  return applyPlainSets(input, set)
}

function toReply(reply: unknown): Reply {
  return { mediaType: "application/json", body: Buffer.from(`${JSON.stringify(reply, null, 2)}\n`) }
}
