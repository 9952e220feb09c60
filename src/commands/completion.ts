import { readFile } from "node:fs/promises"
import path from "node:path"
import { readAsset } from "../base/assets.ts"
import { command, printForPrograms } from "../command/index.ts"
import { homeFolder, variable } from "../machine/index.ts"
import type { Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import type { Env } from "../base/ports.ts"
import { FORMATS } from "../output/index.ts"

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const
type Shell = (typeof SHELLS)[number]

/** The name of each script among those that come with the tool. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: "freight.bash",
  zsh: "_freight",
  fish: "freight.fish",
  powershell: "freight.ps1",
}

/** A text in the first lines of each script: a file without it is not ours, and is never overwritten. */
export const MARK = "Completions of freight."

export default command({
  about:
    "Prints the script that completes commands, flags and values at the Tab key, or installs it where the shell looks. " +
    "Saved addresses, connectors, services, devices, shipments and quotes are completed from what this machine has seen.",
  args: [{ takes: "<shell>", about: "bash, zsh, fish or powershell", choices: SHELLS }],
  flags: { install: { about: "install it; no other file is changed", formats: FORMATS } },
  formats: [],
  examples: ["freight completion fish --install", "freight completion bash > freight.bash"],
  async run(deps, shell, { install }) {
    const script = readAsset(`completions/${SCRIPTS[shell]}`)
    if (install) await installScript(deps, shell, script)
    else await deps.terminal.stdout.write(script)
  },
})

async function installScript(deps: Session, shell: Shell, script: string): Promise<void> {
  const { env, runtime, files } = deps
  const place = chooseInstallPlace(shell, env, runtime.platform, variable(env, "HOME") ?? homeFolder())
  const before = await readText(place.file)
  if (before !== undefined && before !== script && !before.slice(0, 200).includes(MARK))
    throw new FreightError("input", `${place.file} already exists, and freight did not write it`, {
      hint: "Move it away, or print the script and put it where you want it.",
      next: `freight completion ${shell}`,
    })
  const done = before === script ? "unchanged" : before === undefined ? "written" : "replaced"
  if (done !== "unchanged") await files.write(place.file, script)
  for (const line of await describeResult(place, done)) await deps.note(line)
  await printForPrograms(deps, { shell, file: place.file, done })
}

/** The result, the remaining steps, and how to undo it. */
async function describeResult({ file, line, note }: InstallPlace, done: string): Promise<string[]> {
  const isWired = line !== undefined && (await readText(line.to))?.includes(line.unless)
  return [
    done === "unchanged" ? `Already installed: ${file}` : `Written: ${file}`,
    ...(line && !isWired
      ? [`To use it, add this line to ${line.to}, which freight does not change:\n  ${line.text}`]
      : []),
    ...(isWired ? [] : [note]),
    `To undo it, delete that file${line ? " and remove the line" : ""}.`,
  ]
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined)
}

/** The file in which a shell looks for one person's completions, and the command that loads them. */
interface InstallPlace {
  file: string
  /** A line that the person must add, and its file; absent if the shell finds the script by itself. */
  line?: { text: string; to: string; unless: string }
  /** When the completions take effect. */
  note: string
}

/** @param home the person's folder */
function chooseInstallPlace(shell: Shell, env: Env, platform: string, home: string): InstallPlace {
  const windows = platform === "win32"
  const dataHome = windows
    ? (variable(env, "LOCALAPPDATA") ?? home)
    : (variable(env, "XDG_DATA_HOME") ?? path.join(home, ".local", "share"))
  switch (shell) {
    case "bash": {
      const folder = variable(env, "BASH_COMPLETION_USER_DIR") ?? path.join(dataHome, "bash-completion")
      const file = path.join(folder, "completions", "freight")
      return {
        file,
        note: `New shells have it where the package bash-completion is in use. Where it is not, add this line to ~/.bashrc: . ${quoted(file)}`,
      }
    }
    case "zsh": {
      const folder = path.join(dataHome, "zsh", "site-functions")
      return {
        file: path.join(folder, SCRIPTS.zsh),
        line: {
          text: `fpath=(${quoted(folder)} $fpath)`,
          to: path.join(variable(env, "ZDOTDIR") ?? home, ".zshrc"),
          unless: folder,
        },
        note: "That line belongs above the one that runs compinit (autoload -U compinit && compinit). New shells have it then.",
      }
    }
    case "fish": {
      const folder = path.join(variable(env, "XDG_CONFIG_HOME") ?? path.join(home, ".config"), "fish")
      return { file: path.join(folder, "completions", SCRIPTS.fish), note: "New shells have it." }
    }
    case "powershell": {
      const file = path.join(dataHome, "freight", "completions", SCRIPTS.powershell)
      return {
        file,
        line: { text: `. '${file.replaceAll("'", "''")}'`, to: "the file that $PROFILE names", unless: file },
        note: windows
          ? "New shells have it then. Where PowerShell says that scripts are disabled: Set-ExecutionPolicy -Scope CurrentUser RemoteSigned"
          : "New shells have it then.",
      }
    }
  }
}

function quoted(file: string): string {
  return /^[\w./~+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
}
