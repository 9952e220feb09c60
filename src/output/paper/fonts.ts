/** A font for letters that PDF's own fonts lack. Loads the font library, so import it only where a text needs it. */
import * as fontkit from "@cantoo/fontkit"
import type { PDFDocument, PDFFont } from "@cantoo/pdf-lib"
import { readBinaryAsset } from "../../base/assets.ts"

/** Each letter is measured alone, so none may be joined. */
const FEATURES = { liga: false, clig: false, dlig: false, kern: false }

/** Open Sans: only the used letters are embedded in a PDF. It has Latin, Greek and Cyrillic letters. */
export async function embedOpenSans(pdf: PDFDocument): Promise<{ regular: PDFFont; bold: PDFFont }> {
  pdf.registerFontkit(fontkit)
  const embed = (name: string) =>
    pdf.embedFont(readBinaryAsset(`dist/fonts/${name}`), { subset: true, features: FEATURES })
  return { regular: await embed("OpenSans_400Regular.ttf"), bold: await embed("OpenSans_700Bold.ttf") }
}
