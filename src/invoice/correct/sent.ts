/** The corrected invoice and its new document: both are checked. */
import { quoteBlanks } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { inWords } from "../../contract/index.ts"
import { readJson } from "../../input/index.ts"
import { hasAddress } from "../accounting/addresses.ts"
import { examineDocument } from "../examine.ts"
import type { Finding } from "../finding.ts"
import { chooseIndex, readDocuments, refuseOtherRequest } from "../sources/one.ts"
import type { SentInvoice } from "./correct.ts"

/** @param index which document of several */
export async function readSent(
  deps: Parameters<typeof readDocuments>[0],
  file: string,
  index: number | undefined,
  today: string,
): Promise<SentInvoice> {
  const { name, documents } = await readDocuments(deps, file)
  if ("error" in documents) throw new FreightError("input", `${name} is not JSON: ${documents.error.message}`)
  if (index === undefined && documents.count > 1)
    throw new FreightError(
      "usage",
      `${name} holds ${documents.count} documents: say which with --index, from 0`,
    )
  const document = documents.read(chooseIndex(documents, index, name))
  refuseOtherRequest(document.value, file, name)
  const settings = { stage: "auto", accounting: false, strict: false, rules: {}, today } as const
  const errors = listErrors(examineDocument(document, settings))
  if (errors.length > 0)
    throw new FreightError("input", `${name} is not a valid invoice, and nothing was written: fix it first`, {
      errors,
      ...(file !== "-" && { next: `freight invoice validate ${quoteBlanks(file)}` }),
    })
  if (document.numbers)
    throw new FreightError("input", `${name} has numbers with more digits than freight can copy exactly`)
  return document.value as SentInvoice
}

/**
 * Finds the warnings that a correction would cause.
 * @returns its warnings
 */
export async function examineCorrection(text: string, today: string): Promise<string[]> {
  const document = readJson(text)
  const settings = { stage: "draft", accounting: true, strict: false, rules: {}, today } as const
  const places = hasAddress(document.value)
    ? { places: await (await import("../places.ts")).loadAddressJudge() }
    : {}
  const findings = examineDocument(document, { ...settings, ...places })
  const errors = listErrors(findings)
  if (errors.length > 0)
    throw new FreightError("input", "the document would not be valid; nothing was written", { errors })
  return findings.map(inWords)
}

function listErrors(findings: readonly Finding[]): { message: string }[] {
  return findings
    .filter(({ severity }) => severity === "error")
    .map((finding) => ({ message: inWords(finding) }))
}
