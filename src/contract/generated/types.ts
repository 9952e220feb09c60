// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
/**
 * A consignment to book with `freight book --file`. It is the booking request itself; `items` may be left out, since freight sums up `packages`.
 */
export interface BookingFile {
  /**
   * Who sends the goods.
   */
  sender: BookingAddress
  /**
   * Where the carrier collects; often the sender's own address.
   */
  collection: BookingAddress
  /**
   * Who gets the goods, and where.
   */
  receiver: BookingAddress
  /**
   * What travels, one line for each size and weight.
   */
  packages: Package[]
  /**
   * The packages summed up. In a booking file it can be left out: freight works it out from `packages`.
   */
  items?: Items
  /**
   * CT carton, BX box, SA satchel, PA pallet, EN envelope, CR crate, DR drum, RO roll, BG bag, PC piece. Carrier A takes the code as it is; carrier C words its item description from it.
   */
  packagingCode: "CT" | "BX" | "SA" | "PA" | "EN" | "CR" | "DR" | "RO" | "BG" | "PC"
  /**
   * Code of the service, from an earlier rate request.
   */
  serviceCode: string
  /**
   * When the goods are ready, on the clock of the collection address and without a zone. Carrier A: from 07:00 to 17:00.
   */
  collectionDateTime: string
  /**
   * When the collection address closes, as four digits on its own clock. Carrier A: from 1300 to 1900, at least two hours after the goods are ready.
   */
  collectionCloseTime: string
  /**
   * Who pays for the freight, and from which account.
   */
  payer: Payer
  /**
   * Carrier C only: whose account and shipment numbers to use.
   */
  businessUnit?: "UNIT_A" | "UNIT_B"
  /**
   * True when anything inside is classed as dangerous; `dangerousGoodsDetails` then says what it is.
   */
  dangerousGoods: boolean
  /**
   * What the dangerous goods are; a must when `dangerousGoods` is true.
   */
  dangerousGoodsDetails?: DangerousGoodsDetails
  /**
   * Your own reference, such as an order number.
   */
  customerReference?: string
  /**
   * Note for the driver.
   */
  specialInstructions?: string
  /**
   * Carrier A only: who hears about the consignment by email or text message.
   *
   * Items: One person who is told.
   */
  alertAddresses?: {
    /**
     * Where alerts are mailed.
     */
    email: string
    /**
     * Mobile number for text messages, in quotes.
     */
    phone?: string
    /**
     * Which alerts to send, in carrier A's own codes.
     *
     * Items: One of carrier A's codes.
     */
    alertTypes: string[]
  }[]
  /**
   * Carrier A only: keep the goods at the depot for a while.
   */
  keepInStore?: {
    /**
     * Business days to keep them, 1 to 5.
     */
    numberOfDays: number
  }
  /**
   * Carrier A only: reference of a pickup that is already arranged.
   */
  pickupBookingNumber?: string
  /**
   * Carrier A only: cover for goods of a declared value.
   */
  extendedWarranty?: {
    /**
     * What the goods are worth in dollars, at most 10,000.
     */
    value: number
    /**
     * Warranty class.
     */
    class: "A" | "B" | "C"
  }
  /**
   * Carrier A only: the consignment is food.
   */
  foodFreight?: boolean
  /**
   * Carrier B only: who is mailed, and about what.
   *
   * Items: One person who is mailed.
   */
  bexAlerts?: {
    /**
     * What the mail is about.
     */
    alertType: "DESPATCHED" | "DELIVERY_STATUS" | "DELIVERED"
    /**
     * Who is mailed.
     */
    contactName: string
    /**
     * Where the mail goes.
     */
    emailAddress: string
  }[]
  /**
   * Carrier B only: a booked delivery slot, or a window of days and hours; one of the two.
   */
  timeSensitive?: {
    /**
     * A slot that the receiver has confirmed.
     */
    timeslot?: {
      /**
       * When the slot is, in ISO 8601.
       */
      dateTime: string
      /**
       * The receiver's reference of the slot.
       */
      reference: string
    }
    /**
     * Days, and if need be hours, in which to deliver.
     */
    deliveryWindow?: {
      /**
       * First day on which delivery suits.
       */
      startDate: string
      /**
       * Last day on which delivery suits.
       */
      endDate: string
      /**
       * Not before this time, HH:MM.
       */
      startTime?: string
      /**
       * Not after this time, HH:MM.
       */
      endTime?: string
    }
  }
  /**
   * Carrier B only: pool pallets that change hands.
   */
  pallets?: {
    /**
     * Movements in the first pool.
     */
    poolA?: PalletMovements
    /**
     * Movements in the second pool.
     */
    poolB?: PalletMovements
  }
  /**
   * Carrier B only: barcodes that are already on the packages.
   *
   * Items: At most 50 characters.
   */
  customerBarcodes?: string[]
  /**
   * The rate that is being booked, so that its price and expected delivery go on record. A rate is good for 48 hours.
   */
  rateId?: string
  /**
   * The quote that `rateId` is from. The server passes it over when `rateId` is missing.
   */
  quoteId?: string
  /**
   * Price in whole cents that you were quoted. Only recorded, never checked, and only without `rateId`.
   */
  quotedPriceExGstMinor?: number
  /**
   * Carrier B only: GST of the quote in whole cents. Counts only without `rateId`.
   */
  quotedGstMinor?: number
  /**
   * Carrier B only: price with GST in whole cents. Counts only without `rateId`.
   */
  quotedPriceIncGstMinor?: number
  /**
   * Currency of the quoted prices.
   */
  quotedCurrency?: string
  /**
   * The quote's `eta`, as it was given. Leave it out when the quote had none.
   */
  committedEta?: string
  /**
   * The quote's transit days, as they were given.
   */
  quotedTransitDays?: number
  /**
   * The quote's booking cut-off, as it was given.
   */
  bookingCutoff?: string
  /**
   * The quote's collection cut-off, as it was given.
   */
  collectionCutoff?: string
  /**
   * Where an editor finds this schema. It is not sent.
   */
  $schema?: string
}

/**
 * The invoice document of contract 1.0.7 (type INV). Fields marked `x-managed` are filled in by the service: a draft may lack them.
 */
