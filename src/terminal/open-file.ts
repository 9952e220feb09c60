/** Shows a file with the program that the desktop has for it. */
import { spawn } from "node:child_process"

/** @returns undefined where there is no desktop to show it on */
export function fileOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): ((file: string) => Promise<void>) | undefined {
  if (platform === "darwin") return (file) => start("open", [file])
  if (platform === "win32") return (file) => start("explorer.exe", [file])
  if (env.DISPLAY || env.WAYLAND_DISPLAY) return (file) => start("xdg-open", [file])
  return undefined
}

/** It lives on without this process. Where it cannot be started, the file is still there to be opened by hand. */
function start(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: "ignore" })
    child.once("error", () => resolve())
    child.once("spawn", () => {
      child.unref()
      resolve()
    })
  })
}
