import { Icon } from '#base/web/icon.tsx'
import { useLanguage } from '#base/web/words.tsx'
import type { CardView } from '#membership/contract.ts'
import css from '#membership/web/card.module.css'

export function Picture({ of: { picture } }: { of: Pick<CardView, 'picture'> }) {
  if (picture) return <img src={picture} alt="" width={96} height={96} className={css.picture} decoding="async" />
  return (
    <div className={css.plain} aria-hidden="true">
      <Icon name="star" size={32} />
    </div>
  )
}

export function Bullets({ of: { bullets } }: { of: Pick<CardView, 'bullets'> }) {
  const language = useLanguage()
  const lines = bullets[language]
  if (lines.length === 0) return null
  return (
    <ul className={css.bullets}>
      {lines.map((one) => (
        <li key={one}>
          <Icon name="check" size={18} />
          <span>{one}</span>
        </li>
      ))}
    </ul>
  )
}
