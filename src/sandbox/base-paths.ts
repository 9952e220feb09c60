import type { Api } from "../contract/index.ts"

/** The base path of each API in the sandbox. Both have one, which exposes clients that lose it. */
export const BASE_PATHS: Readonly<Record<Api, string>> = {
  freight: "/freight/v0",
  "direct-print": "/direct-print/v0",
}
