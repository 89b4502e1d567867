import { useLoaderData, useNavigate } from 'react-router'
import { Versioned } from '#base/admin/versioned.tsx'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { Form } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { say } from '#base/web/toast.tsx'
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
          <Versioned key={card.id} thing={card}>
            {(now) => <Editing card={now} />}
          </Versioned>
        </>
      )}
      {!card && <Adding />}
    </>
  )
}

function Removed({ card }: { card: Card }) {
  const words = useWords('membershipAdmin')
  const restore = useDeed<typeof restoreMembershipCard>('/admin/membershipCard/restore')
  return (
    <>
      <p className="note">{words('cardIsRemoved')}</p>
      <button
        type="button"
        className="button"
        disabled={restore.isBusy}
        onClick={() => void restore.go({ cardId: card.id }, { done: words('restored') })}
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
    say(words('cardAdded'))
    return go(`/admin/membershipCard/edit?cardId=${cardId}`)
  }

  return (
    <>
      <p className="meta">{words('optionsLater')}</p>
      <Form sends={addMembershipCard} then={added}>
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
    say(words('saved'))
    return go('/admin/membershipCard')
  }

  return (
    <>
      <Form sends={editMembershipCard} along={{ cardId: card.id, version: card.version }} then={saved}>
        <CardFields card={card} picture={picture} />
      </Form>
      <CardPicture of={picture} />
    </>
  )
}
