/** From a file, flags and a booked shipment to a pickup request that the contract accepts. */
import type { ConfigStore } from "../config/file.ts"
import { findErrors } from "../contract/check.ts"
import * as requests from "../contract/generated/requests.js"
import type { PickupBookingRequest, ShipmentDetail } from "../contract/generated/types.ts"
import { itemsOf, parsePackage } from "../contract/packages.ts"
import { type Parsed, parsed, quoted, refused, valueOrThrow } from "../contract/parsed.ts"
import { type PickupPlace, checkPickup } from "../contract/request-rules.ts"
import { formatClock, formatDate, parseTimeOfDay, parseWallClock } from "../contract/wall-clock.ts"
import { FreightError } from "../errors.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { type Input, inWords, readInput } from "./input.ts"
import type { MissingFlag } from "./missing.ts"
import { readParty } from "./party.ts"
import { rejected } from "./rate-request.ts"
import { applySets, type JsonObject } from "./set.ts"

export interface PickupOptions {
  file?: string
  shipment?: string
  collection?: string
  receiver?: string
  package?: string[]
  service?: string
  date?: string
  ready?: string
  close?: string
  set?: string[]
}

interface PickupDraft {
  request: JsonObject
  input: Input | undefined
}

const FLAGS: readonly MissingFlag[] = [
  { path: "collection", flag: "--collection NAME or FILE.json" },
  { path: "items", flag: "--package 2x40x30x20@5.5" },
  { path: "receiver", flag: "--receiver NAME or FILE.json" },
  { path: "serviceCode", flag: "--service CODE" },
  { path: "pickupDate", flag: "--date 2026-11-23" },
  { path: "readyTime", flag: "--ready 10:00" },
  { path: "closeTime", flag: "--close 17:00" },
]

/**
 * Gathers a pickup from its file and its flags over that. Times are brought to `HH:MM`, the one of the contract's
 * shapes that reads the same everywhere: it does not say which a pickup takes.
 * @throws FreightError `usage` or `input`; nothing is sent
 */
export async function draftPickup(
  deps: { files: Files; terminal: Terminal; config: ConfigStore },
  options: PickupOptions,
): Promise<PickupDraft> {
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const draft: JsonObject = { ...input?.value }
  if (options.shipment !== undefined) draft.shipmentId = options.shipment
  for (const end of ["collection", "receiver"] as const) {
    const given = options[end]
    if (given !== undefined) draft[end] = await readParty(deps, given)
  }
  if (options.package)
    draft.items = {
      ...itemsOf(options.package.map((spec) => valueOrThrow(parsePackage(spec), "--package"))),
    }
  if (options.service !== undefined) draft.serviceCode = options.service
  if (options.date !== undefined) draft.pickupDate = options.date
  if (options.ready !== undefined) ready(draft, options.ready, options.date)
  if (options.close !== undefined) draft.closeTime = valueOrThrow(clock(options.close), "--close")
  const request = await applySets(draft, options.set ?? [], "PickupBookingRequest")
  for (const field of ["readyTime", "closeTime"]) {
    const time = request[field]
    if (typeof time === "string")
      request[field] = valueOrThrow(clock(time), input ? `${input.name}: ${field}` : field)
  }
  refuseMixed({ request, input })
  return { request, input }
}

/** `10:00`, or with its day as a booking's ready time has it: `2026-11-23T10:00`. */
function ready(draft: JsonObject, text: string, date: string | undefined): void {
  if (!text.includes("T")) {
    draft.readyTime = valueOrThrow(clock(text), "--ready")
    return
  }
  const wallClock = valueOrThrow(parseWallClock(text), "--ready")
  const day = formatDate(wallClock)
  if (date !== undefined && date !== day)
    throw new FreightError("usage", `--ready is on ${day}, and --date says ${date}`)
  draft.pickupDate = day
  draft.readyTime = formatClock(wallClock)
}

function clock(text: string): Parsed<string> {
  const time = parseTimeOfDay(text)
  if (!time.ok) return time
  return time.value.second > 0
    ? refused(`${quoted(text)} has seconds: a pickup's times are hours and minutes`)
    : parsed(formatClock(time.value))
}

/** With a shipment, address and goods are the shipment's (Behaviour 8): both together are not sent. */
function refuseMixed({ request, input }: PickupDraft): void {
  const mixed = findErrors(requests.PickupBookingRequest, request).filter(({ keyword }) => keyword === "not")
  if (mixed.length > 0) throw rejected("pickup", request, mixed, FLAGS, input)
}

/**
 * Fills in when to collect from what the shipment was booked for.
 * @returns a note, when something was filled in
 */
export function fillFromShipment(request: JsonObject, shipment: ShipmentDetail): string | undefined {
  const booked = parseWallClock(shipment.collectionDateTime)
  const close = clock(shipment.collectionCloseTime)
  const known = {
    ...(booked.ok && { pickupDate: formatDate(booked.value), readyTime: formatClock(booked.value) }),
    ...(close.ok && { closeTime: close.value }),
  }
  const filled = Object.entries(known).filter(([field]) => request[field] === undefined)
  for (const [field, value] of filled) request[field] = value
  if (filled.length === 0) return undefined
  return `As the shipment was booked: ${filled.map(([field, value]) => `${WORDS[field]} ${value}`).join(", ")}.`
}

const WORDS: Readonly<Record<string, string>> = {
  pickupDate: "on",
  readyTime: "ready at",
  closeTime: "closing at",
}

/**
 * Checks a drafted pickup against the contract and the carrier's rules.
 * @throws FreightError with every problem at once
 */
export function checkedPickup(
  { request, input }: PickupDraft,
  place: Omit<PickupPlace, "state"> & { shipment: ShipmentDetail | undefined },
): { request: PickupBookingRequest; warnings: string[] } {
  const problems = findErrors(requests.PickupBookingRequest, request)
  if (problems.length > 0) throw rejected("pickup", request, problems, FLAGS, input)
  const complete = request as unknown as PickupBookingRequest
  const { carrier, moment, shipment } = place
  const state = shipment?.collection.state ?? complete.collection?.state
  const { errors, warnings } = checkPickup(complete, { carrier, state, moment })
  if (errors.length > 0) throw rejected("pickup", request, errors, FLAGS, input)
  return { request: complete, warnings: warnings.map(inWords) }
}
