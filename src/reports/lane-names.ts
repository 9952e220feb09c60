/** Names of lanes, and of services on them, in reports. */
import { stateCode } from "../contract/index.ts"
import { BRIEF } from "../output/index.ts"

/** From the state of the collection to that of the receiver: `NSW → WA`. */
export function toLane(fromState: string, receiverState: string): string {
  return `${stateCode(fromState) ?? "?"} → ${stateCode(receiverState) ?? "?"}`
}

interface ServiceOnLane {
  carrier: string | null
  serviceCode: string | null
  lane: string
}

/** `A 76, NSW → WA` */
export function nameService({ carrier, serviceCode, lane }: ServiceOnLane) {
  return `${BRIEF.carrier(carrier ?? "")} ${serviceCode ?? ""}, ${lane}`
}
