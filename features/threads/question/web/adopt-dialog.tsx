import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import type { RawInput } from '#base/contract.ts'
import type { FieldErrors } from '#base/web/call.ts'
import { useSubmission } from '#base/web/submission.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { BountyOver, type OfferView } from '#bounty/contract.ts'
import { useOfferText } from '#bounty/web/bounty.tsx'
import type { CommentView } from '#comment/contract.ts'
import type { adoptAnswer } from '#question/contract.ts'
import css from '#question/web/question.module.css'

type AdoptProps = { questionId: string; commentId: string; offer: OfferView; others: readonly CommentView[]; close: () => void }
type Split = NonNullable<RawInput<typeof adoptAnswer>['split']>

/** The dialog that shows the bounty of the accepted answer, and lets the asker share it with others. */
export function AdoptDialog({ questionId, commentId, offer, others, close }: AdoptProps) {
  const words = useWords('question')
  const offerText = useOfferText()
  const { isBusy, submit } = useSubmission<typeof adoptAnswer>('/question/adopt')
  const { revalidate } = useRevalidator()
  const [wrong, setWrong] = useState('')

  async function adopt(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setWrong('')
    const split = splitIn(new FormData(event.currentTarget), others)
    const input = { questionId, commentId, split, withBounty: true }
    const answer = await submit(input, { actionKey: JSON.stringify([commentId, split]), onRefused: refused })
    if (answer === undefined) return
    close()
    toast(words('adoptedAndPaid'))
  }

  /** The bounty may be over by now: then the page hides it, and the answer can be accepted without it. */
  function refused({ message, fields }: FieldErrors): void {
    if (!(BountyOver.field in fields)) return setWrong(message)
    close()
    toast(message)
    void revalidate()
  }

  return (
    <Dialog title={words('adopt')} isOpen close={close}>
      <form onSubmit={(event) => void adopt(event)}>
        <p>{words('adoptAndPay', { amount: offerText(offer) })}</p>
        {others.length > 0 && (
          <details>
            <summary>{words('split')}</summary>
            <p className="help">{words('splitHelp')}</p>
            {others.map((one) => (
              <Part key={one.id} answer={one} offer={offer} />
            ))}
          </details>
        )}
        <Wrong>{wrong}</Wrong>
        <p className="actions">
          <button className="button" aria-disabled={isBusy || undefined} data-busy={isBusy || undefined} data-first>
            {words('adoptAndPayNow')}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

function Wrong({ children }: { children: string }) {
  return children === '' ? null : (
    <p className="wrong" role="alert">
      {children}
    </p>
  )
}

/** The share of another answer; an empty field is zero. */
function Part({ answer: { id, floor, author }, offer: { points, cash } }: { answer: CommentView; offer: OfferView }) {
  const words = useWords('question')
  const name = words('answerBy', { floor, name: author?.name ?? '' })
  return (
    <fieldset className={css.part}>
      <legend>{name}</legend>
      {points !== null && (
        <label>
          {words('partPoints')} <input name={`points ${id}`} inputMode="numeric" maxLength={12} autoComplete="off" />
        </label>
      )}
      {cash !== null && (
        <label>
          {words('partCash')} <input name={`cash ${id}`} inputMode="decimal" maxLength={13} autoComplete="off" />
        </label>
      )}
    </fieldset>
  )
}

function splitIn(typed: FormData, others: readonly CommentView[]): Split {
  const text = (name: string) => {
    const value = typed.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return others.flatMap(({ id: commentId }) => {
    const [bountyPoints, bountyCash] = [text(`points ${commentId}`), text(`cash ${commentId}`)]
    return bountyPoints || bountyCash ? { commentId, ...(bountyPoints && { bountyPoints }), ...(bountyCash && { bountyCash }) } : []
  })
}
