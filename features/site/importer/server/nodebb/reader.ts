import { CannotStart } from '#base/server/cannot-start.ts'
import { lazy } from '#base/lazy.ts'
import type { Kind, Page, Range, Reader, SourceRows } from '#importer/server/source.ts'
import { categoriesIn, topicTagsIn, categoryIds } from '#importer/server/nodebb/categories.ts'
import { commentsFrom, postsKey } from '#importer/server/nodebb/comments.ts'
import { countOf } from '#importer/server/nodebb/counts.ts'
import { filesOfPosts, filesOfRooms, roomSet } from '#importer/server/nodebb/files.ts'
import { groupsIn, groupsOfMembers, staffIn } from '#importer/server/nodebb/groups.ts'
import { isIn, markOf } from '#importer/server/nodebb/mark.ts'
import { bannedIn, membersFrom, questionsIn } from '#importer/server/nodebb/members.ts'
import { messagesFrom, messagesKey } from '#importer/server/nodebb/messages.ts'
import { favouritesFrom, followsFrom, likesFrom, positionsKey, readPositionsFrom, upvotesKey } from '#importer/server/nodebb/reactions.ts'
import { categorySet, memberSet, topicSets, type Site } from '#importer/server/nodebb/site.ts'
import type { Fields, KeyStore, Scored } from '#importer/server/nodebb/store.ts'
import { acceptedFrom, movedFrom, threadsFrom, votesFrom } from '#importer/server/nodebb/threads.ts'
import { isPlain, originalOf } from '#importer/server/nodebb/uploads.ts'
import { inOnePage, noRows } from '#importer/server/tables/reading.ts'
import { overEntries, overMembers } from '#importer/server/nodebb/walk.ts'

export type NodebbOptions = {
  /** Its addresses, such as `https://example.org/forum/`: the first is the one in its config.json. */
  origins: readonly string[]
  /** The time by which bans and scheduled topics are judged. */
  now?: Date
}

/** Opens a NodeBB 3 or 4. `files` gives what lies at a path in its folder `public/uploads`. */
export async function openNodebb(
  store: KeyStore,
  files: (path: string) => Promise<Buffer | null>,
  { origins, now = new Date() }: NodebbOptions,
): Promise<Reader> {
  const [global, config] = await store.objects(['global', 'config'])
  if (!global) {
    await store.close()
    throw new CannotStart('There is no NodeBB in this database: it has no key "global". NodeBB has its database in config.json.')
  }
  const site: Site = { store, origins, now }
  // Handles of categories came with NodeBB 4.
  const isFourth = (await store.count('categoryhandle:cid')) > 0
  return {
    program: 'nodebb',
    version: isFourth ? '4' : '3',
    title: config?.['title'] ?? config?.['browserTitle'] ?? 'NodeBB',
    origins,
    credits: [{ id: 'reputation', name: 'Reputation' }],
    hasFloors: true,
    addressRules: { folder: URL.parse(origins[0] ?? '')?.pathname ?? '/' },
    staff: () => staffIn(site),
    count: (kind) => countOf(site, kind),
    marks: () => marksOf(store, global),
    rows: rowsOf(site),
    async bytesOf(path) {
      if (!isPlain(path)) return null
      const original = originalOf(path)
      return (await files(path)) ?? (original === null ? null : files(original))
    },
    close: () => store.close(),
  }
}

async function marksOf(store: KeyStore, opened: Fields): Promise<Partial<Record<Kind, string>>> {
  const global = (await store.object('global')) ?? opened
  const now = new Date()
  const mark = (field: string) => markOf(global, field, now)
  return {
    members: mark('nextUid'),
    threads: mark('nextTid'),
    comments: mark('nextPid'),
    files: mark('nextPid'),
    messages: mark('nextMid'),
  }
}

function rowsOf(site: Site): Reader['rows'] {
  const { store } = site
  const categories = lazy(() => categoryIds(site))
  const seen = new Set<string>()
  return {
    groups: inOnePage(() => groupsIn(site)),
    tags: inOnePage(async () => {
      const categories = await categoriesIn(site)
      return [...categories, ...(await topicTagsIn(site, categories))]
    }),
    members: (range) => membersOf(site, range),
    files: (range) =>
      overMembers(store, ['posts:pid', roomSet], range.after, (all, set) =>
        set === roomSet ? filesOfRooms(site, range, all, seen) : filesOfPosts(site, range, all, seen),
      ),
    threads: (range) => over(topicSets, range, async (topics) => threadsFrom(site, await categories(), topics)),
    moved: (range) => over(topicSets, unmarked(range), (topics) => movedFrom(site, topics)),
    comments: (range) =>
      overEntries(store, topicSets, postsKey, range.after, async (entries) => commentsFrom(site, await categories(), range, entries)),
    accepted: (range) => over(topicSets, unmarked(range), async (topics) => acceptedFrom(site, await categories(), topics)),
    votes: (range) => over(topicSets, unmarked(range), async (topics) => votesFrom(site, await categories(), topics)),
    unlocks: noRows,
    likes: ({ after }) => overEntries(store, [memberSet], upvotesKey, after, async (entries) => likesFrom(entries)),
    favourites: (range) => over([memberSet], unmarked(range), (members) => favouritesFrom(site, members), membersPerPage),
    follows: ({ after }) => overMembers(store, [memberSet, categorySet], after, (all, set) => followsFrom(site, all, set), membersPerPage),
    readPositions: ({ after }) => overEntries(store, topicSets, positionsKey, after, async (entries) => readPositionsFrom(entries)),
    messages: (range) => overEntries(store, [roomSet], messagesKey, range.after, (entries) => messagesFrom(site, range, entries)),
  }

  function over<T>(sets: readonly string[], range: Range, read: (some: readonly Scored[]) => Promise<T[]>, limit?: number) {
    return overMembers(store, sets, range.after, (members) => read(members.filter(isIn(range))), limit)
  }
}

// Their pages hold all that a member has of a kind.
const membersPerPage = 50

/** Topics merge, and people follow and vote, also in what is old: such kinds are read whole each time. */
function unmarked({ after }: Range): Range {
  return { after, since: null, upto: '' }
}

async function* membersOf(site: Site, range: Range): AsyncGenerator<Page<SourceRows['members']>> {
  const [groups, banned, questions] = await Promise.all([groupsOfMembers(site), bannedIn(site), questionsIn(site)])
  const context = { ...site, groups, banned, questions }
  yield* overMembers(site.store, [memberSet], range.after, (members) => membersFrom(context, members.filter(isIn(range))))
}
