import type { ConnectorListResponse } from "../../contract/generated/types.ts"
import { activeConnectors, type Call } from "../call.ts"
import { TARIFFS } from "../catalogue.ts"
import { json, type Reply } from "../reply.ts"

/** GET /connectors */
export function listConnectors({ tenant }: Call): Reply {
  const connectors = activeConnectors(tenant).map(({ id, carrier, name }) => ({
    id,
    carrier,
    name,
    services: TARIFFS[carrier].services.map(({ serviceCode, description }) => ({ serviceCode, description })),
  }))
  return json(200, { connectors } satisfies ConnectorListResponse)
}
