/** What may be allowed, in the words of its flag. By itself, as each command has flags. */

/** What a person may allow that is otherwise an error, by the name of its flag, its field and its column. */
export const ALLOWANCES = {
  allowPast:
    "allow a collection time or a carrier's cutoff that has passed, or premises that close before it is ready",
  allowDensity: "allow packages of an unusual size, weight or number",
  acceptPlaces:
    "allow a place that is not known, or a PO box: it is paid for although nobody may collect or deliver there",
  withoutMissing: "choose a rate although a carrier did not answer in time, and may have a better one",
} as const
