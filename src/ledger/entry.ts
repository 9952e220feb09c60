/** An entry of the ledger: a request to create something, and its outcome. */
import { hash } from "node:crypto"
import { formatInstant } from "../base/wall-clock.ts"
import type { ErrorDetail, FreightError } from "../base/errors.ts"

export const KINDS = ["shipment", "pickup", "label-print", "pdf-print"] as const
/** Kinds of creates: a consignment, a pickup, a print of a label, a print of any PDF. */
export type Kind = (typeof KINDS)[number]

export const STATES = ["unknown", "done", "refused", "released"] as const
/**
 * - `unknown`: claimed, and no outcome is recorded. While its lease runs its sender may be sending it; after that
 *   something may exist. It is never sent again automatically.
 * - `done`: it exists.
 * - `refused`: certainly nothing was created; it may be sent again.
 * - `released`: a person said that it may be sent again.
 */
export type State = (typeof STATES)[number]

export const GST_BASES = ["excluded", "included", "unknown"] as const
/** Whether the price includes GST, as far as the rate says. */
export type GstBasis = (typeof GST_BASES)[number]

/** Details that history shows and adds up and reconcile compares; each caller fills in those that it knows. */
export interface Facts {
  connectorId?: string | undefined
  carrier?: string | undefined
  serviceCode?: string | undefined
  /** For people: its purpose or its recipient. */
  about?: string | undefined
  reference?: string | undefined
  shipmentId?: string | undefined
  deviceId?: string | undefined
  consignmentNumber?: string | undefined
  orderNumber?: string | undefined
  /** As the rate or the booking said it, in cents. */
  priceCents?: number | undefined
  gstCents?: number | undefined
  priceIncGstCents?: number | undefined
  gstBasis?: GstBasis | undefined
  currency?: string | undefined
  eta?: string | undefined
  transitDays?: number | undefined
  rateId?: string | undefined
  quoteId?: string | undefined
  /** Why freight chose this service, in a line. */
  why?: string | undefined
  /** JSON, as in the request. */
  packages?: string | undefined
  weightGrams?: number | undefined
  receiverSuburb?: string | undefined
  receiverState?: string | undefined
  receiverPostcode?: string | undefined
  /** The carrier has it but the API does not: never made again, at any age. */
  standing?: boolean | undefined
  /** JSON: the places of parties as they were written, where `--fix-places` changed them. */
  writtenPlaces?: string | undefined
  /** Freight's own fields of the order, by path: see `contract/fields/own.ts`. Undefined if unknown. */
  own?: Readonly<Record<string, unknown>> | undefined
  /** JSON: the rates that were compared, where a service was chosen: see `orders/booking/compared-rates.ts`. */
  offers?: string | undefined
}

/** Facts that are learned from the reply; all others are fixed by the claim. */
export const LEARNED_FACTS = [
  "about",
  "reference",
  "shipmentId",
  "consignmentNumber",
  "orderNumber",
  "standing",
] as const satisfies readonly (keyof Facts)[]
export type LearnedFacts = Pick<Facts, (typeof LEARNED_FACTS)[number]>

/** The sender: the workstation, and the system's name of the person. */
export interface Sender {
  workstation: string
  person: string
}

/** A carrier's cancellation of a booking on the phone. */
export interface Cancellation {
  /** The person at the carrier who confirmed it: a name or a number. */
  confirmedBy: string
  /** When it was noted, and by whom: ISO 8601 in UTC. */
  at: string
  by: Sender
  /** The reversal: the booking is valid again. */
  takenBack?: { why: string; at: string; by: Sender }
}

