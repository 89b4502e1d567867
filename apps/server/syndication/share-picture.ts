import { z } from 'zod'
import { serveCached, type SyndicationContext, type SyndicationOptions } from '#apps/server/syndication/serve-cached.ts'
import { id } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import type { Db } from '#base/server/database/database.ts'
import { say } from '#base/server/words.ts'
import * as comment from '#comment/server/comment.ts'
import * as file from '#file/server/file.ts'
import type { Card } from '#file/server/card.ts'
import { renderCard } from '#file/server/picture-workers.ts'
import { threadPath } from '#kind/contract.ts'
import * as thread from '#topic/server/thread.ts'
import type { AuthorView } from '#user/contract.ts'
import { lettersOf } from '#user/server/user.ts'

const previewInput = z.object({ name: z.string().regex(/^[1-9]\d{0,17}\.png$/) })
const cardInput = z.object({
  topicId: id,
  commentId: id.optional(),
  language: z.enum(['zh', 'en']).optional(),
})

/**
 * `/share/42.png`: the preview image for links to a topic without a picture of its own. `/share/42/card.png`: a card for members to send
 * instead of a link to the topic or one of its comments, with a QR code.
 */
export function serveSharePictures(options: SyndicationOptions): void {
  const common = { cacheTags: ['titles'], seconds: 3_600, isWorded: true, timesAMinute: 60 }
  serveCached(options, '/share/:name', { ...common, takes: previewInput, make: previewPicture })
  serveCached(options, '/share/:topicId/card.png', { ...common, takes: cardInput, make: cardPicture })
}

async function previewPicture(context: SyndicationContext<z.output<typeof previewInput>>) {
  const { card } = await cardOf(context, context.input.name.slice(0, -'.png'.length))
  return picture({ ...card, way: null })
}

async function cardPicture({ input, ...asked }: SyndicationContext<z.output<typeof cardInput>>) {
  const { topicId, commentId, language = asked.language } = input
  const { card, kind } = await cardOf({ ...asked, language }, topicId)
  const address = asked.origin + threadPath(topicId, kind) + (commentId ? `&commentId=${commentId}` : '')
  const way = { address, invitation: say(language, 'share.scan'), host: asked.origin.replace(/^https?:\/\//, '') }
  if (!commentId) return picture({ ...card, way })
  const excerpt = await comment.excerpt(asked.db, asked.viewer, { topicId, commentId })
  const what = say(language, kind === 'question' ? 'share.answer' : 'share.comment')
  return picture({
    ...card,
    way,
    excerpt: excerpt.text,
    author: await authorOn(asked.db, excerpt.author),
    about: joined([what, card.place, excerpt.aiLabel && say(language, 'aiLabel.mark')]),
  })
}

/** The card of a topic, as a visitor may read it. */
async function cardOf(
  { db, viewer, settings, language }: Pick<SyndicationContext<unknown>, 'db' | 'viewer' | 'settings' | 'language'>,
  topicId: string,
) {
  const topic = await thread.show(db, viewer, topicId)
  const place = isolate(topic.place.name[language])
  const icon = settings.icon && (await file.pictureBytes(db, settings.icon.file))
  const card = {
    title: topic.title,
    excerpt: topic.summary,
    author: await authorOn(db, topic.author),
    place,
    about: joined([place, topic.aiLabel && say(language, 'aiLabel.mark')]),
    site: { name: settings.title, mark: icon ? icon.bytes : null },
  }
  return { card, kind: topic.kind }
}

async function authorOn(db: Db, { name, avatar }: AuthorView): Promise<Card['author']> {
  const face = avatar === null ? null : await file.pictureBytes(db, file.idIn(avatar))
  return { name: isolate(name), letters: lettersOf(name), face: face ? face.bytes : null }
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' · ')
}

async function picture({ title, excerpt, author, about, site, way }: Card) {
  const done = await renderCard({ title, excerpt, author, about, site, way })
  if (typeof done === 'string') throw new Error(`A card was not drawn: ${done}`)
  return { type: 'image/png', body: Buffer.from(done.bytes) }
}
