import { RE2JS, RE2JSSyntaxException } from 're2js'

/** A pattern that runs in linear time: pattern length times text length. */
export type Pattern = (text: string) => boolean

/** An unsupported or too complex pattern. */
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

/** Compiles a regular expression of RE2, without look-around and back-references; it matches whole texts. */
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
