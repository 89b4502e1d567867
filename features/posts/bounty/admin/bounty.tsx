import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { changeBounty, type bountyForStaff, type OfferView } from '#bounty/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { Name } from '#user/web/user.tsx'
import { amountText } from '#wallet/web/wallet.tsx'

type Bounty = NonNullable<Output<typeof bountyForStaff>['bounty']>

const stateWords = { waiting: 'waiting', open: 'open', paid: 'paid', returned: 'returned' } as const

export function BountySection({ topicId, bounty }: { topicId: string; bounty: Bounty }) {
  const words = useWords('bountyAdmin')
  const offerText = useOfferText()
  const [isChanging, setChanging] = useState(false)
  return (
    <section aria-label={words('bounty')}>
      <p>
        <strong>{words('bountyOf', { amount: offerText(bounty) })}</strong> <span className="mark">{words(stateWords[bounty.state])}</span>{' '}
        {bounty.state === 'open' && bounty.endsAt && (
          <span className="meta">
            {words('ends')} <Time at={bounty.endsAt} />
          </span>
        )}{' '}
        {bounty.isWaiting && (
          <Link className="mark" to="/admin/money-request?state=waiting">
            {words('changeWaits')}
          </Link>
        )}{' '}
        {bounty.state === 'open' && mayDo('question.bounty') && (
          <button type="button" className="plain" onClick={() => setChanging(true)}>
            {words('change')}
          </button>
        )}
      </p>
      {bounty.shares.length > 0 && (
        <ul>
          {bounty.shares.map(({ commentId, member, ...got }) => (
            <li key={commentId}>
              {member && <Name of={member} withRoles={false} />} <a href={`#comment-${commentId}`}>{offerText(got)}</a>
            </li>
          ))}
        </ul>
      )}
      {isChanging && <ChangeForm topicId={topicId} bounty={bounty} close={() => setChanging(false)} />}
    </section>
  )
}

function ChangeForm({ topicId, bounty, close }: { topicId: string; bounty: Bounty; close: () => void }) {
  const words = useWords('bountyAdmin')
  const ofMoney = useWords('walletAdmin')
  const { allowCash } = useSite()

  function done({ isWaiting }: Output<typeof changeBounty>): void {
    close()
    toast(isWaiting ? ofMoney('asked') : words('changed'))
  }

  return (
    <Dialog title={words('change')} isOpen close={close}>
      <p>{words('changeWhat')}</p>
      <Form endpoint={changeBounty} extra={{ topicId }} onSuccess={done}>
        <Field
          name="bountyPoints"
          label={words('pointsField')}
          inputMode="numeric"
          maxLength={12}
          autoComplete="off"
          defaultValue={bounty.points ?? ''}
          data-first
        />
        {allowCash && (
          <Field
            name="bountyCash"
            label={words('cashField')}
            inputMode="decimal"
            maxLength={13}
            autoComplete="off"
            defaultValue={bounty.cash ?? ''}
          />
        )}
        <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required />
        <Submit danger>{words('change')}</Submit>
      </Form>
    </Dialog>
  )
}

function useOfferText(): (offer: OfferView) => string {
  const words = useWords('bountyAdmin')
  const language = useLanguage()
  return ({ points, cash }) =>
    [points !== null && words('points', { points: Number(points) }), cash !== null && amountText(cash, 'cny', language)]
      .filter((one) => one !== false)
      .join(' + ')
}
