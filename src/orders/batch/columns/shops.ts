/** The shops whose order exports freight knows, one entry each. Rules for any table are in `states.ts`. */
import type { Shop, StatusSign } from "../../../input/index.ts"
import { ANY_STATUSES } from "./states.ts"

const WOOCOMMERCE_STATUSES = {
  ship: ["processing"],
  waits: ["pending", "on-hold"],
  leftOut: ["completed", "cancelled", "refunded", "failed", "trash", "draft", "checkout-draft", "auto-draft"],
}

const SAYS_NO = /^(?:false|no|0)$/i
/** A shop knows what it has sent. */
const isSent = (header: string): StatusSign => ({ header, says: /./, status: "shipped" })
/** A partial refund leaves the order's status unchanged. */
const isRefunded = (header: string, says = /[1-9]/): StatusSign => {
  return { header, says, status: "partially-refunded", means: "partly" }
}

/** Headings of any shop's export that name an item and its quantity to send, the surest first. */
export const ITEM_HEADINGS = {
  sku: [
    ...["Lineitem sku", "SKU", "Item SKU", "Product SKU", "Order line SKU", "Seller SKU"],
    "Order Lines/Product/Internal Reference",
    ...["Custom label (SKU)", "Custom label", "Variation SKU"],
  ],
  pieces: [
    ...["Quantity to ship", "Lineitem quantity", "Quantity purchased", "Item quantity", "Quantity"],
    ...["Order line quantity", "Order line qty", "Qty ordered", "Number of items", "Qty"],
    ...["Order Lines/Quantity", "QuantityOrdered"],
  ],
} as const

