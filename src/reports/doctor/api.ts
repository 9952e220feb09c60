/** The checks of an API in `doctor`: from facts to findings. No I/O. */
import type { FreightError } from "../../base/errors.ts"
import { type Check, fail, formatUnset, getRemedy, ok, type Remedy, warn } from "./checks.ts"
import { ENDPOINT, isKeyShaped, otherApi, type Resolved, sourceText } from "../../machine/index.ts"
import { type Api, API_NAMES } from "../../contract/index.ts"

export interface ApiFacts {
  api: Api
  platform: string
  key: Resolved
  baseUrl: Resolved
  /** Why address and key are unusable, without asking the server. */
  unusable?: FreightError
  tried?: { outcome: "works" | "forbidden" | "refused" | "failed"; error?: FreightError }
  /** `keys`: this API's key works at the other API. `addresses`: this address is the other API's. */
  swapped?: "keys" | "addresses"
}

/** Checks address, key and permissions. Stops at the first error that makes the rest meaningless. */
export function apiChecks(facts: ApiFacts): Check[] {
  const { api, key, baseUrl, unusable, tried, swapped } = facts
  if (api === "direct-print" && key.source === "none" && baseUrl.source === "none")
    return [ok(`${api}-key`, "the direct print API is not set up; only freight print pdf needs it")]
  const mixed = checkMixedSources(facts)
  // A well-shaped key means that the address is wrong.
  if (!tried)
    return [
      ...mixed,
      createFailedCheck(key.value && isKeyShaped(key.value) ? "address" : "key", facts, unusable),
    ]
  if (swapped === "addresses") return [...mixed, checkSwappedAddress(facts)]
  if (tried.outcome === "failed") return [...mixed, createFailedCheck("address", facts, tried.error)]
  const address: Check = ok(`${api}-address`, `the ${API_NAMES[api]} answers`)
  return [...mixed, address, keyCheck(facts), ...accessChecks(facts)]
}

function createFailedCheck(what: "address" | "key", facts: ApiFacts, error: FreightError | undefined): Check {
  // The server answers, but is rate limiting.
  const isBusy = error?.kind === "rateLimited"
  const report = isBusy ? warn : fail
  // A server that does not answer may answer later: that is no reason to remove the environment's key.
  const isAgain = isBusy || (error?.kind === "unavailable" && facts.baseUrl.source === "environment")
  return report(`${facts.api}-${what}`, error?.message ?? "it was not tried", {
    ...(isAgain ? { next: "freight doctor" } : getFix(facts, what)),
    ...getRemedy(error),
  })
}

function checkSwappedAddress(facts: ApiFacts): Check {
  const { api, baseUrl } = facts
  const holder = getSourceName(baseUrl, ENDPOINT[api].baseUrl)
  return fail(
    `${api}-address`,
    `${holder} holds the address of the ${API_NAMES[otherApi(api)]}: the two addresses are swapped`,
    getFix(facts, "address", "Give each API its own address."),
  )
}

/** Warns about a key that is sent to an address from another source. */
function checkMixedSources(facts: ApiFacts): Check[] {
  const { api, key, baseUrl } = facts
  if (key.source === "none" || baseUrl.source === "none" || key.source === baseUrl.source) return []
  return [
    warn(
      `${api}-sources`,
      `the key of the ${API_NAMES[api]} comes from ${sourceText(key)}, its address from ${sourceText(baseUrl)}`,
      {
        ...getFix(facts, key.source === "environment" ? "key" : "address"),
        remedy: "Set both in one place, so that no key goes to another account's address.",
      },
    ),
  ]
}

function keyCheck(facts: ApiFacts): Check {
  const { api, key, tried, swapped } = facts
  const check = `${api}-key`
  if (tried?.outcome !== "refused") return ok(check, `the ${API_NAMES[api]} accepts the key`)
  if (swapped === "keys")
    return fail(
      check,
      `${getSourceName(key, ENDPOINT[api].key)} holds the key of the ${API_NAMES[otherApi(api)]}: the two keys are swapped`,
      getFix(facts, "key", "Give each API its own key."),
    )
  return fail(
    check,
    `the ${API_NAMES[api]} does not accept the key`,
    getFix(
      facts,
      "key",
      "It may be cut short, expired or revoked: look in the portal, and use the current one.",
    ),
  )
}

function accessChecks({ api, tried }: ApiFacts): Check[] {
  if (tried?.outcome === "refused") return []
  const allowed = tried?.outcome === "works"
  if (api === "freight")
    return allowed
      ? [ok("freight-access", "freight access is active")]
      : [
          fail("freight-access", "freight access is not active for this account", {
            remedy:
              "No command fixes that. Ask the administrator of your account to have freight access activated for it. Until then --sandbox works.",
          }),
        ]
  return [
    allowed
      ? ok("print-scopes", "devices:read is there; print-jobs:write shows only when something is printed")
      : warn(
          "print-scopes",
          "the key lacks devices:read: devices cannot be listed, and print pdf needs --device",
          {
            remedy: "Have a key issued with devices:read and print-jobs:write, and give that.",
            next: "freight auth login --api direct-print",
          },
        ),
  ]
}

/** How to replace a key or address: at the prompt, or in the environment, which takes precedence. */
function getFix({ api, key, baseUrl, platform }: ApiFacts, what: "key" | "address", remedy?: string): Remedy {
  const { source, from } = what === "key" ? key : baseUrl
  const next = `freight auth login --api ${api}`
  if (source !== "environment") return { ...(remedy && { remedy }), next }
  const where = `It is set in the environment, as ${from}: correct it there, or unset it and sign in.`
  const names = [key, baseUrl].flatMap((each) =>
    each.source === "environment" && each.from ? [each.from] : [],
  )
  return { remedy: remedy ? `${remedy} ${where}` : where, next: `${formatUnset(platform, names)}; ${next}` }
}

function getSourceName({ source, from }: Resolved, setting: string): string {
  return source === "environment" && from ? from : setting
}
