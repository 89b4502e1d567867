import { useState } from 'react'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { useLater } from '#base/web/later.ts'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/opened.tsx'
import { rejectReview, type approveReview, type claimReview, type removeReview, type unclaimReview } from '#review/contract.ts'
import css from '#review/admin/review-page.module.css'

type Props = { post: Post; onward: () => void | Promise<void> }

/** What to do with a post that waits, by button and by key. */
export function Decision({ post, onward }: Props) {
  const words = useWords('reviewAdmin')
  const [isOpen, setOpen] = useState<'reject' | 'edit' | null>(null)
  const editing = useLater(() => import('#review/admin/edit-form.tsx'), isOpen === 'edit')
  const approve = useDeed<typeof approveReview>('/admin/review/approve')
  const remove = useDeed<typeof removeReview>('/admin/review/remove')
  const about = { reviewId: post.id, version: post.version }
  const isTaken = post.claimedBy !== null && !post.claimedBy.isMe

  const accept = () => void approve.go(about, { onward, done: words('approved') })
  async function discard(): Promise<void> {
    if (await confirm(words('removeAsk'), words('remove'))) await remove.go({ ...about, reason: '' }, { onward, done: words('removed') })
  }
  useShortcuts('reviewAdmin.thisOne', [
    { keys: 'a', says: 'reviewAdmin.approve', run: () => !isTaken && accept() },
    { keys: 'r', says: 'reviewAdmin.reject', run: () => !isTaken && setOpen('reject') },
    { keys: 'e', says: 'reviewAdmin.edit', run: () => !isTaken && setOpen('edit') },
  ])
  return (
    <>
      <Claim post={post} />
      <div className={css.deeds}>
        <button type="button" className="button" disabled={isTaken || approve.isBusy} onClick={accept}>
          {words('approve')}
          <kbd aria-hidden="true">A</kbd>
        </button>
        <button type="button" className="button quiet" disabled={isTaken} onClick={() => setOpen('reject')}>
          {words('reject')}
          <kbd aria-hidden="true">R</kbd>
        </button>
        <button type="button" className="button quiet" disabled={isTaken} onClick={() => setOpen('edit')}>
          {words('edit')}
          <kbd aria-hidden="true">E</kbd>
        </button>
        {!post.isEdit && (
          <button type="button" className="plain" disabled={isTaken || remove.isBusy} onClick={() => void discard()}>
            {words('remove')}
          </button>
        )}
      </div>
      <Dialog title={words('reject')} isOpen={isOpen === 'reject'} close={() => setOpen(null)}>
        <Reasons post={post} onward={onward} />
      </Dialog>
      <Dialog title={words('edit')} isOpen={isOpen === 'edit'} close={() => setOpen(null)}>
        {editing ? <editing.EditForm post={post} done={() => setOpen(null)} /> : <Skeleton lines={6} />}
      </Dialog>
    </>
  )
}

function Claim({ post: { id, claimedBy } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  const claim = useDeed<typeof claimReview>('/admin/review/claim')
  const unclaim = useDeed<typeof unclaimReview>('/admin/review/unclaim')
  useShortcuts('reviewAdmin.thisOne', [
    { keys: 'c', says: 'reviewAdmin.claim', run: () => void (!claimedBy && claim.go({ reviewId: id })) },
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
        <button type="button" className="plain" onClick={() => void unclaim.go({ reviewId: id })}>
          {words('unclaim')}
        </button>
      ) : (
        <button type="button" className="plain" onClick={() => void claim.go({ reviewId: id })}>
          {words('claim')}
        </button>
      )}
    </p>
  )
}

/** Why it is rejected, from what is kept for that or in one's own words. */
function Reasons({ post, onward }: Props) {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  const [chosen, choose] = useState<Post['rejectReasons'][number] | null>(null)
  return (
    <Form sends={rejectReview} along={{ reviewId: post.id, version: post.version }} then={onward}>
      <Unsaved />
      <p className="meta">{words('reasonsWhat')}</p>
      <div className={css.reasons}>
        {post.rejectReasons.map((reason, index) => (
          <button
            key={reason.en}
            type="button"
            className="button quiet"
            data-first={index === 0 || undefined}
            aria-pressed={reason === chosen}
            onClick={() => choose(reason)}
          >
            {reason[language]}
          </button>
        ))}
      </div>
      <div key={chosen?.en}>
        <TextField name="reasonZh" label={words('reasonZh')} rows={2} maxLength={500} defaultValue={chosen?.zh} />
        <TextField
          name="reasonEn"
          label={words('reasonEn')}
          help={words('reasonHelp')}
          rows={2}
          maxLength={500}
          defaultValue={chosen?.en}
        />
      </div>
      <Submit>{words('reject')}</Submit>
    </Form>
  )
}
