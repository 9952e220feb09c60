/** Messages with figures, of bills and of invoices. */
const AMOUNT = String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)\.\d\d`

/** @returns why a message with figures makes no sense, or undefined if it does */
export function findNonsense(message: string): string | undefined {
  if (/NaN|Infinity|undefined|null|-0\.00/.test(message)) return "no figure"
  for (const [, percent, amount] of message.matchAll(new RegExp(`(-?[\\d.]+) ?% of (${AMOUNT})`, "g")))
    if (Number(percent) < 0 || percent === undefined || amount === undefined) return "a share below nothing"
  if (/-\d[\d.]* ?%/.test(message)) return "a share below nothing"
  const contradiction = new RegExp(
    `(${AMOUNT})[^.;\\d]*(?:does not cover|are not|is not|and not|more than|less than|and GST of \\S+ are not)[^.;\\d]*(${AMOUNT})`,
    "g",
  )
  for (const [, one, other] of message.matchAll(contradiction)) if (one === other) return `${one} is ${other}`
  return undefined
}
