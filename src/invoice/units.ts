/** Units of measure by the words that people use for them: codes of UN/ECE Recommendation 20 that the contract allows. */
const WORDS: Readonly<Record<string, string>> = {
  EA: "each ea. unit units item items",
  C62: "one piece pieces pc pcs",
  BX: "box boxes",
  BO: "bottle bottles btl",
  CT: "carton cartons ctn",
  PK: "pack packs pkt packet",
  PR: "pair pairs",
  DZN: "dozen doz",
  RO: "roll rolls",
  DAY: "day days",
  HUR: "hour hours hr hrs h",
  MON: "month months",
  GRM: "g gram grams",
  KGM: "kilogram kg kgs kilo kilograms",
  TNE: "t tonne tonnes",
  LTR: "litre l litres liter liters",
  MLT: "ml millilitre millilitres",
  MTR: "metre m metres meter meters",
  MMT: "mm millimetre millimetres",
  CMT: "cm centimetre centimetres",
  KMT: "km kilometre kilometres",
  MTK: "m2 m² sqm",
  MTQ: "m3 m³ cbm",
}

/** The codes that most invoices need, with what they mean. */
export const COMMON_UNITS = ["EA", "BX", "CT", "PK", "KGM", "LTR", "MTR", "HUR", "DAY"]
  .map((code) => `${code} (${WORDS[code]?.split(" ")[0] ?? ""})`)
  .join(", ")

/** The code for a unit that is written in words: `kg` → `KGM`. */
export function unitFor(word: string): string | undefined {
  const wanted = word.trim().toLowerCase()
  return Object.keys(WORDS).find((code) => WORDS[code]?.split(" ").includes(wanted))
}
