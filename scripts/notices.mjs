// Our own: rollup-plugin-license reads only the licence in a package's root, not those of the parts that it contains.
// Writes THIRD-PARTY-NOTICES.md: every package of which the last build carries something, with its licence, and what
// else the files that are carried say of whose work they are. The same lock file gives the same notices.
// `notices.mjs CHUNKS FILE` writes them for the executable, which carries further packages: CHUNKS lists its modules.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
/** Where the whole text stands of a licence to which the files of a package only point. */
const POINTED_TO = { Apache: "node_modules/typescript/LICENSE" }

/** Packages whose data is carried, and no module: see scripts/generate.mjs. */
const DATA = ["node_modules/date-holidays/data/holidays.json"]

const [more, file = path.join(root, "THIRD-PARTY-NOTICES.md")] = process.argv.slice(2)
const lists = [path.join(root, ".build/chunks.json"), ...(more ? [more] : [])]
const chunks = lists.flatMap((list) => Object.values(JSON.parse(textOf(list))).flat())
const packages = packagesOf(new Set([...chunks, ...DATA]))
const texts = new Set(packages.map(({ licence }) => licence))
const pointers = Object.entries(POINTED_TO).filter(([name]) =>
  packages.some(({ notes }) => notes.some((note) => note.includes(name))),
)

const lines = [
  "# Third-party notices",
  "",
  "freight is under the MIT license (see LICENSE). What is installed carries parts of these packages, under the licenses below.",
  "",
  "| package | version | license |",
  "|---|---|---|",
  ...packages.map(({ name, version, id }) => `| ${name} | ${version} | ${id} |`),
  ...Array.from(texts).flatMap((text) => {
    const under = packages.filter(({ licence }) => licence === text)
    return [...heading(under.map(({ name }) => name).join(", ")), ...block(text)]
  }),
  ...packages
    .filter(({ notes }) => notes.length > 0)
    .flatMap(({ name, notes }) => [...heading(`Within ${name}`), ...block(notes.join("\n\n---\n\n"))]),
  ...heading("Places of Australia"),
  "The list of localities by which freight checks suburbs, states and postcodes:",
  "",
  ...block(noticeOfPlaces()),
  ...pointers.flatMap(([, file]) => [
    ...heading("Apache License 2.0"),
    ...block(textOf(path.join(root, file))),
  ]),
  "",
]
writeFileSync(file, lines.join("\n"))

/** The texts that data/NOTICE.md quotes: they go with everything that is made from the list. */
function noticeOfPlaces() {
  const quoted = textOf(path.join(root, "data/NOTICE.md")).match(/^> .*$/gm)
  if (!quoted) throw new Error("data/NOTICE.md has no notice")
  return quoted.map((line) => line.slice(2)).join("\n")
}

/** The packages to which these modules belong, by name, each with what its licence files and its modules say. */
function packagesOf(modules) {
  const found = new Map()
  for (const id of modules) {
    const [folder] = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
    if (folder === undefined) continue
    const known = found.get(folder) ?? []
    found.set(folder, [...known, path.resolve(root, id)])
  }
  const described = Array.from(found, ([folder, files]) => describe(path.resolve(root, folder), files.sort()))
  return described.sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
}

function describe(folder, files) {
  const { name, version, license } = JSON.parse(textOf(path.join(folder, "package.json")))
  const [licence = licenceInReadme(folder), ...others] = licencesAbove(files, folder)
  if (licence === undefined || typeof license !== "string")
    throw new Error(`${name} ${version} does not say under which licence it is: look, and say it here`)
  const notes = [...others, ...files.flatMap(claims)]
  return { name, version, id: license, licence, notes: [...new Set(notes)] }
}

/** The licence texts of a package and of the folders within it that hold these files. */
function licencesAbove(files, folder) {
  const folders = new Set([folder])
  for (const file of files)
    for (let above = path.dirname(file); above.length > folder.length; above = path.dirname(above))
      folders.add(above)
  return [...folders].sort().flatMap((each) =>
    readdirSync(each)
      .filter((name) => /^(licen[cs]e|copying|notice)([._-]|$)/i.test(name) && !/\.[cm]?[jt]s$/.test(name))
      .sort()
      .map((name) => textOf(path.join(each, name))),
  )
}

function licenceInReadme(folder) {
  const [, licence] =
    /^#+ licen[cs]e\n([\s\S]*?)(?=\n#|$(?![\s\S]))/im.exec(textOf(path.join(folder, "README.md"))) ?? []
  return licence?.trim()
}

/** The comments of a source that speak of licences or authors. */
function claims(file) {
  if (!existsSync(file) || !/\.[cm]?[jt]s$/.test(file)) return []
  const comments = textOf(file).match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? []
  return comments
    .filter((comment) => /copyright|licen[cs]e/i.test(comment))
    .map((comment) =>
      comment
        .replace(/^[ \t]*(\/\*+!?|\*\/|\*|\/\/)?[ \t]?|[ \t]*\*+\/$/gm, "")
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
    )
}

function heading(text) {
  return ["", `## ${text}`, ""]
}

function block(text) {
  return ["```text", text, "```"]
}

/** With line ends that are the same everywhere. */
function textOf(file) {
  return readFileSync(file, "utf8")
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim()
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b)
}
