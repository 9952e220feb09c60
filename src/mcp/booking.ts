/** The tools that book: a plan that is shown, and then exactly that plan. */
import type { CallToolResult } from "@modelcontextprotocol/server"
import * as z from "zod"
import { listPlan, type Plan, type RowRecord } from "../orders/index.ts"
import type { Ran } from "../base/ports.ts"
import { ALLOWANCE_FIELDS, ALLOWANCES, fieldsOf, FLAG_FIELDS, OWN_FIELDS } from "../contract/index.ts"
import { safeText } from "../base/safe-text.ts"
import { FreightError } from "../base/errors.ts"
import { capital } from "../output/index.ts"
import type { CommandData } from "../command/index.ts"
import {
  describeCommand,
  flagSchemas,
  listOf,
  PACKAGES,
  packageTexts,
  replyWith,
  toAssistant,
  type Tool,
  tool,
  toReply,
} from "./tool.ts"

const { properties = {}, required = [] } = fieldsOf("BookingAddress").root

function describeOwn(isWanted: (field: (typeof OWN_FIELDS)[number]) => boolean) {
  return Object.fromEntries(
    OWN_FIELDS.filter(isWanted).map(({ path, flag }) => {
      const type = flag.kind === "yesNo" ? z.boolean() : z.string()
      return [path.replace(/^.*\./, ""), type.describe(`${capital(toAssistant(flag.about))}.`).optional()]
    }),
  )
}

function describeAllowances() {
  return Object.fromEntries(
    ALLOWANCE_FIELDS.map(({ column: { name } }) => [
      name,
      z
        .boolean()
        .describe(`${capital(ALLOWANCES[name])}.`)
        .optional(),
    ]),
  )
}

const PARTY = z.union([
  z.string().describe("The name of a saved address."),
  // All optional: the plan names a missing field, where the schema would only say that neither form fits.
  z
    .looseObject({
      ...Object.fromEntries(
        Object.entries(properties).map(([name, { title }]) => [name, z.string().describe(`${title}.`)]),
      ),
      ...describeOwn(({ path }) => path.startsWith("receiver.")),
    })
    .partial()
    .describe(`Needs ${required.join(", ")}.`),
])

function describeField(path: string) {
  const about = FLAG_FIELDS.find((field) => field.path === path)?.flag.about ?? ""
  return z.string().describe(`${capital(toAssistant(about))}.`)
}

/**
 * The fields that a booking needs, or may have. Other fields of the booking contract pass as well. Fields that a return
 * takes from its order may be left out: if another booking lacks them, the plan reports it.
 */
function bookingSchema(rates: CommandData) {
  return z.looseObject({
    reference: z
      .string()
      .min(1)
      .describe(
        "Your order's own number: what was booked under it is never booked again. Needed, but for a return, which has one.",
      )
      .optional(),
    receiver: PARTY.optional().describe("Needed, but for a return, which goes to its order's sender."),
    sender: PARTY.optional().describe("Default: the profile's."),
    collection: PARTY.optional().describe(
      "Where it is collected. Default: the profile's, or the sender's address.",
    ),
    packages: PACKAGES.optional().describe(
      "Needed, but for a return: without them all of the order comes back.",
    ),
    collectionDateTime: describeField("collectionDateTime"),
    collectionCloseTime: describeField("collectionCloseTime"),
    packagingCode: describeField("packagingCode").optional(),
    dangerousGoods: z.boolean().optional(),
    specialInstructions: describeField("specialInstructions").optional(),
    ...describeOwn(({ path }) => !path.includes(".")),
    ...describeAllowances(),
    ...flagSchemas(rates, ["connector", "service", "maxPrice", "within", "arriveBy", "onTime", "avoid"]),
  })
}

const MAX_PLANS = 100

interface ShownPlan {
  text: string
  /** The references of its bookings, for comparison. */
  references: string
  /** The keys it was booked with. */
  keys: Set<string>
}

