/** Numbers as a document writes them, where a double may not hold them exactly. */

/** The text of numbers, by the array or object that they are in and their index or name. */
export type WrittenNumbers = ReadonlyMap<object, ReadonlyMap<string, string>>

/** A double holds so many digits exactly. */
export const EXACT_DIGITS = 15

/** Whether a number can be judged by its value as well as by its text. */
export function isPlainNumber(source: string): boolean {
  return !/e/i.test(source) && source.replace(/[-.]/g, "").length <= EXACT_DIGITS
}

/**
 * How a number is written; undefined where its value says it.
 * @param numbers undefined when the document has none but plain ones
 */
export function findWrittenNumber(
  numbers: WrittenNumbers | undefined,
  holder: unknown,
  name: string | number,
): string | undefined {
  return numbers?.get(holder as object)?.get(String(name))
}
