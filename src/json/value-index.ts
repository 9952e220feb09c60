/** Numbers for each value; offsets are in UTF-16 code units. */
const START = 0
const END = 1
const NAME = 2
const ORDINAL = 3
const PARENT = 4
const NEXT = 5
const WIDTH = 6

/** The name of a value that is not a member of an object; the parent of the root. */
export const NONE = -1

/** Where the values of a JSON text stand, in the order in which they begin: the first is the root. */
export class ValueIndex {
  count = 0
  #fields: Int32Array

  /** @param capacity how many values are expected; there may be more */
  constructor(capacity: number) {
    this.#fields = new Int32Array(WIDTH * capacity)
  }

  /**
   * @param start where the value starts
   * @param name where its name starts, or `NONE`
   * @param parent the number of the array or object that it is in, or `NONE`
   * @param ordinal how many values come before it in there
   * @returns the value's number
   */
  add(start: number, name: number, parent: number, ordinal: number): number {
    const at = this.count * WIDTH
    if (at === this.#fields.length) {
      const larger = new Int32Array(at * 2)
      larger.set(this.#fields)
      this.#fields = larger
    }
    this.#fields[at + START] = start
    this.#fields[at + NAME] = name
    this.#fields[at + PARENT] = parent
    this.#fields[at + ORDINAL] = ordinal
    return this.count++
  }

  /** Where the value starts turns out later for a member: its name comes first. */
  setStart(value: number, start: number): void {
    this.#fields[value * WIDTH + START] = start
  }

  /** Called when all values in it are added. */
  setEnd(value: number, end: number): void {
    this.#fields[value * WIDTH + END] = end
    this.#fields[value * WIDTH + NEXT] = this.count
  }

  /** The values that are directly in an array or object; none in another value. */
  *children(holder: number): Generator<number> {
    const end = this.#fields[holder * WIDTH + NEXT] as number
    for (let value = holder + 1; value < end; value = this.#fields[value * WIDTH + NEXT] as number)
      yield value
  }

  start(value: number): number {
    return this.#fields[value * WIDTH + START] as number
  }

  /** 0 for an array or object that is not closed yet. */
  end(value: number): number {
    return this.#fields[value * WIDTH + END] as number
  }

  name(value: number): number {
    return this.#fields[value * WIDTH + NAME] as number
  }

  ordinal(value: number): number {
    return this.#fields[value * WIDTH + ORDINAL] as number
  }

  parent(value: number): number {
    return this.#fields[value * WIDTH + PARENT] as number
  }
}
