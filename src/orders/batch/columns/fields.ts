/** The columns that a batch can have: the contract's fields, and freight's own. */
import {
  COLUMN_FIELDS,
  type Fields,
  findKind,
  type KindName,
  LINK_FIELDS,
  PARTIES,
  PARTY_COLUMNS,
  type SchemaNode,
} from "../../../contract/index.ts"
import { nameField } from "../../booking/field-names.ts"
import type { ColumnField } from "../../../input/index.ts"
import { STATE_COLUMNS } from "./states.ts"

export interface BatchField extends ColumnField {
  /** As in a header: `receiver.suburb`, `package.count`, `maxPrice`. */
  name: string
  /** Path in the booking; undefined for freight's own fields. */
  path: readonly string[] | undefined
  kind: KindName
  choices?: readonly string[]
  about: string
  title: string
  example: string
}

export const RENAMED: ReadonlyMap<string, string> = new Map(
  COLUMN_FIELDS.flatMap(({ path, column: { name } }) =>
    path !== undefined && name !== undefined && path !== name ? [[path, name]] : [],
  ),
)

const OWN: readonly BatchField[] = [
  ...COLUMN_FIELDS.flatMap(({ path, column }): BatchField[] => {
    const { name = path ?? "", own, mayRepeat, bearing: as } = column
    if (!own) return []
    const { isOpen, ...rest } = own
    return [
      {
        ...rest,
        ...(as && { bearing: { as, ...STATE_COLUMNS[name]?.bearing } }),
        ...(mayRepeat && { mayRepeat }),
        name,
        path: isOpen ? undefined : path?.split("."),
      },
    ]
  }),
  ...PARTIES.flatMap((party): BatchField[] => [
    {
      name: party,
      path: [party],
      kind: "party",
      title: nameField(party),
      about: `The name of a saved address, or an address in one cell; other ${party} columns override it.`,
      example: "Warehouse",
    },
    ...PARTY_COLUMNS.flatMap(({ name, own, parties = PARTIES }) =>
      own && parties.includes(party)
        ? [
            {
              ...own,
              title: `${own.title} of ${nameField(party)}`,
              name: `${party}.${name}`,
              path: undefined,
            },
          ]
        : [],
    ),
  ]),
]

/** Whether freight fills in this field itself when it books. */
export function isFoundOut(name: string | undefined): boolean {
  return LINK_FIELDS.some((each) => each.toLowerCase() === name?.toLowerCase())
}

/** The reference, then those of the contract, then freight's own. */
export function allFields(schema: Fields): BatchField[] {
  const taken = new Set([...OWN.map(({ name }) => name), ...RENAMED.keys()])
  const contract = schema
    .leaves()
    .filter(({ path }) => !isFoundOut(path[0]) && path[0] !== "packages")
    .map(({ path, node }) => toContractField(path, node))
    .filter(({ name }) => !taken.has(name))
  const isReference = ({ name }: BatchField) => name === "reference"
  return [...OWN.filter(isReference), ...contract, ...OWN.filter((field) => !isReference(field))]
}

/**
 * A field of the contract as a column.
 * @param path in the booking, list positions as numbers
 */
export function toContractField(path: readonly string[], node: SchemaNode): BatchField {
  const name = path.join(".").replace(/\.(\d+)(?=\.|$)/g, "[$1]")
  const choices = (node.enum ?? []).map(String)
  const kind = findKind(node)
  const example = node.examples?.[0] ?? choices[0] ?? (kind === "yesNo" ? "no" : "")
  // The schema's description is for JSON, where text needs quotes.
  const about = (node.description ?? node.title ?? "").replace(/,? in quotes\b/, "").replaceAll("`", "")
  return {
    ...{ name, path, about, title: nameField(name), example: String(example) },
    // A row may give the day and the time in two columns.
    kind: kind === "moment" ? "when" : kind,
    ...(choices.length > 0 && { choices }),
  }
}
