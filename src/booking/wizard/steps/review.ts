/** Everything on one page, from which any answer can be changed, and the one confirmation. */
import { inWords } from "../../../contract/check.ts"
import { carrierLetter } from "../../../contract/carrier-fields.ts"
import { formatMoney } from "../../../contract/money.ts"
import { checkBooking } from "../../../contract/request-rules.ts"
import { type Moment, momentAt } from "../../../contract/collection-times.ts"
import { parsed, refused } from "../../../contract/parsed.ts"
import { BACK } from "../../../terminal/conversation/conversation.ts"
import { getField } from "../../fields.ts"
import { getCarrier, type Draft, type StepName, findUnreadFields, wholeRequest } from "../draft.ts"
import { listEntries, formatPage } from "../page.ts"
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
    // What was booked before costs nothing to be shown again. Outside the sandbox Enter alone books nothing.
    const isHarmless = world.dryRun || recorded !== undefined
    if (!isHarmless) await conversation.warn("A booking cannot be cancelled from here once it is made.")
    for (;;) {
      const next = await conversation.choose<"book" | "key" | "change" | "later">(
        "Book it?",
        [
          {
            name: bookText(draft, world.dryRun, recorded !== undefined),
            value: "book",
            ...(errors.length > 0 && { disabled: "see above" }),
          },
          ...(taken === undefined ? [] : [{ name: "Give it another key", value: "key" as const }]),
          { name: "Change something", value: "change" },
          { name: "Leave it for later", value: "later" },
        ],
        taken !== undefined
          ? "key"
          : errors.length === 0 && (isHarmless || world.sandbox)
            ? "book"
            : "change",
      )
      if (next === BACK) return BACK
      if (next === "book") return goTo(draft, "send")
      if (next === "later") return goTo(draft, "later")
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

/** `Book it: AUD 33.68, Standard, carrier C`; `AUD 70.29 incl. GST` where GST is known. */
function bookText({ offer }: Draft, dryRun: boolean, isRecorded: boolean): string {
  if (dryRun) return "Print the request"
  if (isRecorded) return "Show that booking"
  if (!offer) return "Book it"
  const { price, priceIncGst, currency, description } = offer.rate
  const total = `${formatMoney(priceIncGst ?? price, currency)}${priceIncGst === undefined ? "" : " incl. GST"}`
  return `Book it: ${total}, ${description}, carrier ${carrierLetter(offer.carrier)}`
}

/** What the contract and the carrier's rules say of the whole booking. */
function checkDraft(draft: Draft, moment: Moment): { errors: string[]; warnings: string[] } {
  const request = wholeRequest(draft)
  if (!request) return { errors: ["something is still missing: fill in what is not known yet"], warnings: [] }
  const { errors, warnings } = checkBooking(request, getCarrier(draft), moment)
  const unread = findUnreadFields(draft).map((path) => getField(path).words.toLowerCase())
  return {
    errors: errors.map(inWords),
    warnings: [
      ...warnings.map(inWords),
      ...(unread.length > 0 ? [`left out, because this carrier ignores it: ${unread.join(", ")}`] : []),
    ],
  }
}
