/** Invoices to check: whole and small, as the service keeps them and as a sender holds them. */
import type { Invoice } from "../../src/contract/generated/types.ts"

/** A document in which every field is filled, and whose amounts agree: 2 lines, 10 % GST on goods and shipping. */
export function fullInvoice(): Invoice {
  return {
    docType: "INV",
    correlationId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d11",
    timestamp: "2026-11-20T09:30:00Z",
    metadata: {
      sourceLanguage: "cxml",
      sourceVersion: "1.2.050",
      payloadId: "1763631000.42@supplier.example",
      userAgent: "Ledgerline 4.2",
    },
    data: {
      invoiceNumber: "INV-1001",
      poNumber: "PO-7781",
      invoiceDate: "2026-11-20T09:00:00+11:00",
      dueDate: "2026-12-20T09:00:00+11:00",
      purpose: "standard",
      operation: "new",
      invoiceOrigin: "supplier",
      isInformationOnly: false,
      isERS: false,
      documentReference: {
        invoiceId: "INV-0990",
        invoiceDate: "2026-10-20T09:00:00+11:00",
        documentId: "DOC-990",
        payloadId: "1760000000.7@supplier.example",
      },
      poReferences: [
        {
          poNumber: "PO-7781",
          poVersion: "2",
          documentId: "DOC-PO-7781",
          payloadId: "1763000000.9@buyer.example",
          orderDate: "2026-11-02T10:15:00.5+11:00",
        },
      ],
      asnReference: {
        shipmentId: "SHP-55",
        documentId: "DOC-ASN-55",
        payloadId: "1763500000.3@supplier.example",
        shipmentDate: "2026-11-18T07:00:00+11:00",
      },
      supplier: {
        id: "S-204",
        name: "Wattle & Sons Hardware Pty Ltd",
        taxRegistrations: { type: "ABN", value: "51 824 753 556" },
        contact: {
          name: "Mai Nguyen",
          phone: "+61 2 5550 1234",
          role: "Accounts receivable",
          email: "accounts@wattle.example",
        },
        address: address("Wattle & Sons Hardware", "12 Foundry Lane", "Alexandria", "NSW", "2015"),
      },
      billTo: address("Accounts payable", "1 Harbour Street", "Sydney", "NSW", "2000"),
      soldTo: address("Purchasing", "1 Harbour Street", "Sydney", "NSW", "2000"),
      shipTo: address("Dock 4", "88 Depot Road", "Darwin", "NT", "0800"),
      remitTo: {
        ...address("Wattle & Sons Hardware", "12 Foundry Lane", "Alexandria", "NSW", "2015"),
        bankDetails: {
          bankName: "Harbour Bank",
          accountName: "Wattle & Sons Hardware Pty Ltd",
          accountNumber: "12345678",
          bsb: "062-000",
          swift: "HARBAU2S",
          iban: "",
        },
      },
      shipping: {
        amount: 25,
        currency: "AUD",
        carrier: "Northern Freight",
        route: "Road",
        shippingInstructions: "Ring the bell at dock 4",
        buyerAcctNumber: "BA-77",
        incoTerms: "dap",
      },
      shipmentDetails: {
        carrier: "Northern Freight",
        trackingNumber: "NF0012345",
        shippingDate: "2026-11-18T07:00:00+11:00",
      },
      paymentTerms: {
        description: "30 days net, 2 percent within 10 days",
        netDays: 30,
        discountTerms: [{ discountPercent: 2, discountDays: 10, discountDueDate: "2026-11-30" }],
      },
      contacts: [
        {
          role: "issuerOfInvoice",
          name: "Mai Nguyen",
          phone: "+61 2 5550 1234",
          email: "mai@wattle.example",
        },
        { role: "shipTo", name: "Dock 4", phone: "+61 8 5550 9876", email: "" },
      ],
      comments: "Thank you for your order.",
      lineItems: [
        {
          invoiceLineNumber: 1,
          uniqueLineKey: "PO-7781-1",
          poLineReference: 1,
          asnLineReference: 1,
          supplierItemId: "W-100",
          buyerItemId: "B-900",
          description: "Hex bolt, M10 × 50",
          quantity: 10,
          unitOfMeasure: "EA",
          unitPrice: 12.5,
          subtotal: 125,
          taxAmount: 13.5,
          taxRate: 10,
          discountAmount: 5,
          shippingAmount: 10,
          grossAmount: 148.5,
          netAmount: 143.5,
          currency: "AUD",
          manufacturerPartId: "HB-1050",
          manufacturerName: "Boltworks",
          countryOfOrigin: "AU",
          serialNumbers: ["SN-1", "SN-2"],
          batchId: "LOT-9",
          classification: [
            { domain: "UNSPSC", code: "31161600" },
            { domain: "HS", code: "7318.15" },
          ],
          comments: "Zinc plated",
        },
        {
          invoiceLineNumber: 2,
          uniqueLineKey: "PO-7781-2",
          poLineReference: 2,
          asnLineReference: 2,
          description: "Washer, M10",
          quantity: 2.5,
          unitOfMeasure: "PK",
          unitPrice: 4.3125,
          subtotal: 10.78,
          taxAmount: 2.58,
          taxRate: 10,
          discountAmount: 0,
          shippingAmount: 15,
          grossAmount: 28.36,
          netAmount: 28.36,
          currency: "AUD",
        },
      ],
      invoiceSummary: {
        subtotal: 135.78,
        shippingAmount: 25,
        specialHandlingAmount: 0,
        taxAmount: 16.08,
        taxBreakdown: [
          {
            taxType: "GST",
            taxRate: 10,
            taxableAmount: 160.78,
            taxAmount: 16.08,
            jurisdiction: "AU",
            description: "Goods and services tax",
          },
        ],
        discountAmount: 5,
        grossAmount: 176.86,
        netAmount: 171.86,
        depositAmount: 20,
        dueAmount: 151.86,
        currency: "AUD",
      },
      extrinsics: { costCentre: "4400", "any/key": [1, null, { nested: true }] },
    },
  }
}

