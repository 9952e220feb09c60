/** `--fields`: what is picked of what a command prints as JSON, and the lines of a table and of CSV. */
import { describe, expect, it } from "vitest"
import { anyColumn, type Column } from "../../../src/output/terminal/columns.ts"
import { type Printed, pickJson } from "../../../src/output/terminal/pick.ts"
import { type Format, print, printJson, printPages, type View } from "../../../src/output/terminal/view.ts"

const named = (...keys: string[]): Column<unknown>[] => keys.map((key) => anyColumn(key, key.toUpperCase()))

const SHIPMENTS = [
  { id: "s-1", status: "BOOKED", receiver: { suburb: "Perth", lines: ["a", "b"] } },
  { id: "s-2", status: "CANCELLED", receiver: null },
]
/** A list with what describes it. */
const LIST = {
  json: { shipments: SHIPMENTS, total: 7, offset: null, others: [1] },
  rowsAt: "shipments",
  rows: SHIPMENTS,
  columns: [
    { key: "id", title: "ID" },
    { key: "status", title: "STATUS" },
  ] as Column<never>[] as Column<unknown>[],
} satisfies Printed<unknown>

const EVENTS = [
  { consignment: "A", status: "Picked up", at: "1" },
  { consignment: "A", status: "Delivered", at: "2" },
]
const JOURNEYS = [
  {
    consignment: "A",
    supported: true,
    tracking: { currentStatus: "Delivered", deliveredAt: "2", events: EVENTS },
  },
  { consignment: "B", supported: false, tracking: null },
]
/** Rows are deeper than the things that the answer lists. */
const TRACKED: View<unknown> = {
  json: JOURNEYS,
  rowsAt: "tracking.events",
  objects: JOURNEYS,
  rows: EVENTS.map((event) => ({ currentStatus: "Delivered", ...event })),
  columns: named("consignment", "status", "currentStatus"),
}

/** Rates as a table, with a number that the JSON has not. */
const RATES = {
  json: {
    quoteId: "q",
    results: [
      { carrier: "A", rates: [{ code: "X" }] },
      { carrier: "B", rates: [{ code: "Y" }] },
    ],
  },
  rowsAt: "results.rates",
  rows: [{ code: "Y", number: 1 }],
  columns: [
    { key: "code", title: "CODE" },
    { key: "number", title: "#", value: () => 1 },
  ] as Column<unknown>[],
} satisfies Printed<unknown>

async function written(
  format: Format,
  fields: readonly string[] | undefined,
  view: View<unknown>,
  more = {},
) {
  const text: string[] = []
  const stream = {
    isTTY: false,
    colour: false,
    columns: 80,
    write: async (chunk: string | Uint8Array) => void text.push(String(chunk)),
  }
  const terminal = { stdout: stream, stderr: stream, unicode: true, stdin: { isTTY: false } } as never
  await print({ terminal, output: { format, ...(fields && { fields }), ...more } }, view)
  return text.join("")
}

