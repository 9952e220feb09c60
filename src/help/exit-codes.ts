import { EXIT, EXIT_MEANINGS, KINDS } from "../errors.ts"
import type { Block } from "./page.ts"

export function topic(): Block[] {
  return [
    { text: "Each command ends with one of these codes. A script needs no more to know what to do next." },
    { heading: "Exit codes:", list: codes().map(([name, code]) => [String(code), EXIT_MEANINGS[name]]) },
    {
      heading: "In a shell:",
      lines: [
        "freight book --file order.json --key ORDER-17 --label",
        "case $? in",
        "  0) ;;                                   # booked, and the label is saved",
        '  6) sleep 60; exec "$0" ;;               # nothing was created: again',
        "  7) freight reconcile ;;                 # never again by itself: look first",
        '  *) echo "ORDER-17 needs a person" >&2 ;;',
        "esac",
      ],
    },
    {
      heading: "With --json an error also has a kind, which is finer:",
      list: codes().flatMap(([, code]): [string, string][] => {
        const kinds = Object.entries(KINDS).filter(([, { exit }]) => exit === code)
        return kinds.length > 0 ? [[String(code), kinds.map(([kind]) => kind).join(", ")]] : []
      }),
    },
    { text: "freight help formats shows the whole of such an error." },
  ]
}

function codes(): [keyof typeof EXIT, number][] {
  return Object.entries(EXIT) as [keyof typeof EXIT, number][]
}
