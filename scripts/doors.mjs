// A room's door, `src/ROOM/index.ts`, is for people: one page of what the room offers. What is bundled or tested takes each
// name from the file that has it, so that a start loads what it uses, and nothing more of a room.
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"

const SRC = path.resolve(import.meta.dirname, "../src")
const THROUGH = /^(import|export) (type )?\{([^}]*)\} from "(\.[^"]*\/index\.ts)"/gm
const OFFERED = /^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm

const namesIn = (list) => list.split(",").flatMap((name) => name.trim() || [])
const plainName = (name) => name.replace(/^type /, "").split(" as ")[0]

/** By the path of a door, the file of each name. */
const doors = new Map()

function openDoor(file) {
  if (!doors.has(file)) {
    const offered = [...readFileSync(file, "utf8").matchAll(OFFERED)].flatMap(([, list, from]) =>
      namesIn(list).map((name) => [plainName(name), path.resolve(path.dirname(file), from)]),
    )
    doors.set(file, new Map(offered))
  }
  return doors.get(file)
}

/** Names that were taken through a door, as `FILE OF THE DOOR NAME`. */
const takenNames = new Set()

/** The names that a door offers and no passed text takes. @param src the folder of the rooms */
export function listUntaken(src, room) {
  const file = path.join(src, room, "index.ts")
  return [...openDoor(file).keys()].filter((name) => !takenNames.has(`${file} ${name}`))
}

/** Whether a room has a door. @param src the folder of the rooms */
export const hasDoor = (src, room) => existsSync(path.join(src, room, "index.ts"))

/**
 * The text of a file with each name that it takes through a door taken from the file that has it.
 * @param src the folder of the rooms
 * @throws Error for a name that the door does not offer
 */
export function passDoors(code, file, src = SRC) {
  return code.replace(THROUGH, (all, verb, type = "", list, from) => {
    const to = path.resolve(path.dirname(file), from)
    if (path.dirname(path.dirname(to)) !== src) return all
    const door = openDoor(to)
    return namesIn(list)
      .map((name) => {
        const target = door.get(plainName(name))
        if (target === undefined) throw new Error(`${from} does not offer ${plainName(name)}`)
        takenNames.add(`${to} ${plainName(name)}`)
        const relative = path.relative(path.dirname(file), target).split(path.sep).join("/")
        // A file of which only types are taken is not loaded.
        const isType = type !== "" || name.startsWith("type ")
        const taken = `${isType ? "type " : ""}{ ${name.replace(/^type /, "")} }`
        return `${verb} ${taken} from "${relative.startsWith(".") ? relative : `./${relative}`}"`
      })
      .join("; ")
  })
}

function passModule(code, id) {
  const file = id.replace(/\?.*$/, "")
  const passed = file.startsWith(SRC) || /[\\/]test[\\/]/.test(file) ? passDoors(code, file) : code
  return passed === code ? undefined : passed
}

/** For Rolldown and Vitest. */
export const throughDoors = {
  name: "through-doors",
  enforce: "pre",
  transform(code, id) {
    const passed = passModule(code, id)
    return passed === undefined ? undefined : { code: passed, map: null }
  },
  // The kept result of a module holds as long as its doors say the same.
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
    defineKey(({ id, sourceCode }) => passModule(sourceCode, id)),
}
