import { useEffect, useRef, type RefObject } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { isolate } from '#base/direction.ts'
import { Link } from '#base/web/link.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { useIdle, useIdlePart } from '#base/web/lazy-part.ts'
import { LoadingOverlay } from '#base/web/loading.tsx'
import { Memoized } from '#base/web/memoized.tsx'
import { scrollKey } from '#base/web/scroll-key.ts'
import { Toasts } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { AccountArea } from '#apps/web/account-area.tsx'
import { BottomBar } from '#apps/web/bottom-bar.tsx'
import { Cup } from '#apps/web/cup.tsx'
import { PendingApproval } from '#apps/web/pending-approval.tsx'
import { LanguageOffer } from '#apps/web/language-offer.tsx'
import { Preferences } from '#apps/web/menu-preferences.tsx'
import { Sections, Slot } from '#frame/web/frame.tsx'
import { Brand } from '#look/web/look.tsx'
import { SearchBox, SearchLink } from '#search/web/search.tsx'
import { ProofDialogPlace } from '#second-factor/web/second-factor.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/layout.module.css'

/** The layout of every page: the header, the bottom navigation on a phone, the screen. */
export function Layout() {
  const words = useWords('site')
  const { frame, siteState } = useSite()
  const keys = useIdlePart(() => import('#apps/web/shortcuts.tsx'), useIdle() && hasKeyboard())
  return (
    <>
      <Memoized by={(address) => ['top', address]}>
        <>
          <a href="#content" className={css.skip}>
            {words('skip')}
          </a>
          <LanguageOffer />
          <Header />
        </>
      </Memoized>
      <main id="content" className={css.main} tabIndex={-1}>
        {siteState === 'readOnly' && <p className={`note ${css.state}`}>{words('readOnly')}</p>}
        <PendingApproval />
        <Slot of={frame} place="belowHeader" />
        <Outlet />
        <Slot of={frame} place="aboveFooter" />
      </main>
      <Memoized by={(address) => ['bottom', address]}>
        <>
          <Footer />
          <BottomBar />
        </>
      </Memoized>
      <Toasts />
      <DialogHost />
      <ProofDialogPlace />
      {keys && <keys.Shortcuts />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

// False on a phone, unless a mouse is connected.
function hasKeyboard(): boolean {
  return matchMedia('(any-hover: hover)').matches
}

function Header() {
  const words = useWords('site')
  const { title, logo, frame } = useSite()
  const header = useRef<HTMLElement>(null)
  useHideOnScroll(header)
  return (
    <header ref={header} className={css.header}>
      <div className={css.bar}>
        <Link to="/index" className={css.name}>
          <Brand title={title} logo={logo} house={<Cup />} />
        </Link>
        <nav aria-label={words('sections')} className={css.sections}>
          <Sections of={frame.sections} />
        </nav>
        <div className={css.search}>
          <SearchBox />
        </div>
        <div className={css.corner}>
          <SearchLink />
          <Preferences />
          <AccountArea />
        </div>
      </div>
      <LoadingOverlay />
    </header>
  )
}

// Hides a phone's header on scrolling down.
function useHideOnScroll(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = scrollY
    function move(): void {
      if (Math.abs(scrollY - last) < 8) return
      header.current?.toggleAttribute('data-away', scrollY > last && scrollY > 56)
      last = scrollY
    }
    addEventListener('scroll', move, { passive: true })
    return () => removeEventListener('scroll', move)
  }, [header])
}

function Footer() {
  const words = useWords('site')
  const { title, open, icpNumber, policeNumber, licence } = useSite()
  return (
    <footer className={css.footer}>
      <p>
        {isolate(title)} · {words('motto')}
      </p>
      <p>
        <Link to="/about">{words('about')}</Link>
        <Link to="/help">{words('help')}</Link>
        <Link to="/user/control/point">{words('pointRules')}</Link>
        {open.feedback && <Link to="/feedback">{words('feedback')}</Link>}
        <Link to="/termsService">{words('terms')}</Link>
        <a href="/api/docs">{words('apiDocs')}</a>
        <span>{words('sourceCode')}</span>
      </p>
      {(icpNumber || policeNumber || licence) && (
        <p>
          {icpNumber && (
            <a lang="zh-CN" href="https://beian.miit.gov.cn/" rel="noreferrer">
              {icpNumber}
            </a>
          )}
          {policeNumber && (
            <a lang="zh-CN" href={`https://beian.mps.gov.cn/#/query/webSearch?code=${policeNumber.replace(/\D/g, '')}`} rel="noreferrer">
              {policeNumber}
            </a>
          )}
          {licence && <span>{licence}</span>}
        </p>
      )}
    </footer>
  )
}
