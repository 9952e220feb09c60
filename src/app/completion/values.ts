/**
 * How the value of each flag and argument is completed, in one list. A key is a flag (`--rate`), an argument of a
 * command (`track <consignment>`), or a placeholder of the help (`<file>`). The first match counts, in this order: the
 * flag or argument of the one command, the flag, the placeholder. Flags with `choices` need no entry, nor do values
 * that cannot be guessed: times, numbers, texts.
 */
import type { SchemaNode } from "../../contract/index.ts"
import { SETTINGS } from "../../machine/index.ts"

/** Data that only this machine has. */
export type DataKind =
  | "addresses"
  | "avoided"
  | "connectors"
  | "consignments"
  | "credits"
  | "customers"
  | "devices"
  | "disputes"
  | "maps"
  | "open-keys"
  | "orders"
  | "parties"
  | "pickups"
  | "places"
  | "profiles"
  | "quotes"
  | "rates"
  | "services"
  | "setting-values"
  | "shipments"
  | "suppliers"

export interface Word {
  /** A value that ends with `=` or `:` is completed by the person. */
  value: string
  about?: string
}

export type Value =
  /** A list of freight's own, identified by its name. */
  | { kind: "words"; name: string; words(): Promise<readonly Word[]> }
  /** This machine's data; with `files`: or a file. */
  | { kind: "data"; data: DataKind; files?: true }
  | { kind: "files" }
  | { kind: "folders" }
  | { kind: "free" }

const data = (kind: DataKind): Value => ({ kind: "data", data: kind })
/** @param load called on completion */
export const words = (name: string, load: () => Promise<readonly (Word | string)[]>): Value => ({
  kind: "words",
  name,
  words: async () => (await load()).map((word) => (typeof word === "string" ? { value: word } : word)),
})
const fields = (name: string, resource: string) =>
  words(name, async () => {
    const { fieldsOf } = await import("../../contract/fields/schema.ts")
    return listFields(
      fieldsOf(resource)
        .leaves()
        .map(({ path, node }) => ({ path: path.join("."), node })),
    )
  })
const newInvoiceFields = words("new-invoice-fields", async () => {
  const [{ listInvoiceLeaves }, { FLAG_INSTEAD }] = await Promise.all([
    import("../../invoice/set-fields.ts"),
    import("../../invoice/new/ask.ts"),
  ])
  return listFields(listInvoiceLeaves().filter(({ path }) => !Object.hasOwn(FLAG_INSTEAD, path)))
})

export const VALUES: Readonly<Record<string, Value>> = {
  // Every command
  "--profile": data("profiles"),
  "--format": words("formats", async () => (await import("../../output/terminal/view.ts")).FORMATS),

  // Shipping
  "--connector": data("connectors"),
  "--service": data("services"),
  "--avoid": data("avoided"),
  "--rate": data("rates"),
  "--quote": data("quotes"),
  "--shipment": data("shipments"),
  "--like": data("orders"),
  "--return-of": data("orders"),
  "--use-map": data("maps"),
  "batch maps --remove": data("maps"),
  "--device": data("devices"),
  "--print": data("devices"),
  "--packaging": words("packaging", async () =>
    (await import("../../contract/packaging.ts")).PACKAGING.map(([value, about]) => ({ value, about })),
  ),
  "--payer": words("payers", listPayers),
  "book --set": fields("booking-fields", "ConsignmentBookingRequest"),
  "<place>": data("places"),
  "rate-shop --set": fields("rate-fields", "RateRequest"),
  "pickup book --set": fields("pickup-fields", "PickupBookingRequest"),
  "address add --set": fields("address-fields", "BookingAddress"),
  "batch book --set": fields("booking-fields", "ConsignmentBookingRequest"),
  "--release": data("open-keys"),
  "<dispute>": data("disputes"),
  "<credit>": data("credits"),
  "<shipment>": data("shipments"),
  "<consignment>": data("consignments"),
  "<pickup>": data("pickups"),
  "<device>": data("devices"),
  "<name|file>": { kind: "data", data: "addresses", files: true },

  // Invoices
  "invoice new --set": newInvoiceFields,
  "--supplier": data("suppliers"),
  "--customer": data("customers"),
  "--purpose": words("purposes", async () => (await import("../../invoice/new/draft.ts")).NEW_PURPOSES),
  "invoice correct --set": words("invoice-fields", async () =>
    listFields((await import("../../invoice/set-fields.ts")).listInvoiceLeaves()),
  ),
  "--rule-level": words("rules", listRuleLevels),

  // Setting up
  "address remove <name>": data("addresses"),
  "address add <name>": data("addresses"),
  "party remove <name>": data("parties"),
  "disputes letter --as": data("parties"),
  "remittance --as": data("parties"),
  "party add <name>": data("parties"),
  "profile use <name>": data("profiles"),
  "profile remove <name>": data("profiles"),
  "<setting>": words("settings", async () => listSettings(SETTINGS)),
  "config set <setting>": words("kept-settings", async () =>
    listSettings(SETTINGS.filter(({ kind }) => kind !== "key")),
  ),
  "config set <value>": data("setting-values"),
  "help <about>": words("pages", listPages),

  // Trying
  "--fault": words("faults", async () =>
    Object.entries((await import("../../sandbox/faults.ts")).FAULTS).map(([value, { about }]) => ({
      value,
      about,
    })),
  ),
  "api <method>": words("methods", async () => ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),

  // Placeholders
  "<file>": { kind: "files" },
  "<ledger>": { kind: "files" },
  "<status>": words("statuses", listStatuses),
  "<bill>": { kind: "files" },
  "<dir>": { kind: "folders" },
}

