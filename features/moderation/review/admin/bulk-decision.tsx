import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { useResultToast } from '#batch/admin/batch.tsx'
import type { Post } from '#review/admin/queue.data.ts'
import { Reasons } from '#review/admin/reasons.tsx'
import { decideReviews, type WaitingView } from '#review/contract.ts'
import css from '#review/admin/review-page.module.css'

type BulkDecisionProps = { chosen: readonly WaitingView[]; reasons: Post['rejectReasons']; onDone: () => void | Promise<void> }

/** Applies one decision to all selected posts. */
export function BulkDecision({ chosen, reasons, onDone }: BulkDecisionProps) {
  const words = useWords('reviewAdmin')
  const [isOpen, open] = useState(false)
  const decide = useAction<typeof decideReviews>('/admin/review/decide')
  const count = chosen.length
  const reviews = chosen.map(({ id: reviewId, version }) => ({ reviewId, version }))
  useShortcuts('reviewAdmin.several', [{ keys: 'b', label: 'reviewAdmin.decideSelected', run: () => open(count > 0) }])

  const tell = useResultToast()

  function decided({ left, batch }: Output<typeof decideReviews>): void | Promise<void> {
    open(false)
    if (batch) tell({ batch })
    if (left.length > 0) toast(words('leftMany', { count: left.length, why: left[0]?.why ?? '' }), { isPersistent: true })
    return onDone()
  }

  if (count === 0) return null
  return (
    <div className={css.several} role="group" aria-label={words('selected', { count })}>
      <span>{words('selected', { count })}</span>
      <button type="button" className="button" onClick={() => open(true)}>
        {words('decide')}
        <kbd aria-hidden="true">B</kbd>
      </button>
      <Dialog title={words('decideAbout', { count })} isOpen={isOpen} close={() => open(false)}>
        <p>
          <button
            type="button"
            className="button"
            data-first
            disabled={decide.isBusy}
            onClick={() => void decide.run({ outcome: 'approve', reviews }, { onSuccess: decided })}
          >
            {words('approveMany', { count })}
          </button>
        </p>
        <h3>{words('rejectMany', { count })}</h3>
        <Reasons
          reasons={reasons}
          action={words('rejectMany', { count })}
          endpoint={decideReviews}
          extra={{ outcome: 'reject', reviews }}
          onSuccess={decided}
          rejectFor={(reason) => void decide.run({ outcome: 'reject', reviews, ...reason }, { onSuccess: decided })}
        />
      </Dialog>
    </div>
  )
}
