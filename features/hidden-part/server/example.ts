import { sql } from 'kysely'
import type { Block, Lock } from '#base/rich-text/document.ts'
import type { Database } from '#base/server/database.ts'
import type { Person } from '#base/testing/forum.ts'
import { myHidden } from '#hidden-part/contract.ts'

/** A hidden part that says this. */
export function hides(lock: Lock, value: string, ...inside: (Block | string)[]): Block {
  const content = inside.map((one): Block =>
    typeof one === 'string' ? { type: 'paragraph', content: [{ type: 'text', text: one }] } : one,
  )
  return { type: 'hidden', attrs: { lock, value }, content }
}

/** The ids of what a thread hides, in their order. */
export function partIds(segments: readonly { hidden?: { id: string } | undefined }[]): string[] {
  return segments.flatMap(({ hidden }) => hidden?.id ?? [])
}

/** All that a member sees of what a thread hides, as one text. */
export async function seenBy(person: Person, topicId: string): Promise<string> {
  const { parts } = await person.call(myHidden, { topicId })
  return parts.map(({ why, segments }) => `${why}: ${segments.map(({ html }) => html).join('')}`).join('\n')
}

/** Points or cents for a member, as if staff had given them. */
export async function gives({ app }: Database, memberId: string, amount: number, currency: 'points' | 'cny' = 'points'): Promise<void> {
  const earns = currency === 'points'
  const line = { currency, amount: String(amount) }
  const entries = [
    { name: 'member', owner: memberId, ...line, owes: true },
    { name: 'adjustment', ...line, amount: String(-amount) },
  ]
  const deed = { kind: 'adjustment', source: `example:${memberId}:${performance.now()}`, actor_kind: 'forum', earns, entries }
  await sql`select ledger.post(${JSON.stringify([deed])}::json)`.execute(app)
}
