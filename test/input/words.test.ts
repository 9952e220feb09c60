/** The meaning of each word of the lists. words.txt has a line for every word, so that none is lost. */
import { it } from "vitest"
import { isNoValue, saysNothing, saysZero } from "../../src/base/nothing.ts"
import { findUnit } from "../../src/base/units.ts"
import { toCharge } from "../../src/bills/reading/charge.ts"
import { saysSection } from "../../src/bills/reading/sections.ts"
import { getKind } from "../../src/contract/fields/kinds.ts"
import { removeCounted } from "../../src/contract/packaging.ts"
import { findBasis, readBasis, saysFree } from "../../src/input/columns/basis.ts"
import { BEARINGS, findBearing, findHarmless } from "../../src/input/columns/bearings.ts"
import type { BearingName } from "../../src/input/columns/notation.ts"
import {
  isCreditLabel,
  isOpenLabel,
  mayNotCount,
  readSign,
  readSignOfGoods,
  readSignOrLetter,
  saysNotAsked,
} from "../../src/input/columns/sign.ts"
import {
  findIncludedTax,
  isCountOfRecords,
  isTotalWord,
  namesAccount,
  partSumWords,
  saysClosing,
  saysOfAccount,
  saysOpening,
  saysPageTotal,
  saysTax,
  saysTaxOfTotal,
  saysTotal,
  saysTotalOf,
} from "../../src/input/sheets/totals.ts"
import { expectCalls } from "../cases.ts"

/** A call is of several texts, and each answer stands once, before all texts that it is given for. */
function ofEach(answer: (text: string) => Readonly<Record<string, string | boolean | undefined>>) {
  return (...texts: readonly string[]) => {
    const byAnswer = new Map<string, string[]>()
    for (const text of texts) {
      const said = Object.entries(answer(text)).flatMap(([name, each]) => {
        if (each === undefined || each === false) return []
        return [each === true ? name : `${name} ${each}`.trim()]
      })
      const line = said.join("; ") || "nothing"
      byAnswer.set(line, [...(byAnswer.get(line) ?? []), text])
    }
    return Array.from(byAnswer, ([line, all]) => ({ message: `${line}: ${all.join(" | ")}` }))
  }
}

/** `Unit: lb | kg` */
function parseColumn(text: string): [header: string, cells: readonly string[]] {
  const [header = "", cells] = text.split(": ")
  return [header, cells?.split(" | ") ?? []]
}

const now = () => ({ year: 2026, month: 1, day: 1, hour: 12, minute: 0, second: 0 })
const ALL = Object.keys(BEARINGS) as BearingName[]

const FUNCTIONS = {
  sum: ofEach((text) => ({
    total: saysTotal(text),
    "of a page": saysPageTotal(text),
    "begins as a total": isTotalWord(text),
    GST: saysTax(text),
    "GST of a total": saysTaxOfTotal(text),
    "of the account,": saysOfAccount(text),
    "names the account": namesAccount(text),
    opens: saysOpening(text),
    closes: saysClosing(text),
  })),
  totalOf: saysTotalOf,
  includedTax: findIncludedTax,
  parts: (text: string) => partSumWords(text).join(" "),
  end: ofEach((text) => ({ "end of the export": isCountOfRecords(text.split(" | ")) })),
  basis: ofEach((text) => ({
    "a cell,": readBasis(text),
    "a text,": findBasis(text)?.basis,
    "no GST at all": saysFree(text),
  })),
  findBasis,
  sign: ofEach((text) => ({
    "": readSign(text),
    "alone,": readSignOrLetter(text),
    "of goods,": readSignOfGoods(text),
    "label of a credit": isCreditLabel(text),
    "may not count": mayNotCount(text),
    "says only that it may not": saysNotAsked(text),
    "without a sign": isOpenLabel(text),
  })),
  section: ofEach((text) => ({ begins: saysSection(text) })),
  charge: ofEach((text) => ({ "": toCharge(text) })),
  bearing: ofEach((text) => {
    const [header, cells] = parseColumn(text)
    const harmless = findHarmless(header, cells, ALL)?.what
    const on = ALL.filter((name) => findBearing(header, cells, [name]) !== undefined).join(", ")
    return { on: on !== "" && on, "nothing yet, but": harmless }
  }),
  nothing: ofEach((text) => ({
    "no value": saysNothing(text),
    "no value where no name is expected": isNoValue(text),
    "a zero": saysZero(text),
  })),
  unit: ofEach((word) => ({ "": findUnit(word)?.name })),
  counted: ofEach((word) => ({ counts: removeCounted(`3 ${word}`) === "3" })),
  yesNo: ofEach((text) => {
    const read = getKind("yesNo").parse(text, { now })
    return { "": read.ok ? String(read.value) : "neither" }
  }),
  home: ofEach((text) => {
    const read = getKind("home").parse(text, { now })
    return { "": read.ok ? String(read.value) : "neither" }
  }),
}

it("says what each word says", () => expectCalls(import.meta.dirname, "words.txt", FUNCTIONS))
