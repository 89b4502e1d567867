import type { Block, Lock } from '#base/rich-text/document.ts'
import type { Person } from '#base/testing/forum.ts'
import { myHidden } from '#hidden-part/contract.ts'

export function hides(lock: Lock, value: string, ...inside: (Block | string)[]): Block {
  const content = inside.map((one): Block =>
    typeof one === 'string' ? { type: 'paragraph', content: [{ type: 'text', text: one }] } : one,
  )
  return { type: 'hidden', attrs: { lock, value }, content }
}

export function partIds(segments: readonly { hidden?: { id: string } | undefined }[]): string[] {
  return segments.flatMap(({ hidden }) => hidden?.id ?? [])
}

/** All hidden text of a thread that a member sees, as one string. */
export async function seenBy(person: Person, topicId: string): Promise<string> {
  const { parts } = await person.call(myHidden, { topicId })
  return parts.map(({ why, segments }) => `${why}: ${segments.map(({ html }) => html).join('')}`).join('\n')
}
