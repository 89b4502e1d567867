import { test } from 'vitest'
import { documentWith } from '#writing/testing/factories.ts'
import { hides } from '#hidden-part/testing/factories.ts'
import * as topics from '#topic/server/publish.ts'
import { readAsStaff, secrets, wrongParts } from './hidden-part-journey.ts'
import { otherLooks } from './look-of.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('allowCash', true)
const looks = otherLooks(import.meta.url)
const topicId = await fiveParts()

wrongParts(site, looks)

test.each(looks)('staff read the hidden parts of a topic, in $language on a $width, $theme', (look) => readAsStaff(site, topicId, look))

/** A topic by laochen with a part for each lock. */
async function fiveParts(): Promise<string> {
  const { app } = site.database
  const { id } = await app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
  const { id: tagId } = await app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
  const { needs_points: highest } = await app
    .selectFrom('level')
    .select('needs_points')
    .orderBy('needs_points', 'desc')
    .executeTakeFirstOrThrow()
  const author = { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  const [password, comment, level, points, balance] = secrets
  const body = documentWith(
    hides('password', 'longjing', password),
    hides('comment', '', comment),
    hides('level', highest, level),
    hides('points', '20', points),
    hides('balance', '990', balance),
  )
  return site.write(async (tx) => (await topics.publish(tx, author, { tagId, title: '五道门后面各放了什么', body })).topicId)
}
