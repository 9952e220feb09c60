/** XML as workbooks have it, read piece by piece: names without their prefixes, and no entities but XML's own. */
import sax from "sax"

export type Attributes = Readonly<Record<string, string>>

export interface XmlHandler {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}

export interface XmlReader {
  write(bytes: Uint8Array): void
  end(): void
}

export function createXmlReader({ open, close, text }: XmlHandler): XmlReader {
  const parser = sax.parser(true, { position: false })
  const decoder = new TextDecoder()
  const fail = (error: Error) => {
    throw error
  }
  parser.onerror = fail
  parser.onopentag = ({ name, attributes }) => open(withoutPrefix(name), attributes as Attributes)
  parser.onclosetag = (name) => close(withoutPrefix(name))
  parser.ontext = text
  parser.oncdata = text
  return {
    write: (bytes) => void parser.write(decoder.decode(bytes, { stream: true })),
    end: () => void parser.close(),
  }
}

export function readXml(text: string, handler: Partial<XmlHandler>): void {
  const nothing = () => {}
  const reader = createXmlReader({ open: nothing, close: nothing, text: nothing, ...handler })
  reader.write(new TextEncoder().encode(text))
  reader.end()
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}

/** A Boolean attribute, as XML Schema has it. */
export function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true"
}
