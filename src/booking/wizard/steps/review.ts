/** Everything on one page, from which any answer can be changed; then one confirmation. */
import { checkBooking } from "../../../contract/request-rules.ts"
import { type Moment, momentAt } from "../../../contract/collection-times.ts"
import { parsed, refused } from "../../../contract/parsed.ts"
import { BACK } from "../../../terminal/conversation/conversation.ts"
import { getField } from "../../fields.ts"
import { inWords } from "../../input.ts"
import { getCarrier, type Draft, type StepName, findUnreadFields, wholeRequest } from "../draft.ts"
import { listEntries, formatPage, priceText, serviceName } from "../page.ts"
import { goTo, type Step } from "../step.ts"

export const review: Step = {
  isOpen: () => false,
  async ask(draft, conversation, world) {
    const entries = listEntries(draft, world)
    const { errors, warnings } = checkDraft(draft, momentAt(world.now()))
    const { taken, recorded } = await world.lookUpKey(draft)
    if (taken !== undefined) errors.push(taken)
    if (recorded !== undefined) warnings.push(recorded)
    const page = formatPage(entries, conversation.columns, (text) => world.paint("bold", text))
    await conversation.say(`\n${page}\n`)
    for (const line of errors) await conversation.say(world.paint("red", `Cannot be booked: ${line}`))
    for (const line of warnings) await conversation.warn(`Note: ${line}`)
    for (;;) {
      const next = await conversation.choose<"book" | "key" | "change">(
        "Is it all right?",
        [
          {
            name: yesText(world.dryRun, recorded !== undefined),
            value: "book",
            ...(errors.length > 0 && { disabled: "see above" }),
          },
          ...(taken === undefined ? [] : [{ name: "Give it another key", value: "key" as const }]),
          { name: "Change something", value: "change" },
        ],
        errors.length === 0 ? "book" : taken === undefined ? "change" : "key",
      )
      if (next === BACK) return BACK
      // What was booked before costs nothing to be shown again.
      if (next === "book") return goTo(draft, recorded === undefined ? "confirm" : "send")
      if (next === "key") {
        const key = await conversation.text("Key for this booking", {
          check: (typed) => (typed === "" ? refused("A key is needed") : parsed(typed)),
        })
        if (key === BACK) continue
        return goTo({ ...draft, key, keyGiven: true }, "review")
      }
      const step = await conversation.choose<StepName>(
        "Change what? The other answers stay.",
        entries.map(({ step: value, title, lines }) => ({ name: `${title}: ${lines[0] ?? ""}`, value })),
      )
      if (step !== BACK) return goTo(draft, step)
    }
  },
}

function yesText(dryRun: boolean, isRecorded: boolean): string {
  if (dryRun) return "Yes: print the request"
  return isRecorded ? "Yes: show that booking" : "Yes: book it"
}

/** What the contract and the carrier's rules say of the whole booking. */
function checkDraft(draft: Draft, moment: Moment): { errors: string[]; warnings: string[] } {
  const request = wholeRequest(draft)
  if (!request) return { errors: ["something is still missing: change what is not known yet"], warnings: [] }
  const { errors, warnings } = checkBooking(request, getCarrier(draft), moment)
  const unread = findUnreadFields(draft).map((path) => getField(path).words.toLowerCase())
  return {
    errors: errors.map(inWords),
    warnings: [
      ...warnings.map(inWords),
      ...(unread.length > 0 ? [`left out, since this carrier does not read it: ${unread.join(", ")}`] : []),
    ],
  }
}

export const confirm: Step = {
  isOpen: () => false,
  async ask(draft, conversation, world) {
    if (world.dryRun) return goTo(draft, "send")
    await conversation.warn("A booking cannot be cancelled from here once it is made.")
    const yes = await conversation.confirm(
      `Book ${serviceName(draft)} for ${priceText(draft)}?`,
      world.sandbox,
    )
    if (yes === BACK) return BACK
    if (!yes) await conversation.say("Nothing was sent.")
    return goTo(draft, yes ? "send" : "review")
  },
}
