// TypeScript's own knowledge of the source, for what is generated from its types.
import path from "node:path"
import { API, SymbolFlags } from "typescript/unstable/sync"

export const ROOT = path.resolve(import.meta.dirname, "..")

/** @returns the program of tsconfig.json; `close` ends the compiler */
export function openProgram() {
  const api = new API({ cwd: ROOT })
  const [project] = api.updateSnapshot({ openProjects: [path.join(ROOT, "tsconfig.json")] }).getProjects()
  const { checker, program } = project
  return { checker, program, project, close: () => api.close() }
}

/** All nodes in one that are wanted, itself too. */
export function findAll(node, isWanted) {
  const found = []
  const visit = (each) => {
    if (isWanted(each)) found.push(each)
    each.forEachChild((child) => void visit(child))
  }
  visit(node)
  return found
}

/** The declaration behind an imported symbol. */
export function resolveAlias(checker, symbol) {
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}
