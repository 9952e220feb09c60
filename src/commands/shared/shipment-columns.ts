import { formatInstant } from "../../contract/wall-clock.ts"
import type { ShipmentSummary } from "../../contract/generated/types.ts"
import { BRIEF, type Column } from "../../terminal/columns.ts"

/** A shipment as lists show it. */
export const shipmentColumns: Column<ShipmentSummary>[] = [
  { key: "id", title: "SHIPMENT", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "consignmentNumber", title: "CONSIGNMENT", rank: 1, gives: "nothing" },
  { key: "carrier", title: "CARRIER", rank: 5, brief: BRIEF.carrier },
  { key: "connectorName", title: "CONNECTOR", hidden: true },
  { key: "orderNumber", title: "ORDER", hidden: true },
  { key: "serviceCode", title: "SERVICE", rank: 4 },
  { key: "serviceDescription", title: "DESCRIPTION", hidden: true },
  { key: "fromSuburb", title: "FROM", rank: 7 },
  { key: "toSuburb", title: "TO", rank: 2 },
  { key: "status", title: "STATUS", rank: 3, isState: true },
  { key: "pickupStatus", title: "PICKUP", rank: 8, isState: true },
  { key: "source", title: "SOURCE", hidden: true },
  {
    key: "createdAt",
    title: "BOOKED",
    rank: 6,
    show: ({ createdAt }) => formatInstant(createdAt),
    brief: BRIEF.time,
    gives: "nothing",
  },
]
