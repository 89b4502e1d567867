import { aMember } from '#account/testing/factories.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { connectionTo, visitorOn, type Connection } from './connection.ts'
import type { OperatedForum } from './operated-forum.ts'

export const password = 'a-quiet-evening'

export type People = {
  /** A browser without an account. */
  browser(): Connection
  /** A member who is logged in. */
  member(): Promise<Visitor>
  /** A public topic that takes comments, the one with the fewest. */
  topicId: string
  /** Another one, which the round leaves as it is. */
  otherTopicId: string
}

type Door = {
  forum: OperatedForum
  /** The port of the part for browsers, over TLS. */
  port: number
  /** The certificate that browsers trust. */
  trusted: string
}

let members = 0

/** People who come through a part. */
export async function peopleThrough({ forum: { database }, port, trusted }: Door): Promise<People> {
  const browser = () => connectionTo(port, trusted)
  const topics = await database.app
    .selectFrom('topic')
    .innerJoin('tag', 'tag.id', 'tag_id')
    .select('topic.id')
    .where('topic.status', '=', 'published')
    .where('kind', '=', 'topic')
    .where('takes_comments', '=', true)
    .where('is_restricted', '=', false)
    .orderBy('comment_count')
    .limit(2)
    .execute()
  const [topicId = '', otherTopicId = ''] = topics.map(({ id }) => id)

  async function member(): Promise<Visitor> {
    const connection = browser()
    const who = visitorOn(connection)
    await who.fetchToken()
    const from = { ip: connection.ip, language: 'en' as const, userAgent: 'test' }
    const { pair } = await aMember(database, { account: `reader_${++members}`, password, ...from })
    return Object.assign(who, { pair })
  }

  return { browser, member, topicId, otherTopicId }
}
