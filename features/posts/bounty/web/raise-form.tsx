import { Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { raiseBounty, type BountyView } from '#bounty/contract.ts'
import { BountyFields } from '#bounty/web/bounty-fields.tsx'
import type { Offering } from '#bounty/web/bounty.tsx'

type RaiseProps = { questionId: string; bounty: BountyView; offering: Offering; close: () => void }

export function RaiseForm({ questionId, bounty: { points, cash }, offering, close }: RaiseProps) {
  const [words, site] = [useWords('bounty'), useWords('site')]
  // An offer is never lowered.
  const limits = {
    points: offering.points && { ...offering.points, least: points ?? offering.points.least },
    cash: offering.cash && { ...offering.cash, least: cash ?? offering.cash.least },
  }
  const first = { ...(points !== null && { bountyPoints: points }), ...(cash !== null && { bountyCash: cash }) }
  return (
    <Form endpoint={raiseBounty} extra={{ questionId }} onSuccess={close}>
      <BountyFields offering={{ ...offering, ...limits }} first={first} isRaising />
      <p className="actions">
        <Submit>{words('raiseNow')}</Submit>
        <button type="button" className="button quiet" onClick={close}>
          {site('cancel')}
        </button>
      </p>
    </Form>
  )
}