describe("fields of JSON", () => {
  it("of rows stay in their list, and what describes the list stays beside it", () => {
    expect(pickJson(LIST, ["id"])).toEqual({
      total: 7,
      offset: null,
      shipments: [{ id: "s-1" }, { id: "s-2" }],
    })
  })

  it("that are named from the top are all that is left", () => {
    expect(pickJson(LIST, ["total"])).toEqual({ total: 7 })
    expect(pickJson(LIST, ["shipments.id", "total"])).toEqual({
      shipments: [{ id: "s-1" }, { id: "s-2" }],
      total: 7,
    })
    expect(pickJson(LIST, ["shipments"])).toEqual({ shipments: SHIPMENTS })
  })

  it("keep their nesting, their types and their lists; what is not there is null", () => {
    expect(pickJson(LIST, ["receiver.suburb", "receiver.lines"])).toEqual({
      total: 7,
      offset: null,
      shipments: [{ receiver: { suburb: "Perth", lines: ["a", "b"] } }, { receiver: null }],
    })
    expect(pickJson({ rows: [{ a: 1 }], columns: [], single: true }, ["b.c"])).toEqual({ b: { c: null } })
  })

  it("give as many objects as without, of lists in lists too", () => {
    expect(pickJson(TRACKED, ["tracking.deliveredAt"])).toEqual([
      { tracking: { deliveredAt: "2" } },
      { tracking: null },
    ])
    expect(pickJson(TRACKED, ["consignment", "status"])).toEqual([
      { consignment: "A", tracking: { events: [{ status: "Picked up" }, { status: "Delivered" }] } },
      { consignment: "B", tracking: null },
    ])
    expect(pickJson(TRACKED, ["currentStatus"])).toEqual([
      { tracking: { currentStatus: "Delivered" } },
      { tracking: null },
    ])
  })

  it("have what only the table has where rows and JSON are the same things", () => {
    const columns = [
      ...LIST.columns,
      { key: "freight.key", title: "KEY", value: (row: unknown) => `K-${Object(row).id}` },
    ]
    expect(pickJson({ ...LIST, columns }, ["id", "freight.key"])).toEqual({
      total: 7,
      offset: null,
      shipments: [
        { id: "s-1", freight: { key: "K-s-1" } },
        { id: "s-2", freight: { key: "K-s-2" } },
      ],
    })
  })

  it("are the table's rows where a heading is asked for that the JSON has no place for", () => {
    expect(pickJson(RATES, ["code"])).toEqual({
      results: [{ rates: [{ code: "X" }] }, { rates: [{ code: "Y" }] }],
    })
    expect(pickJson(RATES, ["number", "code"])).toEqual([{ number: 1, code: "Y" }])
  })

  it("take a name of a property with dots in it, and no inherited one", () => {
    const rows = [{ own: { "collection.residential": true } }]
    expect(pickJson({ rows, columns: [] }, ["own.collection.residential"])).toEqual(rows)
    expect(pickJson({ rows, columns: [] }, ["__proto__.x", "toString"])).toEqual([
      JSON.parse('{"__proto__":{"x":null},"toString":null}'),
    ])
  })

  it.each([
    [
      ["packages.0.kg", "packages.1.cm"],
      [{ kg: 5 }, { cm: 50 }],
    ],
    [
      ["packages.cm", "packages.1.kg"],
      [{ cm: 40 }, { cm: 50, kg: 9 }, { cm: 60 }],
    ],
    [
      ["packages.1.kg", "packages.0.kg"],
      [{ kg: 5 }, { kg: 9 }],
    ],
    [["packages.1.kg"], [null, { kg: 9 }]],
    [["packages.7.kg"], []],
  ] as const)("of items by their place stay those items', in their place: %j", (fields, packages) => {
    const json = {
      packages: [
        { kg: 5, cm: 40 },
        { kg: 9, cm: 50 },
        { kg: 2, cm: 60 },
      ],
    }
    expect(pickJson({ json, rows: [json], columns: [], single: true }, fields)).toEqual({ packages })
  })

  it("of the only thing of an answer are all that is left of it", () => {
    const shipment = { id: "s-1", status: "BOOKED", receiver: { suburb: "Perth", phone: "1" } }
    const one = {
      json: { shipment, freight: { barcodes: ["B"] } },
      rowsAt: "shipment",
      rows: [shipment],
      columns: named("id") as Column<never>[] as Column<typeof shipment>[],
      single: true,
    }
    expect(pickJson(one, ["id", "receiver.suburb"])).toEqual({
      shipment: { id: "s-1", receiver: { suburb: "Perth" } },
    })
  })

  it("of each thing of a list are of that thing, though what it holds has the name, too", () => {
    const events = [{ consignment: "A", status: "Delivered" }]
    const json = [
      { consignment: "A", tracking: { events } },
      { consignment: "B", tracking: null },
    ]
    const columns = named("consignment", "status")
    const tracked = { json, objects: json, rowsAt: "tracking.events", rows: events, columns }
    expect(pickJson(tracked, ["consignment"])).toEqual([{ consignment: "A" }, { consignment: "B" }])
    expect(pickJson({ ...tracked, json: json[0] }, ["consignment"])).toEqual({ consignment: "A" })
  })

  it("of a row by its place do not meet the heading of another row", () => {
    const columns = [{ key: "name", title: "NAME", value: (row: unknown) => `N-${Object(row).id}` }]
    expect(pickJson({ ...LIST, columns }, ["shipments.1.id", "name"])).toEqual({
      shipments: [{ name: "N-s-1" }, { id: "s-2", name: "N-s-2" }],
    })
  })

  it("of an empty list leave the list", () => {
    const empty = { ...LIST, json: { shipments: [], total: 0 }, rows: [] }
    expect(pickJson(empty, ["id"])).toEqual({ total: 0, shipments: [] })
  })
})