export interface Invoice {
  /**
   * Always INV; the service fills it in.
   */
  docType: "INV"
  /**
   * Follows the invoice through order, shipment and payment; the service fills it in.
   */
  correlationId: string
  /**
   * When the canonical document was made; the service fills it in.
   */
  timestamp: string
  /**
   * Where the document came from.
   */
  metadata: InvoiceMetadata
  /**
   * The invoice itself.
   */
  data: InvoiceData
}

/**
 * An invoice as its sender holds it: what the service fills in may be absent.
 */
export interface DraftInvoice {
  /**
   * Always INV; the service fills it in.
   */
  docType?: "INV"
  /**
   * Follows the invoice through order, shipment and payment; the service fills it in.
   */
  correlationId?: string
  /**
   * When the canonical document was made; the service fills it in.
   */
  timestamp?: string
  /**
   * Where the document came from.
   */
  metadata: InvoiceMetadata
  /**
   * The invoice itself.
   */
  data: InvoiceData
}

/**
 * Which of the three carriers.
 */
export type Carrier = "CARRIER_A_AU" | "CARRIER_B_AU" | "CARRIER_C_AU"

/**
 * One end of the journey, as far as a price depends on it.
 */
export interface Address {
  /**
   * Suburb or town.
   */
  suburb: string
  /**
   * Four digits in quotes, so that a leading 0 survives.
   */
  postcode: string
  /**
   * State or territory, in its short form.
   */
  state: string
  /**
   * True for a private home. Carriers may charge more there: RSP where they collect, RSD where they deliver.
   */
  residential: boolean
}

/**
 * A business or person with the street address that goes on the carrier's papers.
 */
export interface BookingAddress {
  /**
   * Business name, or the person's name where there is none.
   */
  companyName: string
  /**
   * Person to ask for.
   */
  contactName?: string
  /**
   * Area code of the phone number, in quotes.
   */
  phoneAreaCode?: string
  /**
   * Phone number, in quotes.
   */
  phoneNumber?: string
  /**
   * Street number and street.
   */
  address1: string
  /**
   * Unit, level, dock or building.
   */
  address2?: string
  /**
   * Suburb or town.
   */
  suburb: string
  /**
   * State or territory, in its short form.
   */
  state: string
  /**
   * Four digits in quotes, so that a leading 0 survives.
   */
  postcode: string
  /**
   * Address for the carrier's mail. Carrier C refuses a booking that has none on `collection`, unless the connector has one to fall back to.
   */
  email?: string
}

/**
 * One or more packages of the same size and weight.
 */
export interface Package {
  /**
   * How many packages are like this one.
   */
  count: number
  /**
   * Length of one package in centimetres.
   */
  lengthCm: number
  /**
   * Width of one package in centimetres.
   */
  widthCm: number
  /**
   * Height of one package in centimetres.
   */
  heightCm: number
  /**
   * Weight of one package in kilograms, not of the whole line.
   */
  weightKg: number
}

/**
 * The packages summed up: how many, how heavy together, and the longest of each side.
 */
export interface Items {
  /**
   * Number of packages in all.
   */
  count: number
  /**
   * Weight of everything in kilograms.
   */
  totalWeightKg: number
  /**
   * Length of the longest package in centimetres.
   */
  maxLengthCm: number
  /**
   * Width of the widest package in centimetres.
   */
  maxWidthCm: number
  /**
   * Height of the tallest package in centimetres.
   */
  maxHeightCm: number
}

/**
 * What is to travel from where to where: the question that carriers answer with prices.
 */
export interface RateRequest {
  /**
   * Where the goods are collected.
   */
  from: Address
  /**
   * Where the goods are delivered.
   */
  to: Address
  /**
   * What travels, one line for each size and weight.
   */
  packages: Package[]
  /**
   * True when anything inside is classed as dangerous.
   */
  dangerousGoods: boolean
  /**
   * Day of collection, YYYY-MM-DD. Without it the server takes today, in `timezone` for carrier A and in Sydney otherwise.
   */
  date?: string
  /**
   * The present time where the goods are, yyyy-MM-ddTHH:mm:ss without a zone. Carrier A judges its booking cut-off by it.
   */
  localDateTime?: string
  /**
   * Price this service alone. Leave it out, or give null, for every service.
   */
  serviceCode?: string | null
  /**
   * Carrier A only: the consignment holds papers and nothing else, which changes packaging and commodity code.
   */
  isDocument?: boolean
  /**
   * Carrier C only: whose account and rate card to price with.
   */
  businessUnit?: "UNIT_A" | "UNIT_B"
  /**
   * Zone of the collection place, for carrier A to know what day and time it is. Only Adelaide, Brisbane, Darwin, Hobart, Melbourne, Perth and Sydney count (as Australia/…); any other is passed over in silence.
   */
  timezone?: string
}

/**
 * One service of one carrier, with its price.
 */
export interface RatedService {
  /**
   * Code to book this service with.
   */
  serviceCode: string
  /**
   * Name of the service for people.
   */
  description: string
  /**
   * Price in whole units of `currency`, dollars for AUD. Whether GST is in it is known for carrier B alone.
   */
  price?: number
  /**
   * Currency of the price.
   */
  currency?: string
  /**
   * When delivery is expected, ISO 8601 without a zone. Null when transit days are given instead.
   */
  eta?: string | null
  /**
   * How many whole days it takes. Null when `eta` is given instead.
   */
  transitDays?: number | null
  /**
   * Latest time today to book, HH:mm:ss.
   */
  bookingCutoff?: string
  /**
   * Latest time today that the courier collects, HH:mm:ss.
   */
  collectionCutoff?: string
  /**
   * GST part of the price; carrier B only.
   */
  priceGst?: number
  /**
   * Price with GST; carrier B only.
   */
  priceIncGst?: number
  /**
   * Hidden services can be booked, but the tenant does not want them offered first.
   */
  visibility?: string
  /**
   * Names this offer; a booking that carries it is recorded at its price.
   */
  rateId?: string
}

/**
 * Why a carrier gave no rates.
 */
export interface CarrierError {
  /**
   * What the carrier said.
   */
  message: string
  /**
   * The carrier's own code for it.
   */
  code?: string
}

/**
 * What one connector answered: its rates, or why it has none.
 */
