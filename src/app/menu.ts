/** Asks for the task when freight was started from a desktop, by a double click or a dropped file. */
import { existsSync } from "node:fs"
import path from "node:path"
import type { Parsed } from "../base/parsed.ts"
import { type Deps, createDeps } from "../session/index.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import { isNew } from "./help/help.ts"
import type { Host } from "../machine/index.ts"
import { type Questions, withoutBack } from "../output/index.ts"

interface Task {
  name: string
  /** The question for its file, and the file's endings; undefined if it takes none. */
  file?: { question: string; endings: RegExp }
  /** Whether it uses an account. */
  isOnline: boolean
  words(file: string): string[]
}

const TASKS: readonly Task[] = [
  { name: "Book a consignment", isOnline: true, words: () => ["book"] },
  {
    name: "Book a file of orders",
    file: { question: "The file of orders:", endings: /\.(csv|xlsx|txt|tsv)$/i },
    isOnline: true,
    words(file) {
      const { dir, name } = path.parse(file)
      const labels = path.join(dir, "labels")
      return ["batch", "book", file, "--labels", labels, "--merge", path.join(dir, `${name}.labels.pdf`)]
    },
  },
  {
    name: "Check invoices",
    file: { question: "The invoice file, or a folder of them:", endings: /\.(json|ndjson|jsonl)$/i },
    isOnline: false,
    words: (file) => ["invoice", "validate", file],
  },
  {
    name: "Audit a carrier's bill",
    file: { question: "The bill:", endings: /\.(csv|xlsx|json|pdf)$/i },
    isOnline: true,
    words: (file) => ["audit", file],
  },
]

const SIGN_IN = ["auth", "login"]

/**
 * Asks for a task, does it, and asks again, until the person closes the window.
 * @param dropped full paths of files, which are done one after the other
 * @param run runs a command line; gives its exit code
 * @returns the exit code of the last one
 */
export async function runMenu(
  dropped: readonly string[],
  host: Host,
  run: (argv: readonly string[]) => Promise<number>,
): Promise<number> {
  let code: number = EXIT.done
  const files = [...dropped]
  for (;;) {
    const ask = withoutBack(await host.converse({ plain: false, keepsAnswers: false }))
    const words = await chooseWords(ask, host, files.shift())
    if (!words) return code
    code = await run(words)
    if (host.signal.aborted) return code
    await host.terminal.stderr.write("\n")
  }
}

/** @returns undefined where the person is done */
async function chooseWords(ask: Questions, host: Host, dropped?: string): Promise<string[] | undefined> {
  const close = { name: "Close this window", value: undefined }
  const tasks = TASKS.filter(({ file }) => dropped === undefined || file)
  const likely = tasks.find(({ file }) => dropped !== undefined && file?.endings.test(dropped))
  const task = await ask.choose<Task | undefined>(
    dropped === undefined ? "What do you want to do?" : `What is ${path.win32.basename(dropped)}?`,
    [...tasks.map((each) => ({ name: each.name, value: each })), close],
    likely,
  )
  if (!task) return undefined
  const file = task.file ? (dropped ?? (await askFile(ask, task.file.question))) : ""
  const words = task.words(file)
  if (!task.isOnline || !(await hasNoAccount(host))) return words
  const account = await ask.choose("No account is signed in on this computer.", [
    { name: "Sign in", value: SIGN_IN },
    { name: "Try it in the sandbox: nothing is real", value: [...words, "--sandbox"] },
  ])
  return [...account]
}

/** A file that is dragged into the window is pasted between quotes. */
async function askFile({ text }: Questions, question: string): Promise<string> {
  const answer = await text(question, {
    hint: "drag it into this window, or type its name",
    check: (typed): Parsed<string> =>
      existsSync(unquote(typed))
        ? { ok: true, value: unquote(typed) }
        : { ok: false, reason: "there is no such file" },
  })
  return path.resolve(unquote(answer))
}

function unquote(typed: string): string {
  return typed.trim().replace(/^"(.*)"$/, "$1")
}

async function hasNoAccount(host: Host): Promise<boolean> {
  const runNothing: Parameters<typeof createDeps>[2] = () => {
    throw new FreightError("bug", "the menu runs its commands itself")
  }
  const deps: Deps = createDeps({}, host, runNothing)
  try {
    return isNew(deps)
  } finally {
    await deps.close()
  }
}