describe("the other formats", () => {
  it.each([
    ["ndjson", ["id"], '{"id":"s-1"}\n{"id":"s-2"}\n'],
    ["ndjson", ["total"], '{"total":7}\n'],
    ["csv", ["id", "receiver.suburb"], "id,receiver.suburb\ns-1,Perth\ns-2,\n"],
    ["csv", ["shipments.id"], "shipments.id\ns-1\ns-2\n"],
    ["csv", ["shipments.status"], "shipments.status\nBOOKED\nCANCELLED\n"],
    ["csv", ["id", "total"], "id,total\ns-1,7\ns-2,7\n"],
    ["csv", ["total"], "total\n7\n"],
    ["value", ["shipments.1.id"], "s-2\n"],
    ["ndjson", ["shipments.1.id"], '{"shipments":[null,{"id":"s-2"}]}\n'],
    ["value", ["id"], "s-1\ns-2\n"],
    ["value", ["id", "receiver.suburb", "receiver.lines"], 's-1\tPerth\t["a","b"]\ns-2\t\t\n'],
    ["value", ["total"], "7\n"],
  ] as const)("pick the same: %s of %j", async (format, fields, text) => {
    expect(await written(format, fields, LIST)).toBe(text)
  })

  it.each([
    ["ndjson", ["tracking.deliveredAt"], '{"tracking":{"deliveredAt":"2"}}\n{"tracking":null}\n'],
    ["value", ["tracking.deliveredAt"], "2\n\n"],
    ["csv", ["consignment", "status"], "consignment,status\nA,Picked up\nA,Delivered\n"],
    ["csv", ["tracking.events.status"], "tracking.events.status\nPicked up\nDelivered\n"],
    ["ndjson", ["consignment"], '{"consignment":"A"}\n{"consignment":"B"}\n'],
  ] as const)("have a line for each thing, or for each row: %s of %j", async (format, fields, text) => {
    expect(await written(format, fields, TRACKED)).toBe(text)
  })

  it("have no line of names in CSV under --no-header", async () => {
    expect(await written("csv", ["id"], LIST, { isHeadless: true })).toBe("s-1\ns-2\n")
  })

  it("write a value of several lines as one", async () => {
    const view = { rows: [{ note: "a\nb\tc\u001b[1m" }], columns: named("note"), single: true }
    const line = (await written("value", ["note"], view)).trimEnd()
    for (const sign of ["\n", "\t", "\u001b"]) expect(line).not.toContain(sign)
  })

  it("print one value that is no row as JSON for people, and on one line as NDJSON", async () => {
    const text: string[] = []
    const stream = { write: async (chunk: string) => void text.push(String(chunk)) }
    const terminal = { stdout: stream, stderr: stream } as never
    for (const output of [
      { format: "table" },
      { format: "json" },
      { format: "ndjson" },
      { format: "value", fields: ["a.b"] },
    ] as const) {
      await printJson({ terminal, output }, { a: { b: 1 }, c: 2 })
      text.push("--\n")
    }
    const whole = '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n--\n'
    expect(text.join("")).toBe(`${whole}${whole}{"a":{"b":1},"c":2}\n--\n1\n--\n`)
  })
})

describe("a list in pages", () => {
  async function* pages() {
    yield SHIPMENTS.slice(0, 1)
    yield SHIPMENTS.slice(1)
  }
  it.each([
    "json",
    "ndjson",
    "csv",
    "value",
  ] as const)("is with fields what it is in one piece: %s", async (format) => {
    for (const fields of [["id"], ["shipments.id", "receiver.suburb"], ["total"], ["id", "total"]]) {
      const text: string[] = []
      const stream = { isTTY: false, write: async (chunk: string) => void text.push(String(chunk)) }
      const terminal = { stdout: stream, stderr: stream } as never
      const { json, ...view } = LIST
      const { shipments: _, ...around } = json
      const paged = { ...view, json: () => ({ ...around, shipments: pages() }), pages }
      await printPages({ terminal, output: { format, fields } }, paged as never)
      const whole = await written(format, fields, LIST as View<unknown>)
      if (format === "json") expect(JSON.parse(text.join("")), String(fields)).toEqual(JSON.parse(whole))
      else expect(text.join(""), String(fields)).toBe(whole)
    }
  })

  it("is whole where it is named itself", async () => {
    const text: string[] = []
    const stream = { isTTY: false, write: async (chunk: string) => void text.push(String(chunk)) }
    const terminal = { stdout: stream, stderr: stream } as never
    const { json: _, ...view } = LIST
    const paged = { ...view, json: () => ({ total: 7, shipments: pages() }), pages }
    await printPages({ terminal, output: { format: "json", fields: ["shipments"] } }, paged as never)
    expect(JSON.parse(text.join(""))).toEqual({ shipments: SHIPMENTS })
  })
})
