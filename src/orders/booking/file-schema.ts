/** The schema of a booking file, for editors. */
import bookingFile from "../../../schemas/booking-file.schema.json" with { type: "json" }
import freight from "../../../schemas/freight.schema.json" with { type: "json" }

const { BookingFields, ...definitions } = freight.$defs
const address = definitions.BookingAddress
const PLACE = { $ref: "#/$defs/BookingPlace" }
const { residential: RESIDENTIAL } = definitions.Address.properties
const DEFINITIONS: Readonly<Record<string, object>> = definitions

/** The schema file in one piece: what it takes from other files, and from other places by `allOf`, is written into it. */
export function createBookingFileSchema(): object {
  const { allOf: _, unevaluatedProperties: _closed, properties, ...named } = bookingFile
  const schema = {
    ...named,
    ...BookingFields,
    title: named.title,
    description: named.description,
    properties: {
      ...properties,
      ...BookingFields.properties,
      collection: { ...BookingFields.properties.collection, ...PLACE },
      receiver: { ...BookingFields.properties.receiver, ...PLACE },
    },
    additionalProperties: false,
    $defs: {
      ...Object.fromEntries(collectDefinitions(BookingFields, new Map())),
      BookingPlace: { ...address, properties: { ...address.properties, residential: RESIDENTIAL } },
    },
  }
  // What is for freight alone, editors would not know.
  return JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith("x-") ? undefined : value)))
}

/** The definitions that a schema refers to, and those that these refer to. */
function collectDefinitions(schema: object, found: Map<string, object>): Map<string, object> {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    const definition = DEFINITIONS[name]
    if (!definition || found.has(name)) continue
    found.set(name, definition)
    collectDefinitions(definition, found)
  }
  return found
}
