import type { MouseEvent, ReactNode } from 'react'
import { Html } from '#base/web/html.tsx'
import { NavLink } from '#base/web/link.tsx'
import { Icon } from '#base/web/icon.tsx'
import { useLanguage } from '#base/web/words.tsx'
import type { FrameView, SectionView, SlotPlace } from '#frame/contract.ts'
import css from '#frame/web/frame.module.css'

type Sections = { of: readonly SectionView[] }

/** The sections in the head of a wide page; those under one come out of it. */
export function Sections({ of: sections }: Sections) {
  const language = useLanguage()
  return sections.map((section) => {
    if (section.below.length === 0) return <Way key={section.id} to={section} />
    const id = `section-${section.id}`
    return (
      <span key={section.id}>
        <button type="button" className={css.more} popoverTarget={id}>
          <bdi>{section.name[language]}</bdi>
          <Icon name="down" size={16} />
        </button>
        <span id={id} popover="auto" className={css.below}>
          {section.url && <Way to={section} />}
          {section.below.map((entry) => (
            <Way key={entry.id} to={entry} />
          ))}
        </span>
      </span>
    )
  })
}

// The bar at the foot of a phone has these by itself.
const lists = ['/index', '/askList']

/** The sections that the bar of a phone has no room for. */
export function furtherOf(sections: readonly SectionView[]): SectionView[] {
  return sections.filter(({ url, below }) => !lists.includes(url) || below.length > 0)
}

type SectionMenuProps = Sections & { label: string; className?: string | undefined; children: ReactNode }

/** Sections behind one button, on a phone, and what else belongs there. */
export function SectionMenu({ of: sections, label, className, children }: SectionMenuProps) {
  return (
    <>
      <button type="button" popoverTarget="section-menu" className={className}>
        <Icon name="list" />
        {label}
      </button>
      <div id="section-menu" popover="auto" className={css.menu}>
        <SectionLinks of={sections} />
        {children}
      </div>
    </>
  )
}

/** Sections one under the other, as a menu has them. */
export function SectionLinks({ of: sections }: Sections) {
  const language = useLanguage()
  return sections.map((section) => (
    <div key={section.id}>
      {section.url ? <Way to={section} /> : <p>{section.name[language]}</p>}
      {section.below.map((entry) => (
        <Way key={entry.id} to={entry} />
      ))}
    </div>
  ))
}

function Way({ to: { name, url } }: { to: Pick<SectionView, 'name' | 'url'> }) {
  const language = useLanguage()
  if (url.startsWith('/'))
    return (
      <NavLink to={url} onClick={close}>
        {name[language]}
      </NavLink>
    )
  return (
    <a href={url} target="_blank" rel="noopener">
      {name[language]}
    </a>
  )
}

function close({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
}

/** What staff put in this place of every page. */
export function Slot({ of: { slots }, place }: { of: FrameView; place: SlotPlace }) {
  const language = useLanguage()
  const slot = slots.find((one) => one.place === place)
  return slot && <Piece html={slot[language]} />
}

/** HTML of staff, cleaned by the server. */
export function Piece({ html }: { html: string }) {
  return <Html html={html} className={`prose ${css.slot}`} />
}
