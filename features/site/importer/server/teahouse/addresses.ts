import type { OldTarget, TargetOf } from '#importer/server/source.ts'

/** Our own addresses, in links of texts that lead to the forum that they come from. Its pages are pages here: they need no redirect. */
export const targetOf: TargetOf = ({ pathname, searchParams }) => {
  const id = (name: string) => {
    const value = searchParams.get(name)
    return value !== null && /^[1-9]\d{0,17}$/.test(value) ? value : null
  }
  if (pathname === '/thread' || pathname === '/question') return inThread(id('replyId'), id('commentId'), id('topicId') ?? id('questionId'))
  if (pathname === '/index') return target('tag', id('tagId'))
  if (pathname === '/user/control/home') return target('member', id('userId'))
  return null
}

function inThread(replyId: string | null, commentId: string | null, threadId: string | null): OldTarget | null {
  if (replyId !== null) return { to: 'post', id: postId.reply(replyId) }
  if (commentId !== null) return { to: 'post', id: postId.comment(commentId) }
  return threadId === null ? null : { to: 'thread', id: threadId }
}

function target(to: 'tag' | 'member', id: string | null): OldTarget | null {
  return id === null ? null : { to, id }
}

/** Ids of posts of all kinds, of which no two are the same. */
export const postId = {
  topic: (id: string) => `t${id}`,
  comment: (id: string) => `c${id}`,
  reply: (id: string) => `r${id}`,
}
