import { absoluteUrl } from '#base/server/http/site-address.ts'
import { say, type Language } from '#base/server/words.ts'
import type { ComposedContent } from '#delivery/server/templates.ts'

/** Marks a sample, whose values are invented. */
const sampleMark = 'isSample'

/** Sample values of a preview. */
export function sampleOf(language: Language): Record<string, string> {
  const sample = (key: string) => say(language, `delivery.${key}`)
  return {
    code: '123456',
    minutes: '10',
    what: 'password',
    link: absoluteUrl('/'),
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

export function asSample(values: Record<string, string>): Record<string, string> {
  return { ...values, [sampleMark]: 'yes' }
}

export function isSample(values: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(values, sampleMark)
}

/** Sample content of what is composed at the time of sending. */
export function sampleComposed(language: Language): ComposedContent {
  return {
    values: {},
    pieces: [{ text: say(language, 'delivery.samplePiece'), to: absoluteUrl('/'), about: say(language, 'delivery.sampleTitle') }],
    foot: [],
    headers: {},
  }
}
