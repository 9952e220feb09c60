/**
 * The facts of each carrier, with their clauses. Ask here instead of naming a carrier: begin with
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

// The facts of each, and the fields it reads
export { type CollectionWindow, findCarriersThat, getCarrierFacts } from "./facts.ts"
export { findReaders, listCarrierFields, readsField, type RequestName } from "./fields.ts"
