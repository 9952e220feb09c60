/** Texts for a program's fields that have no docstring: for `scripts/library-types.mjs`. */
import { capital } from "../output/index.ts"
import { createBookingFileSchema } from "../orders/index.ts"
import { CALLS } from "./library-given.ts"
import { findEntry } from "./tree.ts"

type Texts = Readonly<Record<string, string>>

/** @returns texts by the name of a published type, then of its property */
export async function listTexts(): Promise<Record<string, Texts>> {
  const { properties, $defs } = createBookingFileSchema()
  const [ofOrder, ofPlace] = [toTexts(properties), toTexts($defs.BookingPlace?.properties ?? {})]
  const ofCalls = Object.entries(CALLS).map(async ([call, { command, options }]) => {
    const { flags = {} } = (await findEntry(command.split(" "))?.load?.()) ?? {}
    const texts = Object.entries<string>(options).map(([option, flag]) => [
      option,
      toSentence(flags[flag]?.about),
    ])
    return [`${call.charAt(0).toUpperCase()}${call.slice(1)}Options`, Object.fromEntries(texts)] as const
  })
  return {
    ...Object.fromEntries(await Promise.all(ofCalls)),
    ...{ Order: ofOrder, ServicePreferences: ofOrder, OrderAllowances: ofOrder, Place: ofPlace },
  }
}

function toTexts(properties: Readonly<Record<string, { description?: string }>>): Texts {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { description }]) =>
      description ? [[name, description]] : [],
    ),
  )
}

/** The text of a flag's page, without the parts for command lines only. */
function toSentence(about = ""): string {
  return `${capital(about.replace(/ \(repeatable\)| \(default: [^)]*\)/g, ""))}.`
}