export interface AggregatedRateResult {
  /**
   * Id of the connector that answered.
   */
  connectorId: string
  /**
   * Carrier behind the connector.
   */
  carrier: string
  /**
   * True when there are rates, false when there is an error.
   */
  success: boolean
  /**
   * The services on offer; there when `success` is true.
   */
  rates?: RatedService[]
  /**
   * What went wrong; there when `success` is false.
   */
  error?: CarrierError
}

/**
 * Answer to a rate request that went to every connector.
 */
export interface AggregatedRateResponse {
  /**
   * Names the whole answer; each rate in it has a `rateId` of its own.
   */
  quoteId?: string
  /**
   * One entry for each connector that was asked.
   */
  results: AggregatedRateResult[]
}

/**
 * Answer to a rate request that went to one connector.
 */
export interface SingleConnectorRateResponse {
  /**
   * Names the whole answer; each rate in it has a `rateId` of its own.
   */
  quoteId?: string
  /**
   * The services on offer.
   */
  rates: RatedService[]
}

/**
 * Who pays for the freight, and from which account.
 */
export interface Payer {
  /**
   * `Sender` is charged on the connector's own account unless `accountNumber` says otherwise. Carrier A does not take `ThirdParty`.
   */
  type: "Sender" | "Receiver" | "ThirdParty"
  /**
   * Account to bill; a must for `Receiver` and `ThirdParty`. Carrier A charges it for `Sender` too whenever it is given.
   */
  accountNumber?: string
  /**
   * Carrier C only: the account for one state.
   */
  subAccount?: string
  /**
   * Meant for carrier A with `ThirdParty`, which carrier A refuses; the other carriers do not read it.
   */
  thirdPartyAddress?: BookingAddress
}

/**
 * What the carrier must know about the dangerous goods inside.
 */
export interface DangerousGoodsDetails {
  /**
   * Four digits in quotes, without the letters UN.
   */
  unNumber: string
  /**
   * UN class, with its division where it has one.
   */
  hazClass: string
  /**
   * UN packing group: I is the most dangerous, III the least.
   */
  packingGroup?: "I" | "II" | "III"
  /**
   * Second class, where the substance has one.
   */
  subRisk?: string
  /**
   * Name of the substance as the UN list has it.
   */
  shippingName: string
  /**
   * What the goods are packed in.
   */
  packageType: string
  /**
   * How many of these packages there are.
   */
  quantity: number
  /**
   * How much there is of the substance in all, as a whole number.
   */
  aggregateQuantity: number
  /**
   * Person to ask in an emergency.
   */
  contactName: string
  /**
   * Phone number of that person, in quotes.
   */
  contactPhone: string
}

/**
 * Pallets of one pool that change hands with this consignment.
 */
export interface PalletMovements {
  /**
   * Pallets taken in exchange.
   */
  exchangeIn?: number
  /**
   * Pallets given in exchange.
   */
  exchangeOut?: number
  /**
   * Pallets whose hire passes straight to the receiver.
   */
  directTransferToRec?: number
  /**
   * Pallets whose hire passes off carrier B.
   */
  transferOffBex?: number
  /**
   * Number of the pallet docket.
   */
  docketNumber?: string
}

/**
 * Books a consignment with one connector. It cannot be undone or sent twice without harm.
 */
export interface ConsignmentBookingRequest {
  /**
   * Who sends the goods.
   */
  sender: BookingAddress
  /**
   * Where the carrier collects; often the sender's own address.
   */
  collection: BookingAddress
  /**
   * Who gets the goods, and where.
   */
  receiver: BookingAddress
  /**
   * What travels, one line for each size and weight.
   */
  packages: Package[]
  /**
   * The packages summed up. In a booking file it can be left out: freight works it out from `packages`.
   */
  items: Items
  /**
   * CT carton, BX box, SA satchel, PA pallet, EN envelope, CR crate, DR drum, RO roll, BG bag, PC piece. Carrier A takes the code as it is; carrier C words its item description from it.
   */
  packagingCode: "CT" | "BX" | "SA" | "PA" | "EN" | "CR" | "DR" | "RO" | "BG" | "PC"
  /**
   * Code of the service, from an earlier rate request.
   */
  serviceCode: string
  /**
   * When the goods are ready, on the clock of the collection address and without a zone. Carrier A: from 07:00 to 17:00.
   */
  collectionDateTime: string
  /**
   * When the collection address closes, as four digits on its own clock. Carrier A: from 1300 to 1900, at least two hours after the goods are ready.
   */
  collectionCloseTime: string
  /**
   * Who pays for the freight, and from which account.
   */
  payer: Payer
  /**
   * Carrier C only: whose account and shipment numbers to use.
   */
  businessUnit?: "UNIT_A" | "UNIT_B"
  /**
   * True when anything inside is classed as dangerous; `dangerousGoodsDetails` then says what it is.
   */
  dangerousGoods: boolean
  /**
   * What the dangerous goods are; a must when `dangerousGoods` is true.
   */
  dangerousGoodsDetails?: DangerousGoodsDetails
  /**
   * Your own reference, such as an order number.
   */
  customerReference?: string
  /**
   * Note for the driver.
   */
  specialInstructions?: string
  /**
   * Carrier A only: who hears about the consignment by email or text message.
   *
   * Items: One person who is told.
   */
  alertAddresses?: {
    /**
     * Where alerts are mailed.
     */
    email: string
    /**
     * Mobile number for text messages, in quotes.
     */
    phone?: string
    /**
     * Which alerts to send, in carrier A's own codes.
     *
     * Items: One of carrier A's codes.
     */
    alertTypes: string[]
  }[]
  /**
   * Carrier A only: keep the goods at the depot for a while.
   */
  keepInStore?: {
    /**
     * Business days to keep them, 1 to 5.
     */
    numberOfDays: number
  }
  /**
   * Carrier A only: reference of a pickup that is already arranged.
   */
  pickupBookingNumber?: string
  /**
   * Carrier A only: cover for goods of a declared value.
   */
  extendedWarranty?: {
    /**
     * What the goods are worth in dollars, at most 10,000.
     */
    value: number
    /**
     * Warranty class.
     */
    class: "A" | "B" | "C"
  }
  /**
   * Carrier A only: the consignment is food.
   */
  foodFreight?: boolean
  /**
   * Carrier B only: who is mailed, and about what.
   *
   * Items: One person who is mailed.
   */
  bexAlerts?: {
    /**
     * What the mail is about.
     */
    alertType: "DESPATCHED" | "DELIVERY_STATUS" | "DELIVERED"
    /**
     * Who is mailed.
     */
    contactName: string
    /**
     * Where the mail goes.
     */
    emailAddress: string
  }[]
  /**
   * Carrier B only: a booked delivery slot, or a window of days and hours; one of the two.
   */
  timeSensitive?: {
    /**
     * A slot that the receiver has confirmed.
     */
    timeslot?: {
      /**
       * When the slot is, in ISO 8601.
       */
      dateTime: string
      /**
       * The receiver's reference of the slot.
       */
      reference: string
    }
    /**
     * Days, and if need be hours, in which to deliver.
     */
    deliveryWindow?: {
      /**
       * First day on which delivery suits.
       */
      startDate: string
      /**
       * Last day on which delivery suits.
       */
      endDate: string
      /**
       * Not before this time, HH:MM.
       */
      startTime?: string
      /**
       * Not after this time, HH:MM.
       */
      endTime?: string
    }
  }
  /**
   * Carrier B only: pool pallets that change hands.
   */
  pallets?: {
    /**
     * Movements in the first pool.
     */
    poolA?: PalletMovements
    /**
     * Movements in the second pool.
     */
    poolB?: PalletMovements
  }
  /**
   * Carrier B only: barcodes that are already on the packages.
   *
   * Items: At most 50 characters.
   */
  customerBarcodes?: string[]
  /**
   * The rate that is being booked, so that its price and expected delivery go on record. A rate is good for 48 hours.
   */
  rateId?: string
  /**
   * The quote that `rateId` is from. The server passes it over when `rateId` is missing.
   */
  quoteId?: string
  /**
   * Price in whole cents that you were quoted. Only recorded, never checked, and only without `rateId`.
   */
  quotedPriceExGstMinor?: number
  /**
   * Carrier B only: GST of the quote in whole cents. Counts only without `rateId`.
   */
  quotedGstMinor?: number
  /**
   * Carrier B only: price with GST in whole cents. Counts only without `rateId`.
   */
  quotedPriceIncGstMinor?: number
  /**
   * Currency of the quoted prices.
   */
  quotedCurrency?: string
  /**
   * The quote's `eta`, as it was given. Leave it out when the quote had none.
   */
  committedEta?: string
  /**
   * The quote's transit days, as they were given.
   */
  quotedTransitDays?: number
  /**
   * The quote's booking cut-off, as it was given.
   */
  bookingCutoff?: string
  /**
   * The quote's collection cut-off, as it was given.
   */
  collectionCutoff?: string
}

