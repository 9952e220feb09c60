/** What signing in at a terminal goes on to: this desk's print device, and where it has goods collected. */
import { readAnswer } from "../../booking/field.ts"
import { PARTY_FIELDS } from "../../booking/fields.ts"
import { checkAddressName } from "../../config/addresses.ts"
import { withProfile } from "../../config/file.ts"
import { API_NAMES, type Api, workstation } from "../../config/settings.ts"
import type { BookingAddress } from "../../contract/generated/types.ts"
import { type Parsed, parsed, refused } from "../../contract/parsed.ts"
import { formatPlace, type Place, postcodeDoubt } from "../../contract/places.ts"
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import { offerDevice } from "../../printing/use.ts"
import type { Choice, Prompter } from "../../terminal/prompter.ts"

/** What came of it: lines for the summary, and commands for what was left out. */
interface Outcome {
  done: string[]
  next: string[]
}

/** Offers both, each of which may be skipped, then says what was done and what to type next. */
export async function setUpDesk(deps: Deps, profile: string, apis: readonly Api[]): Promise<void> {
  const outcomes = [
    { done: [`signed in to the ${apis.map((api) => API_NAMES[api]).join(" and the ")}`], next: [] },
    await deviceOf(deps, apis),
    ...(apis.includes("freight") ? [await collectionOf(deps, profile)] : []),
  ]
  const next = [
    ...(apis.includes("freight") ? ["freight book"] : []),
    ...outcomes.flatMap((each) => each.next),
  ]
  await deps.note(
    [
      "",
      "Done:",
      ...outcomes.flatMap(({ done }) => done.map((line) => `  ${line}`)),
      "Next:",
      ...[...next, "freight doctor"].map((command) => `  ${command}`),
    ].join("\n"),
  )
}

async function deviceOf(deps: Deps, apis: readonly Api[]): Promise<Outcome> {
  const [only, ...others] = apis
  const desk = `this workstation, ${workstation(deps.env)},`
  try {
    const kept = await offerDevice(deps, others.length === 0 ? only : undefined)
    return kept
      ? { done: [`${desk} prints on ${kept.id} (${kept.label})`], next: [] }
      : { done: [], next: ["freight devices use"] }
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
    // The keys are saved, and the desk works without.
    await deps.warn(`no print device was chosen: ${error.message}`)
    return { done: [], next: ["freight devices use"] }
  }
}

type Picked = { name: string } | "enter" | "skip"

async function collectionOf(deps: Deps, profile: string): Promise<Outcome> {
  const known = deps.settings.value("collection") ?? deps.settings.value("sender")
  if (known !== undefined) return { done: [`goods are collected at '${known}'`], next: [] }
  const prompter = await deps.prompt()
  const { addresses } = deps.config.read()
  const choices: Choice<Picked>[] = [
    ...Object.entries(addresses).map(([name, saved]) => ({ name: titleOf(name, saved), value: { name } })),
    { name: "Enter an address", value: "enter" },
    { name: "Not now", value: "skip" },
  ]
  const picked = await prompter.choose(
    "Where are your goods collected, unless a booking says otherwise?",
    choices,
  )
  if (picked === "skip")
    return { done: [], next: ["freight address add NAME", "freight config set collection NAME"] }
  const entered = picked === "enter" ? await askAddress(prompter, Object.keys(addresses)) : undefined
  const name = entered?.name ?? (picked === "enter" ? "" : picked.name)
  const isSender = await prompter.confirm("Is that the sender's address too?", true)
  await deps.config.update((config) =>
    withProfile(
      entered ? { ...config, addresses: { ...config.addresses, [name]: entered.address } } : config,
      profile,
      { collection: name, ...(isSender && { sender: name }) },
    ),
  )
  return {
    done: [`goods are collected at '${name}'${isSender ? ", which is the sender too" : ""}`],
    next: [],
  }
}

/** The fields that a booking's parties have, one by one. */
async function askAddress(
  prompter: Prompter,
  taken: readonly string[],
): Promise<{ name: string; address: BookingAddress }> {
  const address: Record<string, unknown> = {}
  for (const field of PARTY_FIELDS) {
    const { path, words, hint, optional, split } = field
    const about = [optional && "optional", hint].filter(Boolean).join("; ")
    const check = (typed: string) => readAnswer(field, `collection.${path}`, typed)
    const ask = async () => check(await prompter.text(`${words}${about && ` (${about})`}:`, { check }))
    let answer = await ask()
    while (answer.ok && !(await isMeant(prompter, path, answer.value))) answer = await ask()
    if (!answer.ok || answer.value === null) continue
    if (split) Object.assign(address, answer.value)
    else address[path] = answer.value
  }
  const name = await prompter.text("Save it as:", {
    initial: taken.includes("warehouse") ? "" : "warehouse",
    check: (typed) => nameFor(typed, taken),
  })
  return { name, address: address as unknown as BookingAddress }
}

/** A postcode that does not fit its state is what nobody notices later. */
async function isMeant(prompter: Prompter, path: string, value: unknown): Promise<boolean> {
  if (path !== "place") return true
  const { state, postcode } = value as Place
  const doubt = postcodeDoubt(state, postcode)
  return doubt === undefined || prompter.confirm(`${doubt}. Use it all the same?`, false)
}

function nameFor(typed: string, taken: readonly string[]): Parsed<string> {
  if (taken.includes(typed)) return refused(`there is an address '${typed}' already`)
  try {
    checkAddressName(typed)
    return parsed(typed)
  } catch (error) {
    if (error instanceof FreightError) return refused(error.message)
    throw error
  }
}

/** What is saved may have been edited by hand: any field can be missing. */
function titleOf(name: string, saved: unknown): string {
  const { companyName, ...place } = Object(saved) as Partial<BookingAddress>
  const { suburb, state, postcode } = place
  const at = suburb && state && postcode ? formatPlace({ suburb, state, postcode }) : undefined
  return [name, ...[companyName, at].filter((part) => part !== undefined)].join(", ")
}
