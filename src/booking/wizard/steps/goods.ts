/** What the packages are, and whether they are dangerous: then all that the carrier must know, one by one. */
import { BACK } from "../../../terminal/conversation/conversation.ts"
import { refusalOf } from "../../field.ts"
import { DANGEROUS_GOODS } from "../../field-parts.ts"
import { fieldAt } from "../../fields.ts"
import { answerAt, answered, type Draft, textOf } from "../draft.ts"
import { askField, fieldQuestion } from "../fields.ts"
import { inOrder, type Step } from "../step.ts"

const packaging = fieldAt("packagingCode")
const details = fieldAt("dangerousGoodsDetails")
const { parts } = DANGEROUS_GOODS

export const goods: Step = {
  isOpen: (draft) =>
    textOf(draft, "packagingCode") === "" ||
    typeof answerAt(draft, "dangerousGoods") !== "boolean" ||
    (isDangerous(draft) && !isWhole(draft)),
  ask: (draft, conversation, world) =>
    inOrder(draft, "goods", world, [
      fieldQuestion(packaging, packaging.path, conversation),
      {
        name: "dangerousGoods",
        async ask(known) {
          const field = { ...fieldAt("dangerousGoods"), words: "Are there dangerous goods in it" }
          const answer = await askField(field, field.path, answerAt(known, field.path), conversation)
          if (answer === BACK) return BACK
          const next = answered(known, field.path, answer)
          return answer === true ? next : answered(next, details.path, undefined)
        },
      },
      ...parts.map((part) => ({
        ...fieldQuestion(part, `${details.path}.${part.path}`, conversation),
        when: isDangerous,
      })),
    ]),
}

function isDangerous(draft: Draft): boolean {
  return answerAt(draft, "dangerousGoods") === true
}

function isWhole(draft: Draft): boolean {
  const value = answerAt(draft, details.path)
  const needed = parts.filter(({ optional }) => !optional)
  return (
    value !== undefined &&
    refusalOf(details.path, value) === undefined &&
    needed.every(({ path }) => answerAt(draft, `${details.path}.${path}`) !== undefined)
  )
}
