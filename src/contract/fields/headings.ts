/**
 * Headings with the same meaning in several of the tables that freight reads: orders, carriers' bills and lines of
 * invoices. Each table's list of fields takes them from here, and adds its own.
 */
export const SHARED_HEADINGS = {
  // Numbers and names.
  invoiceNumber: `Invoice number, Invoice no, Invoice #, Invoice, Invoice id, Invoice num, Tax invoice, Tax invoice no,
    Tax invoice number, Inv no, Inv #, Inv number, Inv`,
  purchaseOrder: "PO, PO number, PO no, Purchase order, Purchase order number",
  reference: `Reference, Ref, Reference number, Customer reference, Customer ref, Your reference`,
  yourRef: "Your ref",
  orderNumber: "Order number, Order no",
  consignment: `Consignment, Consignment number, Consignment no, Consignment note, Connote, Connote number, Connote no,
    Con note, Con note number, Con note no, Waybill, Waybill number, AWB, AWB number`,
  tracking: "Tracking number, Tracking no, Tracking, Tracking id, Tracking code",
  supplier: "Supplier, Supplier name, Vendor, Vendor name",
  service: "Service, Service code",
  serviceLevel: "Service level",

  // Days.
  invoiceDate: "Invoice date, Inv date, Date of invoice, Tax invoice date, Issue date, Date issued",
  shipDate: "Ship date, Shipping date, Collection date, Pickup date, Despatch date, Dispatch date",

  // Goods.
  description: "Description, Item description, Line description, Details, Particulars",
  narration: "Narration",
  quantity: "Quantity, Qty, Count",
  orderedQuantity: "Quantity ordered, Ordered quantity, Qty ordered, Ordered qty, Order quantity, Order qty",
  shippedQuantity: "Quantity shipped, Qty shipped",
  unitOfMeasure: "Unit of measure, UOM, U/M",
  weight: "Weight, Weight kg, Kg, Kgs, Kilos, Wt, Gross weight, Actual weight, Dead weight",
  totalWeight: "Total weight, Total kg, Total kgs",
  weightUnit: `Weight unit, Weight units, Weight UOM, Weight unit of measure, Wt unit, Mass unit, Unit of weight,
    Units of weight, Kg/lb, Kg or lb`,
  dangerousGoods: "Dangerous goods, DG, Hazardous, Hazmat",
  notes: "Comments, Comment, Notes",

  // Amounts, and columns that change them.
  amount: "Amount, Line amount, Extended amount, Ext price, Value",
  total: "Total, Total amount, Total cost, Total price, Line total",
  net: "Net, Net amount, Nett, Nett amount, Net value, Nett value",
  netTotal: "Subtotal, Net total, Nett total",
  gross: "Gross, Gross amount",
  gst: "Tax amount, GST amount, GST, GST value, GST amt, VAT, VAT amount",
  tax: "Tax, Taxes",
  totalGst: "GST total, Total GST, Total tax, Tax total",
  freight: "Freight, Freight amount",
  discount: "Discount, Discounts, Less discount",
  discountAmount: "Discount amount",
  currency: "Currency, Currency code, Curr, Ccy, Invoice currency",
  sign: "DR/CR, CR/DR, Debit/Credit, Credit/Debit, Dr or Cr, Debit or credit, D/C, Sign, Plus or minus",
  documentType: `Invoice type, Document type, Doc type, Transaction type, Txn type, Trans type, Tran type, Trx type,
    Type of document`,
  basis: "GST basis, Tax basis, Basis, Amounts are, Line amount types, Price basis, Tax inclusive",
  status: "Status",
  paymentStatus: "Financial status",
  documentStatus: "Payment status, Line status, Invoice status, Sale status",

  // Parts of an address.
  name: "Name",
  company: "Company, Company name",
  street: "Street, Street 1, Address 1, Address line 1",
  street2: "Street 2, Address 2, Address line 2",
  suburb: "Suburb, City, Town",
  state: "State, Region",
  postcode: "Postcode, Post code, Postal code, Zip",
  country: "Country",
} as const
