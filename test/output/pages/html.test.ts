import { describe, expect, it } from "vitest"
import { createHtmlPage, html, renderHtml } from "../../../src/output/pages/html.ts"
import { type Table, toHeading, toTableRow } from "../../../src/output/pages/model.ts"
import type { Column } from "../../../src/output/terminal/columns.ts"

describe("html", () => {
  it("escapes text, and puts markup and lists of it in as they are", () => {
    const hostile = `<b onclick="x('y')">&`
    expect(`${html`<p title="${hostile}">${hostile}</p>`}`).toBe(
      '<p title="&lt;b onclick=&quot;x(&apos;y&apos;)&quot;&gt;&amp;">' +
        "&lt;b onclick=&quot;x(&apos;y&apos;)&quot;&gt;&amp;</p>",
    )
    expect(`${html`<ul>${["a<b", "c"].map((each) => html`<li>${each}</li>`)}</ul>`}`).toBe(
      "<ul><li>a&lt;b</li><li>c</li></ul>",
    )
    expect(`${html`${undefined}${0}${["<", ">"]}`}`).toBe("0&lt;&gt;")
  })

  it("shows control characters, marks that reorder text and half characters as such, and keeps line breaks", () => {
    expect(`${html`${"a\u001b\u202e\ud800\u0000\nb"}`}`).toBe("a����\nb")
  })

  it("makes a page that may load and run nothing", () => {
    const { begin, end } = createHtmlPage({ title: "Bills & <more>", notes: [{ text: "so & <so>" }] })
    const page = `${begin}${end}`
    expect(page).toContain("<title>Bills &amp; &lt;more&gt;</title>")
    expect(page).toContain("default-src &apos;none&apos;")
    expect(page).toContain("<h1>Bills &amp; &lt;more&gt;</h1>\n<p>so &amp; &lt;so&gt;</p>\n")
    expect(page.endsWith("</body>\n</html>\n")).toBe(true)
  })

  it("names what is said above the blocks, where that has a name", () => {
    const { begin } = createHtmlPage({ title: "T", notes: [{ name: "Account", text: "10044" }] })
    expect(`${begin}`).toContain('<p><span class="small">Account:</span> 10044</p>')
  })

  const drawn = (table: Omit<Table, "kind">) => {
    const page = renderHtml({ title: "T", blocks: [{ kind: "table", ...table }] })
    return page.slice(page.indexOf("<table>"), page.indexOf("</body>"))
  }

  it("writes a table of columns as they are on a terminal", () => {
    const row: { name?: string; price: number; state: string } = { price: 5, state: "failed" }
    const columns: readonly Column<{ name?: string; price: number; state: string }>[] = [
      { key: "name", title: "NAME" },
      { key: "price", title: "PRICE", align: "right", show: ({ price }) => price.toFixed(2) },
      { key: "state", title: "STATE", isState: true, gives: "nothing" },
    ]
    expect(drawn({ columns: toHeading(columns), rows: [toTableRow(columns, row)] })).toBe(
      `<table>
<thead><tr><th scope="col">NAME</th><th scope="col" class="number">PRICE</th><th scope="col">STATE</th></tr></thead>
<tbody>
<tr><td></td><td class="number">5.00</td><td class="whole red">failed</td></tr>
</tbody>
</table>
`,
    )
  })

  it("writes totals below the rows of a table", () => {
    const columns = [{ title: "BILL" }, { title: "PAID", align: "right" as const }]
    expect(drawn({ columns, rows: [{ cells: ["4711", "5.00"] }], totals: ["", "5.00"] })).toContain(
      `<td class="number">5.00</td></tr>
<tr class="totals"><td></td><td class="number">5.00</td></tr>
</tbody>`,
    )
  })

  it.each([
    [
      "SBA-20261125-9CA99E, A-1",
      '<td><span class="whole">SBA-20261125-9CA99E,</span> <span class="whole">A-1</span></td>',
    ],
    ["north-west of 1", "<td>north-west of 1</td>"],
    [`${"folder/".repeat(6)}a.json`, `<td class="long">${"folder/<wbr>".repeat(6)}a.json</td>`],
    ["x".repeat(40), `<td class="long">${"x".repeat(40)}</td>`],
  ])("keeps numbers in one piece, and breaks only what is too long: %s", (text, cell) => {
    expect(drawn({ columns: [{ title: "A" }], rows: [{ cells: [text] }] })).toContain(`<tr>${cell}</tr>`)
  })
})
