/** The errors of validators that ajv generated. */

/** A schema error as ajv reports it. */
export interface SchemaError {
  keyword: string
  instancePath: string
  params: Readonly<Record<string, unknown>>
  /** The schema's own words for the error, if it has any. */
  message?: string | null
}

/** A generated validator; `errors` is set after it returns false. */
export interface Validator<T = unknown> {
  (value: unknown): value is T
  errors?: readonly SchemaError[] | null
}

/** A schema error, and the property that is missing or unknown; none for an error of the value itself. */
export interface PlacedError extends SchemaError {
  property?: string
}

/** Lists the validators' errors, each once, with the property that it is about. */
export function listErrors(errors: readonly SchemaError[]): PlacedError[] {
  return dropEchoes(errors).map((error) => {
    const property = getProperty(error)
    return property === undefined ? error : { ...error, property }
  })
}

/**
 * Drops errors that repeat others: a condition's wrapper, consequences of a wrong type or a misspelt choice, errors
 * inside forbidden fields, and duplicates.
 */
function dropEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const mistyped = listPlaces("type", errors)
  const misspelt = listPlaces("additionalProperties", errors)
  const forbidden = [...listPlaces("not", errors)]
  const distinct = new Map<string, SchemaError>()
  for (const error of errors) {
    const { keyword, instancePath, params } = error
    if (keyword === "if") continue
    if (keyword !== "not" && forbidden.some((place) => `${instancePath}/`.startsWith(`${place}/`))) continue
    if (keyword !== "type" && keyword !== "not" && mistyped.has(instancePath)) continue
    if (keyword === "maxProperties" && misspelt.has(instancePath)) continue
    distinct.set(JSON.stringify([instancePath, keyword, params]), error)
  }
  return [...distinct.values()]
}

function listPlaces(keyword: string, errors: readonly SchemaError[]): Set<string> {
  return new Set(errors.filter((error) => error.keyword === keyword).map((error) => error.instancePath))
}

/** Ajv's parameter with the property that a keyword is about. */
const PROPERTY_PARAMS: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
}

function getProperty({ keyword, params }: SchemaError): string | undefined {
  const property = params[PROPERTY_PARAMS[keyword] ?? ""]
  return typeof property === "string" ? property : undefined
}
