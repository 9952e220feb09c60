// Our own: the generators on npm read Markdown, and the command tree is data already (freight help --json).
// Writes man/: a page for each command of the last build, in man(7), for groff and mandoc alike; and names the pages in
// package.json: npm links no others where freight is installed globally.
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { fromSource } from "./from-source.mjs"

const root = path.resolve(import.meta.dirname, "..")
const folder = path.join(root, "man")

const words = [path.join(root, "bin/freight.js"), "help", "--json"]
const tree = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }))
const variables = await fromSource("src/machine/config/known.ts", ({ OWN_VARIABLES, SHARED_VARIABLES }) =>
  [...OWN_VARIABLES, ...SHARED_VARIABLES].map(({ names, title }) => ({ term: names.map(bold), text: title })),
)
const changelog = readFileSync(path.join(root, "CHANGELOG.md"), "utf8")
const [, released = ""] = /^## \[\d[^\]]*\] - (\S+)$/m.exec(changelog) ?? []

const program = {
  command: "freight",
  aliases: [],
  purpose: "book consignments, print labels, track, check invoices",
  description: tree.description,
  arguments: [],
  flags: [
    ...tree.globalFlags,
    { name: "--help", short: "-h", value: null, default: null, description: "show the page of a command" },
  ],
  examples: ["freight book --sandbox", "freight help exit-codes"],
  notes: "freight help lists topics that have a page of their own, such as time, files and formats.",
  commands: tree.commands,
}
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
writePages(program)

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
const man = readdirSync(folder)
  .sort()
  .map((file) => `man/${file}`)
if (man.join() !== manifest.man.join())
  writeFileSync(path.join(root, "package.json"), `${JSON.stringify({ ...manifest, man }, null, 2)}\n`)

function writePages(command, above) {
  writeFileSync(path.join(folder, `${pageName(command)}.1`), pageOf(command, above))
  for (const each of command.commands) writePages(each, command)
}

function pageOf(command, above) {
  const { purpose, description, examples, notes, commands, flags } = command
  const others = [above, ...commands].filter(Boolean)
  return [
    `.TH ${plain(pageName(command).toUpperCase())} 1 ${released} "freight ${tree.version}" "freight manual"`,
    ".nh",
    ...section("NAME", [`${plain(pageName(command))} \\- ${plain(purpose)}`]),
    ...section("SYNOPSIS", synopsis(command)),
    ...section("DESCRIPTION", paragraph(description)),
    ...section(
      "COMMANDS",
      list(commands.map((each) => ({ term: [bold(each.command)], text: each.purpose }))),
    ),
    ...section("OPTIONS", [
      ...list([...command.arguments.map(describeArgument), ...flags.map(describeFlag)]),
      ...(above ? paragraph("The flags of every command are in freight(1).") : []),
    ]),
    ...section("NOTES", notes === null ? [] : notes.split("\n\n").flatMap(paragraph)),
    ...section("EXAMPLES", examples.length > 0 ? asTyped(examples) : []),
    ...section(
      "EXIT STATUS",
      list(tree.exitCodes.map(({ code, meaning }) => ({ term: [bold(String(code))], text: meaning }))),
    ),
    ...section("ENVIRONMENT", above ? paragraph("The variables are in freight(1).") : list(variables)),
    ...section("SEE ALSO", [others.map((each) => `${bold(pageName(each))}(1)`).join(", ")]),
    "",
  ].join("\n")
}

function pageName({ command }) {
  return command.replaceAll(" ", "-")
}

function section(heading, lines) {
  if (lines.length === 0) return []
  return [`.SH ${heading}`, ...(lines[0] === ".PP" ? lines.slice(1) : lines)]
}

/** A line for its name, and one for each alias. */
function synopsis({ command, aliases, arguments: taken, commands }) {
  const last = command.split(" ").length - 1
  const names = [command, ...aliases.map((alias) => [...command.split(" ").slice(0, last), alias].join(" "))]
  const places = taken.map(({ name, isRequired, isVariadic }) => {
    const place = `${italic(name)}${isVariadic ? " ..." : ""}`
    return isRequired ? place : `[${place}]`
  })
  const forms = [
    ...(commands.length === 0 || taken.length > 0 ? [["[flags]", ...places]] : []),
    ...(commands.length > 0 ? [[italic("command"), "[flags]"]] : []),
  ]
  return names
    .flatMap((name) => forms.map((form) => [bold(name), ...form].join(" ")))
    .flatMap((line, at) => (at > 0 ? [".br", line] : [line]))
}

/** Prose is filled; from the first indented line on, all stands as it is. */
function paragraph(text) {
  const [prose, table] = text.split(/\n(?= {2})([\s\S]*)/)
  if (prose === "") return []
  return [
    ".PP",
    ...prose.split("\n").map(startOfLine),
    ...(table === undefined ? [] : unfilled(table.split("\n"))),
  ]
}

function asTyped(lines) {
  return [".RS 4", ...unfilled(lines), ".RE"]
}

function unfilled(lines) {
  return [".nf", ...lines.map(startOfLine), ".fi"]
}

function list(items) {
  return items.flatMap(({ term, text }) => [".TP", term.join(", "), startOfLine(text)])
}

function describeArgument({ name, description, choices }) {
  return { term: [italic(name)], text: withValues(description, { choices, default: null }) }
}

function describeFlag({ name, short, value, isValueOptional, ...flag }) {
  const taken = value === null ? "" : isValueOptional ? ` [${italic(value)}]` : ` ${italic(value)}`
  const names = [short, name].filter(Boolean).map(bold)
  return { term: [`${names.join(", ")}${taken}`], text: withValues(flag.description, flag) }
}

function withValues(description, { choices, default: fallback }) {
  const values = [
    ...(choices ? [`choices: ${choices.join(", ")}`] : []),
    ...(fallback === null ? [] : [`default: ${fallback}`]),
  ]
  return values.length > 0 ? `${description} (${values.join("; ")})` : description
}

function bold(text) {
  return `\\fB${plain(text)}\\fR`
}

function italic(text) {
  return `\\fI${plain(text)}\\fR`
}

/** A line that begins with a dot or a blank would be read as a request, or as a break. */
function startOfLine(text) {
  return /^[. ]/.test(text) ? `\\&${plain(text)}` : plain(text)
}

/** Characters that roff reads as something else: its escape character, and characters that it prints as typographers do. */
function plain(text) {
  const named = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    '"': "\\(dq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
  }
  return text.replace(
    /[\\\-'"`^~]|[^\n -~]/gu,
    (character) =>
      named[character] ?? `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  )
}
