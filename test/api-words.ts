/** Words of JSON and of the API, which nobody who types an order or keeps a spreadsheet should have to read. */
const PATH = /\b(?:sender|collection|receiver|package|items|payer|timeSensitive)\.[a-z]\w*\b(?!@)/g
const ENTRY = /\b\w+\[\d+\]\S*/g
const CAMEL_CASE = /(?<![\w./-])[a-z]+[A-Z][a-z]\w*/g
/** Where a column is meant, its name is what `--map` takes. */
const COLUMN = /\bcolumn \S+|--map (?:"[^"]*"|\S+)/g

/** @returns the words in a text that only the API or JSON have */
export function findApiWords(text: string): string[] {
  const said = text.replaceAll(COLUMN, "")
  return [PATH, ENTRY, CAMEL_CASE].flatMap((words) => said.match(words) ?? [])
}
