/** A plan: each row of a batch with the service and the price that it is to be booked at, for someone to approve. */
import { type Own, QUOTE_LIFETIME_MS, type Residential, type WrittenPlaces } from "../../../contract/index.ts"
import { getGstBasis } from "../../booking/rates.ts"
import { countGst, type GstCounts } from "../gst.ts"
import { Buffer } from "node:buffer"
import { hash } from "node:crypto"
import { statSync } from "node:fs"
import type { ServicePreference } from "../../booking/preferences.ts"
import { readInput } from "../../booking/input.ts"
import { isKeptRate } from "../../booking/price.ts"
import * as requests from "../../../contract/generated/requests.js"
import type { ConsignmentBookingRequest } from "../../../contract/generated/types.ts"
import type { Source } from "../../booking/order.ts"
import { nextCommand } from "../../../base/command-line.ts"
import { FreightError } from "../../../base/errors.ts"
import { canonical, type WrittenOrder } from "../../../ledger/index.ts"
import type { KeptRate } from "../../../machine/index.ts"
import { type Files, jsonText, type Terminal } from "../../../output/index.ts"
import type { Outcome } from "../outcome.ts"
import { HELD_STATES } from "../shipping.ts"
import type { ShopHold } from "../rows/written-row.ts"
import type { RowBooking } from "../rows/row.ts"
import { fileSource } from "../../../input/index.ts"
import * as plans from "./generated/plan.js"

/** Format version of plan files; `schemas/plan.schema.json` describes the content. */
const VERSION = 1

export interface PlanAccount {
  /** The service's address; `sandbox` for the embedded one. */
  service: string
  /** As the ledger has it: see `ledger/accounts/`. */
  scope: string
  account: string
}

interface AnyPlanRow {
  row: number
  line: number
  reference: string
  /** Its ledger key, where that is not the reference. */
  key?: string
  wish: ServicePreference
  /** Freight's own data beside the request; earlier versions of freight left it out. */
  own: Own | undefined
  /** A part of `own` that earlier versions of freight, and scripts, read. */
  residential: Residential
  input: Readonly<Record<string, string>>
  /** The order as its row has it; earlier versions of freight left it out. */
  written?: WrittenOrder
  /** Places as written, if an earlier version of freight made the plan; otherwise they are in `written`. */
  writtenPlaces?: WrittenPlaces
}

export interface PlannedRow extends AnyPlanRow {
  state: "planned"
  connectorId: string
  serviceCode: string
  price: number
  currency: string
  /** Why this service; empty if there is none. */
  why: string
  error: null
  /** Permissions given when it was planned; undefined if none, and from earlier versions of freight. */
  allowed: Source["allowed"]
  request: ConsignmentBookingRequest
  rate: KeptRate
}

export interface OtherRow extends Omit<AnyPlanRow, "wish"> {
  state: Outcome["state"]
  error: string | null
  /** Why it is not to be booked, by its shop's status. */
  held?: ShopHold
  wish: ServicePreference | null
  request: RowBooking | null
}

export type PlanRow = PlannedRow | OtherRow

export interface Plan {
  freightPlan: typeof VERSION
  /** SHA-256 over the canonical JSON of all the rest. */
  planHash: string
  file: string
  /** ISO 8601 in UTC. */
  madeAt: string
  /** Until when all its rates hold; null if it has none. */
  validUntil: string | null
  /** Every row can be booked, is, or is left out. */
  complete: boolean
  totals: { currency: string; amount: number }[]
  account: PlanAccount
  columns: string[]
  /** References of bookings that rows repeat, approved as separate orders; left out if there are none. */
  separateFrom?: string[]
  rows: PlanRow[]
}

export function isPlanned(row: PlanRow): row is PlannedRow {
  return row.state === "planned"
}

export function sealPlan(
  parts: Pick<Plan, "file" | "madeAt" | "account" | "columns" | "separateFrom" | "rows"> &
    Pick<Plan, "totals">,
): Plan {
  const { rows } = parts
  const quoted = rows.filter(isPlanned).map(({ rate }) => rate.quotedAt)
  const content = {
    freightPlan: VERSION,
    ...parts,
    validUntil:
      quoted.length === 0
        ? null
        : new Date(quoted.reduce((first, each) => Math.min(first, each)) + QUOTE_LIFETIME_MS).toISOString(),
    complete: rows.every(({ state }) => ["planned", "booked", "left-out"].includes(state)),
  } as const
  // As it is read again: without fields that are undefined.
  const written = JSON.parse(JSON.stringify(content)) as Omit<Plan, "planHash">
  const { freightPlan, file, madeAt, validUntil, complete, totals, account, columns, separateFrom } = written
  const planHash = hashContent(written)
  return {
    ...{ freightPlan, planHash, file, madeAt, validUntil, complete, totals, account, columns },
    ...(separateFrom && { separateFrom }),
    rows: written.rows,
  }
}