/**
 * What the carrier made of a booking.
 */
export interface BookingResponse {
  /**
   * The carrier's reference of the booking.
   */
  orderNumber?: string
  /**
   * What the consignment is tracked by; null while the carrier has not issued it.
   */
  consignmentNumber?: string | null
  /**
   * One for each package; carrier B only.
   *
   * Items: Barcode of one package.
   */
  barcodes?: string[]
  /**
   * Names the shipment for labels, printing and pickups.
   */
  shipmentId: string
  /**
   * Connector that was booked with.
   */
  connectorId: string
  /**
   * How the automatic pickup went. FAILED: there is none, and the pickup alone may be tried again. RECONCILE_NEEDED: the carrier has one that the service could not record; do not book another. Absent means unknown.
   */
  pickupStatus?: string
  /**
   * What went wrong with the pickup or the label; holds the carrier's pickup reference when reconciling is needed.
   */
  labelWarning?: string
}

/**
 * Sends a driver: for a booked shipment (`shipmentId`), or on its own (`collection`, `items` and `receiver`).
 */
export interface PickupBookingRequest {
  /**
   * Shipment to collect; address and goods are taken from it.
   */
  shipmentId?: string
  /**
   * Day of the pickup, at the collection address.
   */
  pickupDate: string
  /**
   * When the goods are ready, on the clock of the collection address.
   */
  readyTime: string
  /**
   * When the premises close, on the clock of the collection address.
   */
  closeTime: string
  /**
   * Carriers A and C want it for a pickup on its own; carrier B does not read it. For a shipment, its own service is used.
   */
  serviceCode?: string
  /**
   * Where to collect, for a pickup on its own.
   */
  collection?: BookingAddress
  /**
   * What to collect, for a pickup on its own.
   */
  items?: Items
  /**
   * Who the goods are for, for a pickup on its own.
   */
  receiver?: BookingAddress
}

/**
 * What the carrier made of a pickup. A refused pickup is answered in this form too: look at `status`.
 */
export interface PickupBookingResponse {
  /**
   * Names the pickup.
   */
  pickupBookingId?: string
  /**
   * The carrier's reference of the pickup.
   */
  orderNumber?: string | null
  /**
   * FAILED when the carrier refused it.
   */
  status?: string
  /**
   * Connector that was booked with.
   */
  connectorId?: string
}

/**
 * A pickup as the service has it on record.
 */
export interface PickupBookingDetail {
  /**
   * Names the pickup.
   */
  id?: string
  /**
   * Whose pickup it is.
   */
  tenantId?: string
  /**
   * Connector that was booked with.
   */
  connectorId?: string
  /**
   * Carrier that collects.
   */
  carrier?: string
  /**
   * FAILED when the carrier refused it.
   */
  status?: string
  /**
   * The carrier's reference; null when it refused.
   */
  orderNumber?: string | null
  /**
   * Shipment that is collected; null for a pickup on its own.
   */
  shipmentId?: string | null
  /**
   * Day of the pickup.
   */
  pickupDate?: string
  /**
   * When the goods are ready.
   */
  readyTime?: string
  /**
   * When the premises close.
   */
  closeTime?: string
  /**
   * Service that the pickup was booked for.
   */
  serviceCode?: string | null
  /**
   * Where the goods are collected.
   */
  collection?: BookingAddress
  /**
   * What is collected.
   */
  items?: Items
  /**
   * The carrier's code when it refused.
   */
  lastErrorCode?: string | null
  /**
   * What the carrier said when it refused.
   */
  lastErrorMessage?: string | null
  /**
   * Whether it was booked over the API or in the portal.
   */
  source?: string
  /**
   * Portal user who booked it; null for the API.
   */
  createdByUserId?: string | null
  /**
   * When it was booked.
   */
  createdAt?: string
}

