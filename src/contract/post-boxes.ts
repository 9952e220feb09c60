/** Addresses of boxes, lockers and counters of a post office, where no carrier collects or delivers. */
import { findingAt, type Path, type RuleFinding } from "./findings.ts"

/** `12`, `K 410`, `10123 45678` */
const NUMBER = String.raw`(?:[a-z] ?)?\d[\d /-]*[a-z]?(?![a-z])`
const GAP = "[ ./-]*"

/** The first words of such a line, before its number: the delivery types of Australia Post, and people's spellings. */
const BEGINNINGS = [
  // PO Box, G.P.O. Box, P O Box12, POB 12
  `(?:g${GAP})?p${GAP}[o0]${GAP}b(?:ox|x)?(?![a-z])${GAP}(?:${NUMBER})?`,
  `post(?:al)? ?(?:office )?box(?![a-z])${GAP}(?:${NUMBER})?`,
  `(?:(?:locked|private|community|post) ?(?:mail ?)?|mail ?)bag(?![a-z])${GAP}(?:${NUMBER})?`,
  `[lpc]${GAP}m${GAP}b(?![a-z])${GAP}(?:${NUMBER})?`,
  // Along a road: the road may follow.
  `r${GAP}(?:m${GAP}[bs]|s${GAP}d)(?![a-z])${GAP}(?:${NUMBER})?`,
  `m${GAP}s${GAP}${NUMBER}`,
  `parcel ?(?:locker|collect)(?![a-z])${GAP}(?:${NUMBER})?`,
  `reply ?paid(?![a-z])${GAP}(?:${NUMBER})?`,
  "poste restante(?![a-z])",
].join("|")
const CARE = String.raw`(?:care(?: of)?|c ?[/\\] ?[o-]?|c-)`
const BOX = new RegExp(`^(?:${CARE}${GAP})?(?:${BEGINNINGS})`, "i")

/** `Care PO`, `C/- Dee Why Post Office` */
const COUNTER = new RegExp(
  String.raw`^${CARE}${GAP}(?:[a-z' ]* )?(?:post ?office|g?${GAP}p${GAP}o|l\.?p\.?o)(?![a-z])${GAP}`,
  "i",
)

/** Last words of a street without a number. */
const STREET =
  /\b(?:street|st|road|rd|avenue|ave?|lane|ln|drive|dr|highway|hwy|court|ct|crescent|cres|place|pl|parade|pde|terrace|tce|track|way|boulevard|blvd|close|circuit|cct|esplanade|esp)\.?$/i

/** Whether a line ends in a word for a street: `12 Bourke Rd.` */
export const endsAsStreet = (line: string): boolean => STREET.test(line)

/** Whether a line of an address is a PO box or similar, without a street beside it. */
export function isPostBox(line: string): boolean {
  return hasOnlyBox([line])
}

/** Whether an address has a PO box or similar, and nothing that could be a street. */
export function isOnlyPostBox({
  address1,
  address2 = "",
}: {
  address1: string
  address2?: string | undefined
}): boolean {
  return hasOnlyBox([address1, address2])
}

function hasOnlyBox(lines: readonly string[]): boolean {
  const parts = lines.flatMap((line) => line.split(/[,;\n]/)).map((part) => part.trim().replace(/\s+/g, " "))
  if (!parts.some((part) => BOX.test(part) || COUNTER.test(part))) return false
  const rests = parts.map((part) => part.replace(BOX, "").replace(COUNTER, "").trim())
  return rests.every((rest) => !/\d/.test(rest) && !endsAsStreet(rest))
}

export const POST_BOX = "postBox"

/** A warning for an address with a PO box or similar and no street, where no carrier can collect or deliver. */
export function postBoxWarnings(
  address: { address1: string; address2?: string | undefined },
  path: Path,
  does: "collects" | "delivers",
): RuleFinding[] {
  if (!isOnlyPostBox(address)) return []
  const what = does === "collects" ? "collect from" : "deliver to"
  const says = `is a PO box or Locked Bag without a street, which carriers cannot ${what}`
  return [findingAt([...path, "address1"], POST_BOX, says, { hint: "give the street address" })]
}
