import { expect, test } from 'vitest'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { aForum } from '#base/testing/forum.ts'
import { addComment, commentMarkdown, removeRemark } from '#comment/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { topicMarkdown } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database)
const mei = await forum.member()
const text = '## Water\n\n- soft\n- *not* hard\n\n```sql\nselect 1\n```'

test('a visitor may copy a topic and a comment as Markdown', async () => {
  const topicId = await aTopic(mei, tagId, { title: 'Which *water*?', body: fromMarkdown(text) })
  const { commentId } = await mei.call(addComment, { topicId, body: fromMarkdown('As **said**.') })
  const visitor = forum.visitor()
  expect((await visitor.call(topicMarkdown, { topicId })).markdown).toBe(`## Which \\*water\\*?\n\n${text}`)
  expect((await visitor.call(commentMarkdown, { topicId, commentId })).markdown).toBe('As **said**.')
})

test('a member without access to a post cannot copy it as Markdown', async () => {
  const few = await aClosedTag(forum.database)
  await few.admit(mei.id)
  const closed = await aTopic(mei, few.tagId)
  const open = await aTopic(mei, tagId)
  const { commentId: inClosed } = await mei.call(addComment, { topicId: closed, body: fromMarkdown('For few.') })
  const { commentId: removedCommentId } = await mei.call(addComment, { topicId: open, body: fromMarkdown('Gone.') })
  await mei.call(removeRemark, { kind: 'comment', id: removedCommentId })
  const visitor = forum.visitor()
  expect((await visitor.tryCall(topicMarkdown, { topicId: closed })).status).toBe(403)
  expect((await visitor.tryCall(commentMarkdown, { topicId: closed, commentId: inClosed })).status).toBe(404)
  expect((await visitor.tryCall(commentMarkdown, { topicId: open, commentId: inClosed })).status).toBe(404)
  expect((await visitor.tryCall(commentMarkdown, { topicId: open, commentId: removedCommentId })).status).toBe(404)
})
