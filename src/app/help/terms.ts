/** The shapes and the names of all JSON that freight prints, as docs/decisions/terms.md has them. */

/** Commands by the shape of their JSON. */
export const SHAPES: readonly (readonly [answer: string, json: string])[] = [
  [
    "of a command that lists, or takes several names (also if one is given)",
    "`items`, `total` and `nextOffset`; beside them fields of the whole (`totals`, `known`), and `warnings`",
  ],
  ["of one thing, or of a command that changes one thing", "an object with `warnings`"],
  [
    "of a request (`book --dry-run`), a document (`invoice new`, `invoice show`), a reply as it is (`freight api`)",
    "as it is",
  ],
  [
    "of an absent value",
    "null, and a list without items `[]`: each property is always there. Not in requests, documents and replies of the API",
  ],
  [
    "of a shipment, a tracking event, a pickup of the API",
    "with the API's fields, some of which may be missing; its own `id` is `shipmentId`, `pickupId`",
  ],
]

/** An object, its one name, and names that it never has. */
export const THINGS: readonly (readonly [thing: string, name: string, never: string])[] = [
  ["the API's id of a booking", "`shipmentId`", "`shipment`, `id`"],
  ["the carrier's number of it", "`consignmentNumber`", "`consignment`, `number`"],
  [
    "an order, by your own or the shop's number",
    "`reference`; the shop's second number is `orderNumber`",
    "`customerReference`, but in requests and replies of the API",
  ],
  ["the name under which freight books an order once", "`key`", ""],
  ["an account with a carrier", "`connectorId`", "`connector`"],
  ["the freight company", "`carrier`", ""],
  ["the service that is booked", "`serviceCode`", "`service`"],
  [
    "a booked pickup",
    "`pickupId`; the carrier's number of it is `pickupReference`, and `pickup` any name that commands take",
    "`pickupBookingId`",
  ],
  ["the file that an item or a command is about", "`file`", ""],
  ["a saved label", "`labelFile`", ""],
  ["the results, the plan of a batch", "`resultsFile`, `planFile`", "`results`, `plan`"],
  ["a price that is offered or quoted", "`price`, with `priceGst`, `priceIncGst`", "`cost`"],
  [
    "an amount that is billed, owed or summed",
    "`amount`, with `gst`, a number or null; the kind of amount comes before it (`billedAmount`)",
    "",
  ],
  ["whether GST is in an amount", "`gstBasis`: `excluded`, `included` or `unknown`", ""],
  ["how many there are", "`total`", ""],
  [
    "the state of something, in freight's words",
    "`state`; `status` is in the words of a carrier or the API",
    "",
  ],
  ["a moment", "`…At`; `at` alone, where the object is what happened then", ""],
  ["a day", "`day`, or a name in `…On` or `…Date`", ""],
  ["the facts that freight keeps beside a request", "`own`, by path", ""],
  ["whether it was made in the sandbox", "`sandbox`, true or false", ""],
  ["a home", "`collection.residential`, `receiver.residential`", ""],
  ["who pays for it in your own books", "`costCentre`", ""],
]
