// CHANGELOG.md and changes/: what is not released yet, and how it becomes a version.

/** The kinds of a change in changes/, the order of their headings, and the part of the version that each raises. */
const KINDS = { breaking: "major", added: "minor", changed: "minor", fixed: "patch" }

/**
 * @param name of the file, for the error
 * @param text the kind on the first line, then the entry
 * @throws Error that says what the file lacks
 */
export function readChange(name, text) {
  const [first = "", ...rest] = text.split("\n")
  const kind = first.trim().toLowerCase()
  const entry = rest
    .join("\n")
    .trim()
    .replace(/\s*\n\s*/g, " ")
  if (!Object.hasOwn(KINDS, kind))
    throw new Error(`changes/${name}: begin with one of these words: ${Object.keys(KINDS).join(", ")}`)
  if (entry === "") throw new Error(`changes/${name}: below its first line, say what a user notices`)
  return { kind, entry: entry.replace(/^- /, "") }
}

/** @returns what stands under Unreleased, and the text without it: before and after the place of the next version */
function splitChangelog(changelog) {
  const sections = changelog.split(/^(?=## \[)/m)
  const isUnreleased = (section) => /^## \[Unreleased\]/i.test(section)
  const unreleased = sections.filter(isUnreleased).map((section) => section.replace(/^.*\n?/, ""))
  const [before = "", ...after] = sections.filter((section) => !isUnreleased(section))
  return { before, unreleased: unreleased.join("\n"), after: after.join("") }
}

/** @returns how many entries stand under Unreleased; `isEmpty` where nothing does but headings */
export function countUnreleased(changelog) {
  const { unreleased } = splitChangelog(changelog)
  const entries = unreleased.split("\n").filter((line) => line.startsWith("- ")).length
  return { entries, isEmpty: !/^(?!#)\S/m.test(unreleased) }
}

/**
 * @param changes of changes/, as `readChange` gives them
 * @returns CHANGELOG.md with all that was not released under the next version, and that version
 * @throws Error where there is nothing to release
 */
export function joinChangelog(changelog, changes, version, day) {
  const { before, unreleased, after } = splitChangelog(changelog)
  const [intro = "", ...listed] = unreleased.split(/^### /m)
  const sections = new Map(Object.keys(KINDS).map((kind) => [headingOf(kind), []]))
  for (const section of listed) {
    const [heading = "", ...lines] = section.split("\n")
    const entries = lines.filter((line) => line.trim() !== "")
    sections.set(heading, [...(sections.get(heading) ?? []), ...entries])
  }
  for (const { kind, entry } of changes) sections.get(headingOf(kind)).push(`- ${entry}`)
  const full = [...sections].filter(([, entries]) => entries.length > 0)
  if (full.length === 0) throw new Error("nothing has changed since the last release")
  const next = nextVersion(
    version,
    full.map(([heading]) => KINDS[heading.toLowerCase()] ?? "minor"),
  )
  const parts = [
    `## [${next}] - ${day}`,
    ...(intro.trim() === "" ? [] : [intro.trim()]),
    ...full.map(([heading, entries]) => `### ${heading}\n\n${entries.join("\n")}`),
  ]
  return { version: next, changelog: `${before}${parts.join("\n\n")}\n\n${after}` }
}

function headingOf(kind) {
  return kind[0].toUpperCase() + kind.slice(1)
}

/** Before 1.0.0 what breaks raises the minor version, as Semantic Versioning has it. */
function nextVersion(version, raised) {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number)
  if (raised.includes("major") && major > 0) return `${major + 1}.0.0`
  if (raised.includes("major") || raised.includes("minor")) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}
