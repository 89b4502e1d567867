import type { SourceFavourite, SourceFollow, SourceLike, SourceReadPosition } from '#importer/server/source.ts'
import { categorySet, type Site } from '#importer/server/nodebb/site.ts'
import { allOf, id, number, time, type Scored } from '#importer/server/nodebb/store.ts'
import type { Entry } from '#importer/server/nodebb/walk.ts'

export function upvotesKey(uid: string): string {
  return `uid:${uid}:upvote`
}

/** Votes stand beside the post, and with their times beside the member. One taken back is gone from both. */
export function likesFrom(entries: readonly Entry[]): SourceLike[] {
  return entries.flatMap(({ owner: [uid], member, score }) =>
    id(uid) === null ? [] : [{ postId: member, memberId: uid, at: time(score) }],
  )
}

/** Bookmarks are of posts here: the first in a thread is the member's favourite of the thread. */
export async function favouritesFrom({ store }: Site, members: readonly Scored[]): Promise<SourceFavourite[]> {
  const favourites = await Promise.all(
    members.map(async ([uid]) => {
      const bookmarks = id(uid) === null ? [] : await allOf(store, `uid:${uid}:bookmarks`)
      const posts = await store.objects(bookmarks.map(([pid]) => `post:${pid}`))
      const first = new Map<string, SourceFavourite>()
      for (const [at, [, score]] of bookmarks.entries()) {
        const threadId = posts[at]?.['tid']
        if (threadId !== undefined && !first.has(threadId)) first.set(threadId, { threadId, memberId: uid, at: time(score) })
      }
      return [...first.values()]
    }),
  )
  return favourites.flat()
}

/** What members follow, or for the categories who watches them. */
export async function followsFrom(site: Site, members: readonly Scored[], set: string): Promise<SourceFollow[]> {
  const local = members.flatMap(([member]) => id(member) ?? [])
  const follows = await Promise.all(local.map((member) => (set === categorySet ? watchersOf(site, member) : followedBy(site, member))))
  return follows.flat()
}

async function followedBy({ store }: Site, uid: string): Promise<SourceFollow[]> {
  const [watched, ignored, people] = await Promise.all([
    allOf(store, `uid:${uid}:followed_tids`),
    allOf(store, `uid:${uid}:ignored_tids`),
    allOf(store, `following:${uid}`),
  ])
  const follow =
    (of: SourceFollow['of'], level: SourceFollow['level']) =>
    ([followed, score]: Scored) => ({
      of,
      id: followed,
      memberId: uid,
      level,
      at: time(score),
    })
  const local = people.filter(([other]) => id(other) !== null)
  return [
    ...watched.map(follow('thread', 'watching')),
    ...ignored.map(follow('thread', 'muted')),
    ...local.map(follow('member', 'watching')),
  ]
}

const watchStates: Record<string, SourceFollow['level']> = { 1: 'muted', 3: 'tracking', 4: 'watching' }

async function watchersOf({ store }: Site, cid: string): Promise<SourceFollow[]> {
  const states = await allOf(store, `cid:${cid}:uid:watch:state`)
  return states.flatMap(([uid, state]): SourceFollow[] => {
    const level = watchStates[state]
    return level && id(uid) !== null ? [{ of: 'tag', id: cid, memberId: uid, level, at: null }] : []
  })
}

export function positionsKey(tid: string): string {
  return `tid:${tid}:bookmarks`
}

/** How far members have read: the number of the last post that was seen, with the first post as 1. */
export function readPositionsFrom(entries: readonly Entry[]): SourceReadPosition[] {
  return entries.flatMap(({ owner: [threadId], member, score }) =>
    id(member) === null || number(score) < 1 ? [] : [{ threadId, memberId: member, number: Math.trunc(number(score)), at: null }],
  )
}
