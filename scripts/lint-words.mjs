// Words that messages, help and pages never use, each with the word that they use. It looks for words only: style is
// for people to judge. `node scripts/lint-words.mjs [FILE...]`
import { readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { globSync } from "tinyglobby"

/** Patterns that are wrong, each with the words to write instead. */
const WORDS = [
  [/\banew\b/gi, "again, or once more"],
  [/\bastray\b/gi, "lost"],
  [/\blets? go\b/gi, "write off, or give up"],
  [/\b(?:writes?|writing) (?:it |that |this )?down\b|\bwritten down\b/gi, "record"],
  [/\bwritten (?:it|that|this) down\b/gi, "recorded"],
  [/\bt(?:aken?|akes|aking|ook) back\b/gi, "undone, reversed, or removed"],
  [/\bgo(?:es)? along\b/gi, "is packed with, or is copied too"],
  [/\bhand(?:s|ed)? out\b/gi, "export"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\bheed(?:s|ed)?\b/gi, "read, or obey"],
  [/\breckon(?:s|ed|ing)?\b/gi, "calculate, or count"],
  [/\b(?:is|are|was|were|nothing) judged\b|\bjudges? (?:nothing|it|them)\b/gi, "audited, or checked"],
  [
    /\bstands? (?:twice|in|on|among|beside|below|behind|there|after all|now)\b/gi,
    "is in, is below, is not cancelled",
  ],
  [/\bstands? (?:at|one|inside|otherwise)\b/gi, "is at, is different"],
  [/\bwhoever\b/gi, "the person who, or name who it is"],
  [/\bnobody (?:knows|here|reads|is|can|sees|packs)\b/gi, "it is not known, or a sentence without nobody"],
  [/\bnames? nobody\b/gi, "has no name"],
  [/\bsays? whom\b|\bwhom to\b/gi, "who to"],
  [/\bnone that\b/gi, "no …, or a sentence with not"],
  [/\b(?:is|are) asked of the\b/gi, "needs the, or is read from the"],
  [/\bin spite of\b/gi, "despite"],
  [/\ball the same\b/gi, "anyway"],
  [/\bring(?:s)? the carrier\b/gi, "call the carrier"],
  [/\bfewer than none\b/gi, "less than none, or negative"],
  [/\bno one need\b/gi, "not needed"],
  [
    /\b(?<!there )(?:is|are) no (?:PDF|ABN|GTIN|BSB|booking|finding|charges?|rules?|dispute|order|number|date)\b/g,
    "is not a …",
  ],
  [
    /\bof (?:which|it|whom) (?:something|nothing|nobody|more is|a part|one|two)\b/gi,
    "that has …, or whose …",
  ],
  [/\bwhat (?:stands|came of|was had|nobody|no one)\b/gi, "a noun: the balance, the result"],
  [/\b[Ss]o (?:many|few|much) (?:are|is|may|can|have|has)\b/g, "at most, at least, or the number"],
  // SQL, policies of pages and lines for a shell keep theirs.
  [
    /(?<![=(,>.] ?|\b(?:exception|chmod \d+|mv|in|and|when|then|else|date|src) |[-\w…}<])'(?:…|[\w.?#/-]+)'(?!\w)/g,
    "double quotes, with quoted() of src/base/parsed.ts",
  ],
]
const isPage = (file) => file.endsWith(".md")

const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync(["src/**/*.ts", "docs/**/*.md", "changes/*.md", "skills/**/*.md", "*.md"], {
        ignore: ["src/**/*.d.ts", "CHANGELOG.md"],
      })
const problems = files.sort().flatMap((file) => {
  const code = readFileSync(file, "utf8")
  return (isPage(file) ? listProse(code) : listTexts(code, file)).flatMap(({ start, text }) =>
    WORDS.flatMap(([pattern, better]) =>
      Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
        const line = code.slice(0, isPage(file) ? start + index : start).split("\n").length
        return `${file}:${line}: "${word}": write ${better}`
      }),
    ),
  )
})
for (const problem of problems) console.error(problem)
console.log(`words: ${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0

/** The prose of a page: code and addresses of links are blanks. */
function listProse(page) {
  const blank = (text) => text.replace(/[^\n]/g, " ")
  const text = page.replace(/^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]*`|\]\([^)\s]*\)/gm, blank)
  return [{ start: 0, text }]
}

/** The texts of a file that have several words: messages, help and questions. */
function listTexts(code, file) {
  const found = []
  const walk = (node) => {
    if (node === null || typeof node !== "object") return
    if (node.type === "Literal" && typeof node.value === "string") found.push([node, node.value])
    if (node.type === "TemplateLiteral")
      found.push([node, node.quasis.map(({ value }) => value.cooked).join("…")])
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseAst(code, { lang: "ts" }, file))
  return found.flatMap(([{ start }, text]) => (/\w \w/.test(text) ? [{ start, text }] : []))
}
