/** Every field of an invoice is written by its path. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/base/json.ts"
import { listInvoiceLeaves, setInvoiceFields } from "../../src/invoice/set-fields.ts"
import { listValues } from "./leaves.ts"
import { fullInvoice } from "./samples.ts"

const TODAY = "2026-11-20"
const set = (...sets: string[]) => setInvoiceFields({}, sets, TODAY)

describe("a field of an invoice", () => {
  it("is written by its path, whichever it is, and read back equal", () => {
    const whole = fullInvoice()
    whole.data.extrinsics = { costCentre: "A-4100", gate: { number: 7 } }
    const values = listValues(whole)
    const written = setInvoiceFields(
      {},
      values.map(([path, text]) => `${path}=${text}`),
      TODAY,
    )
    const { docType: _, correlationId: __, timestamp: ___, ...given } = whole
    for (const line of given.data.lineItems) delete line.uniqueLineKey
    expect(written).toEqual(given)
    const named = new Set(values.map(([path]) => path.replace(/^data\./, "").replace(/\.\d+(?=\.|$)/g, ".0")))
    const unwritten = listInvoiceLeaves().filter(
      ({ path }) => ![...named].some((each) => each === path || each.startsWith(`${path}.`)),
    )
    expect(unwritten.map(({ path }) => path)).toEqual([])
  })

  it("has its path inside data, or that of the whole document", () => {
    expect(
      set("shipping.carrier=Northern Freight", "data.shipping.route=Road", "metadata.payloadId=7@x"),
    ).toEqual({
      data: { shipping: { carrier: "Northern Freight", route: "Road" } },
      metadata: { payloadId: "7@x" },
    })
  })

  it("is read as people write it", () => {
    expect(
      set(
        "dueDate=20/12/2026",
        "paymentTerms.discountTerms.0.discountDueDate=24/12/2026",
        "poReferences.0.orderDate=yesterday",
        "asnReference.shipmentDate=2026-11-18T07:00:00+11:00",
        "isERS=yes",
        "shipping.incoTerms=DAP",
        "operation=amend",
        "lineItems.0.unitOfMeasure=carton",
        'lineItems.0.serialNumbers=["A","B"]',
        "remitTo.bankDetails.bsb=062000",
        "soldTo.state=Victoria",
        "invoiceSummary.depositAmount=$1,050.50",
        "extrinsics.costCentre=0800",
        "extrinsics.levels=[1,2]",
      ),
    ).toEqual({
      data: {
        dueDate: "2026-12-20T00:00:00Z",
        paymentTerms: { discountTerms: [{ discountDueDate: "2026-12-24" }] },
        poReferences: [{ orderDate: "2026-11-19T00:00:00Z" }],
        asnReference: { shipmentDate: "2026-11-18T07:00:00+11:00" },
        isERS: true,
        shipping: { incoTerms: "dap" },
        operation: "update",
        lineItems: [{ unitOfMeasure: "CT", serialNumbers: ["A", "B"] }],
        remitTo: { bankDetails: { bsb: "062-000" } },
        soldTo: { state: "VIC" },
        invoiceSummary: { depositAmount: 1050.5 },
        extrinsics: { costCentre: "0800", levels: [1, 2] },
      },
    })
  })

  it.each([
    ["shiping.carrier=X", "--set shiping: there is no such field"],
    ["contacts.role=billTo", '--set contacts.role: "contacts" is a list: name its item by number, from 0'],
    ["contacts.0.role=boss", '--set contacts.0.role: "boss" is not one of issuerOfInvoice, soldTo'],
    ["invoiceSummary.depositAmount=some", '--set invoiceSummary.depositAmount: "some" is not a number'],
    ["paymentTerms.netDays=1.5", '--set paymentTerms.netDays: "1.5" is not a whole number'],
    ["dueDate=32/12/2026", "--set dueDate: "],
    ["supplier.taxRegistrations.value=51824753557", "--set supplier.taxRegistrations.value: "],
    ["shipping=null", '--set shipping: "null" is not an object'],
    ["lineItems=5", '--set lineItems: "5" is not a list'],
    ["contacts=boss", "--set contacts: takes JSON"],
    ["correlationId=7", "--set correlationId: the service fills this in"],
    ["lineItems.0.uniqueLineKey=7", "--set lineItems.0.uniqueLineKey: the service fills this in"],
    ["comments", '--set takes FIELD=VALUE, not "comments"'],
    ["contacts.2.role=billTo", '--set data.contacts.2.role: "data.contacts" has no element 0'],
    ["lineItems.99999999.batchId=B", "--set lineItems.99999999: "],
  ])("that is not right, as in %s, is named in the error", (text, message) => {
    expect(() => set(text)).toThrow(message)
  })

  it("is set on a copy, and over what is there", () => {
    const before: JsonObject = { data: { shipping: { carrier: "A", route: "Road" } } }
    expect(setInvoiceFields(before, ["shipping.carrier=B"], TODAY)).toEqual({
      data: { shipping: { carrier: "B", route: "Road" } },
    })
    expect(before).toEqual({ data: { shipping: { carrier: "A", route: "Road" } } })
    expect(() => setInvoiceFields({}, ["__proto__.polluted=1"], TODAY)).toThrow("no such field")
  })
})
