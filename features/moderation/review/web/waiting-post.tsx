import type { ReactNode } from 'react'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Segments } from '#base/web/html.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { removeRemark } from '#comment/contract.ts'
import { usePostTitle, usePostWord } from '#kind/web/kind.tsx'
import type { OwnWaitingView, withdrawEdit } from '#review/contract.ts'
import type { removeTopic } from '#topic/contract.ts'
import css from '#review/web/waiting-post.module.css'

/** A post of one's own that waits or was rejected, with the reason and the possible actions. */
export function WaitingPost({ post, change, children }: { post: OwnWaitingView; change: ReactNode; children?: ReactNode }) {
  const words = useWords('review')
  const language = useLanguage()
  const [word, title] = [usePostWord(), usePostTitle()]
  const withdraw = useWithdrawal(post)
  const { kind, floor, rejected } = post
  return (
    <article className={css.post} data-rejected={rejected ? true : undefined}>
      <p className={css.state}>
        <strong>{words(rejected ? 'rejected' : 'waits')}</strong>{' '}
        <span className="meta">
          {post.isEdit ? words('editOf', { what: word(post), floor: (kind === 'comment' && floor) || 0 }) : title(post)} ·{' '}
          <Time at={post.askedAt} />
          {post.isEditedByStaff && ` · ${words('editedByStaff')}`}
        </span>
      </p>
      {rejected && rejected[language] && <p className={css.why}>{rejected[language]}</p>}
      {children}
      <Segments segments={post.segments} />
      <p className={css.actions}>
        {change}
        <button type="button" className="plain" disabled={withdraw.isBusy} onClick={() => void withdraw.ask()}>
          {words('withdraw')}
        </button>
      </p>
    </article>
  )
}

function useWithdrawal({ kind, postId, isEdit }: OwnWaitingView) {
  const words = useWords('review')
  const edit = useAction<typeof withdrawEdit>('/user/control/waiting/withdraw')
  const topic = useAction<typeof removeTopic>('/topic/remove')
  const remark = useAction<typeof removeRemark>('/comment/remove')
  const success = { message: words('withdrawn') }

  async function ask(): Promise<void> {
    if (!(await confirm(words('withdrawAsk'), words('withdraw')))) return
    if (isEdit) await edit.run({ kind, postId }, success)
    else if (kind === 'topic') await topic.run({ topicId: postId }, success)
    else await remark.run({ kind, id: postId }, success)
  }
  return { ask, isBusy: edit.isBusy || topic.isBusy || remark.isBusy }
}
