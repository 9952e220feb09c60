export { type CollectionWindow, findCarriersThat, getCarrierFacts } from "./facts.ts"
export { findReaders, listCarrierFields, readsField, type RequestName } from "./fields.ts"
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