/** Both share the plans that were shown. */
export function bookingTools(): { plan: Tool; book: Tool } {
  const planFlags = flagSchemas(describeCommand("batch plan"), [
    "include",
    "againFor",
    "replaces",
    "newOrders",
    "maxTotal",
    "allowPast",
    "allowDensity",
    "acceptPlaces",
    "withoutMissing",
  ])
  const booking = bookingSchema(describeCommand("rate-shop"))
  const shown = new Map<string, ShownPlan>()
  const plan = tool(
    {
      name: "plan_booking",
      title: "Plan bookings",
      description:
        "Rates consignments, chooses each one's service by its wishes, and gives a plan to show to the person: carrier, price, addresses, and planHash. Sends nothing; book_plan books it. Any other field of the booking contract may be in a booking as well, and what a shop says of the order (financial_status, fulfillment_status): a fulfilled or refunded one is left out.",
      input: z.strictObject({
        bookings: listOf(z.array(booking).min(1).max(100)),
        ...planFlags,
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async ({ bookings, ...flags }, { run }) => {
      const rows = bookings.map(({ avoid, packages, ...booking }) => ({
        ...booking,
        ...(packages !== undefined && { packages: packageTexts(packages).join("; ") }),
        ...(avoid !== undefined && { avoid: [avoid].flat().join(", ") }),
      }))
      const ran = await run({
        command: "batch plan",
        flags: { output: "-", ...flags },
        args: ["-"],
        input: JSON.stringify(rows),
      })
      if (ran.error) return toReply(ran)
      const made = JSON.parse(ran.stdout) as Plan
      const [oldest] = shown.keys()
      if (shown.size >= MAX_PLANS && oldest !== undefined) shown.delete(oldest)
      const references = JSON.stringify(made.rows.map(({ reference }) => reference).sort())
      shown.set(made.planHash, { text: ran.stdout, references, keys: new Set() })
      const { planHash, validUntil, complete, totals } = made
      return replyWith(
        ran,
        {
          ...toList(made.rows.map(toShown)),
          ...{ planHash, validUntil, complete, totals },
        },
        describePlan(made),
      )
    },
  )
  const book = tool(
    {
      name: "book_plan",
      title: "Book a plan",
      description:
        "Books a plan of plan_booking, exactly as it was shown: prices that have changed since are refused. A booking cannot be cancelled: call this only when the person has seen the plan and agreed. Calling it again with the same key, or after a failure, never books twice: what is booked is given again.",
      input: z.strictObject({
        planHash: z.string().describe("planHash of the plan that the person agreed to."),
        idempotencyKey: z
          .string()
          .min(1)
          .max(200)
          .describe(
            "Your own name for booking these. Give the same one when you call again for the same bookings.",
          ),
      }),
      // Marked destructive although it only adds: a booking cannot be cancelled, so a client should ask.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    async ({ planHash, idempotencyKey }, { run }) => {
      const found = shown.get(planHash)
      if (!found)
        throw new FreightError("input", "this server has shown no plan with that hash; nothing was sent", {
          hint: "Call plan_booking, and show its plan to the person before you book it.",
        })
      const isOthers = ({ keys, references }: ShownPlan) =>
        keys.has(idempotencyKey) && references !== found.references
      if ([...shown.values()].some(isOthers))
        throw new FreightError("input", "this idempotencyKey belongs to other bookings; nothing was sent", {
          hint: "Give a plan of other bookings a key of its own.",
        })
      found.keys.add(idempotencyKey)
      const ran = await run({
        command: "batch book",
        flags: { plan: "-" },
        input: found.text,
        format: "ndjson",
      })
      return describeBooked(planHash, idempotencyKey, ran)
    },
  )
  return { plan, book }
}

function toShown(row: Plan["rows"][number]): Record<string, unknown> {
  const { input: _, line: __, written: ___, ...shown } = row
  return shown
}

function describePlan(plan: Plan): string[] {
  const isReady = plan.rows.every(({ state }) => ["planned", "booked", "changed", "left-out"].includes(state))
  return [
    ...listPlan(plan),
    ...(isReady
      ? []
      : ["It cannot be booked as it is: fix the rows for which no service was chosen, or leave them out."]),
    "Nothing has been sent. Show this plan to the person, and call book_plan when they agree.",
  ].map((line) => safeText(line, 2000))
}

/** The result of each row; also of those before the end, if the run ended early. */
function describeBooked(planHash: string, idempotencyKey: string, ran: Ran): CallToolResult {
  const records = ran.stdout.split("\n").filter((line) => line !== "")
  const rows = records.map((line) => {
    const { input: _, labelFile: __, ...row } = JSON.parse(line) as RowRecord
    return row
  })
  // Rows come in the order in which they end.
  rows.sort((one, other) => one.row - other.row)
  const text = rows.map(({ reference, state, shipmentId, consignmentNumber, price, error }) =>
    [
      `${reference}: ${state}`,
      shipmentId && `shipment ${shipmentId}`,
      consignmentNumber && `consignment ${consignmentNumber}`,
      price !== null && `price ${price}`,
      error,
    ]
      .filter(Boolean)
      .join(", "),
  )
  return replyWith(
    ran,
    { ...toList(rows), planHash, idempotencyKey, sandbox: rows.some(({ sandbox }) => sandbox) },
    text.map((line) => safeText(line, 2000)),
  )
}

/** Like every list, but its warnings are among its notes. */
function toList<Item>(items: readonly Item[]) {
  return { items, total: items.length, nextOffset: null }
}