/**
 * Answer to a look-up of one pickup.
 */
export interface PickupBookingDetailResponse {
  /**
   * The pickup.
   */
  pickup: PickupBookingDetail
}

/**
 * A carrier account of the tenant.
 */
export interface ConnectorSummary {
  /**
   * Names the connector in rate and booking requests.
   */
  id: string
  /**
   * Carrier that the account is with.
   */
  carrier: string
  /**
   * Name for people.
   */
  name: string
  /**
   * What the account can book; the carrier's general list until the account has been tested.
   *
   * Items: One service.
   */
  services: {
    /**
     * Code to book with.
     */
    serviceCode: string
    /**
     * Name for people.
     */
    description: string
  }[]
}

/**
 * The active carrier accounts of the tenant.
 */
export interface ConnectorListResponse {
  /**
   * One entry for each account.
   */
  connectors: ConnectorSummary[]
}

/**
 * A shipment in few words.
 */
export interface ShipmentSummary {
  /**
   * Names the shipment.
   */
  id: string
  /**
   * Carrier that moves it.
   */
  carrier?: string
  /**
   * Name of the connector that it was booked with.
   */
  connectorName?: string
  /**
   * The carrier's reference of the booking.
   */
  orderNumber?: string
  /**
   * What it is tracked by; null while the carrier has not issued it.
   */
  consignmentNumber?: string | null
  /**
   * Whether it stands or was cancelled.
   */
  status?: string
  /**
   * Whether a pickup is on record. NOT_BOOKED is also read after a booking that answered RECONCILE_NEEDED, though the carrier has a pickup then.
   */
  pickupStatus?: string
  /**
   * Code of the service.
   */
  serviceCode?: string
  /**
   * Name that the carrier gave the service when it was booked.
   */
  serviceDescription?: string | null
  /**
   * Whether it was booked over the API or in the portal.
   */
  source?: string
  /**
   * Suburb of the collection.
   */
  fromSuburb?: string | null
  /**
   * Suburb of the receiver.
   */
  toSuburb?: string | null
  /**
   * When it was booked.
   */
  createdAt?: string
}

/**
 * One page of the tenant's shipments, newest first.
 */
export interface ShipmentListResponse {
  /**
   * How many shipments the tenant has.
   */
  total: number
  /**
   * How many were asked for.
   */
  limit: number
  /**
   * How many were passed over.
   */
  offset: number
  /**
   * The page.
   */
  shipments: ShipmentSummary[]
}

/**
 * A shipment with all that is on record about it.
 */
export interface ShipmentDetail {
  /**
   * Names the shipment.
   */
  id: string
  /**
   * Carrier that moves it.
   */
  carrier?: string
  /**
   * Name of the connector that it was booked with.
   */
  connectorName?: string
  /**
   * The carrier's reference of the booking.
   */
  orderNumber?: string
  /**
   * What it is tracked by; null while the carrier has not issued it.
   */
  consignmentNumber?: string | null
  /**
   * Whether it stands or was cancelled.
   */
  status?: string
  /**
   * Whether a pickup is on record. NOT_BOOKED is also read after a booking that answered RECONCILE_NEEDED, though the carrier has a pickup then.
   */
  pickupStatus?: string
  /**
   * Code of the service.
   */
  serviceCode?: string
  /**
   * Name that the carrier gave the service when it was booked.
   */
  serviceDescription?: string | null
  /**
   * Whether it was booked over the API or in the portal.
   */
  source?: string
  /**
   * Suburb of the collection.
   */
  fromSuburb?: string | null
  /**
   * Suburb of the receiver.
   */
  toSuburb?: string | null
  /**
   * When it was booked.
   */
  createdAt?: string
  /**
   * Who pays.
   */
  payer?: string
  /**
   * Account that is billed when it is not the connector's own.
   */
  payerAccountNumber?: string | null
  /**
   * Carrier C only: account for one state.
   */
  payerSubAccount?: string | null
  /**
   * Where the third party is that pays.
   */
  payerThirdPartyAddress?: BookingAddress
  /**
   * Who sends the goods.
   */
  sender?: BookingAddress
  /**
   * Where the carrier collects.
   */
  collection?: BookingAddress
  /**
   * Who gets the goods, and where.
   */
  receiver?: BookingAddress
  /**
   * The packages summed up.
   */
  items?: Items
  /**
   * True when anything inside is classed as dangerous.
   */
  dangerousGoods?: boolean
  /**
   * Reference that the service made up for the carrier; carrier C only so far.
   */
  carrierBookingRef?: string | null
  /**
   * When the goods are ready, on the clock of the collection address.
   */
  collectionDateTime?: string
  /**
   * When the collection address closes, on its own clock.
   */
  collectionCloseTime?: string
  /**
   * The booker's own reference.
   */
  customerReference?: string | null
  /**
   * Note for the driver.
   */
  specialInstructions?: string | null
}

/**
 * Answer to a look-up of one shipment.
 */
export interface ShipmentDetailResponse {
  /**
   * The shipment.
   */
  shipment: ShipmentDetail
}

/**
 * Something that happened to the consignment.
 */
export interface TrackingEvent {
  /**
   * When it happened.
   */
  timestamp: string
  /**
   * What happened, in the carrier's words.
   */
  status: string
  /**
   * Where it happened.
   */
  location?: string | null
  /**
   * More about it.
   */
  description?: string | null
}

/**
 * Who took the goods; carrier A only.
 */
export interface TrackingPod {
  /**
   * What the driver noted.
   */
  deliveryNotation?: string | null
  /**
   * How many items were handed over.
   */
  itemsReceived?: string | null
  /**
   * Who signed.
   */
  signedBy?: string | null
  /**
   * Address of the signature's image, https, on a host of the carrier's.
   */
  signatureImageUrl?: string | null
}

/**
 * Where the consignment is and has been.
 */
