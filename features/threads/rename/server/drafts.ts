import { escapeText } from '#base/rich-text/inline-to-markdown.ts'
import { withCurrentNames } from '#base/rich-text/normalise.ts'
import type { Db } from '#base/server/database/database.ts'
import type { DraftContent } from '#draft/contract.ts'
import { mentions, type RenamedMember } from '#rename/server/document-columns.ts'

/** Replaces a member's name in the drafts of others. A draft keeps the version that its author knows. */
export async function renameInDrafts(tx: Db, renamedMember: RenamedMember): Promise<void> {
  const rows = await tx
    .selectFrom('draft')
    .select(['member_id', 'place', 'content'])
    .where(mentions('content', renamedMember.memberId))
    .orderBy('member_id')
    .orderBy('place')
    .forUpdate()
    .execute()
  for (const { member_id, place, content } of rows)
    await tx
      .updateTable('draft')
      .set({ content: JSON.stringify(renamed(content as DraftContent, renamedMember)) })
      .where('member_id', '=', member_id)
      .where('place', '=', place)
      .execute()
}

function renamed({ text, ...rest }: DraftContent, { memberId, name }: RenamedMember): DraftContent {
  if (text === null) return { text, ...rest }
  if (text.view === 'rich')
    return { text: { ...text, doc: withCurrentNames(text.doc, (id) => (id === memberId ? name : undefined)) }, ...rest }
  const mention = new RegExp(String.raw`@\[(?:\\.|[^[\]\\\n]){1,400}\]\(member:${memberId}\)`, 'gu')
  return { text: { ...text, text: text.text.replaceAll(mention, () => `@[${escapeText(name)}](member:${memberId})`) }, ...rest }
}
