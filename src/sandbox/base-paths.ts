import type { Api } from "../contract/index.ts"

/** Where the sandbox serves each API. Both have a path, which exposes clients that lose it. */
export const BASE_PATHS: Readonly<Record<Api, string>> = {
  freight: "/freight/v0",
  "direct-print": "/direct-print/v0",
}
