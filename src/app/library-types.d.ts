/**
 * Books freight from a program, with the guarantee of the command line: whatever happens to the process, the network or
 * the service, no order is booked twice. It is the commands of `freight` as functions, over the same settings and the
 * same ledger, so that a program and a person at the command line do not book one order twice either.
 *
 * Lengths are in cm, weights in kg, prices in whole units of their currency. Times of a collection are on the clock of
 * the collection address, without a zone. "Clause" in the comments names the part of the contract of the freight API
 * (0.1.0) that a function follows.
 */
import type {
  BookingAddress,
  Carrier,
  ConnectorSummary,
  ConsignmentBookingRequest,
  Payer,
  PickupBookingRequest,
  RatedService,
  RateRequest,
  ShipmentSummary,
  TrackingInfo,
} from "../contract/generated/types.ts"

export type {
  Address,
  BookingAddress,
  Carrier,
  ConsignmentBookingRequest,
  Items,
  Package,
  Payer,
  PickupBookingRequest,
  RatedService,
  RateRequest,
  TrackingEvent,
  TrackingInfo,
  TrackingPod,
} from "../contract/generated/types.ts"

/** Every list. */
export interface List<Item> {
  items: Item[]
  /** All items that there are, also those that are not in this page. */
  total: number
  /** Where the next page begins; null where nothing follows. */
  nextOffset: number | null
  /** What `onNote` gets as warnings. */
  warnings: string[]
}

/** A carrier account. */
export interface Connector extends Omit<ConnectorSummary, "id"> {
  connectorId: string
}

/** A shipment of the list. */
export interface Shipment extends Omit<ShipmentSummary, "id"> {
  shipmentId: string
}

/** A rate of a carrier; null is what it does not say. */
export interface Rate {
  connectorId: string
  carrier: string
  serviceCode: string
  description: string
  price: number | null
  priceGst: number | null
  priceIncGst: number | null
  /** Whether GST is in the price. */
  gstBasis: "excluded" | "included" | "unknown"
  currency: string | null
  eta: string | null
  transitDays: number | null
  bookingCutoff: string | null
  collectionCutoff: string | null
  visibility: RatedService["visibility"] | null
  rateId: string | null
  quoteId: string
  /** What earlier deliveries and bills say of it; null where they say nothing. */
  evidence: { arrival: object | null; billed: object | null; likely: number | null } | null
}

/** Rates of all carriers, the cheapest first. */
export interface Rates extends List<Rate> {
  quoteId: string | null
  /** The accounts that gave none. */
  failures: { connectorId: string; carrier: string; code: string | null; message: string | null }[]
}

/** Where a consignment is. */
export interface Tracked {
  consignmentNumber: string
  supported: boolean
  /** As the carrier has it; null while it knows nothing. */
  tracking: TrackingInfo | null
  /** What the ledger knows besides: its carrier has cancelled it. */
  freight: { cancelled: object } | null
}

