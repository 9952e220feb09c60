/** What the chosen carrier takes besides, and only that: one list, in which each entry can be set or taken out. */
import { carrierName } from "../../../contract/carrier-fields.ts"
import { BACK, type Back, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { answerText, type Field } from "../../field.ts"
import { extrasOf, FIELDS } from "../../fields.ts"
import { answerAt, answered, carrierOf, type Draft } from "../draft.ts"
import { askField } from "../fields.ts"
import { goTo, type Step } from "../step.ts"

/** Of these the contract takes one or the other. */
const EITHER = ["timeSensitive.timeslot", "timeSensitive.deliveryWindow"]

export const extras: Step = {
  isOpen: ({ extrasSeen }) => !extrasSeen,
  async ask(draft, conversation, world) {
    const carrier = carrierOf(draft)
    const fields = carrier
      ? extrasOf(carrier)
      : FIELDS.filter((field) => field.carrier === undefined && field.answer?.kind === "text")
    let known = draft
    for (;;) {
      await world.keep(goTo(known, "extras"))
      const choices = fields.map((field) => {
        const text = answerText(field, answerAt(known, field.path))
        return {
          name: text === "" ? field.words : `${field.words}: ${text}`,
          value: field as Field | "none",
        }
      })
      const field = await conversation.choose<Field | "none">(
        `Anything more${carrier ? ` for ${carrierName(carrier)}` : ""}?`,
        [{ name: "Nothing more", value: "none" }, ...choices],
        "none",
      )
      if (field === BACK) return BACK
      if (field === "none") return goTo({ ...known, extrasSeen: true }, "extras")
      known = await changed(known, field, conversation)
    }
  },
}

/** The draft with one field asked for; as it was when the person steps back from it. */
async function changed(draft: Draft, field: Field, conversation: Conversation): Promise<Draft> {
  const { path, words, answer } = field
  const current = answerAt(draft, path)
  if (answer?.kind !== "parts") {
    const value = await askField({ ...field, optional: true }, path, current, conversation)
    if (value === BACK) return draft
    return answered(draft, path, value === false ? undefined : value)
  }
  if (current !== undefined) {
    const act = await conversation.choose<"change" | "take out">(words, [
      { name: answer.many ? "Add another" : "Change it", value: "change" },
      { name: answer.many ? "Take all out" : "Take it out", value: "take out" },
    ])
    if (act === BACK) return draft
    if (act === "take out") return answered(draft, path, undefined)
  }
  const at = answer.many ? `${path}.${Array.isArray(current) ? current.length : 0}` : path
  const whole = await askWhole(draft, at, answer.parts, conversation)
  if (whole === BACK) return draft
  const [other] = EITHER.includes(path) ? EITHER.filter((each) => each !== path) : []
  return other === undefined ? whole : answered(whole, other, undefined)
}

/** All parts, one after another; nothing of it is kept before the last is answered. */
async function askWhole(
  draft: Draft,
  at: string,
  parts: readonly Field[],
  conversation: Conversation,
): Promise<Draft | Back> {
  const states = [draft]
  while (states.length <= parts.length) {
    const part = parts[states.length - 1]
    const known = states.at(-1)
    if (!part || !known) break
    const path = `${at}.${part.path}`
    const value = await askField(part, path, answerAt(known, path), conversation)
    if (value !== BACK) states.push(answered(known, path, value))
    else if (states.length === 1) return BACK
    else states.pop()
  }
  return states.at(-1) ?? draft
}
