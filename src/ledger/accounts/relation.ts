/** Decides whether two accounts of the ledger are one: a pure function over the facts about their keys. */
import { isLocal, type Look, type ServiceKey } from "./keys.ts"

export interface Relation {
  /**
   * - `one`: they are one account.
   * - `apart`: they are proven to be two, or have nothing to do with each other.
   * - `unknown`: nothing proves either. They count as one, so that nothing is sent twice, but the result of one is never
   *   given as the other's.
   */
  is: "one" | "apart" | "unknown"
  why: string
}

/** One 404 proves nothing: a shipment may appear late. Two that are this far apart do. */
export const ASKED_AGAIN_MS = 60_000

/** Whether a shipment was missing twice, far enough apart. */
export function isMissing({ missedAt, missedAgainAt }: Look): boolean {
  return (
    missedAt !== undefined &&
    missedAgainAt !== undefined &&
    Date.parse(missedAgainAt) - Date.parse(missedAt) >= ASKED_AGAIN_MS
  )
}

/** Whether a key lists another key's connector but does not see its bookings: it sees only its own. */
export function seesOnlyOwn(keys: readonly ServiceKey[], id: string): boolean {
  const own = keys.find((key) => key.id === id)
  return (
    own !== undefined &&
    keys.some((other) => {
      const look = own.looks[other.id]
      const isShared = own.connectors.some((connector) => other.connectors.includes(connector))
      return look !== undefined && look.seenAt === undefined && isMissing(look) && isShared
    })
  )
}

/**
 * How the keys of two freight accounts belong together.
 * @param one the keys of an account, `other` those of another; neither is empty
 */
export function relate(one: readonly ServiceKey[], other: readonly ServiceKey[]): Relation {
  const isNear = one.some(({ address }) => other.some((each) => each.address === address))
  if (!isNear && [...one, ...other].some(({ address }) => isLocal(address)))
    return { is: "apart", why: "their services are at two addresses, one of them on this machine" }
  const connector = connectorsIn(one).find((id) => connectorsIn(other).includes(id))
  const [names, others] = [namesIn(one), namesIn(other)]
  const name = names.find((each) => others.includes(each))
  // At two addresses one name alone says nothing: they may be two services.
  if (name !== undefined && (isNear || connector !== undefined))
    return { is: "one", why: `the setting account says ${name} for both` }
  if (name === undefined && names.length > 0 && others.length > 0)
    return { is: "apart", why: `the setting account says ${names.join(", ")} and ${others.join(", ")}` }
  const looks = [...looksAt(one, other), ...looksAt(other, one)]
  if (looks.some(({ seenAt }) => seenAt !== undefined))
    return { is: "one", why: "one key sees a shipment of the other" }
  if (connector !== undefined) {
    if (looks.some(isMissing))
      return {
        is: "unknown",
        why: `both list connector ${connector}, but one does not see the other's shipment`,
      }
    if (looks.some(({ missedAt }) => missedAt !== undefined))
      return {
        is: "unknown",
        why: `both list connector ${connector}; one does not see the other's shipment yet`,
      }
    return { is: "one", why: `both list connector ${connector}` }
  }
  if (looks.some(isMissing)) {
    // At two addresses one of them was asked: the other one may not answer any more.
    if (!isNear)
      return {
        is: "apart",
        why: "their services are at two addresses, and one does not see the other's shipment",
      }
    if (looks.some(({ apartAt }) => apartAt !== undefined) || isProvenApart(one, other))
      return { is: "apart", why: "they share no connector, and neither sees the other's shipment" }
  }
  return {
    is: "unknown",
    why: "they share no connector, and have not been asked twice for each other's shipment",
  }
}

/** Each account that has a shipment was looked at by the other one, twice, and both have listed connectors. */
function isProvenApart(one: readonly ServiceKey[], other: readonly ServiceKey[]): boolean {
  const hasLooked = (from: readonly ServiceKey[], at: readonly ServiceKey[]) =>
    looksAt(from, at).some(isMissing)
  const isSettled = (from: readonly ServiceKey[], at: readonly ServiceKey[]) =>
    !at.some(({ hasShipment }) => hasShipment) || hasLooked(from, at)
  return (
    connectorsIn(one).length > 0 &&
    connectorsIn(other).length > 0 &&
    isSettled(one, other) &&
    isSettled(other, one)
  )
}

function looksAt(from: readonly ServiceKey[], at: readonly ServiceKey[]): Look[] {
  return from.flatMap(({ looks }) => at.flatMap(({ id }) => looks[id] ?? []))
}

function namesIn(keys: readonly ServiceKey[]): string[] {
  return [...new Set(keys.flatMap(({ name }) => name ?? []))]
}

function connectorsIn(keys: readonly ServiceKey[]): string[] {
  return keys.flatMap(({ connectors }) => connectors)
}
