import type { KeyStore } from '#importer/server/nodebb/store.ts'

/** A NodeBB whose data is read. */
export type Site = {
  store: KeyStore
  /** Its own addresses. */
  origins: readonly string[]
  /** The time of the import, by which bans and scheduled topics are judged. */
  now: Date
}

/** Topics of this server, and those of other servers, whose ids are UUIDs. */
export const topicSets = ['topics:tid', 'topicsRemote:tid'] as const
export const memberSet = 'users:joindate'
export const categorySet = 'categories:cid'
