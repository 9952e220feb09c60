/** The columns that a batch can have: the contract's fields, and freight's own. */
import { type Fields, type SchemaNode, typesOf } from "../../contract/fields/schema.ts"
import { LINK_FIELDS } from "../../contract/rate-link.ts"
import { PARTIES } from "./words.ts"

export type Kind =
  | "text"
  | "postcode"
  | "state"
  | "country"
  | "phone"
  | "areaCode"
  | "unNumber"
  | "yesNo"
  | "whole"
  | "number"
  | "money"
  | "days"
  | "day"
  | "when"
  | "time"
  | "closeTime"
  | "choice"
  | "packages"
  | "payer"
  | "party"
  | "json"

export interface Field {
  /** As in a header: `receiver.suburb`, `package.count`, `maxPrice`. */
  name: string
  /** Path in the booking; undefined for freight's own fields. */
  path: readonly string[] | undefined
  kind: Kind
  choices: readonly string[]
  about: string
  example: string
}

/** Contract fields with another name here. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ["customerReference", "reference"],
  ["serviceCode", "service"],
])

/** A field of freight's own. */
type OwnField = [name: string, kind: Kind, about: string, example: string, path?: readonly string[]]

function toField([name, kind, about, example, path]: OwnField): Field {
  return { name, kind, about, example, path, choices: [] }
}

const REFERENCE = toField([
  "reference",
  "text",
  "Your own name for the consignment, different in each row: the same reference is never booked twice.",
  "SO-10442",
  ["customerReference"],
])

const OWN_FIELDS: readonly OwnField[] = [
  [
    "packages",
    "packages",
    "Count x length x width x height in cm @ kg each; several separated by ;.",
    "2x40x30x20@5.5; 1x10x10x10@1",
    ["packages"],
  ],
  ["package.count", "whole", "Number of packages, if all packages of the row are alike (1).", "2"],
  ["package.lengthCm", "number", "Length of each in cm.", "40"],
  ["package.widthCm", "number", "Width of each in cm.", "30"],
  ["package.heightCm", "number", "Height of each in cm.", "20"],
  ["package.weightKg", "number", "Weight of each in kg, not the total.", "5.5"],
  ["service", "text", "A service code, or cheapest, or fastest.", "cheapest"],
  [
    "connector",
    "text",
    "The carrier account to book with; needed only if several offer the service.",
    "connector-a",
  ],
  ["maxPrice", "money", "Book only up to this price.", "50.00"],
  ["arriveBy", "when", "Book only a service that arrives by this day, or day and time.", "2026-11-27"],
  ["within", "days", "Book only a service that arrives within this many days of the collection.", "3"],
  ["avoid", "text", "Services and carriers to avoid, separated by commas; or none.", "GEN, A"],
  ["readyTime", "time", "Time when the goods are ready, if collectionDateTime is only a day.", "10:00"],
  ["payer", "payer", "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (sender).", "sender", ["payer"]],
  ...PARTIES.flatMap((party): OwnField[] => [
    [
      party,
      "party",
      `The name of a saved address; other ${party} columns override it.`,
      "Warehouse",
      [party],
    ],
    [
      `${party}.name`,
      "text",
      "The company's name, or the contact's if the company has its own column.",
      "Lee Watson",
    ],
    [`${party}.firstName`, "text", "First name.", "Lee"],
    [`${party}.lastName`, "text", "Last name.", "Watson"],
    [`${party}.country`, "country", "Australia, or empty.", "Australia"],
  ]),
  ...["receiver", "collection"].map(
    (party): OwnField => [
      `${party}.residential`,
      "yesNo",
      "A home, not a business; some carriers charge more for it (no).",
      "no",
    ],
  ),
]

const OWN = OWN_FIELDS.map(toField)

/** How to read fields whose type does not tell, by the end of their path. */
const KINDS: Readonly<Record<string, Kind>> = {
  postcode: "postcode",
  state: "state",
  phoneNumber: "phone",
  contactPhone: "phone",
  phone: "phone",
  phoneAreaCode: "areaCode",
  unNumber: "unNumber",
  collectionDateTime: "when",
  collectionCloseTime: "closeTime",
  startDate: "day",
  endDate: "day",
  startTime: "time",
  endTime: "time",
  value: "money",
}

const TYPE_KINDS: readonly (readonly [type: string, kind: Kind])[] = [
  ["boolean", "yesNo"],
  ["integer", "whole"],
  ["number", "number"],
  ["string", "text"],
]

/** Whether freight fills in this field itself when it books. */
export function isFoundOut(name: string | undefined): boolean {
  return LINK_FIELDS.some((each) => each.toLowerCase() === name?.toLowerCase())
}

export function allFields(schema: Fields): Field[] {
  return [REFERENCE, ...contractFields(schema), ...OWN]
}

function contractFields(schema: Fields): Field[] {
  const taken = new Set([...OWN.map(({ name }) => name), ...RENAMED.keys()])
  return schema
    .leaves()
    .filter(({ path }) => !isFoundOut(path[0]) && path[0] !== "packages")
    .map(({ path, node }) => contractField(path, node))
    .filter(({ name }) => !taken.has(name))
}

/**
 * A field of the contract as a column.
 * @param path where it stands in the booking, list positions as numbers
 */
export function contractField(path: readonly string[], node: SchemaNode): Field {
  const name = path.join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")
  const choices = (node.enum ?? []).map(String)
  const types = typesOf(node)
  const byType = TYPE_KINDS.find(([type]) => types.includes(type))?.[1] ?? "json"
  const kind = KINDS[path.at(-1) ?? ""] ?? (choices.length > 0 ? "choice" : byType)
  const example = node.examples?.[0] ?? choices[0] ?? (kind === "yesNo" ? "no" : "")
  // The schema's description is for JSON, where text needs quotes.
  const about = (node.description ?? node.title ?? "").replace(/,? in quotes\b/, "").replaceAll("`", "")
  return { name, path, kind, choices, about, example: String(example) }
}
