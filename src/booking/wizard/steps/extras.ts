/**
 * The reference; and what is asked only when the person wants to change it: who pays (Payer, and booking rule 6), and what
 * the chosen carrier takes besides.
 */
import { carrierName } from "../../../contract/carrier-fields.ts"
import type { Payer } from "../../../contract/generated/types.ts"
import { parsed, refused } from "../../../contract/parsed.ts"
import { BACK, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { answerText, type Field } from "../../../contract/fields/field.ts"
import { listExtras, REFERENCE } from "../../../contract/fields/questions.ts"
import { hasPayer } from "../consequences.ts"
import { getAnswer, setAnswer, getCarrier, type Draft, getText } from "../draft.ts"
import { askField, askInOrder, fieldQuestion, goTo, type Step } from "../step.ts"

const ACCOUNT = "payer.accountNumber"

export const payer: Step = {
  isOpen: (draft) => !hasPayer(draft),
  ask: (draft, conversation, world) =>
    askInOrder(draft, "payer", world, [
      { name: "type", ask: (known) => askType(known, conversation) },
      { name: "account", when: needsAccount, ask: (known) => askAccount(known, conversation) },
      {
        name: "charged",
        when: isChargedAnyway,
        async ask(known) {
          const account = getText(known, ACCOUNT)
          const words = `Carrier A charges account ${account} although the sender pays. Keep it?`
          const keep = await conversation.confirm(words, false)
          if (keep === BACK) return BACK
          return keep ? known : setAnswer(known, ACCOUNT, undefined)
        },
      },
    ]),
}

async function askType(draft: Draft, conversation: Conversation) {
  const isA = getCarrier(draft) === "CARRIER_A_AU"
  const type = await conversation.choose<Payer["type"]>(
    "Who pays for the freight?",
    [
      { name: "The sender, on the account used for the booking", value: "Sender" },
      { name: "The receiver", value: "Receiver", description: "The account to bill is asked for next." },
      {
        name: "A third party",
        value: "ThirdParty",
        description: "The account to bill is asked for next.",
        ...(isA && { disabled: "carrier A does not bill third parties" }),
      },
    ],
    isA && getPayerType(draft) === "ThirdParty" ? "Sender" : getPayerType(draft),
  )
  if (type === BACK) return BACK
  // The account of the one who paid before is not that of the one who pays now.
  const kept = type === getPayerType(draft) ? draft : setAnswer(draft, ACCOUNT, undefined)
  return setAnswer(kept, "payer.type", type)
}

function getPayerType(draft: Draft): Payer["type"] {
  const type = getText(draft, "payer.type")
  return type === "Receiver" || type === "ThirdParty" ? type : "Sender"
}

async function askAccount(draft: Draft, conversation: Conversation) {
  const account = await conversation.text("Account to bill", {
    initial: getText(draft, ACCOUNT),
    check: (typed) =>
      typed === ""
        ? refused("An account is needed: only the sender can pay on the connector's own account")
        : parsed(typed),
  })
  return account === BACK ? BACK : setAnswer(draft, ACCOUNT, account)
}

function needsAccount(draft: Draft): boolean {
  return getPayerType(draft) !== "Sender"
}

function isChargedAnyway(draft: Draft): boolean {
  return (
    getCarrier(draft) === "CARRIER_A_AU" &&
    getPayerType(draft) === "Sender" &&
    getAnswer(draft, ACCOUNT) !== undefined
  )
}

/** Of these the contract takes one or the other. */
const EITHER = ["timeSensitive.timeslot", "timeSensitive.deliveryWindow"]

export const reference: Step = {
  isOpen: (draft) => !draft.isReferenceAsked && getAnswer(draft, REFERENCE.path) === undefined,
  async ask(draft, conversation) {
    const field = {
      ...REFERENCE,
      optional: true,
      hint: "printed on the label; every command finds the shipment by it",
    } as const
    const answer = await askField(field, field.path, getAnswer(draft, field.path), conversation)
    if (answer === BACK) return BACK
    return goTo({ ...setAnswer(draft, field.path, answer), isReferenceAsked: true }, "reference")
  },
}

export const extras: Step = {
  // Asked only from the review.
  isOpen: () => false,
  async ask(draft, conversation, world) {
    const carrier = getCarrier(draft)
    const fields = listExtras(carrier)
    let known = draft
    for (;;) {
      await world.keep(goTo(known, "extras"))
      const choices = fields.map((field) => {
        const text = answerText(field, getAnswer(known, field.path))
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
      if (field === "none") return goTo(known, "extras")
      known = await changeField(known, field, conversation)
    }
  },
}

/** The draft with one field asked for; as it was when the person steps back from it. */
async function changeField(draft: Draft, field: Field, conversation: Conversation): Promise<Draft> {
  const { path, words, answer } = field
  const current = getAnswer(draft, path)
  if (answer?.kind !== "parts") {
    const value = await askField({ ...field, optional: true }, path, current, conversation)
    if (value === BACK) return draft
    return setAnswer(draft, path, value === false ? undefined : value)
  }
  if (current !== undefined) {
    const act = await conversation.choose<"change" | "take out">(words, [
      { name: answer.many ? "Add another" : "Change it", value: "change" },
      { name: answer.many ? "Remove all" : "Remove it", value: "take out" },
    ])
    if (act === BACK) return draft
    if (act === "take out") return setAnswer(draft, path, undefined)
  }
  const at = answer.many ? `${path}.${Array.isArray(current) ? current.length : 0}` : path
  const questions = answer.parts.map((part) => fieldQuestion(part, `${at}.${part.path}`, conversation))
  // Nothing of it is kept before the last part is answered.
  const whole = await askInOrder(draft, "extras", { keep: async () => {} }, questions)
  if (whole === BACK) return draft
  const [other] = EITHER.includes(path) ? EITHER.filter((each) => each !== path) : []
  return other === undefined ? whole : setAnswer(whole, other, undefined)
}
