import { describe, expect, it } from "vitest"
import { createHtmlPage, createHtmlTable, html } from "../../src/terminal/html.ts"

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
    const { begin, end } = createHtmlPage("Bills & <more>")
    const page = `${begin}${end}`
    expect(page).toContain("<title>Bills &amp; &lt;more&gt;</title>")
    expect(page).toContain("default-src &apos;none&apos;")
    expect(page.endsWith("</body>\n</html>\n")).toBe(true)
  })

  it("writes a table of columns as they are on a terminal", () => {
    const table = createHtmlTable<{ name?: string; price: number; state: string }>([
      { key: "name", title: "NAME" },
      { key: "price", title: "PRICE", align: "right", show: ({ price }) => price.toFixed(2) },
      { key: "state", title: "STATE", isState: true },
    ])
    expect(`${table.begin}${table.row({ price: 5, state: "failed" })}${table.end}`).toBe(
      `<table>
<thead><tr><th scope="col">NAME</th><th scope="col" class="number">PRICE</th><th scope="col">STATE</th></tr></thead>
<tbody>
<tr><td></td><td class="number">5.00</td><td class="red">failed</td></tr>
</tbody>
</table>
`,
    )
  })
})
