/**
 * The reference; and questions asked only if the person wants to change the answer: the payer (Payer, and booking rule 6),
 * and other fields of the chosen carrier.
 */
import { carrierName, getCarrierFacts } from "../../../carriers/index.ts"
import { checkExtras, inWords, LASTING_FIELDS } from "../../../contract/index.ts"
import { answerText, type Field } from "../field.ts"
import { getField, listExtras } from "../questions.ts"
import type { Payer } from "../../../contract/generated/types.ts"
import { parsed, refused } from "../../../base/parsed.ts"
import { type WallClock, wallClockNow } from "../../../base/wall-clock.ts"
import { askEach, BACK, capital } from "../../../output/index.ts"
import { hasPayer, takesThirdParty } from "../consequences.ts"
import { findLastForReceiver, type WizardContext } from "../context.ts"
import { type Draft, getAnswer, getCarrier, getText, setAnswer } from "../draft.ts"
import { askField, askInOrder, fieldQuestion, goTo, type Question, type Step, unlessBack } from "../step.ts"
import { getReadyTime, getZone, giveExamples } from "../when.ts"

const ACCOUNT = "payer.accountNumber"

export const payer: Step = {
  isOpen: (draft) => !hasPayer(draft),
  ask: (draft, context) =>
    askInOrder(draft, "payer", context, [
      { name: "type", ask: (known) => askType(known, context) },
      {
        name: "account",
        when: (known) => getPayerType(known) !== "Sender",
        ask(known) {
          const asked = context.conversation.text("Account to bill", {
            initial: getText(known, ACCOUNT),
            check: (typed) =>
              typed === ""
                ? refused("An account is needed: only the sender can pay on the account used for the booking")
                : parsed(typed),
          })
          return unlessBack(asked, (account) => setAnswer(known, ACCOUNT, account))
        },
      },
      {
        name: "charged",
        when: (known) =>
          getCarrierFacts(getCarrier(known))?.chargesSenderAccount === true &&
          getPayerType(known) === "Sender" &&
          getText(known, ACCOUNT) !== "",
        ask(known) {
          const words = `${capital(nameChosen(known))} charges account ${getText(known, ACCOUNT)} although the sender pays. Keep it?`
          return unlessBack(context.conversation.confirm(words, false), (isKept) =>
            isKept ? known : setAnswer(known, ACCOUNT, undefined),
          )
        },
      },
    ]),
}

function askType(draft: Draft, { conversation }: WizardContext) {
  const isSenderOrReceiver = !takesThirdParty(getCarrier(draft))
  const current = getPayerType(draft)
  const description = "The account to bill is asked for next."
  const asked = conversation.choose<Payer["type"]>(
    "Who pays for the freight?",
    [
      { name: "The sender, on the account used for the booking", value: "Sender" },
      { name: "The receiver", value: "Receiver", description },
      {
        name: "A third party",
        value: "ThirdParty",
        description,
        ...(isSenderOrReceiver && { disabled: `${nameChosen(draft)} does not bill third parties` }),
      },
    ],
    isSenderOrReceiver && current === "ThirdParty" ? "Sender" : current,
  )
  // The previous payer's account does not belong to the new payer.
  return unlessBack(asked, (type) =>
    setAnswer(type === current ? draft : setAnswer(draft, ACCOUNT, undefined), "payer.type", type),
  )
}

function nameChosen(draft: Draft): string {
  const carrier = getCarrier(draft)
  return carrier ? carrierName(carrier) : "the carrier"
}

function getPayerType(draft: Draft): Payer["type"] {
  const type = getText(draft, "payer.type")
  return type === "Receiver" || type === "ThirdParty" ? type : "Sender"
}

const reference: Field = {
  ...getField("customerReference"),
  optional: true,
  hint: "printed on the label; every command finds the shipment by it",
}

export const referenceStep: Step = {
  isOpen: (draft) => !draft.isReferenceAsked && getAnswer(draft, reference.path) === undefined,
  ask: (draft, context) =>
    askInOrder(draft, "reference", context, [
      {
        name: "reference",
        ask: (known) =>
          unlessBack(
            askField(reference, reference.path, getAnswer(known, reference.path), context),
            (answer) => ({
              ...setAnswer(known, reference.path, answer),
              isReferenceAsked: true,
            }),
          ),
      },
      ...LASTING_FIELDS.flatMap((field) => askOwn(field, context)),
    ]),
}

