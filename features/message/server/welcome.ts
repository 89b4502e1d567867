import type { Doc } from '#base/rich-text/document.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'

/** From now on the forum writes this to who registers. */
export async function welcome(tx: Db, document: Doc): Promise<void> {
  const segments = toSegments(document, { picture: () => null, attachment: () => null, mention: () => null })
  await tx
    .insertInto('welcome_message')
    .values({ member_id: null, body: JSON.stringify(document), segments: JSON.stringify(segments), text: toText(document) })
    .execute()
}
