/** The contents of a workbook: its sheets, shared texts and formats. */
import path from "node:path"
import { FreightError } from "../../../base/errors.ts"
import { MAX_TEXTS_LENGTH } from "../../../base/limits.ts"
import { type Archive, createDamagedError } from "./archive.ts"
import { type NumberForm, readForm } from "./numbers.ts"
import { type Attributes, createXmlReader, isTrue, readXml } from "./xml.ts"

export interface SheetName {
  name: string
  isHidden: boolean
  /** Its part of the archive. */
  part: string
}

export interface Workbook {
  archive: Archive
  sheets: readonly SheetName[]
  is1904: boolean
  texts: readonly string[]
  /** By number, the texts with struck-through letters. */
  struckTexts: ReadonlyMap<number, Struck>
  /** By the number of a cell's style. */
  forms: readonly NumberForm[]
  /** Numbers of the styles that strike a cell through. */
  struckStyles: ReadonlySet<number>
  /** Formats of conditions that strike cells through. */
  struckFormats: ReadonlySet<number>
}

const ROOT = "_rels/.rels"
/** Bytes of the parts that describe a workbook, each. */
const MAX_DESCRIPTION = 20_000_000

/** The part that describes an office document; undefined for another archive. */
export async function findDocumentPart(archive: Archive): Promise<string | undefined> {
  if (!archive.has(ROOT)) return undefined
  const found = (await readRelations(archive, ROOT, "")).find(({ type }) => type === "officeDocument")
  return found?.part
}

/**
 * Reads all of a workbook but its sheets' rows.
 * @param part that describes it
 */
export async function readWorkbook(name: string, archive: Archive, part: string): Promise<Workbook> {
  try {
    const folder = path.posix.dirname(part)
    const relations = await readRelations(
      archive,
      `${folder}/_rels/${path.posix.basename(part)}.rels`,
      folder,
    )
    const sheets: SheetName[] = []
    let is1904 = false
    readXml(await archive.readText(part, MAX_DESCRIPTION), {
      open(element, attributes) {
        if (element === "workbookPr") is1904 = isTrue(attributes.date1904)
        if (element !== "sheet") return
        const relation = relations.find(({ id }) => id === findPrefixed(attributes, "id"))
        if (relation?.type === "worksheet")
          sheets.push({
            name: attributes.name ?? "",
            isHidden: (attributes.state ?? "visible") !== "visible",
            part: relation.part,
          })
      },
    })
    const partOf = (type: string) => relations.find((each) => each.type === type)?.part
    return {
      archive,
      sheets,
      is1904,
      ...(await readTexts(name, archive, partOf("sharedStrings"))),
      ...(await readStyles(archive, partOf("styles"))),
    }
  } catch (error) {
    throw error instanceof FreightError ? error : createDamagedError(name, error)
  }
}

interface Relation {
  id: string | undefined
  /** The last word of its type. */
  type: string
  part: string
}

async function readRelations(archive: Archive, part: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = []
  readXml(await archive.readText(part, MAX_DESCRIPTION), {
    open(element, { Id: id, Type: type = "", Target: target = "" }) {
      if (element === "Relationship")
        relations.push({
          id,
          type: type.slice(type.lastIndexOf("/") + 1),
          part: path.posix.join(target.startsWith("/") ? "" : folder, target).replace(/^\//, ""),
        })
    },
  })
  return relations
}

function findPrefixed(attributes: Attributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]
}

/** Texts that cells share. Those for pronunciation are left out. */
async function readTexts(
  name: string,
  archive: Archive,
  part: string | undefined,
): Promise<Pick<Workbook, "texts" | "struckTexts">> {
  const texts: string[] = []
  const struckTexts = new Map<number, Struck>()
  if (part === undefined || !archive.has(part)) return { texts, struckTexts }
  const strikes = createStrikes()
  let text = ""
  let isText = false
  let isPhonetic = false
  let size = 0
  const reader = createXmlReader({
    open(element, attributes) {
      strikes.open(element, attributes)
      if (element === "si") text = ""
      else if (element === "rPh") isPhonetic = true
      else if (element === "t") isText = !isPhonetic
    },
    text(piece) {
      if (!isText) return
      strikes.text(piece)
      text += piece
      size += piece.length
    },
    close(element) {
      if (element === "t") isText = false
      else if (element === "rPh") isPhonetic = false
      else if (element === "si") {
        const struck = strikes.end()
        if (struck) struckTexts.set(texts.length, struck)
        texts.push(unescapeText(text))
      }
    },
  })
  for await (const chunk of archive.read(part)) {
    reader.write(chunk)
    if (size > MAX_TEXTS_LENGTH)
      throw new FreightError("input", `${name} has too much text in its cells to be read`, {
        hint: "Split it into several files, or save it as CSV.",
      })
  }
  reader.end()
  return { texts, struckTexts }
}

export type Struck = "all" | "some"

/** Whether the runs of a text are struck through; the style of its cell may do it, too. */
export function createStrikes() {
  let isRun = false
  let isStruck = false
  let [some, all] = [false, true]
  return {
    open(element: string, { val }: Attributes): void {
      if (element === "r") [isRun, isStruck] = [true, false]
      else if (element === "strike" && isRun) isStruck = val === undefined || isTrue(val)
    },
    text(piece: string): void {
      if (piece.trim() === "") return
      some ||= isStruck
      all &&= isStruck
    },
    /** Whether the text that ends here is struck through; the next one begins. */
    end(): Struck | undefined {
      const struck = some ? (all ? "all" : "some") : undefined
      ;[isRun, isStruck, some, all] = [false, false, false, true]
      return struck
    },
  }
}

/** Workbooks write `_x000D_` for characters that XML cannot hold. */
export function unescapeText(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

async function readStyles(
  archive: Archive,
  part: string | undefined,
): Promise<Pick<Workbook, "forms" | "struckStyles" | "struckFormats">> {
  const forms: NumberForm[] = []
  const struckStyles = new Set<number>()
  const struckFormats = new Set<number>()
  if (part === undefined || !archive.has(part)) return { forms, struckStyles, struckFormats }
  const codes = new Map<number, string>()
  const struckFonts = new Set<number>()
  let [fonts, formats] = [0, 0]
  let within = ""
  readXml(await archive.readText(part, MAX_DESCRIPTION), {
    open(element, { numFmtId = "0", formatCode = "", fontId = "0", val }) {
      if (element === "numFmt") codes.set(Number(numFmtId), formatCode)
      if (["fonts", "cellXfs", "dxfs"].includes(element)) within = element
      if (element === "font" && within === "fonts") fonts++
      if (element === "dxf") formats++
      if (element === "strike" && (val === undefined || isTrue(val))) {
        if (within === "fonts") struckFonts.add(fonts - 1)
        if (within === "dxfs") struckFormats.add(formats - 1)
      }
      if (element !== "xf" || within !== "cellXfs") return
      if (struckFonts.has(Number(fontId))) struckStyles.add(forms.length)
      forms.push(readForm(Number(numFmtId), codes.get(Number(numFmtId))))
    },
    close(element) {
      if (element === within) within = ""
    },
  })
  return { forms, struckStyles, struckFormats }
}
