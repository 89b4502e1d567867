import { RE2JS, RE2JSSyntaxException } from 're2js'

/** A pattern that takes no more time than its length times the text's, whatever both say. */
export type Pattern = (text: string) => boolean

/** Why a pattern is none of ours: it is not understood, or says too much. */
export class Unfit extends Error {
  readonly why: 'form' | 'large'
  constructor(why: 'form' | 'large') {
    super(why)
    this.why = why
  }
}

const mostSteps = 800
const mostKnown = 200
const known = new Map<string, Pattern>()

/** Reads a regular expression of RE2, which neither looks around nor back: a text fits it or does not, as a whole. */
export function patternOf(source: string): Pattern {
  const before = known.get(source)
  if (before) return before
  const read = readPattern(source)
  if (read.programSize() > mostSteps) throw new Unfit('large')
  const pattern = (text: string) => read.testExact(text)
  if (known.size >= mostKnown) known.clear()
  known.set(source, pattern)
  return pattern
}

function readPattern(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw new Unfit(/repeat count|too large|too deeply/.test(error.message) ? 'large' : 'form')
  }
}
