import { toText } from '#base/rich-text/to-text.ts'
import { documentFromPhpbb } from '#importer/server/body/phpbb-bbcode.ts'
import type {
  Page,
  Range,
  SourceAuthor,
  SourceComment,
  SourceMoved,
  SourcePoll,
  SourcePost,
  SourceState,
  SourceThread,
} from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, flag, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { anonymous, escapedText, type Phpbb } from '#importer/server/phpbb/source.ts'

const topicColumns = [
  'topic_id',
  'forum_id',
  'topic_title',
  'topic_time',
  'topic_views',
  'topic_status',
  'topic_type',
  'topic_time_limit',
  'topic_first_post_id',
  'topic_first_poster_name',
  'topic_moved_id',
  'topic_visibility',
  'poll_title',
  'poll_start',
  'poll_length',
  'poll_max_options',
]
const postColumns = [
  'post_id',
  'topic_id',
  'poster_id',
  'post_username',
  'post_time',
  'post_text',
  'bbcode_uid',
  'post_attachment',
  'post_edit_time',
  'post_visibility',
]
const byTopic = numberKeys('topic_id')
const shadow = '2'
const locked = 1
const perPage = 200

/** Topics with their first posts. The shadow of a moved topic is an address alone. */
export async function* threads(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceThread>> {
  const where = idsBetween('topic_id', since, upto)
  yield* pagesOf(
    phpbb.tables,
    { table: phpbb.table('topics'), columns: topicColumns, keys: byTopic, where, perPage },
    after,
    async (all) => {
      const rows = all.filter((row) => id(row, 'topic_status') !== shadow)
      const first = await firstPosts(phpbb, rows)
      const [posts, options] = [await postsById(phpbb, [...first.values()]), await pollOptions(phpbb, rows)]
      return rows.flatMap((row) => {
        const post = posts.get(first.get(id(row, 'topic_id')) ?? '')
        return post ? [threadOf(phpbb, row, post, options.get(id(row, 'topic_id')) ?? [])] : []
      })
    },
  )
}

export async function* moved(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceMoved>> {
  const where = [...idsBetween('topic_id', since, upto), { column: 'topic_status', is: '=', value: shadow } as const]
  const read = { table: phpbb.table('topics'), columns: ['topic_id', 'topic_moved_id'], keys: byTopic, where }
  yield* pagesOf(phpbb.tables, read, after, (rows) => rows.map((row) => ({ id: id(row, 'topic_id'), threadId: id(row, 'topic_moved_id') })))
}

/** All posts but the first of each topic, by topic and time. */
export async function* comments(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceComment>> {
  const keys = numberKeys('topic_id', 'post_time', 'post_id')
  const read = { table: phpbb.table('posts'), columns: postColumns, keys, where: idsBetween('post_id', since, upto) }
  yield* pagesOf(phpbb.tables, read, after, async (rows) => {
    const topics = await rowsBy(
      phpbb.tables,
      { table: phpbb.table('topics'), columns: ['topic_first_post_id'], column: 'topic_id' },
      rows.map((row) => id(row, 'topic_id')),
    )
    const first = await firstPosts(phpbb, [...topics.values()].flat())
    const isFirst = (row: Row) => first.get(id(row, 'topic_id')) === id(row, 'post_id')
    const found = await withFiles(
      phpbb,
      rows.filter((row) => !isFirst(row)),
    )
    return found.map(({ post, row }) => ({ ...post, threadId: id(row, 'topic_id'), number: null, answersId: null, belowId: null }))
  })
}

/**
 * The post that opens each of some topics: the one that the topic names, if it is there and of this topic, else the earliest that it has. Pages of
 * phpBB show the posts of a topic by their own column alone.
 */
async function firstPosts(phpbb: Phpbb, topics: readonly Row[]): Promise<Map<string, string>> {
  const table = phpbb.table('posts')
  const named = await rowsBy(
    phpbb.tables,
    { table, columns: ['topic_id'], column: 'post_id' },
    topics.map((topic) => id(topic, 'topic_first_post_id')),
  )
  const first = new Map<string, string>()
  const others: string[] = []
  for (const topic of topics) {
    const [its, post] = [id(topic, 'topic_id'), named.get(id(topic, 'topic_first_post_id'))?.[0]]
    if (post && id(post, 'topic_id') === its) first.set(its, id(post, 'post_id'))
    else others.push(its)
  }
  const order = ['post_time', 'post_id']
  const found = await rowsBy(phpbb.tables, { table, columns: ['post_id'], column: 'topic_id', order }, others)
  for (const [its, [post]] of found) if (post) first.set(its, id(post, 'post_id'))
  return first
}

async function postsById(phpbb: Phpbb, ids: readonly string[]): Promise<Map<string, SourcePost>> {
  const rows = await rowsBy(phpbb.tables, { table: phpbb.table('posts'), columns: postColumns, column: 'post_id' }, ids)
  const found = await withFiles(phpbb, [...rows.values()].flat())
  return new Map(found.map(({ post }) => [post.id, post]))
}

async function withFiles(phpbb: Phpbb, rows: readonly Row[]): Promise<{ post: SourcePost; row: Row }[]> {
  const files = await rowsBy(
    phpbb.tables,
    { table: phpbb.table('attachments'), columns: ['attach_id', 'real_filename', 'in_message', 'is_orphan'], column: 'post_msg_id' },
    rows.flatMap((row) => (flag(row, 'post_attachment') ? [id(row, 'post_id')] : [])),
  )
  return rows.map((row) => ({ row, post: postOf(phpbb, row, files.get(id(row, 'post_id')) ?? []) }))
}

/** A post counts its files from the newest. */
function postOf(phpbb: Phpbb, row: Row, fileRows: readonly Row[]): SourcePost {
  const attachments = fileRows
    .filter((file) => !flag(file, 'in_message') && !flag(file, 'is_orphan'))
    .map((file) => ({ id: id(file, 'attach_id'), name: escapedText(phpbb, file, 'real_filename') }))
    .toSorted((one, other) => Number(other.id) - Number(one.id))
  const bbcodeUid = text(row, 'bbcode_uid', phpbb.decode)
  const { shownFileIds, ...body } = documentFromPhpbb(text(row, 'post_text', phpbb.decode), { bbcodeUid, attachments, hides: true })
  const publishedAt = unixTime(row, 'post_time') ?? new Date(0)
  return {
    id: id(row, 'post_id'),
    author: authorOf(phpbb, row),
    body,
    publishedAt,
    editedAt: unixTime(row, 'post_edit_time'),
    state: stateOf(integer(row, 'post_visibility')),
    fileIds: attachments.flatMap((file) => (shownFileIds.includes(file.id) ? [] : [file.id])).toReversed(),
  }
}

function authorOf(phpbb: Phpbb, row: Row): SourceAuthor {
  const [memberId, name] = [id(row, 'poster_id'), escapedText(phpbb, row, 'post_username')]
  return memberId === anonymous ? { guestName: name } : { memberId, ...(name !== '' && { name }) }
}

/** A post mostly has no name of a member; a topic has it, where the member is gone. */
function withName(author: SourceAuthor, name: string): SourceAuthor {
  return 'memberId' in author && author.name === undefined && name !== '' ? { ...author, name } : author
}

/** 0 waits for approval, 3 for another, 2 is deleted softly. */
function stateOf(visibility: number): SourceState {
  return visibility === 2 ? 'deleted' : visibility === 1 ? 'published' : 'pending'
}

function threadOf(phpbb: Phpbb, row: Row, opening: SourcePost, options: readonly Row[]): SourceThread {
  const author = withName(opening.author, escapedText(phpbb, row, 'topic_first_poster_name'))
  return {
    id: id(row, 'topic_id'),
    tagId: id(row, 'forum_id'),
    kind: 'topic',
    title: escapedText(phpbb, row, 'topic_title'),
    opening: { ...opening, author, state: stateOf(integer(row, 'topic_visibility')) },
    pin: pinOf(row),
    isLocked: integer(row, 'topic_status') === locked,
    isFeatured: false,
    views: integer(row, 'topic_views'),
    tags: [],
    poll: pollOf(phpbb, row, options),
    bounties: [],
  }
}

/** A pin may have an end, after which phpBB takes it away when the topic is next read. */
function pinOf(row: Row): SourceThread['pin'] {
  const [type, seconds] = [integer(row, 'topic_type'), integer(row, 'topic_time_limit')]
  const isOver = seconds > 0 && (integer(row, 'topic_time') + seconds) * 1000 < Date.now()
  return type === 0 || isOver ? 0 : type === 3 ? 2 : 1
}

function pollOptions(phpbb: Phpbb, rows: readonly Row[]): Promise<Map<string, Row[]>> {
  return rowsBy(
    phpbb.tables,
    { table: phpbb.table('poll_options'), columns: ['poll_option_id', 'poll_option_text'], column: 'topic_id', order: ['poll_option_id'] },
    rows.flatMap((row) => (integer(row, 'poll_start') > 0 ? [id(row, 'topic_id')] : [])),
  )
}

/** Titles and options of polls are bodies. A length of 0 is without an end. */
function pollOf(phpbb: Phpbb, row: Row, options: readonly Row[]): SourcePoll | null {
  const start = unixTime(row, 'poll_start')
  if (!start || options.length === 0) return null
  const length = integer(row, 'poll_length')
  const bbcodeUid = ''
  const plain = (its: Row, column: string) =>
    toText(documentFromPhpbb(text(its, column, phpbb.decode), { bbcodeUid }).document).replaceAll('\n', ' ')
  return {
    title: plain(row, 'poll_title'),
    options: options.map((option) => ({ id: id(option, 'poll_option_id'), label: plain(option, 'poll_option_text') })),
    maxChoices: Math.max(1, integer(row, 'poll_max_options')),
    isPublic: false,
    showsResults: 'always',
    endsAt: length > 0 ? new Date(start.getTime() + length * 1000) : null,
  }
}
