/** The fast way to a verdict: proof that a document has no findings, from its bytes alone. */
import { Buffer, isUtf8 } from "node:buffer"
import { type PackedNumbers, PLACE } from "./documents-numbers.ts"
import type { ExamineOptions } from "./options.ts"
import { wasm } from "./proof/wasm.js"

export interface Verifier {
  /**
   * Whether the bytes from `start` to before `end` are certainly one document without findings. `false` says only that
   * the examiner has to look. They must be cut between documents, and have no byte order mark.
   */
  (bytes: Buffer, start: number, end: number): boolean
  /**
   * Memory for at least `size` bytes: what is put there need not be moved to be proven. It is there until the next call.
   */
  room(size: number): Buffer
  /**
   * Notes the number of the document that was just proven, where it makes an invoice.
   * @param index of the document in its file
   * @param line how many lines end before it
   * @param indent how many characters stand before it in the line that it starts in
   */
  note(index: number, line: number, indent: number): void
  /** What was noted since the last time. */
  noted(): PackedNumbers[]
}

/** What `proof/index.ts` exports. */
interface Proof {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  ROOM: { value: number }
  NAMES: { value: number }
  PLACES: { value: number }
  prepare(draft: boolean, accounting: boolean): void
  proves(start: number, end: number): number
  addName(index: number, line: number, indent: number): number
  takeNames(): number
}

/** Node has it; the types of ECMAScript do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}

/** What `proves` answers. */
const NO = 0
const YES = 1
const IF_UTF8 = 2

const PAGE = 2 ** 16
/** The proof looks at several bytes at once, and so past the last one. */
const BEYOND = 64
/** Memory is not given back: what one large document needed is not kept for the small ones after it. */
const LARGE = 2 ** 23

/** A verifier keeps its scratch space: it is for one document after the other. */
export function createVerifier({
  stage,
  accounting,
}: Pick<ExamineOptions, "stage" | "accounting">): Verifier {
  const module = new WebAssembly.Module(Buffer.from(wasm, "base64"))
  let proof = opened()
  let memory = Buffer.alloc(0)
  /** What of it documents may take. */
  let free = memory
  let packed: PackedNumbers[] = []

  function opened(): Proof {
    const instance = new WebAssembly.Instance(module).exports as Proof
    instance.prepare(stage === "draft", accounting)
    return instance
  }

  /** Whether so many bytes fit into the memory of the proof, from now on. */
  function fits(size: number): boolean {
    const needed = proof.ROOM.value + size + BEYOND
    if (memory.length > LARGE && needed <= LARGE) {
      pack()
      proof = opened()
    }
    try {
      const more = needed - proof.memory.buffer.byteLength
      if (more > 0) proof.memory.grow(Math.ceil(more / PAGE))
    } catch {
      return false
    }
    if (memory.buffer !== proof.memory.buffer) {
      memory = Buffer.from(proof.memory.buffer)
      free = memory.subarray(proof.ROOM.value, memory.length - BEYOND)
    }
    return true
  }

  function room(size: number): Buffer {
    return fits(size) ? free : Buffer.allocUnsafeSlow(size)
  }

  /** Where the bytes stand in the memory of the proof, into which they are brought if need be; 0 if there is no room. */
  function placed(bytes: Buffer, start: number, end: number): number {
    if (bytes.buffer === memory.buffer) return bytes.byteOffset + start
    if (!fits(end - start)) return 0
    const from = proof.ROOM.value
    memory.set(bytes.subarray(start, end), from)
    return from
  }

  function verify(bytes: Buffer, start: number, end: number): boolean {
    const from = placed(bytes, start, end)
    const found = from === 0 ? NO : proof.proves(from, from + end - start)
    return found === YES || (found === IF_UTF8 && isUtf8(bytes.subarray(start, end)))
  }

  function note(index: number, line: number, indent: number): void {
    if (proof.addName(index, line, indent) === 0) pack()
  }

  function pack(): void {
    const count = proof.takeNames()
    if (count === 0) return
    const { memory, NAMES, PLACES } = proof
    const copied = (from: number, size: number) => memory.buffer.slice(from, from + size)
    const places = new Int32Array(copied(PLACES.value, count * PLACE * Int32Array.BYTES_PER_ELEMENT))
    packed.push({ names: new Uint8Array(copied(NAMES.value, places.at(-1) ?? 0)), places })
  }

  function noted(): PackedNumbers[] {
    pack()
    const all = packed
    packed = []
    return all
  }

  return Object.assign(verify, { room, note, noted })
}
