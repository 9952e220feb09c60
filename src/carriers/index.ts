/**
 * What each carrier does, with the clause that says so. Ask here instead of naming a carrier: begin with
 * `getCarrierFacts`.
 */

// Names
export {
  carrierLetter,
  carrierName,
  CARRIERS,
  isCarrier,
  keepOtherCarriers,
  listCarrierNames,
  nameCarriers,
  toCarrier,
} from "./names.ts"

// What each does, and which fields it reads
export { type CollectionWindow, findCarriersThat, getCarrierFacts } from "./facts.ts"
export { findReaders, listCarrierFields, readsField, type RequestName } from "./fields.ts"
