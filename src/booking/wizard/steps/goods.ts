/** What travels: the packages with their running total, how they are packed, and whether the goods are dangerous. */
import type { Package } from "../../../contract/generated/types.ts"
import {
  densityDoubt,
  describeConversion,
  formatPackage,
  OTHER_UNITS,
  parseMeasure,
  parsePackage,
  totalsOf,
} from "../../../contract/packages.ts"
import { type Parsed, parsed, quoted, refused } from "../../../contract/parsed.ts"
import { BACK, type Back, type Conversation } from "../../../terminal/conversation/conversation.ts"
import { DANGEROUS_GOODS, getField } from "../../../contract/fields/questions.ts"
import { findRefusal } from "../../../contract/fields/field.ts"
import { getAnswer, setAnswer, type Draft, getPackages, getText } from "../draft.ts"
import { askField, fieldQuestion, goTo, askInOrder, type Step } from "../step.ts"
import { findLastTime, type Marks, type World } from "../world.ts"

export const packages: Step = {
  isOpen: (draft) => getPackages(draft).length === 0,
  async ask(draft, conversation, world) {
    const given = getPackages(draft)
    let lines = given
    /** The list is shown where there was one, and where the measures were asked one by one. */
    let isTyped = false
    let initial = world.sandbox ? "2x40x30x20@5.5" : undefined
    for (;;) {
      const known = goTo(setAnswer(draft, "packages", asJson(lines)), "packages")
      await world.keep(known)
      if (isTyped) return known
      const next = lines.length === 0 ? "more" : await askNext(lines, conversation, world.marks)
      if (next === "done") return known
      if (next === BACK && given.length > 0) return BACK
      if (next === BACK) {
        // Back into what was entered.
        initial = lines.map(formatPackage).join(", ")
        lines = []
        continue
      }
      if (next === "more") {
        const more = await askLines(lines, initial, conversation, world)
        if (more === BACK && lines.length === 0) return BACK
        if (more === BACK) continue
        isTyped = lines.length === 0 && more.isTyped
        lines = [...lines, ...more.lines]
        initial = undefined
      } else {
        initial = lines.length === 1 ? lines.map(formatPackage)[next] : undefined
        lines = lines.filter((_, at) => at !== next)
      }
    }
  },
}

function asJson(lines: readonly Package[]) {
  return lines.length === 0 ? undefined : lines.map((line) => ({ ...line }))
}

/** `2 pieces, 11 kg, 0.048 m³` */
export function totalText(lines: readonly Package[], { cubic }: Pick<Marks, "cubic">): string {
  const { count, weightKg, volumeM3 } = totalsOf(lines)
  const volume = volumeM3 < 0.001 ? String(volumeM3) : String(Number(volumeM3.toFixed(3)))
  return `${count} ${count === 1 ? "piece" : "pieces"}, ${weightKg} kg, ${volume} ${cubic}`
}

async function askLines(
  lines: readonly Package[],
  initial: string | undefined,
  conversation: Conversation,
  world: Pick<World, "marks" | "expandPackage">,
): Promise<{ lines: Package[]; isTyped: boolean } | Back> {
  const { marks } = world
  const read = (text: string) => parseLines(text, world)
  const again = (typed: string | undefined) => askLines(lines, typed, conversation, world)
  const typed = await conversation.text(lines.length === 0 ? "Packages" : "More packages", {
    initial,
    hint: `2x40x30x20@5.5 is two of 40 ${marks.times} 30 ${marks.times} 20 cm, 5.5 kg each; or a saved name; more after a comma; ? asks for each measure`,
    check: (answer) => (answer === "?" ? parsed([]) : read(answer)),
    live: (answer) => {
      const more = read(answer)
      return more.ok ? `In all: ${totalText([...lines, ...more.value], marks)}` : undefined
    },
  })
  if (typed === BACK) return BACK
  const more = read(typed)
  if (!more.ok) {
    const one = await askMeasures(conversation)
    const isGood = one !== BACK && (await confirmDensity([one], conversation))
    return isGood ? { lines: [one], isTyped: false } : again(initial)
  }
  const converted = describeConversion(typed, more.value)
  if (converted !== undefined) await conversation.say(`${converted}.`)
  return (await confirmDensity(more.value, conversation))
    ? { lines: more.value, isTyped: true }
    : again(typed)
}

