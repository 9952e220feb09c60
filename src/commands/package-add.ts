import type { Command } from "commander"
import { checkPackageName, packageSize } from "../config/packages.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"

export function define(command: Command): void {
  command
    .description("Saves the size and weight of a package, to use it by name. All profiles share it.")
    .argument("<name>", "a name of your own")
    .argument("<size>", "length x width x height in cm @ weight in kg: 30x20x10@2")
    .option("--replace", "replace the saved package of that name")
}

export const examples = [
  "freight package add small 30x20x10@2",
  "freight package add pallet 120x120x100@350 --replace",
]

export async function run(
  deps: Deps,
  name: string,
  text: string,
  { replace }: { replace?: boolean },
): Promise<undefined> {
  checkPackageName(name)
  const size = packageSize(text)
  await deps.config.update((config) => {
    if (Object.hasOwn(config.packages, name) && !replace)
      throw new FreightError("usage", `a package '${name}' already exists`, {
        hint: "Add --replace to overwrite it.",
      })
    return { ...config, packages: { ...config.packages, [name]: size } }
  })
  await deps.note(`Saved as '${name}': --package 3x${name} is three of them.`)
}
