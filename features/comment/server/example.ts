import type { Doc } from '#base/rich-text/document.ts'
import type { Person } from '#base/testing/forum.ts'
import { addComment, addReply } from '#comment/contract.ts'
import { says } from '#writing/server/example.ts'

type Draft = { body?: Doc; quotes?: string }

/** A comment through the front door. Gives its id. */
export async function aComment(author: Person, topicId: string, { body = says('A remark.'), quotes }: Draft = {}): Promise<string> {
  const { commentId } = await author.call(addComment, { topicId, body, quotes })
  return commentId
}

/** A reply through the front door. Gives its id. */
export async function aReply(
  author: Person,
  commentId: string,
  { body = says('Indeed.'), answers }: { body?: Doc; answers?: string } = {},
): Promise<string> {
  const { replyId } = await author.call(addReply, { commentId, body, answers })
  return replyId
}
