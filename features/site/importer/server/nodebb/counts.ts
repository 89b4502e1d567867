import type { Kind } from '#importer/server/source.ts'
import { categoriesIn } from '#importer/server/nodebb/categories.ts'
import { groupsIn } from '#importer/server/nodebb/groups.ts'
import { categorySet, memberSet, topicSets, type Site } from '#importer/server/nodebb/site.ts'
import { roomSet } from '#importer/server/nodebb/files.ts'
import { messagesKey } from '#importer/server/nodebb/messages.ts'
import { positionsKey, upvotesKey } from '#importer/server/nodebb/reactions.ts'
import { postsKey } from '#importer/server/nodebb/comments.ts'
import type { KeyStore } from '#importer/server/nodebb/store.ts'
import { overMembers } from '#importer/server/nodebb/walk.ts'

/** About how many rows a kind has, from the lengths of its sets: what a set names and does not come is counted too. */
export async function countOf(site: Site, kind: Kind): Promise<number> {
  const { store } = site
  switch (kind) {
    case 'groups':
      return (await groupsIn(site)).length
    case 'tags':
      return (await categoriesIn(site)).length
    case 'members':
      return store.count(memberSet)
    case 'threads':
      return sum(await Promise.all(topicSets.map((set) => store.count(set))))
    case 'comments':
      return countOver(store, topicSets, (tid) => [postsKey(tid)])
    case 'likes':
      return countOver(store, [memberSet], (uid) => [upvotesKey(uid)])
    case 'favourites':
      return countOver(store, [memberSet], (uid) => [`uid:${uid}:bookmarks`])
    case 'follows':
      return countFollows(store)
    case 'readPositions':
      return countOver(store, topicSets, (tid) => [positionsKey(tid)])
    case 'messages':
      return countOver(store, [roomSet], (room) => [messagesKey(room)])
    // Only reading them tells.
    case 'files':
    case 'moved':
    case 'votes':
    case 'unlocks':
    case 'accepted':
      return 0
  }
}

async function countFollows(store: KeyStore): Promise<number> {
  const followed = await countOver(store, [memberSet], (uid) => [`uid:${uid}:followed_tids`, `uid:${uid}:ignored_tids`, `following:${uid}`])
  return followed + (await countOver(store, [categorySet], (cid) => [`cid:${cid}:uid:watch:state`]))
}

async function countOver(store: KeyStore, sets: readonly string[], keysOf: (member: string) => string[]): Promise<number> {
  let total = 0
  const count = (members: readonly (readonly [string, string])[]) =>
    Promise.all(members.flatMap(([member]) => keysOf(member)).map((key) => store.count(key)))
  for await (const { rows } of overMembers(store, sets, null, count)) total += sum(rows)
  return total
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
