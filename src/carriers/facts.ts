/**
 * The contract's facts about each carrier, as freight reads it. No other room compares a carrier's name: it asks for a
 * fact. The sandbox reads the same clauses by itself, and `test/carriers/facts.test.ts` compares the two readings.
 */
import type { Carrier } from "../contract/generated/types.ts"
import { CARRIERS } from "./names.ts"

/** Times of a day at the collection address, `HH:mm`; both ends are inclusive. */
interface Span {
  readonly from: string
  readonly to: string
}

export interface CollectionWindow {
  readonly ready: Span
  readonly close: Span
  /** The minimum from ready to close. */
  readonly gapMinutes: number
}

/** The comment of each fact names its clause. Fields that only some carriers read are marked in schemas/ (`x-carrier`). */
export interface CarrierFacts {
  /** Freight API behaviour 4: when it collects; undefined if at any time. */
  readonly collectionWindow: CollectionWindow | undefined
  /** BookingAddress `email`: the collection's, unless the connector has a fallback address, which a client cannot see. */
  readonly needsCollectionEmail: boolean
  /** PickupBookingRequest `serviceCode`: a pickup without a shipment has to name a service. */
  readonly needsServiceForPickup: boolean
  /** Booking rule 6: the code with which it refuses a third party as payer; undefined if it accepts one. */
  readonly thirdPartyRefusal: string | undefined
  /** Payer `accountNumber`: an account is charged even if the payer is Sender. */
  readonly chargesSenderAccount: boolean
  /** RatedService `priceGst` and `priceIncGst`. */
  readonly statesGst: boolean
  /** RatedService `transitDays`: it gives whole days instead of the time of arrival. */
  readonly givesTransitDays: boolean
  /** TrackingInfo `pod`. */
  readonly givesProofOfDelivery: boolean
}

export const CARRIER_FACTS: Readonly<Record<Carrier, CarrierFacts>> = {
  CARRIER_A_AU: {
    collectionWindow: {
      ready: { from: "07:00", to: "17:00" },
      close: { from: "13:00", to: "19:00" },
      gapMinutes: 120,
    },
    needsCollectionEmail: false,
    needsServiceForPickup: true,
    thirdPartyRefusal: "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
    chargesSenderAccount: true,
    statesGst: false,
    givesTransitDays: false,
    givesProofOfDelivery: true,
  },
  CARRIER_B_AU: {
    collectionWindow: undefined,
    needsCollectionEmail: false,
    needsServiceForPickup: false,
    thirdPartyRefusal: undefined,
    chargesSenderAccount: false,
    statesGst: true,
    givesTransitDays: false,
    givesProofOfDelivery: false,
  },
  CARRIER_C_AU: {
    collectionWindow: undefined,
    needsCollectionEmail: true,
    needsServiceForPickup: true,
    thirdPartyRefusal: undefined,
    chargesSenderAccount: false,
    statesGst: false,
    givesTransitDays: true,
    givesProofOfDelivery: false,
  },
}

/** @returns undefined if the carrier is not known */
export function getCarrierFacts(carrier: Carrier | undefined): CarrierFacts | undefined {
  return carrier && CARRIER_FACTS[carrier]
}

/** The carriers with a fact. */
export function findCarriersThat(fact: keyof CarrierFacts): readonly Carrier[] {
  return CARRIERS.filter((carrier) => Boolean(CARRIER_FACTS[carrier][fact]))
}
