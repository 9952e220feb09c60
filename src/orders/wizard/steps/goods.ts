/** The goods: the packages with their running total, how they are packed, and whether they are dangerous. */
import {
  densityDoubt,
  describeConversion,
  formatPackage,
  parseMeasure,
  parsePackages,
  totalsOf,
} from "../../../contract/index.ts"
import { DANGEROUS_GOODS, getField } from "../questions.ts"
import { findRefusal } from "../field.ts"
import type { Package } from "../../../contract/generated/types.ts"
import { type Parsed, parsed, quoted, refused, refuseThrown } from "../../../base/parsed.ts"
import { askEach, BACK, type Back, type Conversation } from "../../../output/index.ts"
import { findLastForReceiver, type WizardContext } from "../context.ts"
import { type Draft, getAnswer, getPackages, getText, setAnswer } from "../draft.ts"
import { askField, askInOrder, fieldQuestion, goTo, type Question, type Step, unlessBack } from "../step.ts"
import { isOwnUnit, type Measure, splitUnit } from "../../../base/units.ts"

const FORM = "2x40x30x20@5.5"
const HINT = `${FORM} is two of 40 × 30 × 20 cm, 5.5 kg each; or a saved name; more after a comma`

/** All packages are one line, which is edited to change or to remove some. */
export const packages: Step = {
  isOpen: (draft) => getPackages(draft).length === 0,
  async ask(draft, context) {
    const { conversation } = context
    let lines = getPackages(draft)
    let typed = lines.length > 0 ? lines.map(formatPackage).join(", ") : context.sandbox ? FORM : ""
    for (;;) {
      const known = lines
      const read = (text: string) => parseLines(text, known, context)
      const answer = await conversation.text("Packages", {
        initial: typed,
        hint: `${HINT}; ${known.length > 0 ? "+ before it adds it to them; " : ""}? asks for each measure`,
        check: (text) => (text === "?" ? parsed([]) : read(text)),
        live(text) {
          const more = read(text)
          return more.ok ? `In all: ${formatTotals(more.value)}` : undefined
        },
      })
      if (answer === BACK) return BACK
      const parsedLines = read(answer)
      if (!parsedLines.ok) {
        const one = await askMeasures(conversation)
        if (one === BACK) continue
        lines = [...lines, one]
        typed = lines.map(formatPackage).join(", ")
        await context.keep(goTo(setPackages(draft, lines), "packages"))
        continue
      }
      const converted = describeConversion(answer, parsedLines.value)
      if (converted !== undefined) await conversation.say(`${converted}.`)
      if (await confirmDensity(parsedLines.value, conversation))
        return goTo(setPackages(draft, parsedLines.value), "packages")
      typed = answer
    }
  },
}

function setPackages(draft: Draft, lines: readonly Package[]): Draft {
  return setAnswer(
    draft,
    "packages",
    lines.map((line) => ({ ...line })),
  )
}

/** `2 pieces, 11 kg, 0.048 m³` */
export function formatTotals(lines: readonly Package[]): string {
  const { count, weightKg, volumeM3 } = totalsOf(lines)
  const volume = volumeM3 < 0.001 ? String(volumeM3) : String(Number(volumeM3.toFixed(3)))
  return `${count} ${count === 1 ? "piece" : "pieces"}, ${weightKg} kg, ${volume} m³`
}

async function confirmDensity(lines: readonly Package[], conversation: Conversation): Promise<boolean> {
  for (const line of lines) {
    const doubt = densityDoubt(line)
    if (doubt !== undefined && (await conversation.confirm(`${doubt}. Is that right?`, false)) !== true)
      return false
  }
  return true
}

/** @param known the packages that `+` adds to */
function parseLines(
  text: string,
  known: readonly Package[],
  { findSize }: Pick<WizardContext, "findSize">,
): Parsed<Package[]> {
  const [, more] = /^\+(.*)$/s.exec(text.trim()) ?? []
  const read = refuseThrown(() => parsePackages(more ?? text, findSize))
  return read.ok && more !== undefined ? parsed([...known, ...read.value]) : read
}

const MEASURES = [
  ["How many of these", ""],
  ["Length of one in cm", "cm"],
  ["Width in cm", "cm"],
  ["Height in cm", "cm"],
  ["Weight of one in kg", "kg"],
] as const

/** Asks for one package, measure by measure, and confirms a weight that does not fit its size. */
async function askMeasures(conversation: Conversation): Promise<Package | Back> {
  const typed = ["1"]
  const getPackage = (): Package => {
    const [count = 0, lengthCm = 0, widthCm = 0, heightCm = 0, weightKg = 0] = MEASURES.map(([, unit], at) =>
      parseMeasure(typed[at] ?? "", unit),
    )
    return { count, lengthCm, widthCm, heightCm, weightKg }
  }
  const measures = MEASURES.map(([question, unit], at) => ({
    ask() {
      const read = (text: string) => parseMeasure(text, unit)
      const isGood = (value: number) => value > 0 && (unit !== "" || Number.isSafeInteger(value))
      const wanted = unit === "" ? "whole number" : `number of ${unit}`
      const asked = conversation.text(question, {
        initial: typed[at],
        live: (text) => (unit === "" ? undefined : describeMeasure(text, unit)),
        check: (text) =>
          isGood(read(text)) ? parsed(text) : refused(`${quoted(text)} is not a ${wanted} above 0`),
      })
      return unlessBack(asked, (answer) => {
        typed[at] = answer
      })
    },
  }))
  const doubt = {
    when: () => densityDoubt(getPackage()) !== undefined,
    ask: async () => (await confirmDensity([getPackage()], conversation)) || BACK,
  }
  return (await askEach([...measures, doubt])) ?? getPackage()
}

