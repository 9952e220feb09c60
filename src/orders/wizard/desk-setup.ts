/** The set-up after signing in at a terminal: this workstation's print device, and its collection address. */
import { quoted } from "../../base/parsed.ts"
import { withProfile, workstation } from "../../machine/index.ts"
import { type Api, API_NAMES, formatPlace } from "../../contract/index.ts"
import type { BookingAddress } from "../../contract/generated/types.ts"
import { toStepError } from "../../base/errors.ts"
import { offerDevice } from "../printing/devices.ts"
import { type Conversation, withoutBack } from "../../output/index.ts"
import { enterAddress } from "./enter-address.ts"
import type { Deps } from "../../session/index.ts"

/** The result: lines for the summary, and commands for skipped steps. */
interface Outcome {
  done: string[]
  next: string[]
}

/** Offers both steps, each of which may be skipped, then reports the result and the next command. */
export async function setUpDesk(deps: Deps, profile: string, apis: readonly Api[]): Promise<void> {
  const outcomes = [
    { done: [`signed in to the ${apis.map((api) => API_NAMES[api]).join(" and the ")}`], next: [] },
    await setUpDevice(deps, apis),
    ...(apis.includes("freight") ? [await setUpCollection(deps, profile)] : []),
  ]
  const next = [
    ...(apis.includes("freight") ? ["freight book"] : []),
    ...outcomes.flatMap((each) => each.next),
  ]
  const lines = [
    "",
    "Done:",
    ...outcomes.flatMap(({ done }) => done.map((line) => `  ${line}`)),
    "Next:",
    ...[...next, "freight doctor"].map((command) => `  ${command}`),
  ]
  for (const line of lines) await deps.note(line)
}

async function setUpDevice(deps: Deps, apis: readonly Api[]): Promise<Outcome> {
  const [only, ...others] = apis
  const desk = `this workstation, ${workstation(deps.env)},`
  try {
    const kept = await offerDevice(deps, others.length === 0 ? only : undefined)
    return kept
      ? { done: [`${desk} prints on ${kept.id} (${kept.label})`], next: [] }
      : { done: [], next: ["freight devices use"] }
  } catch (error) {
    // The keys are saved, and freight works without a device.
    await deps.warn(`no print device was chosen: ${toStepError(error).message}`)
    return { done: [], next: ["freight devices use"] }
  }
}

async function setUpCollection(deps: Deps, profile: string): Promise<Outcome> {
  const known = deps.settings.value("collection") ?? deps.settings.value("sender")
  if (known !== undefined) return { done: [`goods are collected at ${quoted(known)}`], next: [] }
  const conversation = await deps.converse({ keepsAnswers: false })
  const picked = await pickAddress(conversation, deps.config.read().addresses, deps.places)
  if (!picked) return { done: [], next: ["freight address add NAME", "freight config set collection NAME"] }
  const { name, entered } = picked
  const isSender = await withoutBack(conversation).confirm("Is that the sender's address too?", true)
  await deps.config.update((config) =>
    withProfile(
      entered ? { ...config, addresses: { ...config.addresses, [name]: entered } } : config,
      profile,
      { collection: name, ...(isSender && { sender: name }) },
    ),
  )
  return {
    done: [`goods are collected at ${quoted(name)}${isSender ? ", which is the sender too" : ""}`],
    next: [],
  }
}

interface Picked {
  name: string
  entered?: BookingAddress
}

/** @returns undefined for "not now" */
async function pickAddress(
  conversation: Conversation,
  saved: Readonly<Record<string, unknown>>,
  places: Deps["places"],
): Promise<Picked | undefined> {
  const picked = await withoutBack(conversation).choose<Picked | "enter" | undefined>(
    "Where are your goods collected, unless a booking says otherwise?",
    [
      ...Object.entries(saved).map(([name, address]) => ({
        name: formatTitle(name, address),
        value: { name },
      })),
      { name: "Enter an address", value: "enter" },
      { name: "Not now", value: undefined },
    ],
  )
  if (picked !== "enter") return picked
  const taken = Object.keys(saved)
  return (
    (await enterAddress(conversation, { taken, suggested: "warehouse", places })) ??
    pickAddress(conversation, saved, places)
  )
}

/** A saved address may have been edited by hand: any field can be missing. */
function formatTitle(name: string, saved: unknown): string {
  const { companyName, ...place } = Object(saved) as Partial<BookingAddress>
  const { suburb, state, postcode } = place
  const at = suburb && state && postcode ? formatPlace({ suburb, state, postcode }) : undefined
  return [name, ...[companyName, at].filter((part) => part !== undefined)].join(", ")
}
