/**
 * How the value of each flag and argument is completed: the one list of it. A key is a flag (`--rate`), an argument of a
 * command (`track <consignment>`), or what stands for a value in the help (`<file>`); the first that is there counts, in
 * this order: the flag or argument of the one command, the flag, the placeholder. Flags with `choices` need no entry.
 */
import { fieldAt } from "../booking/fields.ts"
import type { DataKind } from "../completion/data.ts"
import { SETTINGS } from "../config/known.ts"
import { STATE_CODES } from "../contract/zones.ts"
import { TOPICS } from "../help/topics.ts"
import { RULES } from "../invoice/accounting/rules.ts"
import { NEW_PURPOSES } from "../invoice/new-invoice.ts"
import { FAULTS } from "../sandbox/faults.ts"
import { FORMATS } from "../terminal/view.ts"
import { TREE } from "../tree.ts"
import { enumWords, fieldWords } from "./schema-words.ts"
import type { Value, Word } from "./value.ts"

const free: Value = { kind: "free" }
const data = (kind: DataKind): Value => ({ kind: "data", data: kind })
const words = (name: string, list: readonly (Word | string)[]): Value => ({
  kind: "words",
  name,
  words: list.map((word) => (typeof word === "string" ? { value: word } : word)),
})
const LEVELS = ["off", "warning", "error"]

export const VALUES: Readonly<Record<string, Value>> = {
  // Every command
  "--profile": data("profiles"),
  "--format": words("formats", FORMATS),

  // Shipping
  "--connector": data("connectors"),
  "--service": data("services"),
  "--rate": data("rates"),
  "--quote": data("quotes"),
  "--shipment": data("shipments"),
  "--device": data("devices"),
  "--print": data("devices"),
  "--packaging": words("packaging", packagings()),
  "--payer": words("payers", payers()),
  "--sort": words("orders", ["price", "eta"]),
  "book --set": words("booking-fields", withStates(fieldWords("ConsignmentBookingRequest"))),
  "rate-shop --set": words("rate-fields", withStates(fieldWords("RateRequest"))),
  "pickup book --set": words("pickup-fields", withStates(fieldWords("PickupBookingRequest"))),
  "address add --set": words("address-fields", withStates(fieldWords("BookingAddress"))),
  "api --set": free,
  "batch book --set": words("booking-fields", withStates(fieldWords("ConsignmentBookingRequest"))),
  "--map": free,
  "--release": data("open-keys"),
  "--settle": free,
  "<shipment>": data("shipments"),
  "<consignment>": data("consignments"),
  "<pickup>": data("pickups"),
  "<device>": data("devices"),
  "<name|file>": { kind: "data", data: "addresses", files: true },

  // Invoices
  "--purpose": words("purposes", NEW_PURPOSES),
  "--rule": words("rules", ruleLevels()),

  // Setting up
  "address remove <name>": data("addresses"),
  "address add <name>": data("addresses"),
  "profile use <name>": data("profiles"),
  "profile remove <name>": data("profiles"),
  "<setting>": words("settings", settings(SETTINGS)),
  "config set <setting>": words("kept-settings", settings(SETTINGS.filter(({ kind }) => kind !== "key"))),
  "config set <value>": data("setting-values"),
  "help <about>": words("pages", [
    ...TOPICS.map(({ name, purpose }) => ({ value: name, about: purpose })),
    ...TREE.flatMap(({ entries }) => entries.map(({ name, purpose }) => ({ value: name, about: purpose }))),
  ]),

  // Trying
  "--fault": words(
    "faults",
    Object.entries(FAULTS).map(([value, { about }]) => ({ value, about })),
  ),
  "api <method>": words("methods", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),

  // What stands for a value
  "<file>": { kind: "files" },
  "<dir>": { kind: "folders" },
  ...Object.fromEntries(
    [
      ...[
        "a,b.c",
        "address",
        "amount",
        "days",
        "day",
        "digits",
        "key",
        "line",
        "ms",
        "n",
        "name",
        "number",
        "path",
        "place",
      ],
      ...["seconds", "spec", "text", "time", "url", "when", "yyyy-mm-dd"],
    ].map((placeholder) => [`<${placeholder}>`, free]),
  ),
}

function packagings(): Word[] {
  const { answer } = fieldAt("packagingCode")
  return answer?.kind === "one" ? answer.of.map(([value, about]) => ({ value, about })) : []
}

/** `sender` is billed on the connector's own account; the others need theirs. */
function payers(): string[] {
  return enumWords("PayerType").map((type) => `${type.toLowerCase()}${type === "Sender" ? "" : ":"}`)
}

/** The schema leaves a state open; the contract's zones name those that there are. */
function withStates(fields: readonly Word[]): Word[] {
  return fields.flatMap((field) => [
    field,
    ...(/\bstate=$/.test(field.value) ? STATE_CODES.map((code) => ({ value: `${field.value}${code}` })) : []),
  ])
}

function ruleLevels(): Word[] {
  return RULES.flatMap(({ id, title }) => [
    { value: `${id}=`, about: title },
    ...LEVELS.map((level) => ({ value: `${id}=${level}` })),
  ])
}

function settings(list: typeof SETTINGS): Word[] {
  return list.map(({ key, title }) => ({ value: key, about: title }))
}
