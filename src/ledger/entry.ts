/** An entry of the ledger: what was to be created, and what came of it. A person can read the file. */
import type { ErrorDetail } from "../errors.ts"

export const KINDS = ["shipment", "pickup", "label-print", "pdf-print"] as const
/** What a create makes: a consignment, a pickup, a print of a label, a print of any PDF. */
export type Kind = (typeof KINDS)[number]

export const STATES = ["unknown", "done", "refused", "released"] as const
/**
 * - `unknown`: the intent stands and no outcome does. Something may exist; it is never sent again by itself.
 * - `done`: it exists.
 * - `refused`: certainly nothing was created; it may be sent again.
 * - `released`: a person said that it may be sent again.
 */
export type State = (typeof STATES)[number]

/** What history shows and sums, and reconcile compares; each caller fills in what it knows. */
export interface Facts {
  connectorId?: string
  carrier?: string
  serviceCode?: string
  /** For people: who or what it is for. */
  about?: string
  reference?: string
  shipmentId?: string
  deviceId?: string
  /** As the linked rate or the booking said it, in cents. */
  priceCents?: number
  currency?: string
  /** It exists at the carrier and the API does not know it: never made again, however old it is. */
  standing?: boolean
}

export interface Entry {
  version: 1
  kind: Kind
  /** What makes two sends the same: `key:…` as the user gave it, or `content:…`. */
  key: string
  /** Fingerprint of the API key that it was sent with. */
  account: string
  /** Hash of what is to be created. */
  content: string
  /** Counts the times that this key was claimed, from 1. */
  attempt: number
  state: State
  /** ISO 8601 in UTC. */
  sentAt: string
  settledAt?: string
  /** Who claimed it: while that process lives, the send is in flight. */
  owner: { host: string; pid: number }
  facts: Facts
  /** Method and path. */
  call: string
  request: unknown
  response?: unknown
  /** Why it was refused; of an `unknown` one, how sending it ended. */
  error?: { kind: string; message: string; status?: number; errors?: readonly ErrorDetail[] }
  /** How it was settled, when not by its own reply. */
  note?: string
}

/** When it was sent, for people: `2026-11-23 08:00 UTC`. */
export function sentText({ sentAt }: Pick<Entry, "sentAt">): string {
  return `${sentAt.slice(0, 16).replace("T", " ")} UTC`
}

/** Whether a parsed file is an entry. A torn or foreign file is not, and is never taken for "nothing was sent". */
export function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false
  const {
    version,
    kind,
    key,
    account,
    content,
    attempt,
    state,
    sentAt,
    settledAt,
    owner,
    facts,
    call,
    request,
  } = value as Partial<Entry>
  return (
    version === 1 &&
    KINDS.some((each) => each === kind) &&
    STATES.some((each) => each === state) &&
    [key, account, content, sentAt, call].every((text) => typeof text === "string") &&
    isTime(sentAt) &&
    (settledAt === undefined || isTime(settledAt)) &&
    typeof attempt === "number" &&
    typeof owner?.host === "string" &&
    typeof owner.pid === "number" &&
    isObject(facts) &&
    isObject(request)
  )
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value))
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null
}
