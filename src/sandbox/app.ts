/** From a request to a reply: who asks, whether they may, and what the endpoint says. */
import { CarrierRejection, CarrierUnavailable } from "./rejection.ts"
import { badRequest, json, notFound, Refusal, type Reply } from "./reply.ts"
import { type Match, matchRoute, type Route } from "./routes.ts"
import { KEYS, type Key } from "./tenants.ts"
import type { World } from "./world.ts"

interface Request {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  /** The body; undefined when it was over `MOST_BODY_BYTES`. */
  readonly text: string | undefined
}

/** Room for the largest PDF that direct print takes, and some. */
export const MOST_BODY_BYTES = 12_000_000

/** Answers a request to either API; faults of its own are a 500. */
export async function answer(world: World, request: Request): Promise<Reply> {
  try {
    world.catchUp()
    const match = matchRoute(request.method, request.path)
    if (!match) throw notFound(`There is no ${request.method} ${request.path}`)
    return await handle(world, request, match)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    if (error instanceof CarrierRejection) {
      const { code, message } = error
      return badRequest("The carrier rejected the request", [{ code, message }]).reply
    }
    if (error instanceof CarrierUnavailable) return json(502, { message: error.message })
    return json(500, {
      message: `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`,
    })
  }
}

function handle(world: World, request: Request, { route, id }: Match): Reply | Promise<Reply> {
  const { tenant } = admitted(world, request, route)
  if (request.text === undefined) throw badRequest(`The body is over ${MOST_BODY_BYTES} bytes`)
  return route.handle({ world, tenant, id, query: request.query, text: request.text })
}

/** @throws Refusal 401 without a good key of this API, 403 when the key or its tenant may not. */
function admitted(world: World, { authorization = "" }: Request, { api, scope }: Route): Key {
  const key = KEYS.get(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "")
  const revoked = key && (world.state.revocations.get(`key:${key.name}`) ?? key.revoked)
  if (!key || key.api !== api || revoked) throw new Refusal(401, { message: "Missing or invalid API key" })
  if (api === "freight" && !key.tenant.freight)
    throw new Refusal(403, { message: "Freight access is not active for this tenant" })
  if (scope && !key.scopes.includes(scope))
    throw new Refusal(403, { success: false, error: `The key lacks the scope ${scope}` })
  return key
}