function hashContent(content: object): string {
  return hash("sha256", canonical({ ...content, planHash: undefined }))
}

export function planText(plan: Plan): string {
  return `${jsonText(plan, 2)}\n`
}

/**
 * Reads a plan from a file, or from standard input for `-`.
 * @throws FreightError `input` if it is not a plan, or was altered
 */
export async function readPlan(deps: { files: Files; terminal: Terminal }, file: string): Promise<Plan> {
  const { value, name } = await readInput(deps, file)
  const { freightPlan, planHash } = value
  const next = typeof value.file === "string" && nextCommand("freight", "batch", "plan", value.file)
  if (typeof freightPlan === "number" && freightPlan > VERSION)
    throw new FreightError("input", `${name} was made by a newer version of freight`, {
      hint: "Update freight on this machine, or make a new plan.",
      ...next,
    })
  if (freightPlan !== VERSION || typeof planHash !== "string")
    throw new FreightError("input", `${name} is not a plan`, {
      hint: "freight batch plan makes a plan from a file of orders.",
      next: "freight help batch plan",
    })
  const isUnchanged = hashContent(value) === planHash
  if (isUnchanged && !isPlan(value))
    throw new FreightError(
      "input",
      `${name} was made by another version of freight, and this one cannot read it; nothing was sent`,
      { hint: "Make a new plan from the orders.", ...next },
    )
  if (!isUnchanged || !isPlan(value))
    throw new FreightError(
      "input",
      `${name} was changed after it was made: its hash does not match; nothing was sent`,
      {
        hint: "Change the orders and make a new plan. If the plan was damaged on its way here, get it again from where it was made.",
        ...next,
      },
    )
  return value
}

/** Whether a file is a plan and not orders, by how it begins; false for what cannot be read. */
export async function isPlanFile(file: string, signal: AbortSignal): Promise<boolean> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
  try {
    for await (const chunk of fileSource(file, signal).chunks())
      return /^\s*\{\s*"freightPlan"\s*:/.test(Buffer.from(chunk.subarray(0, 200)).toString())
  } catch {
    // Reading it reports the error.
  }
  return false
}

function isPlan(value: unknown): value is Plan {
  const isGoodRow = (row: PlanRow) => (isPlanned(row) ? isGood(row) : isGoodRest(row))
  return plans.Plan(value) && (value as Plan).rows.every(isGoodRow)
}

function isGood({ request, rate, connectorId, serviceCode, price }: PlannedRow): boolean {
  return (
    requests.ConsignmentBookingRequest(request) &&
    isKeptRate(rate) &&
    connectorId === rate.connectorId &&
    serviceCode === rate.rate.serviceCode &&
    price === rate.rate.price
  )
}

function isGoodRest({ request, held }: OtherRow): boolean {
  const isWhole = request === null || requests.ConsignmentBookingRequest({ ...request, serviceCode: "-" })
  return isWhole && (held === undefined || Object.hasOwn(HELD_STATES, held.means))
}

export function checkAccount(name: string, { account }: Plan, here: PlanAccount): void {
  const { service } = here
  const isSame =
    account.service === service && (account.scope === here.scope || account.account === here.account)
  if (isSame) return
  const whose =
    account.service === service
      ? "another account"
      : account.service === "sandbox"
        ? "the sandbox"
        : account.service
  throw new FreightError(
    "input",
    `${name} was made for ${whose}, not for ${account.service === service ? "this one" : service === "sandbox" ? "the sandbox" : service}; nothing was sent`,
    { hint: "Use the profile that it was made with, or make a new plan from the orders." },
  )
}

export function countPlanGst(rows: readonly PlanRow[]): GstCounts {
  return countGst(
    rows.flatMap((row) =>
      row.state === "planned" ? [{ price: row.price, gstBasis: getGstBasis(row.rate.rate) }] : [],
    ),
  )
}