export interface Entry {
  /** Readable and unique: `po-1001-3fa9c04d51b2e877.1`, the last number being the attempt. */
  id: string
  /** The account whose keys and contents are compared: see `accounts/`. */
  scope: string
  kind: Kind
  /** Two sends with one key are the same: `key:…`, or `content:…` without a key. */
  key: string
  /** The key of its order's first consignment, where it is a later one; of an entry that was looked up for its order. */
  firstKey?: string
  /** A person gave the key: with `--key`, or as a row's reference. */
  keyGiven: boolean
  /** Fingerprint of the API key that it was sent with. */
  account: string
  content: string
  /** Hash of the customer's reference and the receiver, of a booking that has one. */
  referenceHash?: string
  /** Counts the times that this key was claimed, from 1. */
  attempt: number
  state: State
  /** ISO 8601 in UTC, by the database's clock. */
  sentAt: string
  settledAt?: string
  /** Until when its sender may be sending it. */
  leaseUntil?: string
  sender: Sender
  facts: Facts
  /** Method and path. */
  call: string
  /** Shipments that a pickup collects, besides the one in its facts; of an entry that was looked up by them. */
  collects?: readonly string[]
  request: unknown
  response?: unknown
  /** Why it was refused; for `unknown`, the error that ended sending. */
  error?: { kind: string; message: string; status?: number; errors?: readonly ErrorDetail[] }
  /** How it was settled, if not by its own reply. */
  note?: string
  /** Id of the earlier entry for the same order: their accounts turned out to be one afterwards. */
  duplicateOf?: string
  /** When a person had settled the duplicate. */
  duplicateSettledAt?: string
  /** When its carrier cancelled it; absent while it is not cancelled. Its key stays taken. */
  cancelledAt?: string
  /** The carrier's answers to cancellations, oldest first. */
  cancellations?: readonly Cancellation[]
  /** It was booked with a program or in the portal, and is not an entry of the ledger: see `elsewhere.ts`. */
  elsewhere?: "API" | "PORTAL"
  /** Booked elsewhere, and too little of it could be read to distinguish it from another order. */
  isUnclear?: true
}

/** When it was sent, by this machine's clock: `Mon 23 Nov 2026, 19:00`. */
export function sentText({ sentAt }: Pick<Entry, "sentAt">): string {
  return formatInstant(sentAt)
}

/** Why an entry has no known outcome, as far as it is known. */
export function openReason({ note, error }: Pick<Entry, "note" | "error">): string | undefined {
  return note ?? (error && `sending it failed with: ${error.message}`)
}

/** The id of a claim whose own id is taken: by an entry that was copied here, or that has left the account. */
export function otherId(id: string, token: string): string {
  return `${id}-${token.slice(-8)}`
}

/** The id of a claim without its attempt: readable, and distinct for each account, kind and key. */
export function idOf(scope: string, kind: Kind, key: string): string {
  const digest = hash("sha256", `${scope}\n${kind}\n${key}`).slice(0, 16)
  const words = key
    .replace(/^\w+:/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
  const slug = key.startsWith("content:") ? kind : words.replace(/^-+|(?<!-)-+$/g, "") || kind
  return `${slug}-${digest}`
}

/** The receiver in a description of a booking: `2 packages to Harbour Supplies, Fremantle WA 6160`. */
export function withoutPackages(about: string): string {
  return about.replace(/^\d+ packages? to /, "")
}

/** The name that people and commands use for an entry: its key, otherwise its reference. */
export function nameText({ key, facts: { reference } }: Pick<Entry, "key" | "facts">): string {
  return keyText({ key }) || reference || ""
}

/** A carrier's answer on the phone, as it is printed. */
export interface CancellationWord {
  confirmedBy: string
  at: string
  by: Sender
  takenBack: NonNullable<Cancellation["takenBack"]> | null
}

export function toWord({ confirmedBy, at, by, takenBack }: Cancellation): CancellationWord {
  return { confirmedBy, at, by, takenBack: takenBack ?? null }
}

/** The newest note of its cancellation; undefined while it is not cancelled. */
export function getCancellation({ cancelledAt, cancellations }: Entry): Cancellation | undefined {
  return cancelledAt === undefined ? undefined : cancellations?.at(-1)
}

/** The key as people write it; empty where the content is the key. */
export function keyText({ key }: Pick<Entry, "key">): string {
  return key.startsWith("key:") ? key.slice("key:".length) : ""
}

export function toKeptError({ kind, message, status, errors }: FreightError): NonNullable<Entry["error"]> {
  return { kind, message, ...(status !== undefined && { status }), ...(errors && { errors }) }
}
