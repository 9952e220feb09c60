import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { ownBooking } from "./bookings.ts"
import { desk, EXECUTABLE, ROOT } from "./freight.ts"
import { loadedBy } from "./loaded.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

const FILES = { bash: "freight.bash", zsh: "_freight", fish: "freight.fish", powershell: "freight.ps1" }
const SHELLS = Object.entries(FILES)

function script(name: string): Promise<string> {
  return readFile(path.join(ROOT, "completions", name), "utf8")
}

describe("freight completion", () => {
  it.each(SHELLS)("prints the script for %s", async (shell, name) => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["completion", shell])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: await script(name), stderr: "" })
  })
})

describe("freight completion --install", () => {
  const share = ".local/share"
  const PLACES = [
    ["bash", `${share}/bash-completion/completions/freight`],
    ["zsh", `${share}/zsh/site-functions/_freight`],
    ["fish", ".config/fish/completions/freight.fish"],
    ["powershell", `${share}/freight/completions/freight.ps1`],
  ] as const

  it.each(PLACES)("puts the script where %s looks, and says how to undo it", async (shell, place) => {
    const { freight, folder } = await desk()
    const { code, stdout, stderr } = await freight(["completion", shell, "--install"])
    expect([code, stdout]).toEqual([0, ""])
    expect(stderr).toContain(`Written: ${path.join(folder, place)}`)
    expect(stderr).toContain("To undo it, delete that file")
    expect(await readFile(path.join(folder, place), "utf8")).toBe(await script(FILES[shell]))
    const again = await freight(["completion", shell, "--install"])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Already installed")])
  })

  it.each([
    ["bash", "XDG_DATA_HOME", "bash-completion/completions/freight"],
    ["bash", "BASH_COMPLETION_USER_DIR", "completions/freight"],
    ["zsh", "XDG_DATA_HOME", "zsh/site-functions/_freight"],
    ["fish", "XDG_CONFIG_HOME", "fish/completions/freight.fish"],
    ["powershell", "XDG_DATA_HOME", "freight/completions/freight.ps1"],
  ] as const)("heeds in %s what %s says", async (shell, variable, place) => {
    const { freight, folder } = await desk()
    const elsewhere = path.join(folder, "else where")
    const { code } = await freight(["completion", shell, "--install"], { env: { [variable]: elsewhere } })
    expect(code).toBe(0)
    expect(await readFile(path.join(elsewhere, place), "utf8")).toBe(await script(FILES[shell]))
  })

  it("replaces an older script of its own", async () => {
    const { freight, folder } = await desk()
    const file = path.join(folder, PLACES[2][1])
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, "# Completions of freight. Generated long ago.\n")
    const { code, json } = await freight(["completion", "fish", "--install", "--json"])
    expect([code, json()]).toEqual([0, { shell: "fish", file, done: "replaced", warnings: [] }])
    expect(await readFile(file, "utf8")).toBe(await script("freight.fish"))
  })

  it("writes over nothing that is not its own", async () => {
    const { freight, folder } = await desk()
    const file = path.join(folder, PLACES[2][1])
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, "complete -c freight -a mine\n")
    const { code, stderr } = await freight(["completion", "fish", "--install"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("freight did not write it")])
    expect(await readFile(file, "utf8")).toBe("complete -c freight -a mine\n")
  })

  it("leaves .zshrc as it is, and tells the line for it until that is there", async () => {
    const { freight, folder } = await desk()
    const rc = path.join(folder, ".zshrc")
    await writeFile(rc, "autoload -U compinit && compinit\n")
    const line = `fpath=(${path.join(folder, PLACES[1][1], "..")} $fpath)`
    const first = await freight(["completion", "zsh", "--install"])
    expect(first.stderr).toContain(line)
    expect(await readFile(rc, "utf8")).toBe("autoload -U compinit && compinit\n")
    await writeFile(rc, `${line}\nautoload -U compinit && compinit\n`)
    expect((await freight(["completion", "zsh", "--install"])).stderr).not.toContain("fpath=")
  })

  it("says why it cannot", async () => {
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, ".config"), "")
    const { code, stderr } = await freight(["completion", "fish", "--install"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot write")])
  })
})

