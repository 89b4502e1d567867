import { readFileSync } from 'node:fs'
import type { Database } from '#base/server/database/database.ts'
import type { Forum } from '#base/testing/forum.ts'
import { find, settledIn, type EngineContext } from '#search/testing/engine-suite.ts'

/** A query and the posts that are relevant for it. */
type Query = { keyword: string; expected: string[] }

/** The hits by their names in `queries.txt`, as `topic 12`. */
type Names = Map<string, string>

const files = ['posts-zh.txt', 'posts-en.txt', 'posts-mixed.txt']

export type Relevance = { queries: number; recall: number; missed: string[] }

/** Runs every query. Returns the recall and the missed posts. */
export async function findsWhatIsMeant(forum: Forum, names: Names): Promise<Relevance> {
  await settledIn(forum.database)
  const queries = readQueries()
  const recalls = []
  for (const query of queries) recalls.push({ query, recall: await recallOf(forum, names, query) })
  const missed = recalls
    .filter((one) => one.recall < 1)
    .map(({ query, recall }) => `${query.keyword}: ${recall.toFixed(2)} of ${query.expected.join(' ')}`)
  return { queries: queries.length, recall: recalls.reduce((sum, one) => sum + one.recall, 0) / queries.length, missed }
}

/** The topics of the sample community, named by the numbers of their files. */
export async function namesOfSample({ app }: Database, titles: readonly string[]): Promise<Names> {
  const rows = await app.selectFrom('topic').select(['id', 'title']).execute()
  return new Map(titles.map((title, index) => [`sample:${index + 1}`, `topic ${rows.find((row) => row.title === title)?.id}`]))
}

function readQueries(): Query[] {
  return linesOf('queries.txt').map((line) => {
    const [keyword = '', expected = ''] = line.split(' | ')
    return { keyword, expected: expected.split(' ') }
  })
}

/**
 * Publishes the posts through the API. A line with `=` begins a topic, the lines after it are its text, `>` is a comment and `>>` a
 * reply to it.
 */
export async function writePosts(ground: EngineContext): Promise<Names> {
  const names: Names = new Map()
  for (const block of files.flatMap((file) => textOf(file).split(/^= /m).slice(1))) await writeTopic(ground, block, names)
  return names
}

async function writeTopic(ground: EngineContext, block: string, names: Names): Promise<void> {
  const [head = '', ...lines] = block.trim().split('\n')
  const [name = '', title = ''] = head.split(' | ')
  const topicId = await ground.topic(title, lines.filter((line) => !line.startsWith('>')).join('\n'))
  names.set(name, `topic ${topicId}`)
  let [comments, replies, commentId] = [0, 0, '']
  for (const line of lines.filter((one) => one.startsWith('>'))) {
    if (line.startsWith('>> ')) {
      names.set(`${name}.${comments}.${++replies}`, `reply ${await ground.reply(commentId, line.slice(3))}`)
    } else {
      commentId = await ground.comment(topicId, line.slice(2))
      replies = 0
      names.set(`${name}.${++comments}`, `comment ${commentId}`)
    }
  }
}

/** The fraction of relevant posts among the first ten hits. */
async function recallOf(forum: Forum, names: Names, { keyword, expected }: Query): Promise<number> {
  const { hits } = await find({ forum }, keyword)
  const first = new Set(hits.slice(0, 10).map(({ kind, id }) => `${kind} ${id}`))
  const relevantPosts = expected.map((name) => names.get(name) ?? `nothing is called ${name}`)
  return relevantPosts.filter((name) => first.has(name)).length / relevantPosts.length
}

function linesOf(file: string): string[] {
  return textOf(file).split('\n').filter(Boolean)
}

function textOf(file: string): string {
  return readFileSync(new URL(`./relevance/${file}`, import.meta.url), 'utf8')
}