export const SHOPS: readonly Shop[] = [
  {
    name: "Shopify",
    all: ["Name", "Shipping Name"],
    oneOf: ["Lineitem name", "Lineitem quantity", "Financial status", "Fulfillment status", "Billing name"],
    own: ["Financial status", "Fulfillment status"],
    meanings: { Name: "reference" },
    fallbackHeadings: ["Name", "Shipping street", "Phone", "Email"],
    unused: ["Id"],
    orderNumbers: ["Id"],
    statuses: {
      "Financial status": {
        ship: ["paid"],
        waits: ["pending", "authorized", "partially-paid", "overdue", "unpaid", "expired"],
        leftOut: ["refunded", "voided"],
        partly: ["partially-refunded"],
      },
      "Fulfillment status": {
        ship: ["unfulfilled", "open"],
        leftOut: ["fulfilled", "restocked", "not-required", "fulfillment-not-required"],
        partly: ["partial", "partially-fulfilled"],
      },
    },
    signs: [
      {
        header: "Lineitem requires shipping",
        says: SAYS_NO,
        status: "no-shipping",
        onEveryLine: true,
      },
    ],
  },
  {
    // Before WooCommerce, whose headings it has too.
    name: "OpenCart",
    all: ["Order ID", "Shipping Zone", "Shipping Postcode"],
    oneOf: [
      "Payment Zone",
      "Store ID",
      "Invoice Prefix",
      "Customer Group ID",
      "Order Status ID",
      "Telephone",
    ],
    meanings: {
      "Shipping Zone": "receiver.state",
      "Customer Telephone": "receiver.phoneNumber",
      Telephone: "receiver.phoneNumber",
      "Customer E-mail": "receiver.email",
      Comment: "specialInstructions",
    },
    unused: ["Firstname", "Lastname", "Customer First Name", "Customer Last Name", "Customer"],
    statuses: {
      "Order Status": ANY_STATUSES,
      // Each store numbers its own, and only the first ones are the same everywhere.
      "Order Status ID": {},
    },
  },
  {
    name: "WooCommerce",
    all: ["Shipping city", "Shipping postcode"],
    oneOf: ["Billing city", "Billing postcode", "Item name", "Item #", "Order status", "Order total amount"],
    meanings: { Number: "reference", ID: "reference" },
    fallbackHeadings: ["Order id", "ID", "Email", "Phone"],
    unused: ["Quantity", "Customer email"],
    orderNumbers: ["Order id", "ID", "Order key"],
    statuses: { "Order status": WOOCOMMERCE_STATUSES, Status: WOOCOMMERCE_STATUSES },
    signs: [
      isRefunded("Order refund amount"),
      isRefunded("Refunded total"),
      isRefunded("Total refunded"),
      isRefunded("Refund items", /\w/),
      isRefunded("Refunds", /[1-9]/),
    ],
  },
  {
    name: "Lightspeed",
    all: ["Address shipping street", "Address shipping number"],
    oneOf: ["Address shipping zipcode", "Address shipping city"],
    meanings: {
      "Address shipping company": "receiver.companyName",
      "Address shipping name": "receiver.name",
      "Address shipping street": "receiver.address1",
      "Address shipping number": "receiver.streetNumber",
      "Address shipping street 2": "receiver.address2",
      "Address shipping extension": "receiver.address3",
      "Address shipping zipcode": "receiver.postcode",
      "Address shipping city": "receiver.suburb",
      "Address shipping region": "receiver.state",
      "Address shipping country": "receiver.country",
    },
    statuses: { Status: ANY_STATUSES },
  },
  {
    name: "Amazon",
    all: ["order-id", "order-item-id", "ship-postal-code"],
    oneOf: ["quantity-purchased", "buyer-name", "purchase-date"],
    statuses: { "order-status": ANY_STATUSES },
  },
  {
    name: "eBay",
    all: ["Sales record number", "Ship to zip"],
    oneOf: ["Item number", "Buyer username", "Order number"],
    orderNumbers: ["Sales record number"],
    unused: ["Quantity"],
    statuses: {},
    signs: [
      isSent("Shipped on date"),
      isSent("Tracking number"),
      { header: "Paid on date", says: /^$/, status: "unpaid", means: "waits", onEveryLine: true },
      // Items of an order have rows of their own, one by one without a quantity of the whole.
      { header: "Quantity", says: /^0+$/, status: "nothing-to-ship", onEveryLine: true },
    ],
  },
  {
    name: "Etsy",
    all: ["Order id", "Ship city", "Ship zipcode"],
    oneOf: ["Sale date", "Transaction id", "Buyer user id", "Listing id"],
    unused: ["Quantity", "Number of items", "Currency"],
    statuses: { Status: ANY_STATUSES },
    signs: [isSent("Date shipped"), { header: "Order type", says: /in.?person/i, status: "pickup" }],
  },
  {
    name: "Neto",
    all: ["Order id", "Ship street line 1", "Ship post code"],
    oneOf: ["Order status", "Date placed", "Grand total", "Order line SKU"],
    unused: ["Quantity"],
    statuses: { "Order status": ANY_STATUSES },
    signs: [isSent("Date shipped")],
  },
  {
    name: "Magento",
    all: ["Purchase date", "Grand total (base)"],
    oneOf: ["Ship-to name", "Bill-to name", "Purchase point"],
    meanings: { ID: "reference" },
    statuses: { Status: ANY_STATUSES },
    signs: [isRefunded("Total refunded")],
  },
  {
    name: "BigCommerce",
    all: ["Order id", "Order status", "Shipping zip"],
    oneOf: ["Order total (inc tax)", "Customer id", "Ship method", "Combined product weight"],
    unused: ["Quantity"],
    statuses: { "Order status": ANY_STATUSES },
    signs: [isSent("Date shipped"), isRefunded("Refund amount")],
  },
  {
    name: "Squarespace",
    all: ["Order ID", "Shipping name", "Fulfillment status"],
    oneOf: ["Channel type", "Channel order number", "Lineitem variant", "Private notes"],
    fallbackHeadings: ["Email"],
    unused: ["Channel order number", "Payment reference"],
    statuses: {
      "Financial status": {
        ship: ["paid"],
        waits: ["pending", "authorized", "partially-paid", "unpaid"],
        leftOut: ["refunded", "voided"],
        partly: ["partially-refunded"],
      },
      "Fulfillment status": {
        ship: ["pending", "unfulfilled"],
        leftOut: ["fulfilled", "cancelled"],
        partly: ["partially-fulfilled"],
      },
    },
    signs: [
      { header: "Lineitem requires shipping", says: SAYS_NO, status: "no-shipping", onEveryLine: true },
      isRefunded("Amount refunded"),
    ],
  },
  {
    name: "Ecwid",
    all: ["order_id", "shipping_person_name", "fulfillment_status"],
    oneOf: ["payment_status", "shipping_postal_code", "billing_person_name"],
    meanings: {
      shipping_person_name: "receiver.name",
      shipping_person_company: "receiver.companyName",
    },
    fallbackHeadings: ["email"],
    unused: ["billing_person_name", "billing_person_company"],
    statuses: {
      payment_status: {
        ship: ["paid"],
        waits: ["awaiting-payment", "incomplete", "custom-payment"],
        leftOut: ["cancelled", "refunded"],
        partly: ["partially-refunded"],
      },
      fulfillment_status: {
        ship: ["awaiting-processing", "processing"],
        leftOut: [
          "shipped",
          "delivered",
          "will-not-deliver",
          "returned",
          "ready-for-pickup",
          "out-for-delivery",
        ],
      },
    },
  },
  {
    name: "Wix",
    all: ["Order number", "Date created", "Delivery zip/postal code"],
    oneOf: ["Total order quantity", "Fulfillment status", "Contact email", "Recipient name"],
    meanings: {
      "Delivery state name": "receiver.state",
      "Delivery zip/postal code": "receiver.postcode",
    },
    fallbackHeadings: ["Delivery state"],
    // The weight is that of a piece of the item.
    unused: ["Time", "Weight", "Qty", "Total order quantity", "Delivery time"],
    isFirstOfTwins: true,
    statuses: {
      "Payment status": {
        ship: ["paid"],
        waits: ["unpaid", "pending", "authorized", "partially-paid"],
        leftOut: ["refunded", "fully-refunded", "cancelled", "declined"],
        partly: ["partially-refunded"],
      },
      "Fulfillment status": {
        ship: ["not-fulfilled", "unfulfilled"],
        leftOut: ["fulfilled", "cancelled"],
        partly: ["partially-fulfilled"],
      },
    },
    signs: [isRefunded("Refunded amount")],
  },
  {
    // Its own file of orders, and the one that it imports.
    name: "ShipStation",
    all: ["Recipient Full Name", "Postal Code"],
    oneOf: ["Buyer Full Name", "Order Source", "Custom Field 1", "Order Custom Field 1"],
    meanings: {
      "Order Requested Shipping Service": "deliveryMethod",
      "Requested Shipping Service": "deliveryMethod",
      "Order Notes from Buyer": "specialInstructions",
      "Notes from the Buyer": "specialInstructions",
    },
    statuses: { "Order Status": ANY_STATUSES },
  },
  {
    // The columns that people choose for its export.
    name: "ShipStation",
    all: ["Order - Number", "Ship To - Postal Code"],
    oneOf: ["Ship To - Name", "Ship To - City", "Ship To - Address 1"],
    unused: ["Item - Qty"],
    statuses: { "Order - Status": ANY_STATUSES },
  },
  {
    // Its list of orders has no addresses.
    name: "PrestaShop",
    all: ["Reference", "New client", "Customer"],
    oneOf: ["Delivery", "Payment", "Status"],
    unused: ["ID", "Delivery", "Customer", "Payment"],
    orderNumbers: ["ID"],
    statuses: {
      Status: {
        ship: ["payment-accepted", "remote-payment-accepted", "processing-in-progress"],
        waits: [
          ...["awaiting-check-payment", "awaiting-bank-wire-payment", "awaiting-payment", "payment-error"],
          ...["awaiting-cash-on-delivery-validation", "on-backorder-not-paid", "on-backorder-paid"],
        ],
        leftOut: ["shipped", "delivered", "cancelled", "refunded"],
        partly: ["partial-refund", "partially-refunded"],
      },
    },
  },
  {
    name: "Zoho",
    all: ["SalesOrder Number", "Shipping Address", "Shipping Code"],
    oneOf: ["SalesOrder ID", "QuantityOrdered", "Billing Code", "Item Name"],
    meanings: { "SalesOrder Number": "reference", "Shipping Code": "receiver.postcode" },
    // The note on a sales order is for the customer.
    unused: ["SalesOrder ID", "PurchaseOrder", "Reference#", "Account", "Notes", "Customer ID"],
    orderNumbers: ["SalesOrder ID"],
    statuses: {
      Status: {
        ship: ["open", "confirmed", "approved", "invoiced", "partially-invoiced"],
        waits: ["draft", "pending-approval", "onhold", "on-hold", "overdue"],
        leftOut: ["fulfilled", "shipped", "closed", "void", "cancelled", "rejected"],
        partly: ["partially-fulfilled", "partially-shipped"],
      },
    },
  },
  {
    name: "Odoo",
    all: ["Order Reference", "Delivery Address/Street"],
    oneOf: ["Delivery Address/City", "Delivery Address/Zip", "Order Lines/Product"],
    meanings: {
      "Order Reference": "reference",
      "Delivery Address/Name": "receiver.name",
      "Delivery Address/Company Name": "receiver.companyName",
      "Delivery Address/Street": "receiver.address1",
      "Delivery Address/Street2": "receiver.address2",
      "Delivery Address/City": "receiver.suburb",
      "Delivery Address/State": "receiver.state",
      "Delivery Address/Zip": "receiver.postcode",
      "Delivery Address/Country": "receiver.country",
      "Delivery Address/Phone": "receiver.phoneNumber",
      "Delivery Address/Email": "receiver.email",
    },
    unused: ["Delivery Address", "Customer Reference", "Delivery Date"],
    statuses: {
      Status: {
        ship: ["sales-order", "sale", "locked"],
        waits: ["quotation", "quotation-sent", "draft", "sent"],
        leftOut: ["cancelled", "cancel"],
      },
      "Delivery Status": {
        ship: ["not-delivered", "pending"],
        leftOut: ["fully-delivered", "full"],
        partly: ["partially-delivered", "partial", "started"],
      },
    },
  },
  {
    // Not a shop, but a carrier's program: C_ columns are about the consignment, A_ about each article.
    name: "eParcel",
    all: ["C_CONSIGNEE_NAME", "C_CONSIGNEE_SUBURB"],
    oneOf: ["C_CHARGE_CODE", "A_ACTUAL_CUBIC_WEIGHT", "C_CONSIGNEE_POSTCODE"],
    meanings: {
      C_REF: "reference",
      C_CONSIGNEE_NAME: "receiver.name",
      C_CONSIGNEE_BUSINESS_NAME: "receiver.companyName",
      C_CONSIGNEE_ADDRESS_1: "receiver.address1",
      C_CONSIGNEE_ADDRESS_2: "receiver.address2",
      C_CONSIGNEE_ADDRESS_3: "receiver.address3",
      C_CONSIGNEE_SUBURB: "receiver.suburb",
      C_CONSIGNEE_STATE_CODE: "receiver.state",
      C_CONSIGNEE_POSTCODE: "receiver.postcode",
      C_CONSIGNEE_COUNTRY_CODE: "receiver.country",
      C_CONSIGNEE_PHONE_NUMBER: "receiver.phoneNumber",
      C_CONSIGNEE_EMAIL: "receiver.email",
      C_DELIVERY_INSTRUCTION: "specialInstructions",
      A_ACTUAL_CUBIC_WEIGHT: "package.weightKg",
      A_LENGTH: "package.lengthCm",
      A_WIDTH: "package.widthCm",
      A_HEIGHT: "package.heightCm",
      A_NUMBER_IDENTICAL_ARTS: "package.count",
      A_IS_DANGEROUS_GOODS: "dangerousGoods",
    },
    // G_ columns describe the goods in an article, for customs.
    unused: [
      ...["G_QUANTITY", "G_WEIGHT", "G_DESCRIPTION", "G_UNIT_VALUE", "G_TOTAL_VALUE"],
      ...["C_CONSIGNEE_FAX_NUMBER", "C_EMAIL_NOTIFICATION", "C_SIGNATURE_REQUIRED"],
    ],
    statuses: {},
  },
]
