// The scenes of the pictures. A scene is a command line as it is typed, and how it is shown:
//   name, title      of the file below docs/pictures/, and of the window
//   line             runs as it stands; a backslash at the end of a line goes on in the next
//   columns, rows    of the terminal: what is printed must fit
//   before           command lines that run first and are not shown
//   files            copied into the folder in which it runs: its name there, and where it comes from
//   keys             what is waited for on the screen (a text or a pattern), and what is then typed
//   until            the picture is taken when this is on the screen, and the run is ended; otherwise at its end
//   exit             the exit code that the run ends with (0)
//   stepMs           see frozen.cjs: for what shows how fast it is (0)

export const SCENES = [
  {
    name: "rate-shop",
    title: "What does it cost, and when does it arrive?",
    line: 'freight rate-shop --sandbox \\\n  --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5',
    columns: 102,
    rows: 20,
  },
  {
    name: "invoice-validate",
    title: "What is wrong with this invoice?",
    line: "freight invoice validate --draft INV-1.json",
    columns: 84,
    rows: 30,
    files: { "INV-1.json": "broken-invoice.json" },
    exit: 1,
  },
  {
    name: "invoice-new",
    title: "Writing an invoice",
    line: 'freight invoice new --supplier-id S-1 --supplier-name "Harbour Lighting" \\\n  --abn 51824753556 -o INV-1.json',
    columns: 92,
    rows: 24,
    keys: [
      ["? Number of the invoice", "INV-1\r"],
      ["? Purchase order that is billed", "PO-7\r"],
      ["? Address to bill", "1 Harbour Street; Sydney NSW 2000\r"],
      ["? Line (", "2 x Lamp @ 19.99 EA\r"],
      ["? Line 2", "1 x Handbook @ 30 tax 0\r"],
      ["? Line 3", "\r"],
      ["? Payment terms", "14 days\r"],
      ["? Save this customer", "n\r"],
    ],
  },
  {
    name: "wizard",
    title: "Booking, question by question",
    line: "freight book --sandbox",
    columns: 92,
    rows: 40,
    keys: [
      ["? Who sends it?", "\r"],
      ["? Who receives it?", "\r"],
      ["? Packages", "\r"],
      ["? Packed in", "\r"],
      ["? Are there dangerous goods", "\r"],
      ["? When is it ready", "\r"],
      ["? When do the premises", "\r"],
      ["? Is either place a home?", "\r"],
    ],
    until: /\? Which service[\s\S]*Road Express[\s\S]*your answers are kept$/,
  },
  {
    name: "batch",
    title: "A batch under way",
    line: "freight batch book --sandbox orders.csv --concurrency 1 --yes",
    columns: 104,
    rows: 20,
    files: { "orders.csv": "orders.csv" },
    until: /━{12}.*left/,
    stepMs: 25,
  },
  {
    name: "audit",
    title: "A carrier's bill, audited",
    line: "freight audit --sandbox bill.csv",
    columns: 120,
    rows: 20,
    files: { "orders.csv": "orders.csv" },
    // One after the other: numbers are given in the order of booking, and the mistakes fall by them.
    before: [
      "freight batch book --sandbox orders.csv --concurrency 1",
      "freight sandbox bill --delivered --errors 12% -o bill.csv",
    ],
    exit: 1,
  },
]
