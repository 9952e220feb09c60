/** Who pays, with what each carrier makes of it (Payer, and booking rule 6). */
import { parseEmail } from "../../../contract/emails.ts"
import type { Payer } from "../../../contract/generated/types.ts"
import { parsed, refused } from "../../../contract/parsed.ts"
import { BACK, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { hasPayer } from "../consequences.ts"
import { answerAt, answered, carrierOf, type Draft, partyOf, textOf } from "../draft.ts"
import { askField } from "../fields.ts"
import { inOrder, type Step } from "../step.ts"

const ACCOUNT = "payer.accountNumber"
const EMAIL = "collection.email"

export const payer: Step = {
  isOpen: (draft) => !hasPayer(draft),
  ask: (draft, conversation, world) =>
    inOrder(draft, "payer", world, [
      { name: "type", ask: (known) => askType(known, conversation) },
      { name: "account", when: needsAccount, ask: (known) => askAccount(known, conversation) },
      {
        name: "charged",
        when: isChargedAnyway,
        async ask(known) {
          const account = textOf(known, ACCOUNT)
          const words = `Carrier A charges account ${account} although the sender pays. Keep it?`
          const keep = await conversation.confirm(words, false)
          if (keep === BACK) return BACK
          return keep ? known : answered(known, ACCOUNT, undefined)
        },
      },
      {
        name: "email",
        when: (known) =>
          carrierOf(known) === "CARRIER_C_AU" && (partyOf(known, "collection")?.email ?? "") === "",
        async ask(known) {
          const field = {
            path: EMAIL,
            words: "Email at the place of collection",
            answer: { kind: "text" },
            optional: true,
            check: parseEmail,
            hint: "carrier C refuses a booking without one, unless its connector has one to fall back to",
          } as const
          const email = await askField(field, EMAIL, undefined, conversation)
          return email === BACK ? BACK : answered(known, EMAIL, email)
        },
      },
    ]),
}

async function askType(draft: Draft, conversation: Conversation) {
  const isA = carrierOf(draft) === "CARRIER_A_AU"
  const type = await conversation.choose<Payer["type"]>(
    "Who pays for the freight?",
    [
      { name: "The sender, on the account that it is booked with", value: "Sender" },
      { name: "The receiver", value: "Receiver", description: "The account to bill is asked for next." },
      {
        name: "A third party",
        value: "ThirdParty",
        description: "The account to bill is asked for next.",
        ...(isA && { disabled: "carrier A does not bill third parties" }),
      },
    ],
    typeOf(draft),
  )
  if (type === BACK) return BACK
  // The account of the one who paid before is not that of the one who pays now.
  const kept = type === typeOf(draft) ? draft : answered(draft, ACCOUNT, undefined)
  return answered(kept, "payer.type", type)
}

function typeOf(draft: Draft): Payer["type"] {
  const type = textOf(draft, "payer.type")
  return type === "Receiver" || type === "ThirdParty" ? type : "Sender"
}

async function askAccount(draft: Draft, conversation: Conversation) {
  const initial = textOf(draft, ACCOUNT)
  const account = await conversation.text("Account to bill", {
    ...(initial !== "" && { initial }),
    check: (typed) =>
      typed === ""
        ? refused("The account is needed: only the sender can pay on the connector's own")
        : parsed(typed),
  })
  return account === BACK ? BACK : answered(draft, ACCOUNT, account)
}

function needsAccount(draft: Draft): boolean {
  return typeOf(draft) !== "Sender"
}

function isChargedAnyway(draft: Draft): boolean {
  return (
    carrierOf(draft) === "CARRIER_A_AU" &&
    typeOf(draft) === "Sender" &&
    answerAt(draft, ACCOUNT) !== undefined
  )
}