export interface TrackingInfo {
  /**
   * Where things stand, in the carrier's words.
   */
  currentStatus: string
  /**
   * Day on which delivery is expected, YYYY-MM-DD.
   */
  eta?: string | null
  /**
   * When it was delivered, once it was.
   */
  deliveredAt?: string | null
  /**
   * What happened so far, newest first.
   */
  events: TrackingEvent[]
  /**
   * Absent, never null, when there is none.
   */
  pod?: TrackingPod
}

/**
 * Answer to a tracking look-up. Supported but null means: ask again in 30 to 60 seconds.
 */
export interface TrackingResponse {
  /**
   * False when the carrier cannot be asked.
   */
  supported: boolean
  /**
   * What is known; null when nothing is yet, or never will be.
   */
  tracking?: TrackingInfo | null
}

/**
 * A workstation that prints what is sent to it.
 */
export interface PrintDevice {
  /**
   * Names the device in print requests.
   */
  id: string
  /**
   * Name that was chosen when it was registered.
   */
  label: string
  /**
   * Printer behind it, as its operating system names it.
   */
  printerName?: string | null
  /**
   * When it last got a job.
   */
  lastUsedAt?: string | null
  /**
   * When it was registered.
   */
  createdAt?: string
}

/**
 * The devices that have not been revoked.
 */
export interface PrintDeviceListResponse {
  /**
   * One entry for each device.
   */
  devices: PrintDevice[]
}

/**
 * Prints a shipment's label on a device.
 */
export interface PrintRequest {
  /**
   * Device to print on.
   */
  deviceId: string
}

/**
 * The label is in the device's queue.
 */
export interface PrintJobCreated {
  /**
   * Names the print job.
   */
  jobId: string
}

/**
 * Why a request was turned down; the usual form in both APIs.
 */
export interface ErrorBody {
  /**
   * What is wrong.
   */
  message: string
  /**
   * Each thing that is wrong.
   *
   * Items: A fault in a field, or what a carrier answered.
   */
  errors?: {
    /**
     * What is wrong.
     */
    message: string
    /**
     * Path of the field at fault.
     */
    field?: string
    /**
     * Code of the fault, for programs.
     */
    code?: string
  }[]
}

/**
 * The shipment is there, its label is still to come.
 */
export interface LabelNotAvailableError {
  /**
   * What is wrong.
   */
  message: string
  /**
   * Tells this 404 from one for a wrong id.
   */
  code: "LABEL_NOT_AVAILABLE"
}

/**
 * Why a label could not be printed.
 */
export interface PrintNotFoundError {
  /**
   * What is wrong.
   */
  message: string
  /**
   * What is missing: the label for now, the device, or the shipment.
   */
  code: "LABEL_NOT_AVAILABLE" | "DEVICE_NOT_FOUND" | "SHIPMENT_NOT_FOUND"
}

/**
 * The carrier has taken the pickup and the service lost track of it. Never send it again.
 */
export interface PickupServerError {
  /**
   * What happened.
   */
  message?: string
  /**
   * The carrier's reference of the pickup, to sort it out with.
   */
  orderNumber?: string
}

/**
 * The devices that have not been revoked.
 */
export interface DeviceListResponse {
  /**
   * One entry for each device.
   */
  devices: PrintDevice[]
}

/**
 * A PDF to print on a device.
 */
export interface PrintJobRequest {
  /**
   * Device to print on.
   */
  deviceId: string
  /**
   * The PDF in base64, without line breaks; at most 9,000,000 characters, which is about 6.75 MB of PDF.
   */
  pdfBase64: string
}

/**
 * The job is in the device's queue; whether it was printed is not known.
 */
export interface DirectPrintJobCreated {
  /**
   * Names the print job.
   */
  jobId: string
  /**
   * Handed to the queue.
   */
  status?: string
}

/**
 * The key is good and lacks the scope.
 */
export interface ForbiddenError {
  /**
   * Always false.
   */
  success: false
  /**
   * What is not allowed.
   */
  error: string
  /**
   * Code of the fault, for programs.
   */
  code?: string
}

/**
 * The key has been used too often for now.
 */
export interface RateLimitError {
  /**
   * What happened.
   */
  error: string
  /**
   * Code of the fault, for programs.
   */
  code: "RATE_LIMIT_EXCEEDED"
  /**
   * Whole seconds to wait before the next request.
   */
  retryAfter: number
}

/**
 * Where the document came from.
 */
export interface InvoiceMetadata {
  /**
   * The format that the invoice was first written in.
   */
  sourceLanguage: "json" | "cxml"
  /**
   * Version of that format.
   */
  sourceVersion: string
  /**
   * The cXML payload's own id, when it came as cXML.
   */
  payloadId?: string
  /**
   * Name of the system that wrote the document.
   */
  userAgent: string
}

/**
 * A postal address.
 */
export interface InvoiceAddress {
  /**
   * Your or the buyer's code for this address.
   */
  addressId?: string
  /**
   * Person or department the mail is for.
   */
  addressee?: string
  /**
   * First line of the street address.
   */
  street1: string
  /**
   * Level, unit or building.
   */
  street2?: string
  /**
   * City or suburb.
   */
  city: string
  /**
   * State or territory, such as NSW.
   */
  state: string
  /**
   * Four digits in Australia; written in quotes, so that 0800 keeps its zero.
   */
  postalCode: string
  /**
   * Always Australia.
   */
  country: "AU"
}

/**
 * The supplier's registration for tax: one object, not a list.
 */
export interface TaxRegistration {
  /**
   * Only an ABN is known.
   */
  type: "ABN"
  /**
   * The ABN: 11 digits.
   */
  value: string
}

/**
 * Whom to ask.
 */
export interface PartyContact {
  /**
   * Person or department.
   */
  name?: string
  /**
   * Telephone number.
   */
  phone?: string
  /**
   * What they do.
   */
  role?: string
  /**
   * An email address, or empty.
   */
  email?: string
}

/**
 * Who asks to be paid.
 */
export interface Supplier {
  /**
   * The buyer's code for the supplier.
   */
  id: string
  /**
   * The supplier's name.
   */
  name: string
  /**
   * The supplier's registration for tax: one object, not a list.
   */
  taxRegistrations?: TaxRegistration
  /**
   * Whom to ask.
   */
  contact?: PartyContact
  /**
   * A postal address.
   */
  address?: InvoiceAddress
}

