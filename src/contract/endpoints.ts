/** The two APIs and their endpoints. */

export type Api = "freight" | "direct-print"
export const APIS: readonly Api[] = ["freight", "direct-print"]
export const API_NAMES: Readonly<Record<Api, string>> = {
  freight: "freight API",
  "direct-print": "direct print API",
}

/** Permissions of a key of the direct print API. */
export type Scope = "devices:read" | "print-jobs:write"

export interface EndpointInfo {
  readonly api: Api
  /** Books, orders or prints something, which nothing can cancel. */
  readonly creates?: true
  readonly scope?: Scope
}

/** Each endpoint by its method and path; `{…}` is an id. */
const TABLE = {
  "GET /connectors": { api: "freight" },
  "POST /rates": { api: "freight" },
  "POST /{connectorId}/rates": { api: "freight" },
  "POST /{connectorId}/shipments": { api: "freight", creates: true },
  "GET /shipments": { api: "freight" },
  "GET /shipments/{id}": { api: "freight" },
  "GET /track": { api: "freight" },
  "GET /shipments/{id}/label": { api: "freight" },
  "POST /{connectorId}/pickups": { api: "freight", creates: true },
  "GET /pickups/{id}": { api: "freight" },
  "GET /print-devices": { api: "freight" },
  "POST /shipments/{id}/print": { api: "freight", creates: true },
  "GET /devices": { api: "direct-print", scope: "devices:read" },
  "POST /print-jobs": { api: "direct-print", creates: true, scope: "print-jobs:write" },
} as const satisfies Readonly<Record<string, EndpointInfo>>

export type EndpointName = keyof typeof TABLE

export const ENDPOINTS: Readonly<Record<EndpointName, EndpointInfo>> = TABLE

const ID = /^\{\w+\}$/
const PATTERNS = (Object.keys(TABLE) as EndpointName[]).map((name) => {
  const [method, path = ""] = name.split(" ")
  return { name, method, parts: path.split("/").slice(1) }
})

/**
 * The endpoint of a method and the parts of a path, and the index of the part with the id; -1 if it has none.
 * @returns undefined if there is no such endpoint
 */
export function findEndpoint(
  method: string,
  parts: readonly string[],
): { name: EndpointName; idAt: number } | undefined {
  const found = PATTERNS.find(
    (pattern) =>
      pattern.method === method &&
      pattern.parts.length === parts.length &&
      pattern.parts.every((part, at) => ID.test(part) || part === parts[at]),
  )
  return found && { name: found.name, idAt: found.parts.findIndex((part) => ID.test(part)) }
}
