import type { MeantChoice } from "../../contract/index.ts"
import { getSchemaAt } from "../schema.ts"

/**
 * Words that people write in the place of the contract's choices, words of one choice separated by commas. Those before a
 * semicolon mean nothing else; those after it may.
 */
const WORDS: Readonly<Record<string, string>> = {
  AU: "australia, aus",
  AUD: "a$, au$, australian dollar, australian dollars; $, dollars",
  standard: "invoice, tax invoice, sales invoice; normal, sale, inv, accrec",
  creditMemo:
    "; credit, credit note, credit memo, adjustment note, sales credit note, refund, crn, accreccredit",
  debitMemo: "; debit, debit note, debit memo",
  lineLevelCreditMemo:
    "line level credit memo; line level credit, line level credit note, line credit memo, line credit",
  lineLevelDebitMemo:
    "line level debit memo; line level debit, line level debit note, line debit memo, line debit",
  new: "; create, original, add",
  update: "; change, replace, amend, amendment",
  delete: "; cancel, remove, void",
  GST: "goods and services tax",
  cfr: "c&f, cnf, c and f",
  dpu: "; dat",
  EA: "each, ea.; unit, units, item, items",
  C62: "one; piece, pieces, pc, pcs, pce",
  BX: "box, boxes",
  BO: "bottle, bottles, btl",
  CT: "carton, cartons, ctn",
  PK: "pack, packs, pkt, packet",
  PR: "pair, pairs",
  DZN: "dozen, doz",
  RO: "roll, rolls",
  DAY: "day, days",
  HUR: "hour, hours, hr, hrs, h",
  WEE: "week, weeks",
  MON: "month, months",
  BG: "bag, bags",
  BE: "bundle, bundles",
  CA: "can, cans, tin, tins",
  CS: "case, cases",
  D97: "pallet, pallets, pal, plt",
  DR: "drum, drums",
  KT: "kit, kits",
  SET: "set, sets",
  LBR: "lb, lbs, pound, pounds",
  GRM: "g, gram, grams",
  KGM: "kilogram, kg, kgs, kilo, kilograms",
  TNE: "tonne, tonnes; t, ton, tons",
  LTR: "litre, l, litres, liter, liters",
  MLT: "ml, millilitre, millilitres",
  CEN: "hundred",
  MIL: "thousand",
  CL: "coil, coils",
  CY: "cylinder, cylinders",
  JR: "jar, jars",
  PL: "pail, pails",
  RL: "reel, reels",
  SA: "sack, sacks",
  ST: "sheet, sheets",
  TU: "tube, tubes",
  FOT: "foot, feet, ft",
  INH: "inch, inches; in",
  MTR: "metre, m, metres, meter, meters",
  MMT: "mm, millimetre, millimetres",
  CMT: "cm, centimetre, centimetres",
  KMT: "km, kilometre, kilometres",
  MTK: "m2, m², sqm",
  MTQ: "m3, m³, cbm",
}

export const COMMON_UNITS = ["EA", "BX", "CT", "PK", "KGM", "LTR", "MTR", "HUR", "DAY"]
  .map((code) => `${code} (${getWords(code)[0] ?? ""})`)
  .join(", ")

/** A unit code in a word, as customers read it: `EA` → `each`; a code without a word stays. */
export function describeUnit(code: string): string {
  return getWords(code)[0] ?? code
}

/** The unit code for a word, or the word itself: `pcs` → `C62`. */
export function findUnit(word: string): string | undefined {
  const codes = getSchemaAt("/data/lineItems/0/unitOfMeasure").enum ?? []
  return codes.find((code) => code === word.toUpperCase()) ?? findMeantChoice(word, codes)?.choice
}

/** The choice that a word means: `kg` → `KGM`. It is safe if the word has no other meaning. */
export function findMeantChoice(word: string, choices: readonly string[]): MeantChoice | undefined {
  const folded = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, " ")
  const wanted = [folded(word), folded(word.replace(/([a-z])([A-Z])/g, "$1 $2"))]
  const has = (words: readonly string[]) => words.some((known) => wanted.includes(known))
  const choice = choices.find((each) => has(getWords(each)))
  if (choice === undefined) return undefined
  return { choice, safety: has(getWords(choice, 0)) ? "safe" : "suggestion" }
}

/** @param part 0 for the words before the semicolon, 1 for those after it; all when left out */
function getWords(choice: string, part?: 0 | 1): string[] {
  const words = Object.hasOwn(WORDS, choice) ? (WORDS[choice] ?? "") : ""
  return (part === undefined ? words.replace("; ", ", ") : (words.split("; ")[part] ?? ""))
    .split(", ")
    .filter(Boolean)
}
