/**
 * Calls to both APIs over HTTP: a function for each endpoint, with retries, and the meaning of each answer. Begin with
 * `createFreightApi`, which makes the functions of the freight API from a transport.
 */

// The functions of each API
export { createFreightApi, type FreightApi, shipmentPages } from "./freight.ts"
export type { DirectPrintApi } from "./direct-print.ts"
export type { ReadOptions } from "./outcome.ts"

// Several requests
export { type Attempt, type Failure, failureOf, groupFailures, several } from "./several.ts"
export { AT_ONCE, createLimiter, type Limiter, workThrough } from "./limiter.ts"
export { LONG_RUN } from "./retry.ts"
export { createReach, NEIGHBOURS, readBack } from "./read-back.ts"

// A request, an address, an answer
export type { Transport, TransportOptions } from "./transport.ts"
export { isLoopback, parseBaseUrl, proxyFor, route } from "./address.ts"
export { partsOf, typedPath } from "./typed-path.ts"
export { parseRaw, type RawReply, readJson } from "./reply.ts"
export { findList, readWholeList } from "./pages.ts"
export { createRefusal } from "./failures.ts"
