/** The shapes and the names of all JSON that freight prints, as docs/decisions/terms.md has them. */

/** Commands by the shape of their JSON. */
export const SHAPES: readonly (readonly [answer: string, json: string])[] = [
  [
    "of a command that lists, or takes several names (also if one is given)",
    "`items`, `total` and `nextOffset`; beside them what is of the whole (`totals`, `known`), and `warnings`",
  ],
  ["of one thing, or of a command that changes one thing", "an object with `warnings`"],
  [
    "of a request (`book --dry-run`), a document (`invoice new`, `invoice show`), a reply as it is (`freight api`)",
    "as it is",
  ],
  [
    "of what is absent",
    "null, and a list without items `[]`: each property is always there. Not in requests, documents and what the API gave",
  ],
  [
    "of a shipment, a tracking event, a pickup of the API",
    "with the API's fields, of which some may be missing; its own `id` is `shipmentId`, `pickupId`",
  ],
]

/** An object, its one name, and names that it never has. */
export const THINGS: readonly (readonly [thing: string, name: string, never: string])[] = [
  ["the API's id of a booking", "`shipmentId`", "`shipment`, `id`"],
  ["the carrier's number of it", "`consignmentNumber`", "`consignment`, `number`"],
  [
    "what someone sends, as a person or a shop numbers it",
    "`reference`; the shop's second number is `orderNumber`",
    "`customerReference`, but in requests and replies of the API",
  ],
  ["what freight claims an order under", "`key`", ""],
  ["an account with a carrier", "`connectorId`", "`connector`"],
  ["who carries it", "`carrier`", ""],
  ["what it is carried as", "`serviceCode`", "`service`"],
  [
    "a booked pickup",
    "`pickupId`; the carrier's number of it is `pickupReference`, and `pickup` any name that commands take",
    "`pickupBookingId`",
  ],
  ["the file that an item or a command is about", "`file`", ""],
  ["a saved label", "`labelFile`", ""],
  ["the results, the plan of a batch", "`resultsFile`, `planFile`", "`results`, `plan`"],
  ["what is offered or quoted", "`price`, with `priceGst`, `priceIncGst`", "`cost`"],
  [
    "what is billed, owed or summed",
    "`amount`, with `gst`, a number or null; what kind of amount stands before it (`billedAmount`)",
    "",
  ],
  ["whether GST is in an amount", "`gstBasis`: `excluded`, `included` or `unknown`", ""],
  ["how many there are", "`total`", ""],
  ["how freight says that something stands", "`state`; `status` is what a carrier or the API says", ""],
  ["a moment", "`…At`; `at` alone, where the object is what happened then", ""],
  ["a day", "`day`, or a name in `…On` or `…Date`", ""],
  ["what freight keeps beside a request", "`own`, by path", ""],
  ["whether it was made in the sandbox", "`sandbox`, true or false", ""],
  ["a home", "`collection.residential`, `receiver.residential`", ""],
  ["who pays for it in your own books", "`costCentre`", ""],
]