/** The least that a canonical document holds: one line of 11.00, GST included. */
export function minimalInvoice(): Invoice {
  return {
    docType: "INV",
    correlationId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d12",
    timestamp: "2026-11-20T09:30:00Z",
    metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "Ledgerline 4.2" },
    data: {
      invoiceNumber: "INV-1002",
      poNumber: "PO-7782",
      invoiceDate: "2026-11-20T09:00:00+11:00",
      purpose: "standard",
      supplier: {
        id: "S-204",
        name: "Wattle & Sons Hardware Pty Ltd",
        taxRegistrations: { type: "ABN", value: "51 824 753 556" },
      },
      billTo: {
        street1: "1 Harbour Street",
        city: "Sydney",
        state: "NSW",
        postalCode: "2000",
        country: "AU",
      },
      lineItems: [
        {
          invoiceLineNumber: 1,
          description: "Lamp",
          quantity: 1,
          unitPrice: 10,
          subtotal: 10,
          currency: "AUD",
        },
      ],
      invoiceSummary: { subtotal: 10, taxAmount: 1, dueAmount: 11, currency: "AUD" },
    },
  }
}

/** A sender's document, without the fields that the service fills in. */
type Draft = Omit<Invoice, "docType" | "correlationId" | "timestamp">

export function draftOf(invoice: Invoice): Draft {
  const { docType: _type, correlationId: _id, timestamp: _created, ...draft } = invoice
  for (const line of draft.data.lineItems) delete line.uniqueLineKey
  return draft
}

export function fullDraft(): Draft {
  return draftOf(fullInvoice())
}

export function minimalDraft(): Draft {
  return draftOf(minimalInvoice())
}

/** The document as a file holds it: two spaces, one field on a line. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function address(addressee: string, street1: string, city: string, state: string, postalCode: string) {
  return {
    addressId: `A-${postalCode}`,
    addressee,
    street1,
    street2: "Level 2",
    city,
    state,
    postalCode,
    country: "AU" as const,
  }
}
