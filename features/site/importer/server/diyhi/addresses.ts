import { fileAt } from '#importer/server/body/diyhi-html.ts'
import type { OldTarget, TargetOf } from '#importer/server/source.ts'

/**
 * Addresses of diyhi/bbs, the same in its pages of old and in the application of today. Those of topics and questions look like ours, whose
 * ids begin above theirs. A page of comments has so many as the rule `commentsPerPage` says, and of answers as `answersPerPage`.
 */
export const targetOf: TargetOf = ({ pathname, searchParams }, rules) => {
  const path = pathname.slice(1)
  const of = (name: string) => /^\d{1,19}$/.exec(searchParams.get(name) ?? '')?.[0] ?? null
  const post = (kind: string, id: string | null): OldTarget | null => (id === null ? null : { to: 'post', id: `${kind}/${id}` })
  const thread = (kind: 'topic' | 'question', perPage: string | undefined): OldTarget | null => {
    const [id, page] = [of(`${kind}Id`), Number(of('page') ?? 1)]
    const place = page > 1 && page < 100_000 && perPage ? (page - 1) * Number(perPage) + 1 : 0
    return id === null ? null : { to: 'thread', id: `${kind}/${id}`, ...(place > 0 && { place }) }
  }
  if (path === 'thread')
    return post('reply', of('replyId')) ?? post('comment', of('commentId')) ?? thread('topic', rules['commentsPerPage'])
  if (path === 'question')
    return post('answer-reply', of('replyId')) ?? post('answer', of('answerId')) ?? thread('question', rules['answersPerPage'])
  const tag = of('tagId')
  if (path === 'index' && tag !== null) return { to: 'tag', id: `topic/${tag}` }
  if (path === 'askList' && tag !== null) return { to: 'tag', id: `question/${tag}` }
  if (path === 'user/control/home') return memberOrNull(searchParams.get('userName') ?? '')
  const file = fileAt(path)
  return file === null ? null : { to: 'file', id: file }
}

function memberOrNull(userName: string): OldTarget | null {
  return /^[\p{L}\p{N}_-]{1,30}$/u.test(userName) ? { to: 'member', id: userName } : null
}