/**
 * The account to pay into.
 */
export interface BankDetails {
  /**
   * Name of the bank.
   */
  bankName?: string
  /**
   * Whose account it is.
   */
  accountName?: string
  /**
   * Number of the account.
   */
  accountNumber?: string
  /**
   * Bank, state and branch: six digits.
   */
  bsb?: string
  /**
   * For payments from abroad.
   */
  swift?: string
  /**
   * For payments from abroad.
   */
  iban?: string
}

/**
 * Where the payment goes; every part is optional.
 */
export interface RemitTo {
  /**
   * Your or the buyer's code for this address.
   */
  addressId?: string
  /**
   * Person or department the mail is for.
   */
  addressee?: string
  /**
   * First line of the street address.
   */
  street1?: string
  /**
   * Level, unit or building.
   */
  street2?: string
  /**
   * City or suburb.
   */
  city?: string
  /**
   * State or territory, such as NSW.
   */
  state?: string
  /**
   * Four digits in Australia; written in quotes, so that 0800 keeps its zero.
   */
  postalCode?: string
  /**
   * Always Australia.
   */
  country?: "AU"
  /**
   * The account to pay into.
   */
  bankDetails?: BankDetails
}

/**
 * The invoice that a memo or a cancellation is about.
 */
export interface DocumentReference {
  /**
   * Number of the earlier invoice.
   */
  invoiceId?: string
  /**
   * When the earlier invoice was issued.
   */
  invoiceDate?: string
  /**
   * Id of the earlier document.
   */
  documentId?: string
  /**
   * cXML id of the earlier document.
   */
  payloadId?: string
}

/**
 * One of the purchase orders that are invoiced.
 */
export interface PurchaseOrderReference {
  /**
   * The purchase order's number.
   */
  poNumber: string
  /**
   * Version of the purchase order.
   */
  poVersion?: string
  /**
   * Id of the order's document.
   */
  documentId?: string
  /**
   * cXML id of the order's document.
   */
  payloadId?: string
  /**
   * When it was ordered.
   */
  orderDate?: string
}

/**
 * The notice of the shipment that is invoiced.
 */
export interface AsnReference {
  /**
   * Id of the shipment.
   */
  shipmentId?: string
  /**
   * Id of the notice.
   */
  documentId?: string
  /**
   * cXML id of the notice.
   */
  payloadId?: string
  /**
   * When it was shipped.
   */
  shipmentDate?: string
}

/**
 * What shipping costs and how it goes.
 */
export interface InvoiceShipping {
  /**
   * Cost of shipping.
   */
  amount?: number
  /**
   * Always Australian dollars.
   */
  currency?: "AUD"
  /**
   * Who carries it.
   */
  carrier?: string
  /**
   * The way it goes.
   */
  route?: string
  /**
   * What the carrier is to know.
   */
  shippingInstructions?: string
  /**
   * The buyer's account with the carrier.
   */
  buyerAcctNumber?: string
  /**
   * Who bears cost and risk; lower case.
   */
  incoTerms?:
    | "cfr"
    | "cif"
    | "cip"
    | "cpt"
    | "daf"
    | "dap"
    | "ddp"
    | "ddu"
    | "dpu"
    | "deq"
    | "des"
    | "exw"
    | "fas"
    | "fca"
    | "fob"
}

/**
 * The shipment of the goods.
 */
export interface ShipmentDetails {
  /**
   * Who carried it.
   */
  carrier?: string
  /**
   * The carrier's number.
   */
  trackingNumber?: string
  /**
   * When it was shipped.
   */
  shippingDate?: string
}

/**
 * One tier of discount for paying early.
 */
export interface DiscountTerm {
  /**
   * 2 is two percent.
   */
  discountPercent?: number
  /**
   * Paid within this many days.
   */
  discountDays?: number
  /**
   * Paid by this day.
   */
  discountDueDate?: string
}

/**
 * When and how it is to be paid.
 */
export interface PaymentTerms {
  /**
   * The terms in words.
   */
  description?: string
  /**
   * Days until it is due.
   */
  netDays?: number
  /**
   * Tiers of discount for paying early.
   */
  discountTerms?: DiscountTerm[]
}

/**
 * Whom to ask, and in what role.
 */
export interface InvoiceContact {
  /**
   * What this contact is.
   */
  role: "issuerOfInvoice" | "soldTo" | "billTo" | "remitTo" | "shipFrom" | "shipTo"
  /**
   * Person or department.
   */
  name?: string
  /**
   * Telephone number.
   */
  phone?: string
  /**
   * An email address, or empty.
   */
  email?: string
}

/**
 * What kind of goods it is.
 */
export interface Classification {
  /**
   * The list that the code is from.
   */
  domain?: "UNSPSC" | "HS" | "commodity"
  /**
   * The code.
   */
  code?: string
}

/**
 * One line of the invoice.
 */
