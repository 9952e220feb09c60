/** The one question before it is sent. */
import { BACK } from "../../../terminal/conversation/conversation.ts"
import { priceText, serviceName } from "../page.ts"
import { goTo, type Step } from "../step.ts"

export const confirm: Step = {
  isOpen: () => false,
  async ask(draft, conversation, world) {
    if (world.dryRun) return goTo(draft, "send")
    await conversation.say(world.paint("yellow", "A booking cannot be cancelled from here once it is made."))
    const yes = await conversation.confirm(
      `Book ${serviceName(draft)} for ${priceText(draft)}?`,
      world.sandbox,
    )
    if (yes === BACK) return BACK
    if (!yes) await conversation.say("Nothing was sent.")
    return goTo(draft, yes ? "send" : "review")
  },
}
