/** Lines up to the cursor, with the whole words, without quotes, that every shell must offer and must not offer. */
interface Line {
  line: string
  offers: readonly string[]
  /** Not among the offers. */
  never?: readonly string[]
  /** There is nothing else among them. */
  only?: true
  /** The shell's own completion of file names has them. */
  files?: true
}

const NAMES = ["warehouse", "Port Street", "O'Brien & Co", "$(touch ran) `touch ran`"]

export const LINES: readonly Line[] = [
  { line: "freight bo", offers: ["book"], only: true },
  { line: "freight ", offers: ["book", "track", "help", "completion"], never: ["__complete", "--json"] },
  { line: "freight --sandbox --profile x dev", offers: ["devices"], only: true },
  { line: "freight pickup ", offers: ["book", "show", "told"], only: true },
  { line: "freight pickup book --sh", offers: ["--shipment"], only: true },
  {
    line: "freight book --reference pickup --pa",
    offers: ["--package", "--packaging", "--payer"],
    never: ["--shipment"],
  },
  { line: "freight track x --", offers: ["--watch", "--json"], never: ["--receiver"] },
  { line: "freight book --packaging ", offers: ["CT", "BX", "PA"], never: ["--json"] },
  { line: "freight book --packaging=C", offers: ["--packaging=CT", "--packaging=CR"], only: true },
  { line: "freight rates --sort ", offers: ["price", "eta", "likely", "reliable"], only: true },
  {
    line: "freight connectors --format ",
    offers: ["table", "json", "ndjson", "csv", "xlsx", "value"],
    only: true,
  },
  { line: "freight invoice validate --format ", offers: ["table", "sarif", "junit", "github"] },
  { line: "freight invoice new --purpose c", offers: ["creditMemo"], only: true },
  { line: "freight track --carrier CARRIER_B", offers: ["CARRIER_B_AU"], only: true },
  { line: "freight book --payer r", offers: ["receiver:"], only: true },
  {
    line: "freight book --set payer.t",
    offers: ["payer.type=", "payer.thirdPartyAddress.suburb="],
    never: ["payer.type=Sender"],
  },
  { line: "freight book --set payer.type=S", offers: ["payer.type=Sender"], only: true },
  {
    line: "freight invoice validate --rule-level accounting/abn=",
    offers: ["accounting/abn=off", "accounting/abn=warning", "accounting/abn=error"],
    only: true,
  },
  { line: "freight history --spend ", offers: ["carrier", "service", "month"], only: true },
  { line: "freight book --wait --lab", offers: ["--label", "--label-name"], only: true },
  { line: "freight book --wait=5 --rec", offers: ["--receiver"], only: true },
  { line: "freight help exit", offers: ["exit-codes"], only: true },
  { line: "freight config set ", offers: ["timeout", "sender"], never: ["freightApiKey"] },
  { line: "freight config set businessUnit ", offers: ["UNIT_A", "UNIT_B"], only: true },
  { line: "freight config set sender w", offers: ["warehouse"], only: true },
  { line: "freight completion f", offers: ["fish"], only: true },
  { line: "freight api G", offers: ["GET"], only: true },
  { line: "freight address remove ", offers: NAMES, only: true },
  { line: 'freight address remove "Po', offers: ["Port Street"], only: true },
  { line: "freight address remove 'O", offers: ["O'Brien & Co"], only: true },
  { line: "freight address remove Port\\ S", offers: ["Port Street"], only: true },
  { line: 'freight address remove "Port Street" w', offers: ["warehouse"], only: true },
  { line: "freight --sandbox book --connector ", offers: ["connector-a", "connector-b"], only: true },
  { line: "freight book --connector c", offers: [], only: true },
  { line: "freight book --sandbox --connector connector-b --service ", offers: ["GEN", "PRM"], only: true },
  { line: "freight book --sandbox --connector=connector-a --service ", offers: ["75"], only: true },
  { line: "freight label --sandbox shipment:", offers: ["shipment:2", "shipment:1"], only: true },
  { line: "freight track --sandbox CON:2", offers: ["CON:2:B"], only: true },
  ...["label", "track", "shipments show", "evidence"].map(
    (command): Line => ({
      line: `freight ${command} --sandbox SO-`,
      offers: ["SO-18", "SO-17"],
      only: true,
    }),
  ),
  { line: "freight track --sandbox so-17", offers: ["so-17"], only: true },
  { line: "freight book --file boo", offers: ["booking.json"], only: true, files: true },
  { line: "freight book --receiver boo", offers: ["booking.json"], only: true, files: true },
  { line: "freight print pdf pap", offers: ["paper 1.pdf"], only: true, files: true },
  { line: "freight label x --dir ", offers: ["labels"], only: true, files: true },
]

/**
 * Compares a shell's offers with the expected ones. A shell that takes a part of the word as done (up to a `=` or `:`)
 * offers only the rest.
 */
export function verdict(offered: readonly string[], { offers, never = [], only }: Line) {
  const found = offered.map((each) => each.replace(/\/$/, ""))
  const stands = (word: string) =>
    found.some((each) => word === each || word.endsWith(`=${each}`) || word.endsWith(`:${each}`))
  return {
    missing: offers.filter((word) => !stands(word)),
    wrong: never.filter((word) => found.includes(word)),
    more: only ? found.length - offers.length : 0,
  }
}

export const GOOD = { missing: [], wrong: [], more: 0 }

/** Typed keys, with the Tab key as `\t`, and the line that stands there then. */
export const TYPED: readonly (readonly [keys: string, line: string])[] = [
  ["freight boo\t", "freight book "],
  ["freight rates --so\tpr\t", "freight rates --sort price "],
  ["freight book --packaging=P\tA\t", "freight book --packaging=PA "],
  ["freight book --payer re\t80012345", "freight book --payer receiver:80012345"],
  ["freight book --set payer.ty\tT\t", "freight book --set payer.type=ThirdParty "],
  ["freight book --receiver Po\t--pack", "freight book --receiver Port\\ Street --pack"],
  ['freight book --receiver "Po\t', 'freight book --receiver "Port Street" '],
  ["freight book --receiver=O\t", "freight book --receiver=O\\'Brien\\ \\&\\ Co "],
  ["freight book --receiver 'O\t", "freight book --receiver 'O'\\''Brien & Co' "],
  ["freight label --sandbox shipment:2\t", "freight label --sandbox shipment:2 "],
  ["freight track --sandbox CON:2\t", "freight track --sandbox CON:2:B "],
  ["freight book --file boo\t", "freight book --file booking.json "],
  ["freight book --file=boo\t", "freight book --file=booking.json "],
  ["freight book --receiver ./boo\t", "freight book --receiver ./booking.json "],
  ["freight print pdf pap\t", "freight print pdf paper\\ 1.pdf "],
  ["freight label x --dir la\t", "freight label x --dir labels/"],
]
