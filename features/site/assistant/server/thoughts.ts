import { heldBack, meaningOf, nextMark, type FoundMark } from '#assistant/server/model-marks.ts'

/** A piece of a text: a part of the answer, a thought or a call, or the news that all text before was a thought. */
export type TextPiece = { kind: 'text' | 'thought'; text: string } | { kind: 'restart' }

/** What is open: a thought, or a call of a tool in the words of its model. */
type Open = { close: string; isCall: boolean; /** What was written since a mark in the middle of a line, with it. */ inLine: string | null }

/**
 * Takes the thoughts, the calls of tools and the ends of turns out of a text that comes in pieces. A mark in quotes or inside of code is
 * text, and so is one in the middle of a line that no second one follows, or an end that more text follows. Some templates leave out the
 * first mark, so that the second one tells that all before was thought.
 */
export class ThoughtFilter {
  /** The last that the model wrote was a call of a tool, which nothing has called. */
  endsInCall = false
  #waiting = ''
  #open: Open | null = null
  /** Marks of an ended turn, with the blanks after them. */
  #ended = ''
  #line = ''
  /** The marks that began the present code. */
  #fence: string | null = null
  /** A thought ended, and the blank lines after it with it. */
  #trims = false;

  *take(text: string): Iterable<TextPiece> {
    this.#waiting += text
    for (let found = this.#nextMark(); found !== null; found = this.#nextMark()) yield* this.#mark(found)
    const held = heldBack(this.#waiting, this.#open?.close ?? null)
    yield* this.#say(this.#waiting.slice(0, this.#waiting.length - held))
    this.#waiting = held === 0 ? '' : this.#waiting.slice(-held)
  }

  *end(): Iterable<TextPiece> {
    for (let found = this.#nextMark(true); found !== null; found = this.#nextMark(true)) yield* this.#mark(found)
    yield* this.#say(this.#waiting)
    this.#waiting = ''
    this.#ended = ''
    if (this.#open !== null) yield* this.#close()
  }

  /** A run at the very end may become a longer one. */
  #nextMark(isEnd = false): FoundMark | null {
    const found = nextMark(this.#waiting, this.#open?.close ?? null)
    const mayGrow =
      found !== null &&
      !isEnd &&
      /^[`~]+$/.test(found.text) &&
      heldBack(this.#waiting.slice(found.at), null) === this.#waiting.length - found.at
    return mayGrow ? null : found
  }

  *#mark({ at, text }: FoundMark): Iterable<TextPiece> {
    yield* this.#say(this.#waiting.slice(0, at))
    this.#waiting = this.#waiting.slice(at + text.length)
    if (this.#open !== null) return yield* this.#close(text)
    const isLineStart = this.#line.trim() === ''
    const mark = meaningOf(text)
    if (mark.kind === 'fence') {
      const before = this.#fence
      // One that ends on its own line is a code span.
      if (isLineStart || (before !== null && this.#line.trimStart().startsWith(before))) this.#fence = fenceAfter(before, text)
      yield* this.#say(text)
      if (before !== null && this.#fence === null) this.#line = ''
    } else if (this.#fence !== null || isCodeSpan(this.#line)) yield* this.#say(text)
    else if (mark.kind === 'ends') {
      // Struck-through text ends like a turn.
      if (text === '</s>' && this.#line.includes('<s>')) yield* this.#say(text)
      else this.#ended += text
    } else if (isQuoted(this.#line) || (mark.kind === 'begins' && !isLineStart && this.#ended === '')) yield* this.#say(text)
    else {
      this.#ended = ''
      if (mark.kind === 'opens') this.#open = { ...mark, inLine: isLineStart ? null : text }
      else if (mark.kind === 'begins') this.#trims = true
      else {
        ;[this.#line, this.#trims, this.endsInCall] = ['', true, false]
        yield { kind: 'restart' }
      }
    }
  }

  /** Ends what is open, with its mark or without one. In the middle of a line, what is no pair is text, and what is no call. */
  *#close(mark = ''): Iterable<TextPiece> {
    const { isCall = false, inLine = null } = this.#open ?? {}
    this.#open = null
    const isText = inLine !== null && (isCall ? !looksLikeCall.test(inLine.slice(1)) : mark === '')
    if (isText) return yield* this.#say(inLine + mark)
    this.#trims = inLine === null
    this.endsInCall ||= isCall
  }

  *#say(text: string): Iterable<TextPiece> {
    if (this.#open !== null) {
      if (this.#open.inLine !== null) this.#open.inLine += text
      if (text !== '') yield { kind: 'thought', text }
      return
    }
    if (this.#ended !== '') {
      this.#ended += text
      if (text.trim() === '') return
    }
    const shown = this.#trims ? (this.#ended || text).trimStart() : this.#ended || text
    this.#ended = ''
    if (shown === '') return
    this.#trims = false
    if (shown.trim() !== '') this.endsInCall = false
    this.#line = lineEnd(this.#line + shown)
    yield { kind: 'text', text: shown }
  }
}

const looksLikeCall = /[[{<=]/

/** The end of the present line, with as many backticks before it as decide whether it is code. */
function lineEnd(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const cut = line.slice(0, -200)
  return (isCodeSpan(cut) ? '`' : '') + line.slice(cut.length)
}

/** The fence that code stands in after this one: only one as long as the first ends it. */
function fenceAfter(present: string | null, fence: string): string | null {
  if (present === null) return fence
  return fence.startsWith(present) ? null : present
}

/** Whether a line ends inside of a code span. */
function isCodeSpan(line: string): boolean {
  return line.split('`').length % 2 === 0
}

/** Whether a line ends with a mark that begins a quotation. */
function isQuoted(line: string): boolean {
  if (line.endsWith('"')) return line.split('"').length % 2 === 0
  return /[“‘「|(]$|(?:^|[^\p{L}\p{N}\p{P}])['`]+$/u.test(line)
}
