import { wholeAddress } from '#base/server/http/site-address.ts'
import { say, type Language } from '#base/server/words.ts'
import type { Composed } from '#delivery/server/templates.ts'

/** What marks that something is sent to be looked at, and what it says is made up. */
const mark = 'isSample'

/** What is filled in where somebody looks at something that is sent. */
export function sampleOf(language: Language): Record<string, string> {
  const sample = (key: string) => say(language, `delivery.${key}`)
  return {
    code: '123456',
    minutes: '10',
    what: 'password',
    link: wholeAddress('/'),
    summary: sample('sampleSummary'),
    reason: sample('sampleReason'),
    name: sample('sampleName'),
    its: sample('sampleName'),
    removed: sample('sampleRemoved'),
    into: 'tea',
    device: sample('sampleDevice'),
    place: sample('samplePlace'),
  }
}

export function marked(values: Record<string, string>): Record<string, string> {
  return { ...values, [mark]: 'yes' }
}

export function isSample(values: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(values, mark)
}

/** The same of what is found when it is sent. */
export function sampleComposed(language: Language): Composed {
  return {
    values: {},
    pieces: [{ text: say(language, 'delivery.samplePiece'), to: wholeAddress('/'), about: say(language, 'delivery.sampleTitle') }],
    foot: [],
    headers: {},
  }
}
