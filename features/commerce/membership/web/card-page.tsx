import { useLoaderData, useLocation } from 'react-router'
import { MembersOnly, useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Segments } from '#base/web/html.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import type { CardView, membershipCard, SpecificationView } from '#membership/contract.ts'
import { benefitsOf } from '#membership/web/benefits.ts'
import { Bullets, Picture } from '#membership/web/card.tsx'
import { cardPath, useReceiver } from '#membership/web/membership.tsx'
import { usePrice } from '#membership/web/price.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#membership/web/card-page.module.css'

type Card = Output<typeof membershipCard>

export function Page() {
  const words = useWords('membership')
  const language = useLanguage()
  const card = useLoaderData<Record<'zh' | 'en', Card>>()[language]
  const chosen = useChosen(card)
  return (
    <article className="column">
      <p className={css.way}>
        <Link to="/membershipCardList">{words('allCards')}</Link>
      </p>
      <header className={css.head}>
        <Picture of={card} />
        <div>
          <h1>{card.name[language]}</h1>
          {card.subtitle[language] && <p>{card.subtitle[language]}</p>}
          <Bullets of={card} />
        </div>
      </header>
      <section aria-labelledby="options">
        <h2 id="options">{words('options')}</h2>
        <ul className={css.options}>
          {card.specifications.map((one) => (
            <Option key={one.id} card={card} of={one} isChosen={one.id === chosen?.id} />
          ))}
        </ul>
      </section>
      {chosen && <Buying card={card} chosen={chosen} />}
      <BenefitList card={card} />
      {card.segments.length > 0 && (
        <section aria-labelledby="introduction">
          <h2 id="introduction">{words('introduction')}</h2>
          <Segments segments={card.segments.map(({ html }) => ({ html }))} />
        </section>
      )}
    </article>
  )
}

/** The option in the address, or the first one. */
function useChosen({ specifications }: Card): SpecificationView | undefined {
  const requestedId = new URLSearchParams(useLocation().search).get('specificationId')
  return specifications.find(({ id }) => id === requestedId) ?? specifications.find(({ left }) => left !== 0)
}

function Option({ card, of: one, isChosen }: { card: Card; of: SpecificationView; isChosen: boolean }) {
  const words = useWords('membership')
  const language = useLanguage()
  const price = usePrice()
  const path = cardPath(card.id, { option: one.id, receiver: useReceiver() })
  const content = (
    <>
      <strong>
        <bdi>{one.name[language]}</bdi>
      </strong>
      <span className="meta">{words('duration', { count: one.duration, unit: one.unit })}</span>
      <span className={css.price}>{price(one.price)}</span>
      {one.listPrice && (
        <span className="meta">
          <span className="hidden">{words('listPrice')} </span>
          <s>{amountText(one.listPrice, 'cny', language)}</s>
        </span>
      )}
      {one.left !== null && <span className={css.left}>{one.left === 0 ? words('soldOutMark') : words('left', { count: one.left })}</span>}
    </>
  )
  return (
    <li>
      {one.left === 0 ? (
        <span className={css.option} data-gone>
          {content}
        </span>
      ) : (
        <Link to={path} className={css.option} aria-current={isChosen ? 'true' : undefined} replace preventScrollReset>
          {content}
        </Link>
      )}
    </li>
  )
}

function Buying({ card, chosen }: { card: Card; chosen: SpecificationView }) {
  const words = useWords('membership')
  const me = useMember()
  const panel = useLater(() => import('#membership/web/buy-panel.tsx'), me !== null)
  return (
    <section className={css.buy} aria-labelledby="buy">
      <h2 id="buy">{words('buyTitle')}</h2>
      <MembersOnly why={words('toBuy')}>{panel ? <panel.BuyPanel card={card} chosen={chosen} /> : <Skeleton lines={4} />}</MembersOnly>
    </section>
  )
}

function BenefitList({ card: { gives, role } }: { card: CardView }) {
  const words = useWords('membership')
  const translate = useTranslate()
  const language = useLanguage()
  return (
    <section aria-labelledby="gives">
      <h2 id="gives">{words('gives')}</h2>
      <p>{words('givesRole', { role: role.name[language] })}</p>
      <ul className={css.gives}>
        {benefitsOf(gives, language, translate).map(({ title, detail }) => (
          <li key={title}>
            {title}
            {detail && <span className="meta"> · {detail}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
