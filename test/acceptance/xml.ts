/** A reader of XML 1.0 that is as strict as a parser must be, for what reports use of it. */

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }
/** Characters that XML allows. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const TOKEN = /<\?xml [^?]*\?>\n|<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/y

/** @throws Error at the first place that is not well-formed */
export function wellFormed(xml: string): Element[] {
  if (!CHARACTERS.test(xml)) throw new Error("a character that XML cannot hold")
  const root: Element = { name: "", attributes: {}, children: [], text: "" }
  const open = [root]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex
    const [, closing, name, attributes = "", empty, text] = TOKEN.exec(xml) ?? fail(xml, at)
    const parent = open.at(-1) ?? root
    if (text !== undefined) parent.text += plain(text)
    else if (closing) {
      if (open.pop()?.name !== name || open.length === 0) fail(xml, at)
    } else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
        key,
        plain(value),
      ])
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: "" }
      if (Object.keys(element.attributes).length !== pairs.length) fail(xml, at)
      parent.children.push(element)
      if (!empty) open.push(element)
    }
  }
  if (open.length !== 1 || root.children.length !== 1 || root.text.trim() !== "") fail(xml, xml.length)
  return root.children
}

/** Why a text is not well-formed; undefined when it is. */
export function faultOf(xml: string): string | undefined {
  try {
    wellFormed(xml)
    return undefined
  } catch (error) {
    return String(error)
  }
}

function plain(text: string): string {
  if (text.includes("]]>")) throw new Error("]]> in text")
  return text.replace(/&(.*?);|&/g, (found, name) => ENTITIES[name] ?? fail(text, text.indexOf(found)))
}

function fail(text: string, at: number): never {
  throw new Error(`not well-formed at ${at}: ${text.slice(at, at + 60)}`)
}
