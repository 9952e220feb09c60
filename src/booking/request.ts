/** From a booking file, flags and a kept quote to a request that the contract accepts. */
import type { ConfigStore } from "../config/file.ts"
import type { Settings } from "../config/resolve.ts"
import { bookingProblems } from "../contract/booking-rules.ts"
import { problemsOf } from "../contract/check.ts"
import * as requests from "../contract/generated/requests.js"
import type { Carrier, ConsignmentBookingRequest, Package } from "../contract/generated/types.ts"
import { itemsOf, parsePackage } from "../contract/packages.ts"
import { valueOrThrow } from "../contract/parsed.ts"
import { quoteExpired } from "../contract/rate-link.ts"
import { formatWallClock, parseCloseTime, parseWallClock } from "../contract/wall-clock.ts"
import { FreightError } from "../errors.ts"
import type { KeptRate, Quotes } from "../memory/quotes.ts"
import type { Clock } from "../ports.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { type Input, inWords, readInput } from "./input.ts"
import type { MissingFlag } from "./missing.ts"
import { fillFromProfile, readParty } from "./party.ts"
import { rejected } from "./rate-request.ts"
import { applySets, type Json, type JsonObject } from "./set.ts"

export interface BookOptions {
  file?: string
  rate?: string
  quote?: string
  connector?: string
  service?: string
  sender?: string
  collection?: string
  receiver?: string
  package?: string[]
  packaging?: string
  ready?: string
  close?: string
  payer?: string
  reference?: string
  instructions?: string
  set?: string[]
}

export interface BookingDraft {
  request: JsonObject
  input: Input | undefined
  /** The kept rate that `--rate` named, when this machine has it. */
  rate: KeptRate | undefined
  notes: string[]
}

type DraftDeps = {
  files: Files
  terminal: Terminal
  clock: Clock
  quotes: Quotes
  config: ConfigStore
  settings: Settings
}

const FLAGS: readonly MissingFlag[] = [
  { path: "sender", flag: "--sender NAME or FILE.json" },
  { path: "collection", flag: "--collection NAME or FILE.json" },
  { path: "receiver", flag: "--receiver NAME or FILE.json" },
  { path: "packages", flag: "--package 2x40x30x20@5.5" },
  { path: "items", flag: "--package 2x40x30x20@5.5" },
  { path: "packagingCode", flag: "--packaging CT" },
  { path: "serviceCode", flag: "--service CODE, or --rate RATEID" },
  { path: "collectionDateTime", flag: "--ready 2026-11-23T10:00" },
  { path: "collectionCloseTime", flag: "--close 17:00" },
  { path: "payer", flag: "--payer sender" },
]

/**
 * Gathers a booking from its file, its flags over that, and what can be derived.
 * @throws FreightError `usage` or `input`; nothing is sent
 */
export async function draftBooking(deps: DraftDeps, options: BookOptions): Promise<BookingDraft> {
  const notes: string[] = []
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const draft: JsonObject = { ...input?.value }
  for (const end of ["sender", "collection", "receiver"] as const) {
    const given = options[end]
    if (given !== undefined) draft[end] = await readParty(deps, given)
  }
  if (options.package) {
    draft.packages = options.package.map((spec) => ({ ...valueOrThrow(parsePackage(spec), "--package") }))
    delete draft.items
  }
  if (options.packaging !== undefined) draft.packagingCode = options.packaging
  if (options.service !== undefined) draft.serviceCode = options.service
  if (options.ready !== undefined)
    draft.collectionDateTime = formatWallClock(valueOrThrow(parseWallClock(options.ready), "--ready"))
  if (options.close !== undefined)
    draft.collectionCloseTime = valueOrThrow(parseCloseTime(options.close), "--close")
  if (options.payer !== undefined) draft.payer = payerOf(options.payer)
  if (options.reference !== undefined) draft.customerReference = options.reference
  if (options.instructions !== undefined) draft.specialInstructions = options.instructions
  if (options.quote !== undefined) draft.quoteId = options.quote

  const rate = await linkRate(deps, options, draft)
  const request = await applySets(draft, options.set ?? [], "ConsignmentBookingRequest")
  notes.push(...fillFromProfile(deps, request))
  derive(request, input, notes)
  if (request.quoteId !== undefined && request.rateId === undefined)
    throw new FreightError(
      "usage",
      "a quoteId without a rateId does nothing: the server ignores it without a word",
      {
        hint: "Name the rate too, with --rate RATEID.",
      },
    )
  return { request, input, rate, notes }
}

