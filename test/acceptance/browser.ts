/** Pages as a real browser shows and prints them: Debian's Chromium, without a screen. */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Chromium and what reads its PDFs. */
export const hasBrowser = [["chromium"], ["pdftotext", "-v"], ["pdfinfo", "-v"]].every(
  ([program = "", flag = "--version"]) => spawnSync(program, [flag]).error === undefined,
)

/** Root may not start Chromium in a sandbox of its own. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-pdf-header-footer",
]

export interface Measured {
  name: string
  /** Pixels beyond the window's width. */
  beyond: number
  /** Numbers, up to the length of a UUID, that stand on more than one line. */
  broken: string[]
  /** All that is written on it. */
  text: string
}

/** Runs in the browser: a page in each frame. */
const MEASURE = `
  addEventListener("load", () => {
    const results = Array.from(document.querySelectorAll("iframe"), (frame) => {
      const { documentElement: root, body } = frame.contentDocument
      for (const style of body.querySelectorAll("style")) frame.contentDocument.head.append(style)
      const broken = []
      const nodes = frame.contentDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
      for (let node = nodes.nextNode(); node; node = nodes.nextNode())
        for (const { 0: token, index } of node.data.matchAll(/\\S*\\d\\S*/g)) {
          const range = frame.contentDocument.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + token.length)
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)))
          if (lines.size > 1 && token.length <= 36) broken.push(token)
        }
      return { name: frame.name, beyond: root.scrollWidth - root.clientWidth, broken, text: body.textContent }
    })
    document.body.replaceChildren()
    document.body.append(Object.assign(document.createElement("pre"), { id: "results", textContent: JSON.stringify(results) }))
  })`

/** Each page in a window of that width, in pixels. */
export async function measurePages(
  pages: Readonly<Record<string, string>>,
  width: number,
): Promise<Measured[]> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "freight-browser-")), "measure.html")
  const frames = Object.entries(pages).map(
    ([name, page]) =>
      `<iframe name="${name}" width="${width}" height="800" style="border:0" srcdoc="${quoteMarkup(page)}"></iframe>`,
  )
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><body>${frames.join("")}<script>${MEASURE}</script>`,
  )
  const { stdout } = await run("chromium", [...FLAGS, "--dump-dom", pathToFileURL(file).href], OUTPUT)
  const [, json = "[]"] = /<pre id="results">(.*)<\/pre>/s.exec(stdout) ?? []
  return JSON.parse(readMarkup(json))
}

const OUTPUT = { maxBuffer: 64 * 1024 * 1024 }

function quoteMarkup(page: string): string {
  return page.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
}

function readMarkup(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&nbsp;", "\u00a0")
    .replaceAll("&amp;", "&")
}

export interface Printed {
  /** Width and height of each sheet, in whole points. */
  sizes: string[]
  /** Words that reach over the edge of a sheet. */
  beyond: string[]
  text: string
}

/** The page as it is printed. */
export async function printPage(page: string): Promise<Printed> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-browser-"))
  const [html, pdf] = ["page.html", "page.pdf"].map((name) => path.join(folder, name)) as [string, string]
  writeFileSync(html, page)
  await run("chromium", [...FLAGS, `--print-to-pdf=${pdf}`, pathToFileURL(html).href], OUTPUT)
  await run("pdftotext", ["-bbox", pdf, `${pdf}.xml`], OUTPUT)
  const words = readFileSync(`${pdf}.xml`, "utf8")
  const { stdout: text } = await run("pdftotext", [pdf, "-"], OUTPUT)
  const sheets = words.split("<page ").slice(1)
  const numbers = (of: string) => Array.from(of.matchAll(/="([\d.-]+)"/g), ([, number]) => Number(number))
  return {
    sizes: sheets.map((sheet) => numbers(sheet).slice(0, 2).map(Math.round).join(" × ")),
    beyond: sheets.flatMap((sheet) => {
      const [width = 0, height = 0] = numbers(sheet)
      return Array.from(sheet.matchAll(/<word ([^>]*)>([^<]*)/g)).flatMap(([, box = "", word = ""]) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = numbers(box)
        return left < 0 || top < 0 || right > width || bottom > height ? [word] : []
      })
    }),
    text,
  }
}
