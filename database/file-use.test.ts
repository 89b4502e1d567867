import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { editComment } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/server/example.ts'
import { plain, sendFile } from '#file/server/example.ts'
import { aTag } from '#tag/server/example.ts'
import { editTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/server/example.ts'
import { documentWith, picture, says } from '#writing/server/example.ts'

const forum = await aForum()
const { database } = forum

test('a forum from before files knew their places learns them from every post and every earlier version', async () => {
  const mei = await forum.member()
  const upload = async () => (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file as string
  const inQuote = async () => documentWith({ type: 'blockquote', content: [picture(await upload())] })
  const topicId = await aTopic(mei, await aTag(database), { body: await inQuote() })
  await mei.call(editTopic, { topicId, title: 'Another', body: await inQuote() })
  const commentId = await aComment(mei, topicId, { body: documentWith(picture(await upload()), picture(await upload())) })
  await mei.call(editComment, { commentId, body: says('I said "image" and "file": f_0123456789012345678901') })
  await aReply(mei, commentId, { body: documentWith(picture(await upload())) })

  const uses = () => database.app.selectFrom('file_use').selectAll().orderBy('file_id').execute()
  const before = await uses()
  expect(before).toHaveLength(5)
  await database.app.deleteFrom('file_use').execute()
  const migration = await readFile(new URL('./migrations/0005-file.sql', import.meta.url), 'utf8')
  await sql.raw(/^insert into file_use.*?;$/ms.exec(migration)?.[0] ?? '').execute(database.app)
  expect(await uses()).toEqual(before)
})
