import type { Trouble } from "./trouble.ts"

/**
 * What a call does at the server. A `read` may be sent any number of times. A `create` makes something that nothing
 * can take back, so it is sent again only where nothing can have been created.
 */
export type CallKind = "read" | "create"

/** A complete reply, or one of 300 and above of which the status is known and perhaps not the whole body. */
export interface Answer {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/** How sending a request once ended. */
export type Outcome =
  /** Not one byte of it left: nothing can have been created. */
  | { end: "unsent"; trouble: Trouble }
  /** It may have left, and no complete reply came: anything can have happened. */
  | { end: "unanswered"; trouble: Trouble }
  | ({ end: "answered" } & Answer)

/** Time limits of the three parts of an exchange, in milliseconds. */
export interface Timeouts {
  /** For a connection, a proxy's tunnel and TLS included. */
  connectMs: number
  /** For sending the request and for its answer to begin. */
  headersMs: number
  /** For the whole body of the answer, however steadily it drips. */
  bodyMs: number
}
