import { useLoaderData, useNavigate } from 'react-router'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Form } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { CardFields, CardPicture, useCardPicture, type Card, type Data } from '#membership/admin/card-fields.tsx'
import { Specifications } from '#membership/admin/specifications.tsx'
import { addMembershipCard, editMembershipCard, type restoreMembershipCard } from '#membership/staff-contract.ts'

export function Page() {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { card, hasCash } = useLoaderData<Data>()
  return (
    <>
      <p className="meta">
        <Link to="/admin/membershipCard">{words('cards')}</Link>
      </p>
      <h1>{card ? words('cardCalled', { name: card.name[language] }) : words('addCard')}</h1>
      {card?.isRemoved && <Removed card={card} />}
      {card && !card.isRemoved && (
        <>
          <Specifications card={card} hasCash={hasCash} />
          <h2>{words('details')}</h2>
          <VersionedForm key={card.id} item={card}>
            {(now) => <Editing card={now} />}
          </VersionedForm>
        </>
      )}
      {!card && <Adding />}
    </>
  )
}

function Removed({ card }: { card: Card }) {
  const words = useWords('membershipAdmin')
  const restore = useAction<typeof restoreMembershipCard>('/admin/membershipCard/restore')
  return (
    <>
      <p className="note">{words('cardIsRemoved')}</p>
      <button
        type="button"
        className="button"
        disabled={restore.isBusy}
        onClick={() => void restore.run({ cardId: card.id }, { message: words('restored') })}
      >
        {words('restore')}
      </button>
    </>
  )
}

function Adding() {
  const words = useWords('membershipAdmin')
  const go = useNavigate()
  const picture = useCardPicture(null)

  function added({ cardId }: Output<typeof addMembershipCard>): Promise<void> | void {
    toast(words('cardAdded'))
    return go(`/admin/membershipCard/edit?cardId=${cardId}`)
  }

  return (
    <>
      <p className="meta">{words('optionsLater')}</p>
      <Form endpoint={addMembershipCard} onSuccess={added}>
        <CardFields card={null} picture={picture} />
      </Form>
      <CardPicture of={picture} />
    </>
  )
}

function Editing({ card }: { card: Card }) {
  const words = useWords('membershipAdmin')
  const go = useNavigate()
  const picture = useCardPicture(card.picture)

  function saved(): Promise<void> | void {
    toast(words('saved'))
    return go('/admin/membershipCard')
  }

  return (
    <>
      <Form endpoint={editMembershipCard} extra={{ cardId: card.id, version: card.version }} onSuccess={saved}>
        <CardFields card={card} picture={picture} />
      </Form>
      <CardPicture of={picture} />
    </>
  )
}
