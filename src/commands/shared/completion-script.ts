/** Where each shell looks for completions of one person, and what puts them to use. */
import path from "node:path"
import { type Env, variable } from "../../config/settings.ts"

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const
export type Shell = (typeof SHELLS)[number]

/** The name of each script among those that come with the tool. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: "freight.bash",
  zsh: "_freight",
  fish: "freight.fish",
  powershell: "freight.ps1",
}

/** How every one of these scripts begins, within its first lines: what is not ours is never written over. */
export const MARK = "Completions of freight."

export interface Place {
  file: string
  /** A line that the person must add, and the file for it; none where the shell looks by itself. */
  line?: { text: string; to: string; unless: string }
  /** When it works. */
  note: string
}

/** @param home the person's folder */
export function placeFor(shell: Shell, env: Env, platform: string, home: string): Place {
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
        note: "New shells have it then.",
      }
    }
  }
}

function quoted(file: string): string {
  return /^[\w./~+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
}