/** A text beside the request is asked for if it was used before. */
function askOwn({ path, beside }: (typeof LASTING_FIELDS)[number], context: WizardContext): Question[] {
  const last = (draft: Draft) => {
    const earlier = findLastForReceiver(draft, context)?.own[path]
    return typeof earlier === "string" ? earlier : ""
  }
  if (!context.earlier.some(({ own }) => typeof own[path] === "string")) return []
  return [
    {
      name: path,
      ask: (draft) =>
        unlessBack(
          context.conversation.text(`${beside.title} (optional)`, {
            initial: String(draft.own?.[path] ?? last(draft)),
            check: parsed,
          }),
          (text) => {
            const { [path]: _, ...own } = draft.own ?? {}
            return { ...draft, own: text === "" ? own : { ...own, [path]: text } }
          },
        ),
    },
  ]
}

export const extras: Step = {
  // Asked only from the review.
  isOpen: () => false,
  async ask(draft, context) {
    const carrier = getCarrier(draft)
    const clock = () => wallClockNow(context.now(), getZone(draft))
    const ready = getReadyTime(draft)
    const judging = { ...context, clock, findProblem }
    let known = draft
    for (;;) {
      await context.keep(goTo(known, "extras"))
      const choices = listExtras(carrier).map((field) => {
        const text = answerText(field, getAnswer(known, field.path))
        return {
          name: [field.words, text].filter(Boolean).join(": "),
          value: giveExamples(field, ready ?? clock()),
        }
      })
      const field = await context.conversation.choose<Field | undefined>(
        `Anything more${carrier ? ` for ${carrierName(carrier)}` : ""}?`,
        [{ name: "Nothing more", value: undefined }, ...choices],
      )
      // Changes made here stay.
      if (field === BACK && known === draft) return BACK
      if (field === BACK || !field) return goTo(known, "extras")
      const changed = await changeField(known, field, judging)
      if (changed !== BACK) known = changed
    }
  },
}

interface Judging extends WizardContext {
  clock(): WallClock
  findProblem: typeof findProblem
}

function findProblem({ request }: Draft, path: string): string | undefined {
  const { errors, warnings } = checkExtras(request)
  const shown = path.replace(/\.(\d+)/g, "[$1]")
  const found = [...errors, ...warnings].find((each) => each.path === shown)
  return found && inWords({ ...found, message: found.message.replace(shown, "it") })
}

/** The contract takes only one of these. */
const EITHER = ["timeSensitive.timeslot", "timeSensitive.deliveryWindow"]

async function changeField(draft: Draft, field: Field, context: Judging) {
  const { path, words, answer } = field
  const current = getAnswer(draft, path)
  if (answer?.kind !== "parts")
    return unlessBack(askField({ ...field, optional: true }, path, current, context, draft), (value) =>
      setAnswer(draft, path, value === false ? undefined : value),
    )
  const other = EITHER.includes(path)
    ? EITHER.find((each) => each !== path && getAnswer(draft, each))
    : undefined
  const at = answer.many ? `${path}.${Array.isArray(current) ? current.length : 0}` : path
  const questions = answer.parts.map((part) => fieldQuestion(part, `${at}.${part.path}`, context))
  let isRemoved = false
  let whole = draft
  const isAsked = await askEach([
    {
      when: () => current !== undefined,
      ask: () =>
        unlessBack(
          context.conversation.choose(words, [
            { name: answer.many ? "Add another" : "Change it", value: false },
            { name: answer.many ? "Remove all" : "Remove it", value: true },
          ]),
          (chosen) => {
            isRemoved = chosen
          },
        ),
    },
    {
      when: () => !isRemoved && other !== undefined,
      async ask() {
        const name = getField(other ?? path).words
        const question = `${words} takes the place of ${name}: a booking has one of the two. Go on?`
        return (await context.conversation.confirm(question, true)) === true || BACK
      },
    },
    {
      when: () => !isRemoved,
      ask: () =>
        // Nothing is stored before the last part is answered.
        unlessBack(
          askInOrder(goTo(draft, "extras"), "extras", { keep: async () => {} }, questions),
          (answered) => {
            whole = answered
          },
        ),
    },
  ])
  if (isAsked === BACK) return BACK
  if (isRemoved) return setAnswer(draft, path, undefined)
  return other === undefined ? whole : setAnswer(whole, other, undefined)
}
