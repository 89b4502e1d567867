import type { ReactNode } from 'react'
import css from '#look/web/look.module.css'

type Picture = { src: string; width: number; height: number }
export type Logo = Picture & { /** Another one, on dark ground. */ onDark: Picture | null }

const high = 32
// As wide as this it says the name itself.
const wide = 2

/** Who we are: the logo, with the name beside it where it is a mere sign; without a logo, the sign of the house. */
export function Mark({ title, logo, house }: { title: string; logo: Logo | null; house: ReactNode }) {
  if (!logo)
    return (
      <>
        {house}
        <span>{title}</span>
      </>
    )
  const isName = logo.width >= logo.height * wide
  const alt = isName ? title : ''
  return (
    <>
      <Shown of={logo} alt={alt} place={logo.onDark ? 'onLight' : 'onBoth'} isName={isName} />
      {logo.onDark && <Shown of={logo.onDark} alt={alt} place="onDark" isName={isName} />}
      {!isName && <span>{title}</span>}
    </>
  )
}

type ShownProps = { of: Picture; alt: string; place: 'onBoth' | 'onLight' | 'onDark'; isName: boolean }

// Of two the browser loads the one that is seen.
function Shown({ of: { src, width, height }, alt, place, isName }: ShownProps) {
  return (
    <img
      src={src}
      alt={alt}
      width={Math.round((width / height) * high)}
      height={high}
      loading={place === 'onBoth' ? 'eager' : 'lazy'}
      className={`${css.logo} ${css[place]} ${isName ? '' : css.sign}`}
    />
  )
}
