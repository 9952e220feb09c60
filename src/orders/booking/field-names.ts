/** The names of a booking's fields, for messages to people who see no JSON: in questions and spreadsheets. */
import { fieldsOf, type Finding, resolve, type SchemaNode } from "../../contract/index.ts"

/** Names for fields whose title does not read well in a sentence. */
const NAMES: Readonly<Record<string, string>> = {
  collectionDateTime: "the ready time",
  collectionCloseTime: "the closing time",
  packages: "the list of packages",
  packagingCode: "the packaging",
  items: "the totals of the goods",
  "items.count": "the number of packages in all",
  "items.totalWeightKg": "the total weight (kg)",
  "items.maxLengthCm": "the greatest length (cm)",
  "items.maxWidthCm": "the greatest width (cm)",
  "items.maxHeightCm": "the greatest height (cm)",
  "payer.type": "the kind of payer",
  "payer.subAccount": "the sub-account of the payer",
  customerBarcodes: "your own barcodes",
  foodFreight: "the mark for food",
  dangerousGoods: "the mark for dangerous goods",
  dangerousGoodsDetails: "the description of the dangerous goods",
  "dangerousGoodsDetails.packageType": "the kind of package of the dangerous goods",
}

/** Titles whose parts are nouns; other fields are asked for with whole questions. */
const NOUNS: readonly string[] = ["sender", "collection", "receiver", "items", "payer", "packages"]
const HOLDERS: Readonly<Record<string, string>> = { dangerousGoodsDetails: "the dangerous goods" }

/** A field's path in messages: `receiver.suburb`, `packages[0].lengthCm`. */
const PATH = /^(\w+)(?:\[(\d+)\])?(?:\.([\w.]+))?$/

/**
 * `the suburb of the receiver`, `the length (cm) of package line 2`
 * @param path as findings have it; one that the contract does not know stays as it is
 * @param hasOneLine whether all packages are of one kind, which needs no number
 */
export function nameField(path: string, hasOneLine = false): string {
  const [, field = "", at, below] = PATH.exec(path) ?? []
  const top = fieldsOf("ConsignmentBookingRequest").root.properties?.[field]
  if (NAMES[path] !== undefined || !top) return NAMES[path] ?? path
  const node = resolve(top)
  const named = HOLDERS[field] ?? NAMES[field] ?? asNoun(node.title ?? field)
  const whole = at === undefined ? named : nameEntry(field, named, Number(at) + 1, hasOneLine)
  if (below === undefined) return whole
  const title = findTitle(below, at === undefined ? node : node.items && resolve(node.items))
  if (title === undefined) return path
  return `${NOUNS.includes(field) ? asNoun(title) : `"${title}"`} of ${whole}`
}

function nameEntry(field: string, named: string, number: number, hasOneLine: boolean): string {
  if (field !== "packages") return `entry ${number} of ${named}`
  return hasOneLine ? "the package" : `package line ${number}`
}

function findTitle(below: string, above: SchemaNode | undefined): string | undefined {
  const [name = "", ...rest] = below.split(".")
  const part = above?.properties?.[name]
  if (!part) return undefined
  return rest.length > 0 ? findTitle(rest.join("."), resolve(part)) : resolve(part).title
}

/** `the suburb`; `the UN number` */
function asNoun(title: string): string {
  return `the ${/^.[a-z]/.test(title) ? title.charAt(0).toLowerCase() : title.charAt(0)}${title.slice(1)}`
}

/** A finding with its field named as people name it. */
export function nameInWords<F extends Pick<Finding, "path" | "message">>(
  finding: F,
  hasOneLine?: boolean,
): F {
  const { path, message } = finding
  if (path === "" || !message.startsWith(`${path} `)) return finding
  return { ...finding, message: `${nameField(path, hasOneLine)}${message.slice(path.length)}` }
}
