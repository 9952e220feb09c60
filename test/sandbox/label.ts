import type { LabelData } from "../../src/sandbox/label-pdf.ts"

/** The texts on a label. */
export const LABEL: LabelData = {
  carrier: "CARRIER_A_AU",
  serviceCode: "701",
  serviceDescription: "9:00 Express",
  consignmentNumber: "SBA00000042",
  orderNumber: "ORD-A-000042",
  sender: {
    companyName: "Harbour Ceramics Pty Ltd",
    contactName: "Mia Tran",
    phoneAreaCode: "02",
    phoneNumber: "9555 0134",
    address1: "18 Bourke Road",
    suburb: "Alexandria",
    state: "NSW",
    postcode: "2015",
  },
  receiver: {
    companyName: "Mews Road Homewares",
    contactName: "Zoë O'Brien",
    address1: "Warehouse 2",
    address2: "40 Mews Road",
    suburb: "Fremantle",
    state: "WA",
    postcode: "6160",
  },
  items: { count: 3, totalWeightKg: 16.5, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
  packagingCode: "CT",
  collectionDate: "2026-11-23",
  specialInstructions: "Ring the bell twice",
  customerReference: "PO-88123",
  dangerousGoods: false,
}