/** Whether the person means packages whose weight does not fit their size. */
async function confirmDensity(lines: readonly Package[], conversation: Conversation): Promise<boolean> {
  for (const line of lines) {
    const doubt = densityDoubt(line)
    if (doubt !== undefined && (await conversation.confirm(`${doubt}. Is that right?`, false)) !== true)
      return false
  }
  return true
}

/** One package, or several with commas between them; a comma may also be a decimal one. */
function parseLines(text: string, { expandPackage }: Pick<World, "expandPackage">): Parsed<Package[]> {
  const one = parsePackage(text)
  if (one.ok) return parsed([one.value])
  const read: Package[] = []
  for (const part of text.split(/;|,(?!\d)|,(?=\d+\s*[x×])/i)) {
    const expanded = expandPackage(part.trim())
    const line = expanded.ok ? parsePackage(expanded.value) : expanded
    if (!line.ok) return line
    read.push(line.value)
  }
  return parsed(read)
}

const MEASURES = [
  ["Length of one in cm", "cm"],
  ["Width in cm", "cm"],
  ["Height in cm", "cm"],
  ["Weight of one in kg", "kg"],
] as const
const COUNT = "How many of these"

async function askMeasures(conversation: Conversation): Promise<Package | Back> {
  const values: number[] = []
  for (;;) {
    const [count = 0, lengthCm = 0, widthCm = 0, heightCm = 0, weightKg = 0] = values
    if (values.length > MEASURES.length) return { count, lengthCm, widthCm, heightCm, weightKg }
    const [question, unit] = MEASURES[values.length - 1] ?? [COUNT, ""]
    const isGood = (value: number) => value > 0 && (unit !== "" || Number.isSafeInteger(value))
    const typed = await conversation.text(question, {
      ...(unit === "" && { initial: "1" }),
      live(answer) {
        const value = parseMeasure(answer, unit)
        return unit !== "" && OTHER_UNITS[unit][0].test(answer) ? `${value} ${unit}` : undefined
      },
      check: (answer) =>
        isGood(parseMeasure(answer, unit))
          ? parsed(answer)
          : refused(
              `${quoted(answer)} is not a ${unit === "" ? "whole number" : `number of ${unit}`} above 0`,
            ),
    })
    if (typed !== BACK) values.push(parseMeasure(typed, unit))
    else if (values.pop() === undefined) return BACK
  }
}

/** What to do with the list; a number is the line to take out. */
function askNext(
  lines: readonly Package[],
  conversation: Conversation,
  marks: Marks,
): Promise<"done" | "more" | number | Back> {
  return conversation.choose<"done" | "more" | number>(
    `${totalText(lines, marks)}: is that all?`,
    [
      { name: "Yes, that is all", value: "done" },
      { name: "No, there is more", value: "more" },
      ...lines.map((line, at) => ({ name: `Remove ${lineText(line, marks)}`, value: at })),
    ],
    "done",
  )
}

/** `2 of 40 × 30 × 20 cm, 5.5 kg each` */
export function lineText(line: Package, { times }: Pick<Marks, "times">): string {
  const { count, lengthCm, widthCm, heightCm, weightKg } = line
  const size = [lengthCm, widthCm, heightCm].join(` ${times} `)
  return count === 1 ? `1 of ${size} cm, ${weightKg} kg` : `${count} of ${size} cm, ${weightKg} kg each`
}

const packaging = getField("packagingCode")
const details = getField("dangerousGoodsDetails")
const { parts } = DANGEROUS_GOODS

export const goods: Step = {
  isOpen: (draft) =>
    getText(draft, "packagingCode") === "" ||
    typeof getAnswer(draft, "dangerousGoods") !== "boolean" ||
    (isDangerous(draft) && !isWhole(draft)),
  ask: (draft, conversation, world) =>
    askInOrder(draft, "goods", world, [
      fieldQuestion(packaging, packaging.path, conversation, {
        lastTime: findLastTime(draft, world)?.request,
      }),
      {
        name: "dangerousGoods",
        async ask(known) {
          const field = { ...getField("dangerousGoods"), words: "Are there dangerous goods in it" }
          const answer = await askField(field, field.path, getAnswer(known, field.path), conversation)
          if (answer === BACK) return BACK
          const next = setAnswer(known, field.path, answer)
          return answer === true ? next : setAnswer(next, details.path, undefined)
        },
      },
      ...parts.map((part) => ({
        ...fieldQuestion(part, `${details.path}.${part.path}`, conversation),
        when: isDangerous,
      })),
    ]),
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
