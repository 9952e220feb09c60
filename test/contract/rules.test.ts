/** Requests that the schema allows, and the findings of the rules about them. */
import { expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { momentAt } from "../../src/contract/collection-times.ts"
import * as requests from "../../src/contract/generated/requests.js"
import type { Carrier, PickupBookingRequest, RateRequest } from "../../src/contract/generated/types.ts"
import {
  checkBooking,
  checkPickup,
  checkRateRequest,
  rateDefaults,
} from "../../src/contract/request-rules.ts"
import { expectCases, showOutcome } from "../cases.ts"
import { withChange } from "../invoice/writer.ts"
import { address, booking as sandboxBooking } from "../sandbox/requests.ts"
import { booking, rateRequest } from "./rule-examples.ts"

/** Past midnight in Sydney and in Brisbane, still the day before in Perth. */
const NIGHT = Date.UTC(2026, 10, 20, 14, 20, 30)
/** 10:00 in Sydney, 07:00 in Perth. */
const MORNING = "2026-11-20T23:00:00Z"

const WHEN = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }
const PICKUP: PickupBookingRequest = { ...WHEN, shipmentId: "shp_1" }
const PICKUP_ALONE: PickupBookingRequest = {
  ...{
    ...WHEN,
    serviceCode: "76",
    collection: address(),
    items: sandboxBooking().items,
    receiver: address(),
  },
}

/** Who is asked, where, and when it is there. */
interface Circumstances {
  carrier?: Carrier
  state?: string
  at?: string
  allowPast?: boolean
  allowDensity?: boolean
}

function changed<T>(request: T, changes: Record<string, unknown>): T {
  return Object.entries(changes).reduce<unknown>(
    (before, [path, value]) => withChange(before, path.split("/"), value === "gone" ? undefined : value),
    request,
  ) as T
}

const ASK: Record<string, (changes: Record<string, unknown>, given: Circumstances) => unknown> = {
  book: (changes, { carrier, at, ...allowed }) =>
    checkBooking(changed(booking, changes), carrier, at ? momentAt(Date.parse(at), allowed) : undefined),
  pickup: (changes, given) => checkPickup(changed(PICKUP, changes), placeOf(given)),
  "pickup-alone": (changes, given) => checkPickup(changed(PICKUP_ALONE, changes), placeOf(given)),
  rate: (changes, { carrier }) => checkRateRequest(changed(rateRequest, changes), carrier),
  defaults: (changes) => {
    const { date, localDateTime, timezone } = rateDefaults(changed(rateRequest, changes), NIGHT)
    return { date, localDateTime, timezone }
  },
}

function placeOf({ carrier = "CARRIER_A_AU", state = "NSW", at = MORNING, ...allowed }: Circumstances) {
  const known = <T>(value: T) => ((value as unknown) === "gone" ? undefined : value)
  const collection = known(state) === undefined ? undefined : { state }
  return { carrier: known(carrier), collection, moment: momentAt(Date.parse(at), allowed) }
}

it("says what is wrong with a request, and what it warns of", () =>
  expectCases(import.meta.dirname, "rules.txt", (line) => {
    const [, verb = "", changes = "", circumstances = "{}"] = /^(\S+) (.*?)(?: with (.*))?$/.exec(line) ?? []
    const found = ASK[verb]?.(JSON.parse(changes), JSON.parse(circumstances)) as {
      errors?: object[]
      warnings?: object[]
    }
    if (!found.errors) return showOutcome(found)
    return [
      ...[showOutcome(found.errors)].flat(),
      ...[showOutcome(found.warnings)].flat().map((each) => `warning: ${each}`),
    ].filter((each) => !/^(warning: )?\[\]$/.test(each))
  }))

it("the rules find nothing in requests that keep the schema, nor in what they fill in themselves", () => {
  expect(findErrors(requests.ConsignmentBookingRequest, booking)).toEqual([])
  const before = structuredClone(rateRequest)
  const filled: RateRequest = rateDefaults(rateRequest, NIGHT)
  expect(findErrors(requests.RateRequest, filled)).toEqual([])
  expect(checkRateRequest(filled, "CARRIER_A_AU")).toEqual({ errors: [], warnings: [] })
  expect(rateRequest).toEqual(before)
})
