import { useRef, useState } from 'react'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useKeyBuffer, useShortcuts } from '#base/web/shortcuts.ts'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/queue.data.ts'
import { maxShortcuts, Reasons } from '#review/admin/reasons.tsx'
import { rejectReview, type approveReview, type claimReview, type removeReview, type unclaimReview } from '#review/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#review/admin/review-page.module.css'

type Props = { post: Post; onward: () => void | Promise<void>; edit: () => void }

function OwnPost() {
  const words = useWords('reviewAdmin')
  return (
    <p className="note" role="status">
      {words('ownPost')}
    </p>
  )
}

/** The decision about a pending post, by button and by key. */
export function Decision({ post, onward, edit }: Props) {
  const words = useWords('reviewAdmin')
  const [isRejecting, setRejecting] = useState(false)
  const { about, isBusy, accept, refuse, discard, settled, onTooSoon } = useDecision(post, onward)
  const mayDiscard = !post.isEdit && mayDo('content.remove')
  const isTaken = !post.mayDecide || (post.claimedBy !== null && !post.claimedBy.isMe)
  useShortcuts('reviewAdmin.thisOne', [
    { keys: 'a', label: 'reviewAdmin.approve', run: () => !isTaken && accept(), onTooSoon },
    { keys: 'r', label: 'reviewAdmin.reject', run: () => !isTaken && setRejecting(true) },
    { keys: 'e', label: 'reviewAdmin.edit', run: () => !isTaken && mayDo('content.edit') && edit() },
    { keys: 'd', label: 'reviewAdmin.remove', run: () => !isTaken && mayDiscard && void discard() },
  ])
  const byNumber = post.rejectReasons.slice(0, maxShortcuts)
  useShortcuts(
    'reviewAdmin.thisOne',
    byNumber.map(({ zh, en }, index) => ({
      keys: String(index + 1),
      label: 'reviewAdmin.rejectByNumber',
      run: () => !isTaken && refuse({ reasonZh: zh, reasonEn: en }),
      onTooSoon,
    })),
  )
  if (!post.mayDecide) return <OwnPost />
  return (
    <>
      <Claim post={post} />
      <div className={css.actions} data-bar>
        <button type="button" className="button" disabled={isTaken || isBusy} onClick={accept}>
          {words('approve')}
          <kbd aria-hidden="true">A</kbd>
        </button>
        <DecisionButton action="reject" keyName="R" isTaken={isTaken} run={() => setRejecting(true)} />
        {mayDo('content.edit') && <DecisionButton action="edit" keyName="E" isTaken={isTaken} run={edit} />}
        {mayDiscard && <DecisionButton action="remove" keyName="D" isTaken={isTaken || isBusy} run={() => void discard()} />}
      </div>
      <Dialog title={words('reject')} isOpen={isRejecting} close={() => setRejecting(false)}>
        <Reasons
          reasons={post.rejectReasons}
          action={words('reject')}
          endpoint={rejectReview}
          extra={about}
          onSuccess={settled}
          rejectFor={refuse}
        />
      </Dialog>
    </>
  )
}

/** The actions of a decision. Until the next post is shown, a second key press is not a second decision. */
function useDecision(post: Post, onward: Props['onward']) {
  const words = useWords('reviewAdmin')
  const isSettled = useRef(false)
  const approve = useAction<typeof approveReview>('/admin/review/approve')
  const reject = useAction<typeof rejectReview>('/admin/review/reject')
  const remove = useAction<typeof removeReview>('/admin/review/remove')
  const about = { reviewId: post.id, version: post.version }
  const isBusy = approve.isBusy || reject.isBusy || remove.isBusy
  useKeyBuffer(isBusy)
  // Keyboard users get a message that the key was ignored.
  const tooSoon = () => void toast(words('stillDeciding'))
  function isFree(): boolean {
    const free = !isSettled.current && !isBusy
    if (!free) tooSoon()
    return free
  }
  function settled(): void | Promise<void> {
    isSettled.current = true
    return onward()
  }
  async function discard(): Promise<void> {
    if (!isFree() || !(await confirm(words('removeAsk'), words('remove')))) return
    await remove.run({ ...about, reason: '' }, { onSuccess: settled, message: words('removed') })
  }
  return {
    about,
    settled,
    discard,
    isBusy,
    onTooSoon: tooSoon,
    accept: () => void (isFree() && approve.run(about, { onSuccess: settled })),
    refuse: (reason: { reasonZh: string; reasonEn: string }) =>
      void (isFree() && reject.run({ ...about, ...reason }, { onSuccess: settled })),
  }
}

type DecisionButtonProps = { action: 'reject' | 'edit' | 'remove'; keyName: string; isTaken: boolean; run: () => void }

function DecisionButton({ action, keyName, isTaken, run }: DecisionButtonProps) {
  const words = useWords('reviewAdmin')
  return (
    <button type="button" className={action === 'remove' ? 'plain' : 'button quiet'} disabled={isTaken} onClick={run}>
      {words(action)}
      <kbd aria-hidden="true">{keyName}</kbd>
    </button>
  )
}

function Claim({ post: { id, claimedBy } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  const claim = useAction<typeof claimReview>('/admin/review/claim')
  const unclaim = useAction<typeof unclaimReview>('/admin/review/unclaim')
  useShortcuts('reviewAdmin.thisOne', [
    { keys: 'c', label: 'reviewAdmin.claim', run: () => void (!claimedBy && claim.run({ reviewId: id })) },
  ])
  if (claimedBy && !claimedBy.isMe) {
    return (
      <p className="note" role="status">
        {words('claimedUntil', { account: claimedBy.account })} <Time at={claimedBy.until} />
      </p>
    )
  }
  return (
    <p>
      {claimedBy ? (
        <button type="button" className="plain" onClick={() => void unclaim.run({ reviewId: id })}>
          {words('unclaim')}
        </button>
      ) : (
        <button type="button" className="plain" onClick={() => void claim.run({ reviewId: id })}>
          {words('claim')}
        </button>
      )}
    </p>
  )
}