/** What an `AbortSignal` has. */
export interface Signal {
  readonly aborted: boolean
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

export interface OpenOptions {
  /** The profile to use, as `--profile` does. Default: the one in use. */
  profile?: string
  /** Addresses of the APIs, instead of the profile's. */
  baseUrl?: { freight?: string; directPrint?: string }
  /** API keys, instead of the profile's. They are never logged, and masked in errors. */
  keys?: { freight?: string; directPrint?: string }
  /** The ledger: `postgres://…`, or the full path of a file. Default: the profile's, or this machine's own. */
  ledger?: string
  /** Use the built-in sandbox: nothing is real. Its ledger is its own. Default false. */
  sandbox?: boolean
  /** The time, in milliseconds since the epoch. Default: the system's clock. */
  clock?: { now(): number }
  /** Ends what is under way, as Ctrl-C does: the call rejects with an error of the kind `interrupted`. */
  signal?: Signal
  /** Environment variables, which the command line reads too. Default: those of the process, at each call. */
  env?: Readonly<Record<string, string | undefined>>
  /**
   * Gets each note and warning that the command line would print on standard error, one line at a time. Where it throws
   * or rejects, the call ends with `stepFailed` when it was done; a booking has that as its `stepError`.
   */
  onNote?: (line: string) => void
}

/** Every way in which a call can end badly, as exit codes are for the command line. */
export type ErrorKind =
  | "refused"
  | "usage"
  | "config"
  | "input"
  | "unauthenticated"
  | "forbidden"
  | "notFound"
  | "notReady"
  | "unavailable"
  | "rateLimited"
  | "timeout"
  | "badReply"
  | "unreadable"
  | "outcomeUnknown"
  | "stepFailed"
  | "bug"
  | "interrupted"

/** One thing that is wrong inside a request, or a step that failed. */
export interface ErrorDetail {
  message: string
  /** Of a call for several, the one that it is about. */
  target?: string | undefined
  /** What went wrong with that target or step, as of a call for it alone. */
  kind?: ErrorKind | undefined
  retry?: "safe" | "never" | "after" | undefined
  retryAfter?: number | undefined
  shipmentId?: string | undefined
  /** Dotted path of the field: `receiver.postcode`. */
  field?: string | undefined
  /** Where `kind` is there, as of the error; else the API's own, or that of the rule that was broken. */
  code?: string | undefined
  apiCode?: string | undefined
  line?: number | undefined
  column?: number | undefined
  /** The command that does this step alone, or looks into it. */
  next?: string | undefined
  /** The same as arguments of `freight`, where it can be run without a person. */
  nextArgs?: readonly string[] | undefined
}

/** What every call rejects with. Kinds may be added: have a default. */
export declare class FreightError extends Error {
  readonly kind: ErrorKind
  /**
   * `safe`: call it again. `after`: after a wait. `never`: not as it is. Of the kind `outcomeUnknown` it is always
   * `never`: something may exist, and `reconcile` looks for it.
   */
  readonly retry: "safe" | "never" | "after"
  /** The command line to run next, where one helps. */
  readonly next: string | undefined
  /** The same as arguments of `freight`, where it works as it stands and spends nothing. */
  readonly nextArgs: readonly string[] | undefined
  /** What can be done, in a sentence. */
  readonly hint: string | undefined
  /** Each thing that is wrong. */
  readonly errors: readonly ErrorDetail[] | undefined
  /** HTTP status, where a server answered. */
  readonly status: number | undefined
  /** What to choose by, such as `BOOKED_ALREADY`: docs/scripts.md lists them. Codes may be added. */
  readonly code: string
  /** The API's own code, such as `PAYER_ACCOUNT_REQUIRED`. */
  readonly apiCode: string | undefined
  /** The shipment that it is about, where there is one. */
  readonly shipmentId: string | undefined
  /** Seconds to wait before the next try, where the server says it. */
  readonly retryAfter: number | undefined
  /** Of the command line: 7 for `outcomeUnknown`, 8 for `stepFailed`. */
  readonly exitCode: number
}

/** How a service is chosen where an order names none. */
export interface ServicePreferences {
  /** The carrier account; without it, whichever offers the service. */
  connector?: string
  /** Up to this price with GST, in whole units: 85.5. */
  maxPrice?: number
  /** Arrives within this many days of the collection. */
  within?: number
  /** Arrives by then: `2026-11-25`, or with `T12:00`. */
  arriveBy?: string
  /** Arrived in time at least so often, in percent, where that is known. */
  onTime?: number
  /** Services (`GEN`) or carriers (`A`) to avoid. */
  avoid?: readonly string[]
}

/** What is otherwise an error, because it is most likely a mistake. */
export interface Allowances {
  /** A collection time that has passed. */
  allowPast?: boolean
  /** Packages of an unusual size, weight or number. */
  allowDensity?: boolean
  /** A place that is not known, or a PO box. */
  acceptPlaces?: boolean
}

/** What is allowed of one order, whatever is allowed of a call. */
export interface OrderAllowances extends Allowances {
  /** Choose a rate although a carrier did not answer in time, and may have a better one. */
  withoutMissing?: boolean
}

type FromProfile = "sender" | "collection" | "payer" | "dangerousGoods" | "packagingCode"

/**
 * One consignment to book: the request of the API (clause: BookingRequest). What the profile or a usual value fills in may
 * be left out: `sender`, `collection` (the sender's), `items` (the sums of `packages`), `payer` (the sender),
 * `dangerousGoods` (false), `packagingCode`, the times. `serviceCode` may also be `cheapest`, `best-value`, `fastest` or
 * `reliable`.
 */
export interface Order
  extends Omit<
      ConsignmentBookingRequest,
      FromProfile | "items" | "collectionDateTime" | "collectionCloseTime" | "receiver"
    >,
    Partial<
      Pick<
        ConsignmentBookingRequest,
        Exclude<FromProfile, "collection"> | "items" | "collectionDateTime" | "collectionCloseTime"
      >
    >,
    ServicePreferences,
    OrderAllowances {
  payer?: Payer
  collection?: Place
  receiver: Place
  /** Who pays for it in your own books. It is not sent. */
  costCentre?: string
  /** The order that it brings back, by any of its names: see `ReturnOrder`. It is not sent. */
  returnOf?: string
  /** The goods are brought to the carrier: no pickup is booked. It is not sent. */
  dropOff?: boolean
}

/**
 * What brings an order back that was booked: by any of its names. Sender and receiver change places and the goods are the
 * same; what is given besides goes over that. Its key is `RETURN-OF-` with the order's number, unless it has another.
 */
export interface ReturnOrder extends Partial<Order> {
  returnOf: string
}

export interface Place extends BookingAddress {
  /** It is a home, not a business: carriers charge more for it. It is not sent. */
  residential?: boolean
}

/** One order of a list: `customerReference` is its name and its key, and no two have the same. */
export type ListedOrder = Order & { customerReference: string }

export interface BookOptions extends OrderAllowances {
  /**
   * Your own name for the order: the same key is never booked twice, in however many processes and at whatever times. A
   * list of orders, and a batch at the command line, use `customerReference`: give that, to mean the same order. Without
   * a key, an equal order within 24 hours is refused.
   */
  key?: string
  /** Book even if an equal order was booked within 24 hours without a key, or this one under another key. */
  again?: boolean
  /** It takes the place of what was booked under this key, and its carrier has cancelled: see `freight cancel --confirmed`. */
  replaces?: boolean
  /** Do not ask for the price of an order that names its service. Default false. */
  withoutRate?: boolean
  /** Then wait this many seconds for the consignment number. */
  waitSeconds?: number
  /** Then have the carrier collect it. */
  pickup?: boolean
}

/** A booking that stands. */
export interface Booking {
  orderNumber: string | null
  consignmentNumber: string | null
  barcodes: string[]
  shipmentId: string
  connectorId: string
  pickupStatus: string | null
  labelWarning: string | null
  /** It was booked before under its key: nothing was sent now. */
  recorded: boolean
  /** What the API's reply does not hold. */
  freight: {
    key: string | null
    reference: string | null
    /** As quoted, in whole units of `currency`. */
    price: number | null
    currency: string | null
    labelFile: string | null
    pickupId: string | null
    pickupReference: string | null
    /** Why this service, where it was chosen. */
    why: string | null
  }
  warnings: string[]
  /** Whether it was made in the sandbox. */
  sandbox: boolean
  /** What went wrong after it was booked: only that step is to be done again. */
  stepError?: FreightError
}

/**
 * How an order stands:
 * - `booked`: it is booked, now or before.
 * - `unknown`: it was sent, and its outcome is not known: `reconcile`. `sending`: another process is sending it.
 * - `failed`: certainly not booked: call again. `waiting`: not reached, or its shop holds it back.
 * - `changed`: it was booked, and is another order by now. `duplicate`: equal to one under another key.
 * - `too-late`: not sent, as only what is too late for today would meet its wish.
 * - `invalid`: it has an error. `left-out`: its shop says that it is not to be shipped, or its carrier has cancelled it.
 */
export type OrderState =
  | "booked"
  | "unknown"
  | "sending"
  | "failed"
  | "waiting"
  | "changed"
  | "duplicate"
  | "too-late"
  | "invalid"
  | "left-out"

/** What came of one order of a list. */
export interface BookedOrder {
  /** Its `customerReference`. */
  reference: string
  state: OrderState
  /** Booked before: nothing was sent now. */
  recorded: boolean
  /** The service's id. */
  shipmentId: string | null
  /** Null where the carrier gives it later. */
  consignmentNumber: string | null
  /** As quoted, in whole units. */
  price: number | null
  carrier: string | null
  serviceCode: string | null
  /** Why this service, where it was chosen. */
  why: string | null
  /** Why it is not booked. */
  error: string | null
  /** The command line to run next: `freight reconcile` for an unknown outcome. */
  next: string | null
  warnings: string[]
}

export interface BookAllOptions extends OrderAllowances {
  /** Leave out orders with errors, and book the others. Default: nothing is sent while one has an error. */
  skipInvalid?: boolean
  /** Orders are separate although they repeat goods, receiver and collection day of a booking that is not in the list. */
  newOrders?: boolean
  /** References of orders that were booked before, also under another key, and of which a second consignment is meant. */
  againFor?: readonly string[]
  /** They take the place of what their carriers have cancelled: see `freight cancel --confirmed`. */
  replaces?: boolean
  /** Requests at once, 1 to 64. Default 8. */
  concurrency?: number
  /** Stop after this many failures in a row. */
  stopAfter?: number
  /** Ask for all prices first, and book nothing above this total with GST, in whole units. */
  maxTotal?: number
  /** Do not ask for the price of orders that name their service. Default false. */
  withoutRate?: boolean
  /**
   * Gets each order as it ends. Where it throws or rejects, no more orders are sent, and when those under way are
   * recorded the call rejects with `stepFailed`, whose `errors` say which are booked. The call ends when all that it
   * returned has.
   */
  onBooked?: (order: BookedOrder) => void
}

/** What came of looking for one unknown outcome. */
export interface Settled {
  /** Names it, as `release` takes it. */
  id: string
  /** Names it too. */
  key: string
  /** The order's own number. */
  reference: string | null
  kind: "shipment" | "pickup" | "print"
  about: string
  /** ISO 8601, UTC. */
  sentAt: string
  /**
   * `settled`: what was created is found, or a person said so. `released`: it may be sent again. The others stay open:
   * `none` is there, `several` might be it, it may be `in-flight`, or freight `cannot-tell`.
   */
  outcome: "settled" | "none" | "several" | "in-flight" | "cannot-tell" | "released"
  /** Ids of shipments that match. */
  matches: string[]
  error: string | null
  warning: string | null
  note: string
  /** Of what stays open: when to look again. ISO 8601, UTC. Null once only the carrier can say. */
  lookAgainAt: string | null
  /** What a person has to ask the carrier now. */
  ask: string | null
  /** Fingerprint of the API key that it was sent with, where only that one can tell. */
  needsKey: string | null
}

export interface PickupOptions extends Allowances {
  /** The carrier account. Default: the shipment's. */
  connector?: string
  /** Your own name for the pickup: the same key is never booked twice. */
  key?: string
  /** Book it even if an equal one was booked within 24 hours. */
  again?: boolean
}

/** A pickup that the carrier has. */
export interface Pickup {
  pickupId: string | null
  /** The carrier's number of it. */
  orderNumber: string | null
  status: string | null
  connectorId: string | null
  /** Shipments that wait for it, as it was booked for others. */
  waiting: string[]
  /** Whether it was made in the sandbox. */
  sandbox: boolean
  /** The carrier has it, and the service could not record it: never book it again. */
  stepError?: FreightError
}

export interface PrintOptions {
  /** The print device. Default: this workstation's, or the only one. */
  device?: string
  /** 1 to 99. Default 1. */
  copies?: number
  /** Your own name for the print: the same key is never printed twice. */
  key?: string
  /** Print even if the same was printed within 24 hours. */
  again?: boolean
}

/** A job in the queue of a device; whether it was printed is not known. */
export interface PrintJob {
  deviceId: string
  /** From 1. */
  copy: number
  jobId: string
  /** Queued before under its key; nothing was sent now. */
  recorded: boolean
  /** Whether it was made in the sandbox. */
  sandbox: boolean
}

/** Named by its id, consignment number, reference or key. */
export type ShipmentName = string

/**
 * Calls of one process run one after another, in the order in which they were made; `bookAll` sends several orders at
 * once. Every call rejects with a `FreightError`, and none throws. What is given is checked before anything is done: a
 * value of another type, null, an empty text or an unknown option is `usage`; undefined is as if it were left out.
 */
export interface Freight {
  /** The carrier accounts, and the services of each. Clause: GET /connectors. */
  connectors(): Promise<List<Connector>>
  /**
   * Prices and arrivals of all carriers, which this machine keeps for 48 hours; a carrier that fails is in `failures`.
   * Clause: POST /rates, and with `connector` POST /{connectorId}/rates.
   */
  rates(request: RateRequest, options?: ServicePreferences): Promise<Rates>
  /**
   * Books one order, once. A booking cannot be cancelled. Clause: POST /{connectorId}/shipments.
   * @returns the booking, also where it was booked before under its key, or where a later step failed (`stepError`)
   * @throws FreightError `outcomeUnknown`: it was sent, now or before, and may exist; never book it under another key.
   * `usage`, `input` or `config`: nothing was sent. `refused`: the carrier said no, or it was booked and has changed.
   */
  book(order: Order | ReturnOrder, options?: BookOptions): Promise<Booking>
  /**
   * Books many orders, each once under its `customerReference`, at most 50,000. All are checked before the first is sent.
   * @returns what came of each, in the order given
   * @throws FreightError where nothing was sent; `interrupted`
   */
  bookAll(orders: readonly (ListedOrder | ReturnOrder)[], options?: BookAllOptions): Promise<BookedOrder[]>
  /**
   * Where a consignment is, newest event first; `tracking` is null while its carrier knows nothing yet. Clause: GET /track.
   * @param name a consignment number, which a booking has not before its carrier gives it, or any name of a shipment
   * @throws FreightError `notFound`; `notReady` when `waitSeconds` ran out
   */
  track(name: string, options?: { carrier?: Carrier; waitSeconds?: number }): Promise<Tracked>
  /**
   * The label as a PDF. Clause: GET /shipments/{id}/label.
   * @param options `waitSeconds` for a label that its carrier makes later; default 120
   * @throws FreightError `notReady`: call again later; `notFound`
   */
  label(shipment: ShipmentName, options?: { waitSeconds?: number }): Promise<Uint8Array>
  /**
   * Has the carrier collect, once: a shipment (`shipmentId`, with times of its booking where they are left out), or goods
   * on their own (`collection`, `receiver`, `items`). Clause: POST /{connectorId}/pickups.
   * @throws FreightError `refused` where the carrier said no; `outcomeUnknown`
   */
  pickup(request: Partial<PickupBookingRequest>, options?: PickupOptions): Promise<Pickup>
  /** Prints the label of a shipment. Clause: POST /shipments/{id}/print. @throws FreightError `outcomeUnknown` */
  print(shipment: ShipmentName, options?: PrintOptions): Promise<List<PrintJob & { shipmentId: string }>>
  /** Prints your own PDF. Clause: POST /print-jobs. @throws FreightError `input` for what is not a PDF; `outcomeUnknown` */
  print(
    pdf: Uint8Array,
    options?: PrintOptions,
  ): Promise<List<PrintJob & { file: string; status: string | null }>>
  /** A page of shipments, newest first. @param page `limit` 1 to 200, default 50. Clause: GET /shipments. */
  shipments(page?: { limit?: number; offset?: number }): Promise<List<Shipment>>
  /**
   * Looks in the API for everything that was sent with an unknown outcome. It creates nothing; exactly one match settles
   * an entry.
   * @returns what came of each; no items where every outcome is known
   */
  reconcile(): Promise<List<Settled>>
  /**
   * You confirm that nothing was created, so that it may be sent again. Ask the carrier first: what exists would be made
   * a second time.
   * @param keys `key` or `id` of what `reconcile` gave
   */
  release(...keys: readonly string[]): Promise<List<Settled>>
  /** Waits for the calls under way. Later calls reject with `usage`. */
  close(): Promise<void>
}

/**
 * Opens nothing yet: settings, keys and ledger are read by each call.
 * @throws FreightError `usage` for an option that cannot be used: nothing falls back to the profile's
 */
export declare function openFreight(options?: OpenOptions): Freight
