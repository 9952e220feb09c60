/** The allowances and their texts. In a file of their own, because every command has flags. */

/** The allowances by name, each with its flag, its field and its column. */
export const ALLOWANCES = {
  allowPast:
    "allow a collection time or a carrier's cutoff that has passed, or premises that close before it is ready",
  allowDensity: "allow packages of an unusual size, weight or number",
  acceptPlaces:
    "allow a place that is not known, or a PO box: it is paid for although nobody may collect or deliver there",
  withoutMissing: "choose a rate although a carrier did not answer in time, and may have a better one",
} as const
