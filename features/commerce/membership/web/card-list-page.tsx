import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import type { CardView, membershipCardList } from '#membership/contract.ts'
import { benefitsOf } from '#membership/web/benefits.ts'
import { Bullets, Picture } from '#membership/web/card.tsx'
import { cardPath, useReceiver } from '#membership/web/membership.tsx'
import { cheapest, usePrice } from '#membership/web/price.ts'
import css from '#membership/web/card-list.module.css'

export function Page() {
  const words = useWords('membership')
  const { cards } = useLoaderData<Output<typeof membershipCardList>>()
  if (cards.length === 0)
    return (
      <Empty
        title={words('title')}
        action={
          <Link to="/index" className="button quiet">
            {words('toHome')}
          </Link>
        }
      >
        {words('none')}
      </Empty>
    )
  return (
    <section className={css.page}>
      <h1>{words('title')}</h1>
      <p className="meta">{words('what')}</p>
      <ul className={css.cards}>
        {cards.map((card) => (
          <Card key={card.id} card={card} />
        ))}
      </ul>
      <Comparison cards={cards} />
    </section>
  )
}

function Card({ card }: { card: CardView }) {
  const words = useWords('membership')
  const language = useLanguage()
  const price = usePrice()
  const path = cardPath(card.id, { receiver: useReceiver() })
  const isSoldOut = card.specifications.every(({ left }) => left === 0)
  return (
    <li className={css.card}>
      <Picture of={card} />
      <h2>
        <Link to={path}>{card.name[language]}</Link>
      </h2>
      {card.subtitle[language] && <p className={css.subtitle}>{card.subtitle[language]}</p>}
      <Bullets of={card} />
      <p className={css.price}>
        {words('from', {
          price: cheapest(card.specifications)
            .map((one) => price(one))
            .join(words('or')),
        })}{' '}
        {isSoldOut && <span className="mark">{words('soldOutMark')}</span>}
      </p>
      <Link to={path} className="button quiet" aria-label={`${words('seeOptions')}: ${card.name[language]}`}>
        {words('seeOptions')}
      </Link>
    </li>
  )
}

/** The benefits of each card's role. A single card lists them on its own page. */
function Comparison({ cards }: { cards: readonly CardView[] }) {
  const words = useWords('membership')
  const translate = useTranslate()
  const language = useLanguage()
  const columns = cards.map((card) => new Map(benefitsOf(card.gives, language, translate).map(({ title, detail }) => [title, detail])))
  // In the order of the card with the most benefits.
  const titles = [...new Set(columns.toSorted((one, other) => other.size - one.size).flatMap((column) => [...column.keys()]))]
  if (cards.length < 2 || titles.length === 0) return null
  return (
    <>
      <h2 id="compare">{words('compare')}</h2>
      <div className={css.scroll}>
        <table className={`list ${css.compared}`} aria-labelledby="compare">
          <thead>
            <tr>
              <th scope="col">{words('benefit')}</th>
              {cards.map(({ id, name }) => (
                <th key={id} scope="col">
                  <Link to={cardPath(id)}>{name[language]}</Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {titles.map((title) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {columns.map((column, at) => (
                  <td key={cards[at]?.id}>
                    <BenefitCell detail={column.get(title)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Undefined if a card lacks it; null if it gives all of it. */
function BenefitCell({ detail }: { detail: string | null | undefined }) {
  const words = useWords('membership')
  if (detail) return detail
  return (
    <>
      <span className={css.sign} aria-hidden="true">
        {detail === null ? <Icon name="check" size={18} /> : '–'}
      </span>
      <span className="hidden">{words(detail === null ? 'included' : 'notIncluded')}</span>
    </>
  )
}
