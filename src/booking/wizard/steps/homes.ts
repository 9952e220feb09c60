/** Which of the two places is a home: carriers ask more for those, and a saved address cannot tell. */
import { formatPlace } from "../../../contract/places.ts"
import { BACK } from "../../../terminal/conversation/conversation.ts"
import { type Draft, partyOf } from "../draft.ts"
import { goTo, type Step } from "../step.ts"

const CHOICES = {
  neither: { from: false, to: false },
  receiver: { from: false, to: true },
  collection: { from: true, to: false },
  both: { from: true, to: true },
} as const
type Name = keyof typeof CHOICES

export const homes: Step = {
  isOpen: ({ homes: known }) => known === undefined,
  async ask(draft, conversation) {
    const [from, to] = (["collection", "receiver"] as const).map((party) => {
      const address = partyOf(draft, party)
      return address ? ` (${address.companyName}, ${formatPlace(address)})` : ""
    })
    const answer = await conversation.choose<Name>(
      "Is either place a home? Carriers charge more for those.",
      [
        { name: "No, both are businesses", value: "neither" },
        { name: `The receiver's${to}`, value: "receiver" },
        { name: `Where it is collected${from}`, value: "collection" },
        { name: "Both", value: "both" },
      ],
      nameOf(draft),
    )
    return answer === BACK ? BACK : goTo({ ...draft, homes: CHOICES[answer] }, "homes")
  },
}

function nameOf({ homes: known }: Draft): Name {
  if (!known) return "neither"
  if (known.from) return known.to ? "both" : "collection"
  return known.to ? "receiver" : "neither"
}

/** For the review. */
export function homesText(draft: Draft): string {
  return {
    neither: "neither place is a home",
    receiver: "the receiver's place is one",
    collection: "the place of collection is one",
    both: "both places are",
  }[nameOf(draft)]
}
