import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { commentFields } from '#post/parts-contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import type { AuthorView } from '#user/contract.ts'
import { documentWith, mention, paragraph, says } from '#writing/testing/factories.ts'

test('a page shows of each comment, reply and quote exactly the data of the tables', async () => {
  const forum = await aForum()
  const [ann, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(ann, await aTag(forum.database))
  const first = await aComment(tom, topicId, { body: says('<Tea> "or" \\ coffee') })
  const reply = await aReply(ann, first, { body: documentWith(paragraph(mention(tom.id))) })
  const answer = await aReply(tom, first, { body: says('Tea'), answers: reply })
  const { commentId: quoting } = await ann.call(contract.addComment, { topicId, body: says('说得对'), quotes: first, aiGenerated: true })
  const removed = await aComment(tom, topicId, { body: says('Gone') })
  const last = await aComment(ann, topicId, { body: says('Last'), quotes: removed })
  await tom.call(contract.removeRemark, { kind: 'comment', id: removed })
  await tom.call(contract.editRemark, { kind: 'comment', id: first, body: says('<Tea> "or" \\ milk') })

  const db = forum.database.app
  const comments = await db.selectFrom('comment').selectAll().where('topic_id', '=', topicId).orderBy('floor').execute()
  const replies = await db.selectFrom('reply').selectAll().where('topic_id', '=', topicId).orderBy('id').execute()
  const [one, another] = [author(ann), author(tom)]
  const timesOf = ({ published_at, edited_at }: { published_at: Date; edited_at: Date | null }) => ({
    publishedAt: published_at.toISOString(),
    editedAt: edited_at?.toISOString() ?? null,
    isEditedByStaff: false,
  })
  const plain = { isDeleted: false, movedTo: null, envelopeId: null, likeCount: 0, replyCount: 0, replies: [], aiLabel: null }
  const mentioning = `<p><a class="mention" href="/user/control/home?userId=${tom.id}">@${tom.account}</a></p>`
  const shown = [
    { id: reply, author: one, segments: [{ html: mentioning }], answers: null },
    { id: answer, author: another, segments: [{ html: '<p>Tea</p>' }], answers: { replyId: reply, author: person(one) } },
  ].map((view, n) => ({ ...view, likeCount: 0, aiLabel: null, ...timesOf(replies[n] ?? never()) }))
  const text = '<Tea> "or" \\ milk'
  const quote = { commentId: first, topicId, floor: 1, author: person(another), text, only: null, isDeleted: false }
  const quoteOfRemoved = { ...quote, commentId: removed, floor: 3, author: null, text: '', isDeleted: true }
  const views = [
    {
      id: first,
      author: another,
      segments: [{ html: '<p>&lt;Tea&gt; &quot;or&quot; \\ milk</p>' }],
      quote: null,
      replyCount: 2,
      replies: shown,
    },
    { id: quoting, author: one, segments: [{ html: '<p>说得对</p>' }], quote, aiLabel: 'author' },
    { id: removed, author: null, segments: [], quote: null, isDeleted: true, editedAt: null },
    { id: last, author: one, segments: [{ html: '<p>Last</p>' }], quote: quoteOfRemoved },
  ]
  const page = await forum.visitor().call(contract.listComments, { topicId })
  const ofPosts = page.comments.map((comment) => ({ ...knownOf(comment), replies: comment.replies.map(knownOf) }))
  expect({ ...page, comments: ofPosts }).toEqual({
    comments: views.map((view, n) => ({ ...plain, floor: n + 1, ...timesOf(comments[n] ?? never()), ...view })),
    best: null,
    from: 1,
    to: 4,
    total: 4,
    page: 1,
    pages: 1,
  })
})

const known = ['likeCount', 'aiLabel', 'envelopeId']

/** A post without the fields of further features, whose own tests are about them. */
function knownOf(view: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(view).filter(([name]) => known.includes(name) || !Object.hasOwn(commentFields, name)))
}

function author({ id, account }: { id: string; account: string }): AuthorView {
  return { id, name: account, avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
}

function person({ id, name }: AuthorView) {
  return { id, name }
}

function never(): never {
  throw new Error('A row is missing')
}