export interface LineItem {
  /**
   * Your number for this line.
   */
  invoiceLineNumber: number
  /**
   * Stable key of the order line; the service fills it in.
   */
  uniqueLineKey?: string
  /**
   * Line number on the purchase order.
   */
  poLineReference?: number
  /**
   * Line number on the ship notice.
   */
  asnLineReference?: number
  /**
   * The supplier's code for the item.
   */
  supplierItemId?: string
  /**
   * The buyer's code for the item.
   */
  buyerItemId?: string
  /**
   * What it is.
   */
  description?: string
  /**
   * How many or how much.
   */
  quantity: number
  /**
   * Code of the unit by UN/ECE Recommendation 20; EA is each.
   */
  unitOfMeasure?:
    | "AY"
    | "BG"
    | "BL"
    | "BR"
    | "BLL"
    | "E2"
    | "BO"
    | "BX"
    | "BJ"
    | "BE"
    | "KA"
    | "CA"
    | "CG"
    | "CT"
    | "CQ"
    | "CS"
    | "CMT"
    | "CL"
    | "CH"
    | "MTQ"
    | "CY"
    | "DAY"
    | "DC"
    | "DZN"
    | "DR"
    | "EA"
    | "FOT"
    | "GRM"
    | "HUR"
    | "CEN"
    | "INH"
    | "JR"
    | "KGM"
    | "KMT"
    | "KT"
    | "LN"
    | "LK"
    | "LTR"
    | "MTR"
    | "TNE"
    | "MLT"
    | "MMT"
    | "MON"
    | "PK"
    | "PD"
    | "PL"
    | "PR"
    | "D97"
    | "C62"
    | "PG"
    | "LBR"
    | "RL"
    | "RO"
    | "SA"
    | "SE"
    | "SET"
    | "ST"
    | "SO"
    | "MTK"
    | "U3"
    | "MIL"
    | "TU"
    | "WEE"
  /**
   * Price of one unit, to a hundredth of a cent.
   */
  unitPrice: number
  /**
   * The line before tax and adjustments.
   */
  subtotal: number
  /**
   * Tax on the line.
   */
  taxAmount?: number
  /**
   * 10 is ten percent.
   */
  taxRate?: number
  /**
   * Taken off the line.
   */
  discountAmount?: number
  /**
   * Shipping on the line.
   */
  shippingAmount?: number
  /**
   * Subtotal, tax and shipping together, before discounts.
   */
  grossAmount?: number
  /**
   * Gross less discounts.
   */
  netAmount?: number
  /**
   * Always Australian dollars.
   */
  currency: "AUD"
  /**
   * The maker's code for the item.
   */
  manufacturerPartId?: string
  /**
   * Who made it.
   */
  manufacturerName?: string
  /**
   * Always Australia.
   */
  countryOfOrigin?: "AU"
  /**
   * One for each piece.
   */
  serialNumbers?: string[]
  /**
   * Lot or batch.
   */
  batchId?: string
  /**
   * What kind of goods it is, by one or more lists.
   */
  classification?: Classification[]
  /**
   * Remarks on the line, at most 500 characters.
   */
  comments?: string
}

/**
 * Tax of one kind and rate.
 */
export interface TaxBreakdown {
  /**
   * The kind of tax.
   */
  taxType?: "GST" | "VAT" | "salesTax" | "excise" | "other"
  /**
   * 10 is ten percent.
   */
  taxRate?: number
  /**
   * What the tax is reckoned on.
   */
  taxableAmount?: number
  /**
   * The tax.
   */
  taxAmount?: number
  /**
   * Whose tax it is.
   */
  jurisdiction?: string
  /**
   * The tax in words.
   */
  description?: string
}

/**
 * The totals.
 */
export interface InvoiceSummary {
  /**
   * All line subtotals together.
   */
  subtotal: number
  /**
   * All shipping together.
   */
  shippingAmount?: number
  /**
   * Charges for special handling.
   */
  specialHandlingAmount?: number
  /**
   * All tax together.
   */
  taxAmount: number
  /**
   * The tax by kind and rate.
   */
  taxBreakdown?: TaxBreakdown[]
  /**
   * All discounts together.
   */
  discountAmount?: number
  /**
   * Subtotal, tax, shipping and handling together, before discounts.
   */
  grossAmount?: number
  /**
   * Gross less discounts.
   */
  netAmount?: number
  /**
   * What was paid beforehand.
   */
  depositAmount?: number
  /**
   * Net less deposits: what is to be paid.
   */
  dueAmount: number
  /**
   * Always Australian dollars.
   */
  currency: "AUD"
}

/**
 * The invoice itself.
 */
export interface InvoiceData {
  /**
   * Your number for this invoice.
   */
  invoiceNumber: string
  /**
   * The main order that is invoiced.
   */
  poNumber: string
  /**
   * When the invoice was issued.
   */
  invoiceDate: string
  /**
   * When it is to be paid.
   */
  dueDate?: string
  /**
   * Asks for payment, or credits or debits an earlier invoice.
   */
  purpose: "standard" | "creditMemo" | "debitMemo" | "lineLevelCreditMemo" | "lineLevelDebitMemo"
  /**
   * Whether the invoice is new, changed or withdrawn.
   */
  operation?: "new" | "update" | "delete"
  /**
   * Who wrote the invoice; the buyer does for evaluated receipts.
   */
  invoiceOrigin?: "supplier" | "buyer"
  /**
   * True asks for nothing to be done.
   */
  isInformationOnly?: boolean
  /**
   * True marks an invoice that the buyer made from a receipt.
   */
  isERS?: boolean
  /**
   * The invoice that a memo or a cancellation is about.
   */
  documentReference?: DocumentReference
  /**
   * All orders that are invoiced.
   */
  poReferences?: PurchaseOrderReference[]
  /**
   * The notice of the shipment that is invoiced.
   */
  asnReference?: AsnReference
  /**
   * Who asks to be paid.
   */
  supplier: Supplier
  /**
   * Who is to pay.
   */
  billTo: InvoiceAddress
  /**
   * Who bought, when that is not who pays.
   */
  soldTo?: InvoiceAddress
  /**
   * Where the goods went.
   */
  shipTo?: InvoiceAddress
  /**
   * Where the payment goes; every part is optional.
   */
  remitTo?: RemitTo
  /**
   * What shipping costs and how it goes.
   */
  shipping?: InvoiceShipping
  /**
   * The shipment of the goods.
   */
  shipmentDetails?: ShipmentDetails
  /**
   * When and how it is to be paid.
   */
  paymentTerms?: PaymentTerms
  /**
   * Whom to ask.
   */
  contacts?: InvoiceContact[]
  /**
   * Remarks on the invoice, at most 2000 characters.
   */
  comments?: string
  /**
   * What is invoiced; at least one line.
   */
  lineItems: LineItem[]
  /**
   * The totals.
   */
  invoiceSummary: InvoiceSummary
  /**
   * Fields agreed with a partner: any names, any values.
   */
  extrinsics?: Record<string, unknown>
}

/** The JSON Schema keywords that a validator can report. */
export type Keyword =
  | "additionalProperties"
  | "const"
  | "enum"
  | "exclusiveMinimum"
  | "if"
  | "maxLength"
  | "maxProperties"
  | "maximum"
  | "minItems"
  | "minLength"
  | "minProperties"
  | "minimum"
  | "not"
  | "pattern"
  | "required"
  | "type"
  | "unevaluatedProperties"
