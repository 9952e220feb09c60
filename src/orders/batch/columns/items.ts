/** Columns that name an item of an order; a sheet can have a row for each item. */
import { toWords } from "../../../input/index.ts"

const NAMES_ITEM =
  /^(?:(?:order|sold) )?(?:(?:line ?)?items?|products?|sku|listing|article|title|custom label|description)(?: (?:name|title|sku|code|no|number|id|#|description|details|variation|options?))?$/

const OF_ITEM =
  /\b(?:items?|products?|sku|lineitem|listing|variations?|variants?|asin|article|title|custom label|description|price|prices|qty|quantity|total|subtotal|discount|tax|gst|vat|amount|cost|options?|transaction|barcode|ean|upc|colour|color|size|model|brand|vendor|sold for)\b/
const OF_PACKAGE =
  /\b(?:weight|length|width|height|depth|dimensions?|parcels?|packages?|cartons?|box|boxes|pallets?|labels?|con ?note|consignment|tracking|kg|cm|mm|cubic|volume)\b/

/** Whether a table with this column may have a row for each item. */
export function namesItem(header: string): boolean {
  return NAMES_ITEM.test(toWords(header))
}

/** Whether rows of one order can differ in this column because their items do. */
export function isOfItem(header: string): boolean {
  const words = toWords(header)
  return OF_ITEM.test(words) && !OF_PACKAGE.test(words)
}

/** Whether a row of an item may tell the packages of that item alone in this column: `Cartons`, and not `Order weight`. */
export function isOfItsPackages(header: string): boolean {
  const words = toWords(header)
  return OF_PACKAGE.test(words) && !/\b(?:order|shipment|consignment)\b/.test(words)
}
