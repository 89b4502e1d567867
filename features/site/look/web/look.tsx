import type { ReactNode } from 'react'
import css from '#look/web/look.module.css'

type Picture = { src: string; width: number; height: number }
export type Logo = Picture & { /** Another one, for dark backgrounds. */ onDark: Picture | null }

const logoHeight = 32
// From this aspect ratio on, a logo contains the name.
const wideRatio = 2

/** The brand: the logo, with the name beside a narrow one; without a logo, the default icon. */
export function Brand({ title, logo, house }: { title: string; logo: Logo | null; house: ReactNode }) {
  if (!logo)
    return (
      <>
        {house}
        <span>{title}</span>
      </>
    )
  const isName = logo.width >= logo.height * wideRatio
  const alt = isName ? title : ''
  return (
    <>
      <LogoImage of={logo} alt={alt} place={logo.onDark ? 'onLight' : 'onBoth'} isName={isName} />
      {logo.onDark && <LogoImage of={logo.onDark} alt={alt} place="onDark" isName={isName} />}
      {!isName && <span>{title}</span>}
    </>
  )
}

type ShownProps = { of: Picture; alt: string; place: 'onBoth' | 'onLight' | 'onDark'; isName: boolean }

// Of the two variants the browser loads the visible one.
function LogoImage({ of: { src, width, height }, alt, place, isName }: ShownProps) {
  return (
    <img
      src={src}
      alt={alt}
      width={Math.round((width / height) * logoHeight)}
      height={logoHeight}
      loading={place === 'onBoth' ? 'eager' : 'lazy'}
      className={`${css.logo} ${css[place]} ${isName ? '' : css.sign}`}
    />
  )
}
