/** A piece of a text: a part of the answer, a thought, or the news that all text before was a thought. */
export type TextPiece = { kind: 'text' | 'thought'; text: string } | { kind: 'restart' }

/** Marks that models write around their thoughts, where no program before us takes the thoughts out. */
const marks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['<antthinking>', '</antthinking>'],
  ['<scratchpad>', '</scratchpad>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
] as const

const closes: ReadonlyMap<string, string> = new Map(marks)
const fences = ['```', '~~~']
const all: readonly string[] = [...marks.flat(), ...fences]
const patternOf = (...of: readonly string[]) => new RegExp(of.map((mark) => mark.replaceAll(/[|[\]/\\]/g, String.raw`\$&`)).join('|'), 'i')
const anyMark = patternOf(...all)
const closing = new Map([...closes.values()].map((mark) => [mark, patternOf(mark)]))
const quote = /[`"'“‘「|(]$/
const longest = Math.max(...all.map((mark) => mark.length))

/**
 * Takes the thoughts out of a text that comes in pieces. A mark in quotes or inside of code is text, and so is one in the middle of a line
 * that no second one follows. Some templates leave out the first mark, so that the second one tells that all before was thought.
 */
export class ThoughtFilter {
  #waiting = ''
  /** The mark that ends the present thought. */
  #close: string | null = null
  /** What was written since the first mark, where that is in the middle of a line. */
  #inLine: string | null = null
  #line = ''
  #isCode = false
  /** A thought ended, and the blank lines after it with it. */
  #trims = false;

  *take(text: string): Iterable<TextPiece> {
    this.#waiting += text
    for (let found = this.#nextMark(); found !== null; found = this.#nextMark()) yield* this.#mark(found)
    const held = heldBack(this.#waiting)
    yield* this.#say(this.#waiting.slice(0, this.#waiting.length - held))
    this.#waiting = held === 0 ? '' : this.#waiting.slice(-held)
  }

  *end(): Iterable<TextPiece> {
    yield* this.#say(this.#waiting)
    this.#waiting = ''
    if (this.#close === null || this.#inLine === null) return
    const text = this.#inLine
    ;[this.#close, this.#inLine] = [null, null]
    yield* this.#say(text)
  }

  #nextMark(): { at: number; mark: string } | null {
    const found = (closing.get(this.#close ?? '') ?? anyMark).exec(this.#waiting)
    return found && { at: found.index, mark: found[0].toLowerCase() }
  }

  *#mark({ at, mark }: { at: number; mark: string }): Iterable<TextPiece> {
    yield* this.#say(this.#waiting.slice(0, at))
    const written = this.#waiting.slice(at, at + mark.length)
    this.#waiting = this.#waiting.slice(at + mark.length)
    const isLineStart = this.#line.trim() === ''
    const isText = this.#isCode || quote.test(this.#line) || isCodeSpan(this.#line)
    const close = closes.get(mark)
    if (this.#close !== null) {
      this.#trims = this.#inLine === null
      ;[this.#close, this.#inLine] = [null, null]
    } else if (fences.includes(mark)) {
      if (isLineStart) this.#isCode = !this.#isCode
      yield* this.#say(written)
    } else if (isText) yield* this.#say(written)
    else if (close !== undefined) [this.#close, this.#inLine] = [close, isLineStart ? null : written]
    else {
      ;[this.#line, this.#trims] = ['', true]
      yield { kind: 'restart' }
    }
  }

  *#say(text: string): Iterable<TextPiece> {
    if (this.#close !== null) {
      if (this.#inLine !== null) this.#inLine += text
      if (text !== '') yield { kind: 'thought', text }
      return
    }
    const shown = this.#trims ? text.trimStart() : text
    if (shown === '') return
    this.#trims = false
    this.#line = (this.#line + shown).split('\n').at(-1)?.slice(-200) ?? ''
    yield { kind: 'text', text: shown }
  }
}

/** Whether a line ends inside of a code span. */
function isCodeSpan(line: string): boolean {
  return line.split('`').length % 2 === 0
}

/** The length of the end of a text that may be the beginning of a mark. */
function heldBack(text: string): number {
  const end = text.slice(-longest).toLowerCase()
  for (let length = Math.min(end.length, longest - 1); length > 0; length--)
    if (all.some((mark) => mark.length > length && mark.startsWith(end.slice(-length)))) return length
  return 0
}
