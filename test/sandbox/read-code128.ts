/** A reader of Code 128 for tests, with a table of its own: eleven modules of each value, a bar being a 1. */
const MODULES =
  "6cc 66c 666 498 48c 44c 4c8 4c4 464 648 644 624 59c 4dc 4ce 5cc 4ec 4e6 672 65c 64e 6e4 674 76e 74c 72c 726 764 " +
  "734 732 6d8 6c6 636 518 458 446 588 468 462 688 628 622 5b8 58e 46e 5d8 5c6 476 776 68e 62e 6e8 6e2 6ee 758 746 " +
  "716 768 762 71a 77a 642 78a 530 50c 4b0 486 42c 426 590 584 4d0 4c2 434 432 612 650 7ba 614 47a 53c 4bc 49e 5e4 " +
  "4f4 4f2 7a4 794 792 6de 6f6 7b6 578 51e 45e 5e8 5e2 7a8 7a2 5de 5ee 75e 7ae 684 690 69c"
const VALUES = new Map(MODULES.split(" ").map((hex, value) => [Number.parseInt(hex, 16), value]))
const STOP = "1100011101011"

/** The values of a symbol, start and check included, stop left out. */
export function valuesOf(widths: readonly number[]): number[] {
  const modules = widths.map((width, index) => (index % 2 === 0 ? "1" : "0").repeat(width)).join("")
  if (!modules.endsWith(STOP)) throw new Error("no stop")
  return (modules.slice(0, -STOP.length).match(/.{1,11}/g) ?? []).map((bits) => {
    const value = VALUES.get(Number.parseInt(bits, 2))
    if (value === undefined) throw new Error(`no symbol: ${bits}`)
    return value
  })
}

/** The text of a symbol by sets B and C; throws when it is not well-formed. */
export function readCode128(widths: readonly number[]): string {
  const [start = 0, ...rest] = valuesOf(widths)
  const check = rest.pop()
  const sum = rest.reduce((total, value, index) => total + value * (index + 1), start)
  if (sum % 103 !== check) throw new Error("wrong check")
  let set = { 104: "B", 105: "C" }[start]
  if (!set) throw new Error(`wrong start: ${start}`)
  let text = ""
  for (const value of rest) {
    if (set === "B" && value === 99) set = "C"
    else if (set === "C" && value === 100) set = "B"
    else if (value >= (set === "B" ? 95 : 100)) throw new Error(`wrong value: ${value}`)
    else text += set === "B" ? String.fromCharCode(value + 32) : String(value).padStart(2, "0")
  }
  return text
}
