// The types of a library, as it publishes them: what its entry exports, in one file that needs no other but the types of the
// contract. What is written in words that a program has too is copied; what is made of the types of commands, of their flags
// and of the tables of fields is written out. A property that has no docstring has the words of its flag, or of the schema of
// a booking file.
import path from "node:path"
import * as is from "typescript/unstable/ast/is"
import { SymbolFlags, TypeFlags } from "typescript/unstable/sync"
import { findAll, resolveAlias, ROOT } from "./checker.mjs"
import { fromSource } from "./from-source.mjs"

const CONTRACT = "src/contract/generated/types.ts"
const PUBLISHED_CONTRACT = "./contract.js"
const WIDTH = 120

/** The entry of each library, by the name of its file in `dist/`. */
export const LIBRARIES = {
  index: "src/app/library.ts",
  audit: "src/bills/audit/library.ts",
  sandbox: "src/sandbox/library.ts",
  invoice: "src/invoice/library.ts",
}

/** The declarations of all libraries, by their names. @param opened see `openProgram` */
export async function emitTypes({ checker, program, project }) {
  const abouts = await fromSource("src/app/library-texts.ts", ({ listTexts }) => listTexts())
  return Object.entries(LIBRARIES).map(([name, entry]) => [name, emitEntry(path.join(ROOT, entry))])

  function emitEntry(entry) {
    const file = program.getSourceFile(entry)
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file)).map((symbol) => {
      const target = resolveAlias(checker, symbol)
      const node = target.declarations[0].resolve(project)
      return { name: symbol.name, target, node, at: placeOf(node) }
    })
    const isContract = (node) => node.getSourceFile().fileName.endsWith(CONTRACT)
    const contract = new Set(exported.filter(({ node }) => isContract(node)).map(({ name }) => name))
    const own = exported.filter(({ name }) => !contract.has(name))
    const used = new Set()
    const names = new Map(own.map(({ name, target }) => [`symbol ${target.id}`, name]))
    /** The names of unions, by what they are written out. */
    const unions = new Map()
    for (const { name, target, node } of exported) {
      if (!is.isTypeAliasDeclaration(node)) continue
      const type = checker.getDeclaredTypeOfSymbol(target)
      if (type.isUnionType()) unions.set(unionText(type.getTypes(), ""), name)
      if (type.flags & TypeFlags.Object && !contract.has(name)) names.set(`type ${type.id}`, name)
    }
    const order = [...new Set(own.map(({ at }) => at.file))].sort()
    const place = ({ at }) => [at.file === file.fileName ? 1 : 0, order.indexOf(at.file), at.pos]
    own.sort((one, other) => compare(place(one), place(other)))
    const parts = own.map((each) => emitDeclaration(each))
    const [head = ""] = /^\/\*\*[\s\S]*?\*\/\n/.exec(file.text) ?? []
    const list = (some) => [...some].sort().join(", ")
    const links = [
      ...(used.size > 0 ? [`import type { ${list(used)} } from "${PUBLISHED_CONTRACT}"`] : []),
      ...(contract.size > 0 ? [`export type { ${list(contract)} } from "${PUBLISHED_CONTRACT}"`] : []),
    ]
    return `${[(head + links.join("\n\n")).trim(), ...parts].join("\n\n")}\n`

    function emitDeclaration({ name, target, node }) {
      if (is.isFunctionDeclaration(node)) return emitFunction(node)
      if (is.isClassDeclaration(node)) return emitClass(name, node, checker.getDeclaredTypeOfSymbol(target))
      if (canCopy(node)) return textOf(node)
      const type = checker.getDeclaredTypeOfSymbol(target)
      const docs = docsOf(node)
      if (isPlainObject(type)) return `${docs}export interface ${name} ${membersText(type, "", abouts[name])}`
      return `${docs}export type ${name} = ${type.isUnionType() ? unionText(type.getTypes(), "") : typeText(type, "")}`
    }

    /** Whether all that a declaration refers to is published, or known to every program. */
    function canCopy(node) {
      const identifiers = findAll(node, is.isIdentifier)
      const symbols = identifiers.length > 0 ? checker.getSymbolAtLocation(identifiers) : []
      const found = []
      for (const symbol of symbols) {
        if (!symbol || symbol.flags & (SymbolFlags.TypeParameter | SymbolFlags.Property | SymbolFlags.Method))
          continue
        const target = resolveAlias(checker, symbol)
        const declared = target.declarations[0]?.resolve(project)
        if (!declared || names.has(`symbol ${target.id}`) || is.isParameterDeclaration(declared)) continue
        if (isContract(declared)) found.push(target.name)
        else if (!/\/lib\.[\w.]*d\.ts$/.test(declared.getSourceFile().fileName)) return false
      }
      for (const name of found) used.add(name)
      return true
    }

    function emitFunction(node) {
      const parameters = node.parameters.map((each) => {
        const isOptional = each.initializer ?? each.questionToken
        return `${each.name.text}${isOptional ? "?" : ""}: ${textOf(each.type)}`
      })
      if (!node.type || !canCopy(node.type) || !node.parameters.every(({ type }) => type && canCopy(type)))
        throw new Error(`${node.name.text}: a parameter or the result has a type that is not published`)
      return `${docsOf(node)}export declare function ${node.name.text}(${parameters.join(", ")}): ${textOf(node.type)}`
    }

    function emitClass(name, node, type) {
      const base = node.heritageClauses[0].types[0].expression.text
      const inherited = new Set(["name", "message", "stack", "cause"])
      const symbols = checker
        .getPropertiesOfType(type)
        .filter((each) => !inherited.has(each.name) && !isInternal(each))
      const lines = symbols.map((each) => {
        const found = checker.getTypeOfSymbol(each)
        return `${docsOfProperty(each, "  ")}  readonly ${each.name}: ${writeOut(found, "  ")}\n`
      })
      return `${docsOf(node)}export declare class ${name} extends ${base} {\n${lines.join("")}}`
    }

    /** @param indent that of the line it stands in */
    function writeOut(type, indent) {
      return nameOf(type) ?? typeText(type, indent)
    }

    function nameOf(type) {
      const byType = names.get(`type ${type.id}`)
      if (byType) return byType
      const symbol = type.getAliasSymbol() ?? (type.isClassOrInterface() ? type.getSymbol() : undefined)
      if (!symbol || (type.getAliasTypeArguments()?.length ?? 0) > 0) return undefined
      const known = names.get(`symbol ${symbol.id}`)
      if (known) return known
      const declared = symbol.declarations[0]?.resolve(project)
      if (!declared || !isContract(declared)) return undefined
      used.add(symbol.name)
      return symbol.name
    }

    function typeText(type, indent) {
      const { flags } = type
      if (flags & TypeFlags.BooleanLiteral) return checker.typeToString(type)
      if (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral)) return JSON.stringify(type.value)
      if (type.isUnionType()) return named(unionText(type.getTypes(), indent))
      if (flags & (TypeFlags.Object | TypeFlags.Intersection)) return objectText(type, indent)
      return checker.typeToString(type)
    }

    /** A union by its name, where it has one. */
    function named(text) {
      const [, words, rest] = /^(.*?)((?: \| (?:null|undefined))*)$/s.exec(text)
      const name = unions.get(words)
      if (contract.has(name)) used.add(name)
      return name ? name + rest : text
    }

    function unionText(types, indent) {
      const texts = types.map((each) => writeOut(each, indent))
      const isBoolean = texts.includes("true") && texts.includes("false")
      const some = isBoolean
        ? [...texts.filter((each) => each !== "true" && each !== "false"), "boolean"]
        : texts
      const last = ["null", "undefined"].filter((each) => some.includes(each))
      return [...new Set([...some.filter((each) => !last.includes(each)), ...last])].join(" | ")
    }

    function objectText(type, indent) {
      if (type.isTupleType() || (type.isTypeReference() && type.getTarget().isTupleType?.()))
        return `[${checker
          .getTypeArguments(type)
          .map((each) => writeOut(each, indent))
          .join(", ")}]`
      if (checker.isArrayType(type)) {
        const [item] = checker.getTypeArguments(type)
        const text = writeOut(item, indent)
        const isReadonly = type.getSymbol()?.name === "ReadonlyArray"
        return `${isReadonly ? "readonly " : ""}${text.includes(" | ") && !text.endsWith("}") ? `(${text})` : text}[]`
      }
      if (checker.getSignaturesOfType(type, 0).length > 0 || isOfLanguage(type))
        return checker.typeToString(type)
      const [index] = checker.getIndexInfosOfType(type)
      if (index) return `{ [name: string]: ${writeOut(index.valueType, indent)} }`
      return membersText(type, indent)
    }

    function membersText(type, indent, about = {}) {
      const symbols = checker.getPropertiesOfType(type)
      const inner = `${indent}  `
      const lines = symbols.map((each) => {
        const isOptional = (each.flags & SymbolFlags.Optional) !== 0
        const found = checker.getTypeOfSymbol(each)
        const docs = docsOfProperty(each, inner, about[each.name])
        return `${docs}${inner}${keyText(each.name)}${isOptional ? "?" : ""}: ${propertyText(found, inner, isOptional)}\n`
      })
      return lines.length === 0 ? "object" : `{\n${lines.join("")}${indent}}`
    }

    function propertyText(type, indent, isOptional) {
      const name = nameOf(type)
      if (name) return name
      if (!isOptional || !type.isUnionType()) return typeText(type, indent)
      const types = type.getTypes().filter(({ flags }) => (flags & TypeFlags.Undefined) === 0)
      return named(unionText(types, indent))
    }

    function isPlainObject(type) {
      return (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0 && !checker.isArrayType(type)
    }

    function isOfLanguage(type) {
      const declared = type.getSymbol()?.declarations[0]?.resolve(project)
      return declared !== undefined && /\/lib\.[\w.]*d\.ts$/.test(declared.getSourceFile().fileName)
    }

    function docsOfProperty(symbol, indent, about) {
      const text = symbol.getDocumentationComment(checker).trim() || about
      if (!text) return ""
      if (!text.includes("\n") && text.length + indent.length + 7 <= WIDTH) return `${indent}/** ${text} */\n`
      const lines = text.includes("\n") ? text.split("\n") : wrap(text, WIDTH - indent.length - 3)
      return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
    }

    function isInternal(symbol) {
      return checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === "internal")
    }
  }

  function placeOf(node) {
    return { file: node.getSourceFile().fileName, pos: node.pos }
  }
}

function compare(one, other) {
  const at = one.findIndex((each, index) => each !== other[index])
  return at < 0 ? 0 : one[at] - other[at]
}

/** A declaration as it is written, with its docstring. */
function textOf(node) {
  return node.getSourceFile().text.slice(node.pos, node.end).trim()
}

function docsOf(node) {
  const [, docs = ""] =
    /^\s*(?:[\s\S]*\n)?(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)(?=export )/.exec(
      node.getSourceFile().text.slice(node.pos, node.end),
    ) ?? []
  return docs
}

function keyText(name) {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
}

/** A text as lines of so many characters at most. */
function wrap(text, width) {
  return text.match(new RegExp(`.{1,${width}}(?: |$)`, "g")).map((line) => line.trimEnd())
}
