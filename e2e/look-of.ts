import { createHash } from 'node:crypto'
import type { Visit } from './site.ts'

export type Look = Required<Pick<Visit, 'language' | 'theme' | 'width'>>

/** Four of eight looks: of any two choices, each combination is in one of them. */
export const looks: readonly Look[] = [
  { language: 'zh', theme: 'light', width: 'phone' },
  { language: 'en', theme: 'dark', width: 'phone' },
  { language: 'en', theme: 'light', width: 'desktop' },
  { language: 'zh', theme: 'dark', width: 'desktop' },
]

/** The look of a journey in the gate. It follows from the name of the file, so that the looks are spread over the journeys. */
export function lookOf(file: string): Look {
  const [name = ''] = (file.split('/').at(-1) ?? '').split('.')
  const digest = createHash('sha256').update(name).digest()
  return looks[digest.readUInt8(0) % looks.length] as Look
}

/** The looks of the same journey in its extended file. */
export function otherLooks(file: string): Look[] {
  return looks.filter((look) => look !== lookOf(file))
}