describe("freight __complete", () => {
  let sandbox: RunningSandbox
  beforeAll(async () => {
    sandbox = await startSandboxHere()
  })
  afterAll(() => sandbox.stop())

  it("knows what the commands before it saw and made, and asks no server", async () => {
    const { freight, env } = await desk(sandbox)
    const earlier = await booked(sandbox, "connector-a", { customerReference: "EARLIER" })
    for (const args of [["connectors"], ["devices", "list"], ["shipments", "list"]])
      expect((await freight(args)).code).toBe(0)
    const rates = [
      "rate-shop",
      "--from",
      "Alexandria NSW 2015",
      "--to",
      "Fremantle WA 6160",
      "--package",
      "60x40x40@12",
    ]
    const quoted = await freight([...rates, "--json"])
    const { quoteId } = quoted.json<{ quoteId: string }>()
    const book = "book --file - --connector connector-b --service GEN --reference LATER --json".split(" ")
    const made = (await freight(book, { input: JSON.stringify(ownBooking()) })).json<{
      shipmentId: string
      consignmentNumber: string
    }>()
    const requests = async () => Object(await sandbox.control("books?only=counts")).requests
    const asked = await requests()

    // A key that no server would take: nothing is sent.
    const offline = { ...env, FREIGHT_API_KEY: "no key" }
    const ask = async (...words: string[]) =>
      (await freight(["__complete", ":", ...words], { env: offline })).stdout
    expect(await ask("book", "--connector")).toMatch(/^connector-a\t.+\nconnector-b\t.+\nconnector-c\t/)
    expect(await ask("book", "--connector", "connector-b", "--service")).toMatch(/^GEN\t/m)
    expect(await ask("devices", "use")).toMatch(/^device-dispatch\t/m)
    expect(await ask("book", "--quote")).toContain(quoteId)
    expect(await ask("book", "--connector", "connector-b", "--rate")).toMatch(/, to Fremantle$/m)
    const shipments = await ask("label")
    expect(shipments).toContain(`${earlier.shipmentId}\t`)
    expect(shipments).toMatch(new RegExp(`^${made.shipmentId}\\t.*LATER`, "m"))
    for (const words of [["track"], ["shipments", "show"], ["label"], ["evidence"]]) {
      const offered = await ask(...words)
      expect(offered).toMatch(/^LATER\t/m)
      expect(offered).toContain(`\n${made.consignmentNumber}\t`)
    }
    expect(await requests()).toEqual(asked)
  })

  it.each([
    [[], "commands"],
    [[":", "nonsense"], "commands"],
    [[":", "address", "remove", "--profile", "nobody"], "data addresses"],
    [[":", "label", "--profile", "nobody"], "data shipments"],
    [[":", "book", "--profile"], "data profiles"],
    [[":x", "book", "--no-such-flag"], "free"],
  ] as const)("says what %j is, and nothing on standard error", async (args, kind) => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["__complete", ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout.endsWith(`:${kind}\n`)).toBe(true)
    if (kind !== "commands") expect(stdout).toBe(`:${kind}\n`)
  })

  it("offers nothing of the machine when the settings are damaged", async () => {
    const { freight, folder } = await desk()
    await mkdir(path.join(folder, "config"))
    await writeFile(path.join(folder, "config", "config.json"), "{")
    const { code, stdout, stderr } = await freight(["__complete", ":", "book", "--receiver"])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: ":data addresses files\n", stderr: "" })
  })

  it("is not a command that help would show", async () => {
    const { freight } = await desk()
    expect((await freight(["--help"])).stdout).not.toContain("__complete")
  })

  // The executable is one file.
  it.skipIf(EXECUTABLE !== undefined).each([":bo", ":d devices use --sandbox", ": book --rate"])(
    "loads for '%s' no command, no library, and nothing that speaks to a server",
    async (words) => {
      const { sources } = await loadedBy(["__complete", ...words.split(" ")])
      expect(sources).toContain("src/app/completion/complete.ts")
      const others =
        /node_modules\/(?!fast-string-)|^src\/(app\/(program|tree)|session\/deps)\.ts|^src\/(api|commands|reports|orders|sandbox|invoice)\//
      expect(sources.filter((source) => others.test(source))).toEqual([])
    },
  )
})
