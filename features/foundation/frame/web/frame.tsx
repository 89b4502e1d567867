import type { MouseEvent, ReactNode } from 'react'
import { Html } from '#base/web/html.tsx'
import { NavLink } from '#base/web/link.tsx'
import { Icon } from '#base/web/icon.tsx'
import { useLanguage } from '#base/web/words.tsx'
import type { FrameView, SectionView, SlotPlace } from '#frame/contract.ts'
import css from '#frame/web/frame.module.css'

type Sections = { of: readonly SectionView[] }

/** The navigation of a wide page; nested sections open as a popover. */
export function Sections({ of: sections }: Sections) {
  const language = useLanguage()
  return sections.map((section) => {
    if (section.below.length === 0) return <SectionLink key={section.id} to={section} />
    const id = `section-${section.id}`
    return (
      <span key={section.id}>
        <button type="button" className={css.more} popoverTarget={id}>
          <bdi>{section.name[language]}</bdi>
          <Icon name="down" size={16} />
        </button>
        <span id={id} popover="auto" className={css.below}>
          {section.url && <SectionLink to={section} />}
          {section.below.map((entry) => (
            <SectionLink key={entry.id} to={entry} />
          ))}
        </span>
      </span>
    )
  })
}

// The bottom bar of a phone contains these itself.
const barPaths = ['/index', '/askList']

/** The sections without a place in the bottom bar of a phone. */
export function overflowSections(sections: readonly SectionView[]): SectionView[] {
  return sections.filter(({ url, below }) => !barPaths.includes(url) || below.length > 0)
}

type SectionMenuProps = Sections & { label: string; className?: string | undefined; children: ReactNode }

/** A menu button with the sections, on a phone, and further entries. */
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

/** The sections as a vertical list. */
export function SectionLinks({ of: sections }: Sections) {
  const language = useLanguage()
  return sections.map((section) => (
    <div key={section.id}>
      {section.url ? <SectionLink to={section} /> : <p>{section.name[language]}</p>}
      {section.below.map((entry) => (
        <SectionLink key={entry.id} to={entry} />
      ))}
    </div>
  ))
}

function SectionLink({ to: { name, url } }: { to: Pick<SectionView, 'name' | 'url'> }) {
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

/** The HTML of staff for this slot. */
export function Slot({ of: { slots }, place }: { of: FrameView; place: SlotPlace }) {
  const language = useLanguage()
  const slot = slots.find((one) => one.place === place)
  return slot && <StaffHtml html={slot[language]} />
}

/** HTML of staff, sanitised by the server. */
export function StaffHtml({ html }: { html: string }) {
  return <Html html={html} className={`prose ${css.slot}`} />
}
