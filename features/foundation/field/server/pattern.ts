import type { RE2JS } from 're2js'
import { lazyPackage } from '#base/server/lazy-package.ts'

const re2js = lazyPackage((load) => load('re2js') as typeof import('re2js'))

/** A pattern that runs in linear time: pattern length times text length. */
export type Pattern = (text: string) => boolean

/** An unsupported or too complex pattern. */
export class UnsupportedPattern extends Error {
  readonly why: 'form' | 'large'
  constructor(why: 'form' | 'large') {
    super(why)
    this.why = why
  }
}

const maxSteps = 800
const maxCompiled = 200
const compiledPatterns = new Map<string, Pattern>()

/** Compiles a regular expression of RE2, without look-around and back-references; it matches whole texts. */
export function patternOf(source: string): Pattern {
  const before = compiledPatterns.get(source)
  if (before) return before
  const read = readPattern(source)
  if (read.programSize() > maxSteps) throw new UnsupportedPattern('large')
  const pattern = (text: string) => read.testExact(text)
  if (compiledPatterns.size >= maxCompiled) compiledPatterns.clear()
  compiledPatterns.set(source, pattern)
  return pattern
}

function readPattern(source: string): RE2JS {
  try {
    return re2js().RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof re2js().RE2JSSyntaxException)) throw error
    throw new UnsupportedPattern(/repeat count|too large|too deeply/.test(error.message) ? 'large' : 'form')
  }
}
