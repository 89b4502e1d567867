import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { SourceView } from '#assistant/contract.ts'
import { picturesOf } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { markdownOf } from '#base/server/long-text.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'
import * as follow from '#follow/server/follow.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { postPath, threadPath, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import * as setting from '#setting/server/setting.ts'
import { find } from '#search/server/search.ts'
import type { AuthorView } from '#user/contract.ts'
import * as user from '#user/server/user.ts'

/** Characters of one read of a thread, and of one post in it. */
const maxThreadCharacters = 24_000
const maxPostCharacters = 6_000
const hitsShown = 8
/** Per source. */
const maxPictures = 20

/** The sources given to the model, numbered in order. The reader has access to each. */
export class Sources {
  readonly all: SourceView[] = []
  #tell: (source: SourceView) => void

  constructor(onSource: (source: SourceView) => void = () => undefined, before: readonly SourceView[] = []) {
    this.#tell = onSource
    this.all.push(...before)
  }

  /** A source given again may have more pictures. */
  add(title: string, path: string, pictures: readonly string[] = []): SourceView {
    const at = this.all.findIndex((one) => one.path === path)
    const known = this.all[at]
    const all = [...new Set([...(known?.pictures ?? []), ...pictures])].slice(0, maxPictures)
    if (known && all.length === (known.pictures?.length ?? 0)) return known
    const source = { number: known?.number ?? this.all.length + 1, title, path, ...(all.length > 0 && { pictures: all }) }
    this.all.splice(known ? at : this.all.length, 1, source)
    this.#tell(source)
    return source
  }
}

/** The results of a search for this viewer, with the addresses to cite. */
export async function searchForum(db: Db, viewer: Viewer, keyword: string, sources = new Sources()): Promise<unknown> {
  const params = { keyword, kind: 'all', pictures: false, sort: 'best', page: 1 } as const
  const [{ hits }, muted] = await Promise.all([find(db, viewer, params), mutedBy(db, viewer)])
  const visible = hits.filter(({ author }) => !muted.has(author.id))
  return visible.slice(0, hitsShown).map(({ title, excerpt, floor, ...hit }) => {
    const name = visibleText(title.map(({ text }) => text).join(''))
    const { path, number } = sources.add(floor === null ? name : `${name} #${floor}`, postPath(hit))
    const found = {
      source: number,
      title: name,
      excerpt: visibleText(excerpt.map(({ text }) => text).join('')),
      topicId: hit.topicId,
      floor,
      address: path,
    }
    return { ...found, ...(hit.aiLabel && { aiGenerated: true }) }
  })
}

// Pages hide posts of muted and blocked members.
async function mutedBy(db: Db, viewer: Viewer): Promise<ReadonlySet<string>> {
  return new Set(isMember(viewer) ? await follow.mutedBy(db, viewer) : [])
}

type ReadTopicParams = { topicId: string; fromFloor: number; mostCharacters?: number }
export type ThreadText = {
  title: string
  kind: ThreadKind
  version: number
  text: string
  /** The last floor that was read; there are more. */ cutAt: number | null
  /** It has no text to read. */ isEmpty: boolean
  /** A post of it was too long and was cut. */ isShortened: boolean
}

/** A thread in Markdown, as all its readers see it: a hidden part is a line that says so, for any viewer. */
export async function readThread(
  db: Db,
  viewer: Viewer,
  { topicId, fromFloor, mostCharacters = maxThreadCharacters }: ReadTopicParams,
  sources = new Sources(),
): Promise<ThreadText> {
  const thread = await posts.findThread(db, viewer, topicId)
  const head = sources.add(visibleText(thread.title), threadPath(topicId, thread.kind))
  const { aiLabels } = await setting.all(db)
  const marked = (label: AiLabelView) => (label && aiLabels !== 'off' ? '\naiGenerated: true' : '')
  const parts = [`# ${head.title}\nSource: ${head.number}\nAddress: ${head.path}${marked(thread.aiLabel)}`]
  let isShortened = false
  if (fromFloor === 1) {
    const opening = await textOf(await bodyOf(db, topicId))
    sources.add(head.title, head.path, opening.pictures)
    parts.push(opening.text)
    isShortened = opening.isCut
  }
  const { comments, moreAfter } = await commentsOf(db, viewer, topicId, fromFloor)
  let length = parts.join('').length
  let cutAt = moreAfter
  for (const { id, floor, author, body, aiLabel } of comments) {
    const path = postPath({ kind: 'comment', thread: thread.kind, id, topicId, commentId: id })
    const content = await textOf(body)
    const text = `Address: ${path}${marked(aiLabel)}\n${content.text}`
    length += text.length
    if (length > mostCharacters) {
      cutAt = floor - 1
      break
    }
    const { number } = sources.add(`${head.title} #${floor}`, path, content.pictures)
    parts.push(`## Floor ${floor} by ${author}\nSource: ${number}\n${text}`)
    isShortened ||= content.isCut
  }
  if (cutAt !== null) parts.push(`(There is more: read on from floor ${cutAt + 1}.)`)
  return {
    title: thread.title,
    kind: thread.kind,
    version: thread.version,
    text: parts.join('\n\n'),
    cutAt,
    isShortened,
    isEmpty: parts.length === 1,
  }
}

async function bodyOf(db: Db, topicId: string): Promise<Doc> {
  const { rows } = await sql<{ body: Doc }>`
    select ${question.bodyWithPostscripts} as body from topic where id = ${topicId} and status = 'published'`.execute(db)
  return rows[0]?.body ?? { type: 'doc', content: [] }
}

type Comment = { id: string; floor: number; authorId: string; body: Doc; aiLabel: AiLabelView }
const commentsPerQuery = 200

async function commentsOf(db: Db, viewer: Viewer, topicId: string, fromFloor: number) {
  const [{ rows }, muted] = await Promise.all([
    sql<Comment>`
      select id::text, floor, author_id::text as "authorId", body, ai_label as "aiLabel" from comment
      where topic_id = ${topicId} and status = 'published' and floor >= ${fromFloor} order by floor limit ${commentsPerQuery}`.execute(db),
    mutedBy(db, viewer),
  ])
  const visible = rows.filter(({ authorId }) => !muted.has(authorId))
  const people = await user.authors(
    db,
    visible.map(({ authorId }) => authorId),
  )
  const comments = visible.map(({ authorId, ...comment }) => ({ ...comment, author: nameOf(people.get(authorId)) }))
  return { comments, moreAfter: rows.length === commentsPerQuery ? (rows.at(-1)?.floor ?? null) : null }
}

function nameOf(author: AuthorView | undefined): string {
  return !author || author.isDeactivated ? '—' : visibleText(author.name)
}

// Each line is quoted, so that no post can pretend to begin another floor.
async function textOf(whole: Doc): Promise<{ text: string; isCut: boolean; pictures: string[] }> {
  const body = hiddenPart.withTextPlaceholders(whole)
  const text = visibleText(await markdownOf(body))
  const isCut = text.length > maxPostCharacters
  const shortened = isCut ? `${text.slice(0, maxPostCharacters)} […]` : text
  return { text: shortened.replaceAll(/^/gm, '> '), isCut, pictures: picturesOf(body).map(({ file }) => file) }
}

/** A text without invisible characters, which can hide instructions. */
export function visibleText(text: string): string {
  return text.replaceAll(/(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu, '')
}
