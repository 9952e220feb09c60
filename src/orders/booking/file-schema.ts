/** The schema of a booking file, for editors. */
import bookingFile from "../../../schemas/booking-file.schema.json" with { type: "json" }
import { ALLOWANCE_FIELDS, ALLOWANCES, OWN_FIELDS, PREFERENCE_FIELDS } from "../../contract/index.ts"
import { capital } from "../../output/index.ts"
import freight from "../../../schemas/freight.schema.json" with { type: "json" }

const { BookingFields, ...definitions } = freight.$defs
const address = definitions.BookingAddress
const PLACE = { $ref: "#/$defs/BookingPlace" }
/** Schema of freight's own data beside the request: a party's, or the order's. */
function listOwn(ofParty: boolean): Record<string, object> {
  return Object.fromEntries(
    OWN_FIELDS.filter(({ path }) => path.includes(".") === ofParty).map(({ path, beside, flag }) => [
      path.replace(/^.*\./, ""),
      {
        title: beside.title,
        description: `${capital(flag.about)}.`,
        type: flag.kind === "yesNo" ? "boolean" : "string",
      },
    ]),
  )
}

function listWishes(): Record<string, object> {
  return Object.fromEntries(
    PREFERENCE_FIELDS.map(({ column, wish }) => [
      column.name,
      { description: column.own.about, ...describePreference(wish) },
    ]),
  )
}

function listAllowances(): Record<string, object> {
  return Object.fromEntries(
    ALLOWANCE_FIELDS.map(({ column }) => [
      column.name,
      { description: `${capital(ALLOWANCES[column.name])}.`, type: "boolean" },
    ]),
  )
}

function describePreference(wish: (typeof PREFERENCE_FIELDS)[number]["wish"]): object {
  if (wish.is === "text") return { type: "string" }
  if (wish.is === "list") return { type: "array", items: { type: "string" } }
  return { type: wish.places === 0 ? "integer" : "number", minimum: 0, maximum: wish.most }
}

const DEFINITIONS: Readonly<Record<string, object>> = definitions

type Properties = Readonly<Record<string, { description?: string }>>

interface FileSchema {
  properties: Properties
  $defs: Readonly<Record<string, { properties?: Properties }>>
}

/** The schema file in one piece: references to other files, and `allOf`, are written out. */
export function createBookingFileSchema(): FileSchema {
  const { allOf: _, unevaluatedProperties: _closed, properties, ...named } = bookingFile
  const schema = {
    ...named,
    ...BookingFields,
    title: named.title,
    description: named.description,
    properties: {
      ...properties,
      ...BookingFields.properties,
      ...listOwn(false),
      ...listWishes(),
      ...listAllowances(),
      collection: { ...BookingFields.properties.collection, ...PLACE },
      receiver: { ...BookingFields.properties.receiver, ...PLACE },
    },
    additionalProperties: false,
    $defs: {
      ...Object.fromEntries(collectDefinitions(BookingFields, new Map())),
      BookingPlace: { ...address, properties: { ...address.properties, ...listOwn(true) } },
    },
  }
  // Editors do not know freight's own keywords.
  return JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith("x-") ? undefined : value)))
}

function collectDefinitions(schema: object, found: Map<string, object>): Map<string, object> {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    const definition = DEFINITIONS[name]
    if (!definition || found.has(name)) continue
    found.set(name, definition)
    collectDefinitions(definition, found)
  }
  return found
}
