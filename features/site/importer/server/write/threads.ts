import { toSegments } from '#base/rich-text/to-html.ts'
import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { SourceThread } from '#importer/server/source.ts'
import { authorsOf } from '#importer/server/write/authors.ts'
import { returnBounties } from '#importer/server/write/credits.ts'
import { countThreads } from '#importer/server/write/counts.ts'
import { splitParts } from '#importer/server/write/hidden-parts.ts'
import { writePostscripts } from '#importer/server/write/postscripts.ts'
import { attachFiles, picturesForList, postColumns, rewardRows } from '#importer/server/write/posts.ts'
import { filesIn, noteAll, referencesOf, resolved, type References } from '#importer/server/write/documents.ts'
import { recordLaterLinks } from '#importer/server/write/later-links.ts'
import { idsFor, memberIds, newIds, record, insertWithIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { isLong, titleOf, withWholeTitle } from '#importer/server/write/titles.ts'
import { topicTagsOf, writeFurtherTags } from '#importer/server/write/topic-tags.ts'
import * as posts from '#post/server/post.ts'
import * as writing from '#writing/server/writing.ts'

type Row = {
  id: string
  authorId: string
  tagId: string
  furtherTagIds: readonly string[]
  thread: SourceThread
  open: Doc
  parts: hiddenPart.Part[]
  references: References
}

/** Writes threads with their openings, hidden parts and polls. Their tags and authors are there. */
export async function writeThreads(tx: Db, context: ImportContext, sources: readonly SourceThread[]): Promise<void> {
  const known = await newIds(
    tx,
    context,
    'thread',
    sources.map(({ id }) => id),
  )
  const threads = sources.filter(({ id }) => !known.has(id))
  const tags = await newIds(
    tx,
    context,
    'tag',
    threads.map(({ tagId }) => tagId),
  )
  for (const { id, tagId } of threads) if (!tags.has(tagId)) context.note('thread in a forum that did not come', id)
  const coming = threads.filter(({ tagId }) => tags.has(tagId))
  if (coming.length === 0) return
  const ids = await idsFor(
    tx,
    context,
    'topic',
    coming.map(({ id }) => id),
  )
  await record(
    tx,
    context,
    coming.flatMap(({ id: oldId, opening }, index) => {
      const newId = ids[index] ?? ''
      return [
        { kind: 'thread' as const, oldId, newId },
        { kind: 'opening' as const, oldId: opening.id, newId, topicId: newId },
      ]
    }),
  )
  const rows = await rowsOf(tx, context, coming, { ids, tags })
  await insertWithIds(
    tx,
    'topic',
    rows.map((row) => topicRow(context, row)),
  )
  await afterwards(tx, context, rows)
}

type Ids = { ids: readonly string[]; tags: ReadonlyMap<string, string> }

async function rowsOf(tx: Db, context: ImportContext, coming: readonly SourceThread[], { ids, tags }: Ids): Promise<Row[]> {
  const openings = coming.map(({ opening }) => opening)
  const authorOf = await authorsOf(
    tx,
    context,
    openings.map(({ author }) => author),
  )
  const postscripts = coming.flatMap(({ postscripts: its = [] }) => its.map(({ body }) => ({ body, fileIds: [] })))
  const references = await referencesOf(tx, context, [...openings, ...postscripts])
  const topicTags = await topicTagsOf(tx, coming)
  const rows: Row[] = []
  for (const [index, thread] of coming.entries()) {
    noteAll(context, thread.opening.body, thread.id)
    if (isLong(thread)) context.note('title that was cut, and stands whole above the text', thread.id)
    const { open, parts } = await splitParts(tx, resolved(context, withWholeTitle(thread, topicTags.opening(thread)), references), {
      references,
      body: thread.opening.body,
    })
    rows.push({
      id: ids[index] ?? '',
      authorId: authorOf(thread.opening.author),
      tagId: tags.get(thread.tagId) ?? '',
      furtherTagIds: topicTags.tagIdsOf(thread),
      thread,
      open,
      parts,
      references,
    })
  }
  return rows
}

async function afterwards(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  for (const { id, parts } of rows) if (parts.length > 0) await hiddenPart.save(tx, { topicId: id }, parts)
  for (const { id, open, references } of rows) await recordLaterLinks(tx, context, 'topic', [{ id, document: open }], references)
  await attachFiles(
    tx,
    rows.map(({ id, open, authorId }) => ({ topicId: id, commentId: null, replyId: null, authorId, fileIds: filesIn(open) })),
  )
  const words = rows.flatMap(({ id, thread }) => posts.titleWords(titleOf(thread)).map((word) => ({ word, topic_id: id })))
  if (words.length > 0) await insertRows(tx, 'topic_word', words).execute()
  await rewardRows(
    tx,
    rows.map(({ id, authorId, thread }) => ({ kind: 'topic', id, authorId, thread: thread.kind, state: thread.opening.state })),
  )
  await countThreads(
    tx,
    rows.map(({ authorId, tagId, thread }) => ({ authorId, tagId, kind: thread.kind, state: thread.opening.state })),
  )
  for (const { id, authorId, thread } of rows)
    if (thread.opening.state === 'pending')
      await writing.holdForReview(tx, { why: 'everybody', words: [] }, { kind: 'topic', postId: id, topicId: id, authorId })
  const payers = await memberIds(
    tx,
    context,
    rows.flatMap(({ thread: { bounties } }) => bounties.flatMap(({ payerId }) => payerId ?? [])),
  )
  await returnBounties(
    tx,
    context,
    rows.flatMap(({ authorId, thread }) =>
      thread.bounties.map((bounty) => ({ memberId: payers.get(bounty.payerId ?? '') ?? authorId, bounty })),
    ),
  )
  await writePolls(tx, context, rows)
  await writeFurtherTags(tx, context, rows)
  await writePostscripts(tx, context, rows)
}

function topicRow(context: ImportContext, { id, authorId, tagId, thread, open, references }: Row) {
  const { opening, pin, isFeatured, isLocked, views, kind } = thread
  return {
    id,
    tag_id: tagId,
    kind,
    title: titleOf(thread),
    ...postColumns(context, opening, authorId, open, toSegments(open, references)),
    summary: summaryOf(open),
    pictures: picturesForList(open, references),
    last_reply_at: opening.publishedAt,
    pin,
    featured_at: thread.featuredAt ?? (isFeatured ? opening.publishedAt : null),
    sunk_at: thread.sunkAt ?? null,
    withdrawn_at: thread.withdrawnAt ?? null,
    takes_comments: !isLocked,
    closed_by: null,
    floors: 0,
    author_floors: 0,
    comment_count: 0,
    reply_count: 0,
    like_count: 0,
    favourite_count: 0,
    view_count: String(Math.max(0, Math.min(views, Number.MAX_SAFE_INTEGER))),
    heat: 0,
    is_resolved: false,
    locks: hiddenPart.locksIn(open),
  }
}

async function writePolls(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  for (const { id: topicId, thread } of rows) {
    const { poll } = thread
    if (!poll || poll.options.length === 0) continue
    const { title, maxChoices, isPublic, showsResults, endsAt } = poll
    const due = endsAt !== null && endsAt <= context.now ? { at: endsAt, reason: 'due' as const } : null
    const ended = poll.ended ?? due
    await tx
      .insertInto('poll')
      .values({
        topic_id: topicId,
        title,
        max_choices: Math.max(1, Math.min(maxChoices, poll.options.length)),
        is_public: isPublic,
        shows_results: showsResults,
        ends_at: endsAt,
        ended_at: ended?.at ?? null,
        end_reason: ended?.reason ?? null,
        // Nobody is told now of an end that was long ago.
        notified_at: ended ? context.now : null,
        created_at: thread.opening.publishedAt,
      })
      .execute()
    const labels = distinct(poll.options.map(({ label }) => label.trim() || '–'))
    const { rows: options } = await sql<{ id: string; place: number }>`
      insert into poll_option (topic_id, place, label)
      select ${topicId}, place, label from unnest(${labels}::text[]) with ordinality as given (label, place) returning id, place`.execute(
      tx,
    )
    await record(
      tx,
      context,
      options.map(({ id, place }) => ({ kind: 'option', oldId: `${thread.id}/${poll.options[place - 1]?.id ?? ''}`, newId: id })),
    )
  }
}

/** Labels of which none is the same as another: our polls tell options apart by what they say. */
function distinct(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    let free = label
    for (let number = 2; taken.has(free); number++) free = `${label} (${number})`
    taken.add(free)
    return free
  })
}