async function listStatuses(): Promise<string[]> {
  const [{ SHOPS }, { ANY_STATUSES, DESTINATION_STATUSES, QUANTITY_STATUSES, STATE_COLUMNS }] =
    await Promise.all([
      import("../../orders/batch/columns/shops.ts"),
      import("../../orders/batch/columns/states.ts"),
    ])
  const known = SHOPS.flatMap(({ statuses, signs = [] }) => [
    ...Object.values(statuses).flatMap((means) => Object.values(means).flat()),
    ...signs.map(({ status }) => status),
  ])
  const ofAny = [
    ...Object.values(ANY_STATUSES).flat(),
    ...Object.values(STATE_COLUMNS).flatMap(({ signs }) => signs.map(({ status }) => status)),
    ...Object.values({ ...QUANTITY_STATUSES, ...DESTINATION_STATUSES }).map(({ status }) => status),
  ]
  return [...new Set([...known, ...ofAny])].sort()
}

async function listPages(): Promise<Word[]> {
  const [{ TOPICS }, { TREE }] = await Promise.all([import("../help/topics.ts"), import("../tree.ts")])
  const pages = [...TOPICS, ...TREE.flatMap(({ entries }) => entries)]
  return pages.map(({ name, purpose }) => ({ value: name, about: purpose }))
}

/** `--set FIELD=VALUE`: every field of a request or an invoice, and the values of enumerations. */
async function listFields(leaves: readonly { path: string; node: SchemaNode }[]): Promise<Word[]> {
  const { STATE_CODES } = await import("../../contract/zones.ts")
  return leaves.flatMap(({ path, node }) => {
    const field = `${path}=`
    const values = node.type === "boolean" ? ["true", "false"] : (node.enum ?? [])
    // The schema allows any state; the zones list them.
    const states = /(?:^|\.)state$/.test(path) ? STATE_CODES : []
    const about = node.title === undefined ? {} : { about: node.title }
    return [
      { value: field, ...about },
      ...[...values, ...states].map((value) => ({ value: `${field}${value}` })),
    ]
  })
}

/** `sender` uses the connector's own account; the others need one. */
async function listPayers(): Promise<string[]> {
  const { fieldsOf } = await import("../../contract/fields/schema.ts")
  const found = fieldsOf("ConsignmentBookingRequest").find(["payer", "type"])
  const types = "node" in found ? (found.node.enum ?? []) : []
  return types.map((type) => `${String(type).toLowerCase()}${type === "Sender" ? "" : ":"}`)
}

async function listRuleLevels(): Promise<Word[]> {
  const { RULES } = await import("../../invoice/accounting/rules.ts")
  return RULES.flatMap(({ id, title }) => [
    { value: `${id}=`, about: title },
    ...["off", "warning", "error"].map((level) => ({ value: `${id}=${level}` })),
  ])
}

function listSettings(list: typeof SETTINGS): Word[] {
  return list.map(({ key, title }) => ({ value: key, about: title }))
}
