import type { SourceAccepted, SourceMoved, SourceThread, SourceVote } from '#importer/server/source.ts'
import { pollIdOf, pollOf, votesOf } from '#importer/server/nodebb/polls.ts'
import { postsOf, storedPosts, type Stored } from '#importer/server/nodebb/posts.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import { flag, number, time, type Fields, type KeyStore, type Scored } from '#importer/server/nodebb/store.ts'

type Topic = { tid: string; fields: Fields; main: Stored }

/** The threads among some topics. Those merged into others, and those of categories that do not come, are none. */
export async function threadsFrom(site: Site, categories: ReadonlySet<string>, members: readonly Scored[]): Promise<SourceThread[]> {
  const topics = await topicsFrom(site.store, categories, members)
  const openings = await postsOf(
    site,
    topics.map(({ main }) => main),
  )
  const threads = topics.map((topic) => threadOf(site, topic, openings.get(topic.main.pid)))
  return (await Promise.all(threads)).filter((thread) => thread !== null)
}

/** Those of some topics that have their first post and a category. */
async function topicsFrom(store: KeyStore, categories: ReadonlySet<string>, members: readonly Scored[]): Promise<Topic[]> {
  const tids = members.map(([tid]) => tid)
  const objects = await store.objects(tids.map((tid) => `topic:${tid}`))
  const mains = await storedPosts(
    store,
    objects.flatMap((fields) => fields?.['mainPid'] ?? []),
  )
  return tids.flatMap((tid, at): Topic[] => {
    const fields = objects[at]
    const main = mains.get(fields?.['mainPid'] ?? '')
    return fields && main && categories.has(fields['cid'] ?? '') && !mergedInto(fields)
      ? [{ tid, fields, main: { ...main, placedAt: fields['timestamp'] } }]
      : []
  })
}

function mergedInto(fields: Fields): string | null {
  const target = fields['mergeIntoTid']
  return target && target !== '0' ? target : null
}

async function threadOf(
  { store, now }: Site,
  { tid, fields, main }: Topic,
  post: SourceThread['opening'] | undefined,
): Promise<SourceThread | null> {
  if (!post) return null
  const pollId = pollIdOf(main.fields)
  const isQuestion = flag(fields['isQuestion'])
  const scheduled = (time(fields['timestamp']) ?? post.publishedAt) > now
  const state = scheduled ? 'pending' : flag(fields['deleted']) ? 'deleted' : post.state
  return {
    id: tid,
    tagId: fields['cid'] ?? '',
    kind: isQuestion ? 'question' : 'topic',
    title: fields['title'] ?? '',
    opening: { ...post, state },
    pin: isPinned(fields, now) && !scheduled ? 1 : 0,
    isLocked: flag(fields['locked']),
    isFeatured: false,
    views: Math.max(0, Math.trunc(number(fields['viewcount']))),
    tags: (fields['tags'] ?? '').split(',').flatMap((tag) => tag.trim() || []),
    poll: pollId === null ? null : await pollOf(store, pollId),
    bounties: [],
  }
}

/** A pin may have an end, after which NodeBB takes it away when the list is next read. */
function isPinned(fields: Fields, now: Date): boolean {
  const until = time(fields['pinExpiry'])
  return flag(fields['pinned']) && (until === null || until > now)
}

/** The answers that solved questions among some topics. */
export async function acceptedFrom(
  { store }: Site,
  categories: ReadonlySet<string>,
  members: readonly Scored[],
): Promise<SourceAccepted[]> {
  const topics = await topicsFrom(store, categories, members)
  return topics.flatMap(({ tid, fields }) => {
    const acceptedId = flag(fields['isQuestion']) && flag(fields['isSolved']) ? answerIn(fields) : null
    return acceptedId === null ? [] : [{ threadId: tid, acceptedId }]
  })
}

/** A question may be solved without a post that solved it. */
function answerIn({ solvedPid, mainPid }: Fields): string | null {
  return solvedPid && solvedPid !== '0' && solvedPid !== mainPid ? solvedPid : null
}

const maxMoves = 20

/** Topics that were merged into others, each with the one that is left of all. */
export async function movedFrom({ store }: Site, members: readonly Scored[]): Promise<SourceMoved[]> {
  const moved = await Promise.all(
    members.map(async ([tid]): Promise<SourceMoved | null> => {
      let target = tid
      for (let moves = 0; moves < maxMoves; moves++) {
        const fields = await store.object(`topic:${target}`)
        const next = fields && mergedInto(fields)
        if (!next) return target === tid || !fields ? null : { id: tid, threadId: target }
        target = next
      }
      return null
    }),
  )
  return moved.filter((one) => one !== null)
}

export async function votesFrom({ store }: Site, categories: ReadonlySet<string>, members: readonly Scored[]): Promise<SourceVote[]> {
  const topics = await topicsFrom(store, categories, members)
  const votes: SourceVote[] = []
  for (const { tid, main } of topics) {
    const pollId = pollIdOf(main.fields)
    if (pollId !== null) votes.push(...(await votesOf(store, tid, pollId)))
  }
  return votes
}
