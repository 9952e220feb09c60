/** Enters an address field by field, and the name that it is saved under. */
import { getParty, toDraft } from "./draft.ts"
import { askInOrder, unlessBack } from "./step.ts"
import type { JsonObject } from "../../base/json.ts"
import { addressQuestions } from "./steps/party.ts"
import type { WizardContext } from "./context.ts"
import { parseNewName } from "../../machine/index.ts"
import { type SavedAddress, takePlaceOwn } from "../../contract/index.ts"
import { BACK, type Conversation } from "../../output/index.ts"

interface EnteredAddress {
  name: string
  entered: SavedAddress
}

interface EnterOptions {
  taken: readonly string[]
  suggested: string
  /** The name, if it is known: it is not asked for. */
  name?: string | undefined
  places?: WizardContext["places"]
  /** Known fields of the address; its questions are prefilled with them. */
  known?: JsonObject
}

/** @returns undefined if the person goes back from its first question */
export async function enterAddress(
  conversation: Conversation,
  { taken, suggested, name: given, known, places }: EnterOptions,
): Promise<EnteredAddress | undefined> {
  let name = given ?? ""
  const { address, own } = takePlaceOwn(known)
  const start = toDraft(known ? { collection: address as JsonObject } : {})
  const draft = await askInOrder(start, "collection", { keep: async () => {} }, [
    ...addressQuestions("collection", { conversation, ...(places && { places }) }),
    {
      name: "name",
      when: () => given === undefined,
      ask(draft) {
        const asked = conversation.text("Save it as", {
          initial: taken.includes(suggested) ? "" : suggested,
          check: (text) => parseNewName("addresses", text, taken),
        })
        return unlessBack(asked, (typed) => {
          name = typed
          return draft
        })
      },
    },
  ])
  const entered = draft === BACK ? undefined : getParty(draft, "collection")
  return entered && { name, entered: { ...entered, ...own } }
}
