import { escapeText } from '#base/rich-text/inline-to-markdown.ts'
import { called } from '#base/rich-text/normalise.ts'
import type { Db } from '#base/server/database/database.ts'
import type { DraftContent } from '#draft/contract.ts'
import { mentions, type Named } from '#rename/server/bodies.ts'

/** Replaces a member's name in the drafts of others. A draft keeps the version that its author knows. */
export async function renameInDrafts(tx: Db, named: Named): Promise<void> {
  const rows = await tx
    .selectFrom('draft')
    .select(['member_id', 'place', 'content'])
    .where(mentions('content', named.memberId))
    .orderBy('member_id')
    .orderBy('place')
    .forUpdate()
    .execute()
  for (const { member_id, place, content } of rows)
    await tx
      .updateTable('draft')
      .set({ content: JSON.stringify(renamed(content as DraftContent, named)) })
      .where('member_id', '=', member_id)
      .where('place', '=', place)
      .execute()
}

function renamed({ text, ...rest }: DraftContent, { memberId, name }: Named): DraftContent {
  if (text === null) return { text, ...rest }
  if (text.view === 'rich') return { text: { ...text, doc: called(text.doc, (id) => (id === memberId ? name : undefined)) }, ...rest }
  const mention = new RegExp(String.raw`@\[(?:\\.|[^[\]\\\n]){1,400}\]\(member:${memberId}\)`, 'gu')
  return { text: { ...text, text: text.text.replaceAll(mention, () => `@[${escapeText(name)}](member:${memberId})`) }, ...rest }
}
