/** What the API last showed this machine: enough to choose a connector or complete a word without a call. */
import path from "node:path"
import type { ConnectorSummary } from "../contract/generated/types.ts"
import { keepJson, keptJson } from "./kept-file.ts"

export interface Seen {
  keepConnectors(connectors: readonly ConnectorSummary[]): Promise<void>
  connectors(): Promise<ConnectorSummary[]>
}

export function openSeen(folder: string): Seen {
  const file = path.join(folder, "connectors.json")
  return {
    keepConnectors: (connectors) => keepJson(file, connectors),
    async connectors() {
      const kept = await keptJson(file)
      return Array.isArray(kept) ? (kept as ConnectorSummary[]) : []
    },
  }
}
