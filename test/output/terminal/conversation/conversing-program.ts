import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { parsed, refused } from "../../../../src/base/parsed.ts"
import { FreightError } from "../../../../src/base/errors.ts"
import { processHost } from "../../../../src/machine/host.ts"
import { BACK, type Conversation } from "../../../../src/output/terminal/conversation/conversation.ts"

const SUBURBS = Array.from(
  { length: 60 },
  (_, at) => `Suburb ${String(at + 1).padStart(2, "0")}, WA ${6001 + at}`,
)
const RATES = [
  {
    name: "connector-a  Express   $84.20  Mon 23 Nov",
    value: "express",
    description: "Cheapest. GST included.",
  },
  {
    name: "connector-b  Road      $61.05  Wed 25 Nov",
    value: "road",
    description: "Ready by 14:00; 2 h 10 min left.",
  },
  { name: "connector-c  Overnight", value: "overnight", disabled: "the carrier could not be reached" },
]

/** Each gives what it ends with; `back` in a text means that the person stepped back. */
const CONVERSATIONS: Record<string, (conversation: Conversation) => Promise<unknown>> = {
  text: (conversation) =>
    conversation.text("Receiver's postcode", {
      initial: "616",
      hint: "four digits",
      live: (typed) => (typed === "6160" ? "Fremantle WA" : undefined),
      check: (answer) =>
        /^\d{4}$/.test(answer)
          ? parsed(answer)
          : refused("that is not a postcode: it has four digits, such as 6160"),
    }),
  long: (conversation) => conversation.text("Instructions for the driver"),
  confirm: (conversation) => conversation.confirm("Book this for $84.20?", false),
  choose: (conversation) => conversation.choose("Which service?", RATES),
  suburbs: (conversation) =>
    conversation.choose(
      "Which suburb?",
      SUBURBS.map((name) => ({ name, value: name })),
    ),
  pick: (conversation) =>
    conversation.pick("Receiver", (typed) =>
      SUBURBS.filter((name) => name.toLowerCase().includes(typed.toLowerCase())).map((name) => ({
        name,
        value: name,
      })),
    ),
  during: async (conversation) => {
    const rates = await conversation.during("Asking three carriers", async () => {
      // Until a key was pressed, which is not to answer the next question.
      await once(process.stdin, "data")
      return "rates"
    })
    return [rates, await conversation.text("And now?")]
  },
  waiting: (conversation) => conversation.during("Booking", () => wait(60_000, undefined, { signal })),
  steps: async (conversation) => {
    await conversation.say("\u001b[1mA booking\u001b[22m, in three questions")
    const answers: unknown[] = []
    const questions = [
      () => conversation.text("Receiver's name", answers[0] ? { initial: String(answers[0]) } : {}),
      () => conversation.choose("Which service?", RATES),
      () => conversation.confirm("Book it?", true),
    ]
    for (let at = 0; at < questions.length; ) {
      const answer = await questions[at]?.()
      if (answer === BACK) at = Math.max(at - 1, 0)
      else answers[at++] = answer
    }
    return answers
  },
}

const [name = "", ...flags] = process.argv.slice(2)
const { signal, converse } = processHost({ colour: !flags.includes("--no-color") })
const made = await converse({ plain: flags.includes("--plain"), keepsAnswers: true })
try {
  const answer = await CONVERSATIONS[name]?.(made)
  process.stdout.write(`answer: ${JSON.stringify(answer === BACK ? "(back)" : answer)}\n`)
} catch (error) {
  process.stdout.write(`ended: ${error instanceof FreightError ? error.kind : String(error)}\n`)
  process.exitCode = 130
}