/** `2 of 40 × 30 × 20 cm, 5.5 kg each` */
export function describePackage({ count, lengthCm, widthCm, heightCm, weightKg }: Package): string {
  return `${count} of ${lengthCm} × ${widthCm} × ${heightCm} cm, ${weightKg} kg${count === 1 ? "" : " each"}`
}

const packaging = getField("packagingCode")
const dangerous = getField("dangerousGoods")
const details = getField("dangerousGoodsDetails")
const { parts } = DANGEROUS_GOODS

export const goods: Step = {
  isOpen: (draft) =>
    getText(draft, "packagingCode") === "" ||
    typeof getAnswer(draft, "dangerousGoods") !== "boolean" ||
    (isDangerous(draft) && !isWhole(draft)),
  ask: (draft, context) =>
    askInOrder(draft, "goods", context, [
      askPackaging(draft, context),
      {
        name: dangerous.path,
        ask(known) {
          const field = { ...dangerous, words: "Are there dangerous goods in it" }
          const current = getAnswer(known, field.path)
          return unlessBack(askField(field, field.path, current, context), (answer) => {
            const next = setAnswer(known, field.path, answer)
            return answer === true ? next : setAnswer(next, details.path, undefined)
          })
        },
      },
      ...parts.map((part) => ({
        ...confirmed(fieldQuestion(part, `${details.path}.${part.path}`, context), part.path, context),
        when: isDangerous,
      })),
    ]),
}

/** The packaging: one for the whole booking, whatever its packages are. */
function askPackaging(draft: Draft, context: WizardContext): Question {
  const question = fieldQuestion(
    packaging,
    packaging.path,
    context,
    findLastForReceiver(draft, context)?.request,
  )
  return {
    ...question,
    async ask(known) {
      if (getPackages(known).length > 1)
        await context.conversation.say(
          "All packages of a booking have one packing. For a pallet and cartons, make two bookings.",
        )
      return question.ask(known)
    },
  }
}

const HAZARD_CLASS = `${details.path}.hazClass`
const SUBSIDIARY_RISK = `${details.path}.subRisk`
const PACKING_GROUP = `${details.path}.packingGroup`
/** Classes whose substances have a packing group, but for a few. */
const GROUPED_CLASS = /^(?:3|4\.[1-3]|5\.1|6\.1|8)$/

/** Asks about a missing packing group if the class usually has one, and again for a risk that is not a class. */
function confirmed(question: Question, part: string, { conversation }: WizardContext): Question {
  if (part === "subRisk")
    return {
      ...question,
      async ask(known) {
        for (;;) {
          const answer = await question.ask(known)
          const risk = answer === BACK ? "" : getText(answer, SUBSIDIARY_RISK)
          const isClass = risk
            .split(/[\s,/]+|and/)
            .filter(Boolean)
            .every((each) => findRefusal(HAZARD_CLASS, each) === undefined)
          if (answer === BACK || isClass) return answer
          await conversation.warn(
            `${quoted(risk)} is not a subsidiary risk: write its class, such as 6.1, or nothing where there is none`,
          )
        }
      },
    }
  if (part !== "packingGroup") return question
  return {
    ...question,
    async ask(known) {
      for (;;) {
        const answer = await question.ask(known)
        const hazardClass = getText(known, HAZARD_CLASS)
        if (answer === BACK || getText(answer, PACKING_GROUP) !== "" || !GROUPED_CLASS.test(hazardClass))
          return answer
        const doubt = `Substances of class ${hazardClass} usually have a packing group. Is there none`
        if ((await conversation.confirm(`${doubt}?`, false)) === true) return answer
      }
    },
  }
}

function isDangerous(draft: Draft): boolean {
  return getAnswer(draft, "dangerousGoods") === true
}

function isWhole(draft: Draft): boolean {
  const value = getAnswer(draft, details.path)
  const needed = parts.filter(({ optional }) => !optional)
  return (
    value !== undefined &&
    findRefusal(details.path, value) === undefined &&
    needed.every(({ path }) => getAnswer(draft, `${details.path}.${path}`) !== undefined)
  )
}

function describeMeasure(text: string, measure: Measure): string | undefined {
  const split = splitUnit(text, measure)
  return !split || isOwnUnit(split.unit) ? undefined : `${parseMeasure(text, measure)} ${measure}`
}
