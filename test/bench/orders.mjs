// Orders as rows of a batch.

/** The n-th order, which needs no rates. Its number is none of those that `fill.ts` gives a ledger. */
export function order(n) {
  return {
    reference: `WEB-${n}`,
    "receiver.companyName": `Receiver ${n}`,
    "receiver.address1": "8 Market Street",
    "receiver.suburb": "Fremantle",
    "receiver.state": "WA",
    "receiver.postcode": "6160",
    "sender.companyName": "Harbour Lighting Pty Ltd",
    "sender.address1": "14 Bourke Road",
    "sender.suburb": "Alexandria",
    "sender.state": "NSW",
    "sender.postcode": "2015",
    packages: "2x40x30x20@5.5",
    packagingCode: "CT",
    service: "GEN",
    connector: "connector-b",
    collectionDateTime: `${new Date().getUTCFullYear() + 1}-11-23T10:00:00`,
    collectionCloseTime: "1700",
  }
}