/** Fills in what `--rate` says: the rate, its service and its quote. */
async function linkRate(
  deps: DraftDeps,
  options: BookOptions,
  draft: JsonObject,
): Promise<KeptRate | undefined> {
  const rateId = options.rate ?? draft.rateId
  if (typeof rateId !== "string") return undefined
  draft.rateId = rateId
  const kept = await deps.quotes.find(rateId)
  if (!kept) return undefined
  const offered = { serviceCode: kept.rate.serviceCode, quoteId: kept.quoteId, connectorId: kept.connectorId }
  // A rate named by flag goes over the file; what is named beside it must agree.
  const beside = options.rate === undefined ? draft : {}
  agree(rateId, "service", offered.serviceCode, options.service ?? beside.serviceCode)
  agree(rateId, "quote", offered.quoteId, options.quote ?? beside.quoteId)
  agree(rateId, "connector", offered.connectorId, options.connector)
  draft.serviceCode = offered.serviceCode
  draft.quoteId = offered.quoteId
  if (draft.packages === undefined) draft.packages = kept.request.packages.map((each) => ({ ...each }))
  if (draft.dangerousGoods === undefined) draft.dangerousGoods = kept.request.dangerousGoods
  return kept
}

function agree(rateId: string, what: string, offered: string, given: Json | undefined): void {
  if (given !== undefined && given !== offered)
    throw new FreightError("usage", `rate ${rateId} is for ${what} ${offered}, not ${String(given)}`)
}

/** `sender`, `receiver:ACCOUNT` or `thirdparty:ACCOUNT` (Payer). */
function payerOf(text: string): JsonObject {
  const [word = "", ...rest] = text.split(":")
  const account = rest.join(":")
  const type = { sender: "Sender", receiver: "Receiver", thirdparty: "ThirdParty" }[word.toLowerCase()]
  if (!type)
    throw new FreightError(
      "usage",
      `--payer takes sender, receiver:ACCOUNT or thirdparty:ACCOUNT, not '${text}'`,
    )
  return account === "" ? { type } : { type, accountNumber: account }
}

/** What follows from the rest: the items from the packages, the collection from the sender, who pays. */
function derive(request: JsonObject, input: Input | undefined, notes: string[]): void {
  if (request.items === undefined && isPackages(request.packages))
    request.items = { ...itemsOf(request.packages) }
  if (request.collection === undefined && request.sender !== undefined) {
    request.collection = structuredClone(request.sender)
    notes.push("The collection address is the sender's.")
  }
  if (input) return
  if (request.payer === undefined) request.payer = { type: "Sender" }
  if (request.dangerousGoods === undefined) request.dangerousGoods = false
}

/** Whether items can be reckoned from these; what else is wrong with them, the check tells. */
function isPackages(value: unknown): value is Package[] {
  const fields = ["count", "lengthCm", "widthCm", "heightCm", "weightKg"] as const
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (each: Partial<Package> | null) => each && fields.every((field) => Number.isFinite(each[field])),
    )
  )
}

/**
 * Checks a drafted booking against the contract and the carrier's rules.
 * @param carrier undefined when it cannot be known: its own rules are then left to the server
 * @throws FreightError with every problem at once
 */
export function checkedBooking(
  draft: BookingDraft,
  carrier: Carrier | undefined,
  now: number,
): { request: ConsignmentBookingRequest; warnings: string[] } {
  const { request, input, rate } = draft
  const problems = problemsOf(requests.ConsignmentBookingRequest, request)
  if (problems.length > 0) throw rejected("booking", problems, FLAGS, input)
  const complete = request as unknown as ConsignmentBookingRequest
  const { errors, warnings } = bookingProblems(complete, carrier)
  if (errors.length > 0) throw rejected("booking", errors, FLAGS, input)
  if (rate && quoteExpired(rate.quotedAt, now))
    throw new FreightError(
      "input",
      `rate ${rate.rate.rateId} is from a quote more than 48 hours old: it can no longer be booked`,
      {
        hint: "Ask for new rates with freight rate-shop and book one of those.",
      },
    )
  return { request: complete, warnings: warnings.map(inWords) }
}
