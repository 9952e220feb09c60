/** A printer and a scanner: reads the barcodes of a page as they come out at a number of dots. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"

/** Whether the programs that render pages and read barcodes are installed. */
export const hasScanner = ["pdftoppm", "zbarimg"].every((tool) => !spawnSync(tool, ["-h"]).error)

/** A part of a page, in points from its left and its top. */
interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** @returns what the barcodes of a page say. @param page from 1 */
export function scan(
  pdf: Uint8Array,
  dpi: number,
  { page = 1, part }: { page?: number; part?: Part } = {},
): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-label-"))
  const dots = (points: number) => String(Math.round((points / 72) * dpi))
  const cut = part
    ? ["-x", dots(part.x), "-y", dots(part.y), "-W", dots(part.width), "-H", dots(part.height)]
    : []
  try {
    writeFileSync(path.join(folder, "label.pdf"), pdf)
    const pages = ["-f", String(page), "-l", String(page)]
    spawnSync(
      "pdftoppm",
      ["-r", String(dpi), ...pages, ...cut, "-png", "-singlefile", "label.pdf", "label"],
      {
        cwd: folder,
      },
    )
    const { stdout } = spawnSync("zbarimg", ["--quiet", "--raw", "label.png"], {
      cwd: folder,
      encoding: "utf8",
    })
    return stdout.split("\n").filter((line) => line !== "")
  } finally {
    rmSync(folder, { recursive: true })
  }
}
