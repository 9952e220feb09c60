import { formatInstant } from "../../contract/wall-clock.ts"
import type { ShipmentSummary } from "../../contract/generated/types.ts"
import type { Column } from "../../terminal/columns.ts"

/** A shipment as lists show it. */
export const shipmentColumns: Column<ShipmentSummary>[] = [
  { key: "id", title: "SHIPMENT" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "carrier", title: "CARRIER" },
  { key: "connectorName", title: "CONNECTOR", hidden: true },
  { key: "orderNumber", title: "ORDER", hidden: true },
  { key: "serviceCode", title: "SERVICE" },
  { key: "serviceDescription", title: "DESCRIPTION", hidden: true },
  { key: "fromSuburb", title: "FROM" },
  { key: "toSuburb", title: "TO" },
  { key: "status", title: "STATUS" },
  { key: "pickupStatus", title: "PICKUP" },
  { key: "source", title: "SOURCE", hidden: true },
  { key: "createdAt", title: "BOOKED", show: ({ createdAt }) => formatInstant(createdAt) },
]
