import type { Doc } from '#base/rich-text/document.ts'
import { escapeHtml } from '#base/escape.ts'
import { toSegments, type Segment } from '#base/rich-text/to-html.ts'
import { mentionsOf, picturesOf, summaryOf } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { NobodyMentioned, PictureNotYours, TooManyMentions, TooManyPictures, type PictureView } from '#writing/contract.ts'

/** A document that was found good, with all that is kept of it. */
export type Ready = {
  body: string
  segments: string
  summary: string
  /** The first few, for lists. */
  pictures: string
  fileIds: string[]
}

const picturesInLists = 5

/** Refuses pictures the author did not upload and people who do not exist; renders the rest once, for all who will read it. */
export async function prepare(db: Db, authorId: string, document: Doc): Promise<Ready> {
  const { picturesPerPost, mentionsPerPost } = await setting.all(db)
  const fileIds = [...new Set(picturesOf(document).map((picture) => picture.file))]
  const mentioned = [...new Set(mentionsOf(document).map((mention) => mention.id))]
  if (fileIds.length > picturesPerPost) throw TooManyPictures({ max: picturesPerPost })
  if (mentioned.length > mentionsPerPost) throw TooManyMentions({ max: mentionsPerPost })

  const [pictures, people] = await Promise.all([file.picturesOf(db, fileIds, authorId), user.authors(db, mentioned)])
  if (pictures.size < fileIds.length) throw PictureNotYours()
  if (people.size < mentioned.length) throw NobodyMentioned()
  const summary = summaryOf(document)
  return {
    body: JSON.stringify(document),
    segments: JSON.stringify(render(document, pictures, people)),
    summary,
    pictures: JSON.stringify([...pictures.values()].slice(0, picturesInLists).map(({ src, width, height }) => ({ src, width, height }))),
    fileIds,
  }
}

/** Documents as they stand in the history, which keeps no rendered copy. All by one author. */
export async function renderAll(db: Db, authorId: string, documents: readonly Doc[]): Promise<Segment[][]> {
  const [pictures, people] = await Promise.all([
    file.picturesOf(
      db,
      documents.flatMap((document) => picturesOf(document).map((picture) => picture.file)),
      authorId,
    ),
    user.authors(
      db,
      documents.flatMap((document) => mentionsOf(document).map((mention) => mention.id)),
    ),
  ])
  return documents.map((document) => render(document, pictures, people))
}

// The serialiser's own form of a mention. What members write is escaped, so nothing else can look like it.
const mention = /<a class="mention" href="\/user\/control\/home\?userId=(\d+)">@[^<]*<\/a>/g

/** Whom rendered posts mention. */
export function mentionedIn(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ html }) => [...html.matchAll(mention)].map(([, memberId = '']) => memberId))
}

/** Rendered posts with the names that the people mentioned go by now. */
export function withNames(segments: readonly Segment[], people: ReadonlyMap<string, { name: string }>): Segment[] {
  return segments.map(({ html }) => ({
    html: html.replaceAll(mention, (whole, memberId: string) => {
      const person = people.get(memberId)
      return person ? `<a class="mention" href="${homeOf(memberId)}">@${escapeHtml(person.name)}</a>` : whole
    }),
  }))
}

type Pictures = ReadonlyMap<string, PictureView>
type People = ReadonlyMap<string, { name: string }>

function render(document: Doc, pictures: Pictures, people: People): Segment[] {
  return toSegments(document, {
    picture: ({ file: fileId }) => pictures.get(fileId) ?? null,
    mention(memberId) {
      const person = people.get(memberId)
      return person ? { href: homeOf(memberId), name: person.name } : null
    },
  })
}

function homeOf(memberId: string): string {
  return `/user/control/home?userId=${memberId}`
}
