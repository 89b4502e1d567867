import type { Doc } from '#base/rich-text/document.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'

/** Sets the message that the forum sends to new members. */
export async function welcome(tx: Db, document: Doc): Promise<void> {
  const segments = toSegments(document, { picture: () => null, attachment: () => null, mention: () => null })
  await tx
    .insertInto('welcome_message')
    .values({ member_id: null, body: JSON.stringify(document), segments: JSON.stringify(segments), text: toText(document) })
    .execute()
}
